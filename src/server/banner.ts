import { resolve } from 'node:path';
import type { AdminPassword } from './session/admin-password.js';

/** What a person who starts the server wants to know. */
interface BannerFacts {
  readonly version: string;
  readonly baseUrl: string;
  readonly dataFolder: string;
  readonly admin: AdminPassword;
  /** Where telemetry goes, if anywhere. */
  readonly telemetryEndpoint: string | undefined;
  readonly readyMs: number;
  /** What was lost before this start, a sentence each. */
  readonly losses: readonly string[];
}

/** The lines that the server prints when it is ready: at most 15. The password is in them only when it was made just now. */
export function banner(facts: BannerFacts): string {
  const { version, baseUrl, dataFolder, admin, telemetryEndpoint, readyMs, losses } = facts;
  return [
    `Millrace ${version} (Node ${process.versions.node}, process ${process.pid}) was ready in ${Math.round(readyMs)} ms`,
    '',
    `  Address    ${baseUrl}`,
    `  GraphQL    ${baseUrl}/bin/graphql.cgi/web`,
    `  Explore    ${baseUrl}/graphiql`,
    `  Data       ${resolve(dataFolder)}`,
    ...(telemetryEndpoint === undefined ? [] : [`  Telemetry  ${telemetryEndpoint}`]),
    ...losses.map((loss) => `  LOST       ${loss}`),
    '  Sign in    admin',
    `  Password   ${passwordLine(admin)}`,
    '',
    'Try it:',
    `  ${tryIt(baseUrl, admin)}`,
    '',
  ].join('\n');
}

/** The password where it was made just now, and always where it lies. */
function passwordLine({ password, file, isNew }: AdminPassword): string {
  if (file === undefined) return 'as set by MILLRACE_ADMIN_PASSWORD';
  return isNew ? `${password}   (shown this once; kept in ${resolve(file)})` : `in ${resolve(file)}`;
}

/** A command that works as it stands, and holds no password. */
function tryIt(baseUrl: string, { file }: AdminPassword): string {
  const password = file === undefined ? '$MILLRACE_ADMIN_PASSWORD' : `$(cat ${quoted(resolve(file))})`;
  const body = JSON.stringify({ query: '{ processDefinitions(first: 1) { totalCount } }' });
  return `curl -s -u "admin:${password}" -H 'Content-Type: application/json' -d '${body}' ${baseUrl}/bin/graphql.cgi/web`;
}

const quoted = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
