import { resolve } from 'node:path';
import { messageOf, ServiceError } from '../shared/errors.js';
import { log } from '../shared/log.js';
import { startServer } from './server.js';
import type { AdminPassword } from './session/admin-password.js';
import { ConfigError, type ConfigReading, readConfig } from './settings/config.js';
import { endOnSignals, type Unlisten } from './signals.js';
import { startTelemetry } from './telemetry/telemetry.js';
import { packageVersion } from './usage.js';
import { makeWire } from './wire/wire.js';

/** Runs the server until it is told to end. `unlisten`: ends what signals did until there was a server. */
export async function run(unlisten: Unlisten): Promise<void> {
  await start(unlisten).catch((thrown: unknown) => {
    const expected = thrown instanceof ConfigError || thrown instanceof ServiceError;
    process.stderr.write(`${expected || !(thrown instanceof Error) ? messageOf(thrown) : thrown.stack}\n`);
    process.exit(1);
  });
}

async function start(unlisten: Unlisten): Promise<void> {
  const { config, warnings }: ConfigReading = readConfig(process.env);
  log.level = config.logLevel;
  for (const warning of warnings) log.warn(warning);
  process.on('uncaughtException', die).on('unhandledRejection', die);
  process.stdout.on('error', () => {}); // whoever read the banner may have gone
  const telemetry = await startTelemetry(process.env);
  const server = await startServer(config, makeWire, {
    adminPasswordFile: process.env.MILLRACE_ADMIN_PASSWORD_FILE,
    closings: [{ name: 'telemetry', close: () => telemetry.shutdown() }],
  });
  endOnSignals(server.end, (code) => process.exit(code));
  unlisten(); // after it: where nobody listens in between, a signal that has just come is lost
  const { baseUrl, admin, losses, failures } = server;
  const facts = {
    version: packageVersion(),
    baseUrl,
    dataFolder: config.dataFolder,
    admin,
    losses,
    failures,
    telemetryEndpoint: telemetry.endpoint,
  };
  process.stdout.write(banner({ ...facts, readyMs: process.uptime() * 1000 }));
}

/** After a bug that nobody caught nothing can be relied on: what is durable is safe, and the next start goes on from there. */
function die(thrown: unknown): void {
  log.fatal({ err: thrown instanceof Error ? thrown : new Error(messageOf(thrown)) }, 'the server has failed and ends');
  process.exit(1);
}

/** Facts of the banner, for the person who starts the server. */
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
  /** Workspaces that could not be opened, a sentence each. */
  readonly failures: readonly string[];
}

/** The lines that the server prints when it is ready: at most 15. The password is in them only when it was made just now. */
export function banner(facts: BannerFacts): string {
  const { version, baseUrl, dataFolder, admin, telemetryEndpoint, readyMs, losses, failures } = facts;
  return [
    `Millrace ${version} (Node ${process.versions.node}, process ${process.pid}) was ready in ${Math.round(readyMs)} ms`,
    '',
    `  Address    ${baseUrl}`,
    `  GraphQL    ${baseUrl}/bin/graphql.cgi/web`,
    `  Explore    ${baseUrl}/graphiql`,
    `  Data       ${resolve(dataFolder)}`,
    ...(telemetryEndpoint === undefined ? [] : [`  Telemetry  ${telemetryEndpoint}`]),
    ...losses.map((loss) => `  LOST       ${loss}`),
    ...failures.map((failure) => `  FAILED     ${failure}`),
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
