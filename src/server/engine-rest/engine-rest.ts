import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BodyBudget, readBody, TransportError } from '../../graphql/index.js';
import type { Caller } from '../../shared/caller.js';
import { ServiceError, unavailable } from '../../shared/errors.js';
import type { PartitionPort } from '../../store/index.js';
import type { SignIn } from '../session/sign-in.js';
import { activityTrees } from './activity-tree.js';
import { batchRoutes } from './batches.js';
import { decisionRoutes } from './decisions.js';
import { definitionActions } from './definition-actions.js';
import { deploymentRoutes } from './deployments.js';
import { executionRoutes } from './executions.js';
import { externalTaskRoutes } from './external-tasks.js';
import { formRoutes } from './forms.js';
import { historyRoutes } from './history.js';
import { identityRoutes } from './identity.js';
import { instanceActions } from './instance-actions.js';
import { instanceBatches } from './instance-batches.js';
import { instanceHistory } from './instance-history.js';
import { messageRoutes } from './messages.js';
import { migrationRoutes } from './migrations.js';
import { operatorLists } from './operator-lists.js';
import { processLists } from './process-lists.js';
import { processRoutes } from './processes.js';
import { type RestAnswer, RestCall, type RestRoute, type RestServices } from './rest-call.js';
import { replyRest, replyRestError } from './rest-error.js';
import { taskActions } from './task-actions.js';
import { taskChanges } from './task-changes.js';
import { taskLists } from './task-lists.js';
import { variableInstances } from './variable-instances.js';

/** Parts that Camunda's REST API is served with. */
export const ENGINE_REST = '/engine-rest';

/** What the resources are served with. */
export interface EngineRestParts {
  readonly services: RestServices;
  readonly signIn: Pick<SignIn, 'authenticate'>;
  readonly bodies: BodyBudget;
  readonly bodyBytesMax: number;
  /** The open workspaces, by name. */
  readonly workspace: (name: string) => PartitionPort | undefined;
  /** Why a workspace that is none of them takes no calls. */
  readonly away: (name: string) => ServiceError;
  readonly isRunning: (partition: string) => boolean;
  /** Told of a call that was refused as FORBIDDEN. */
  readonly denied: (partition: string, userId: string, resource: string) => void;
}

const engines: RestRoute = {
  method: 'GET',
  path: 'engine',
  answer: ({ services }) => ({ json: services.workspaces().map((name) => ({ name })) }),
};
const ROUTES: readonly RestRoute[] = [
  engines,
  ...deploymentRoutes,
  ...processRoutes,
  ...processLists,
  ...instanceActions,
  ...activityTrees,
  ...executionRoutes,
  ...messageRoutes,
  ...externalTaskRoutes,
  ...taskLists,
  ...taskActions,
  ...taskChanges,
  ...operatorLists,
  ...historyRoutes,
  ...instanceHistory,
  ...variableInstances,
  ...formRoutes,
  ...identityRoutes,
  ...definitionActions,
  ...decisionRoutes,
  ...migrationRoutes,
  ...instanceBatches,
  ...batchRoutes,
];
const RESOURCES: ReadonlySet<string> = new Set(ROUTES.map(({ path }) => path.split('/')[0] ?? ''));
/** The workspace of paths that name none. */
export const DEFAULT_WORKSPACE = 'web';

/** Whether the request is for Camunda's clients. */
export const isEngineRest = (url = ''): boolean =>
  url.startsWith(ENGINE_REST) && /^[/?]?$/.test(url.charAt(ENGINE_REST.length));

/** Answers Camunda's own clients: a thin layer over the operations of the API. It never throws. */
export function engineRest(parts: EngineRestParts): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => void answered(parts, req, res).catch((thrown: unknown) => replyRestError(res, thrown));
}

async function answered(parts: EngineRestParts, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const caller = await callerOf(parts, req);
  const [path = '', search] = (req.url ?? '').split('?', 2);
  const { workspace, segments } = placeOf(path);
  const method = req.method === 'HEAD' ? 'GET' : (req.method ?? '');
  const { route, params } = routeOf(method, segments, path);
  const partition = parts.workspace(workspace);
  if (partition === undefined) throw parts.away(workspace);
  if (!parts.isRunning(partition.id))
    throw unavailable(`expected the process engine of '${workspace}' to run, but it is off`);
  const share = parts.bodies.share();
  share.belongsTo(`user:${caller.userId}`);
  const control = new AbortController();
  const gone = () => control.abort();
  res.once('close', gone);
  try {
    const asked = { ...caller, workspace };
    const common = { services: parts.services, partition, caller: asked, params, query: new URLSearchParams(search) };
    const answer = await share.during(async () => {
      const body = route.method !== 'GET' ? await readBody(req, parts.bodyBytesMax, share) : Buffer.alloc(0);
      return route.answer(new RestCall({ ...common, headers: req.headers, body, signal: control.signal }));
    });
    reply(res, answer);
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code === 'FORBIDDEN')
      parts.denied(partition.id, caller.userId, route.path);
    throw thrown;
  } finally {
    res.off('close', gone);
  }
}

function reply(res: ServerResponse, answer: RestAnswer): void {
  if (res.headersSent || res.destroyed) return;
  if (answer === null) res.writeHead(204).end();
  else if ('json' in answer) replyRest(res, answer.status ?? 200, answer.json);
  else {
    const { bytes, headers } = answer;
    res.writeHead(200, { ...headers, 'Content-Length': bytes.length, 'Cache-Control': 'no-store' }).end(bytes);
  }
}

/** By HTTP Basic alone: no cookie counts, so no page of another site can act for anybody. @throws UNAUTHORIZED, RATE_LIMITED */
async function callerOf({ signIn }: EngineRestParts, req: IncomingMessage): Promise<Caller> {
  const isBasic = /^basic\b/i.test(req.headers.authorization ?? '');
  const identity = isBasic ? await signIn.authenticate(req) : undefined;
  if (identity !== undefined) return { ...identity, workspace: '', cause: {} };
  throw new ServiceError('UNAUTHORIZED', 'expected a caller who signs in by HTTP Basic', { reason: 'not_signed_in' });
}

interface Place {
  readonly workspace: string;
  readonly segments: readonly string[];
}

/** `/engine-rest/engine/<workspace>/…`; of `/engine-rest/<name>/…` the name is a resource's of `web`, else a workspace's. */
function placeOf(path: string): Place {
  const [first = '', ...rest] = path
    .slice(ENGINE_REST.length + 1)
    .split('/')
    .filter(Boolean)
    .map(decoded);
  if (first === 'engine') {
    if (rest.length === 0) return { workspace: DEFAULT_WORKSPACE, segments: [first] };
    const [workspace = '', ...segments] = rest;
    return { workspace, segments };
  }
  if (RESOURCES.has(first)) return { workspace: DEFAULT_WORKSPACE, segments: [first, ...rest] };
  return { workspace: first, segments: rest };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new TransportError(400, 'BAD_REQUEST', 'expected a path that can be read, but it is malformed');
  }
}

interface Found {
  readonly route: RestRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** @throws TransportError 404, 405 */
function routeOf(method: string, segments: readonly string[], asked: string): Found {
  const fitting = ROUTES.flatMap((route) => {
    const params = paramsOf(route.path.split('/'), segments);
    return params === undefined ? [] : [{ route, params, free: Object.keys(params).length }];
  });
  // What names more of the path is meant: `external-task/count` is no task.
  const fewest = Math.min(...fitting.map(({ free }) => free));
  const matching = fitting.filter(({ free }) => free === fewest);
  const found = matching.find(({ route }) => route.method === method);
  if (found !== undefined) return found;
  if (matching.length === 0)
    throw new ServiceError('NOT_FOUND', `expected a resource of this server, but there is none at '${asked}'`, {
      reason: 'resource_not_found',
    });
  const allowed = matching.map(({ route }) => route.method).join(', ');
  throw new TransportError(405, 'BAD_REQUEST', `expected ${allowed}, but found ${method}`, { Allow: allowed });
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':') && segment !== '') params[part.slice(1)] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
}
