import { posix } from 'node:path';
import {
  type BlobValue,
  Change,
  type ContentNode,
  type InlineValue,
  isAsking,
  type NodeOperations,
} from '../../content/index.js';
import {
  ALL_ROUTES,
  type DeployedRoutes,
  deployed,
  type EipServices,
  requireDeployer,
  withdrawn,
} from '../../eip/index.js';
import { badRequest, ServiceError } from '../../shared/errors.js';
import { type CommandContext, type Decision, operation, type State } from '../../store/index.js';
import { hashOf, warningText } from './deployment-kind.js';
import { noteDeployed, noteGone } from './deployment-record.js';
import { formatOf } from './route-files.js';

/** Input of `editRouteFile`: a file of routes as it is to be. */
export interface EditRouteFile {
  readonly path: string;
  /** The file that is there, as it was read; null: none is. */
  readonly before: { readonly nodeId: string; readonly hash: string } | null;
  /** Null: it goes. */
  readonly after: { readonly text: string; readonly content: BlobValue | InlineValue } | null;
  /** Where it goes to. Default: it stays. */
  readonly moveTo?: string;
  /** Whether new routes start at once. Default: as they say themselves. */
  readonly autoStart?: boolean | null;
  /** The route that it is about. */
  readonly routeId: string;
}

/**
 * Writes a file of routes and deploys it, in one commit: what is written is deployed, and what cannot be deployed is not written. Answers the ids of its routes.
 * @throws FORBIDDEN (deploying, writing the file), BAD_REQUEST (what is wrong in it), ALREADY_EXISTS, CONFLICT (it was changed since it was read; a lock)
 */
export const editRouteFile = (nodes: NodeOperations, eip: EipServices) => ({
  ...operation('editRouteFile', (state, input: EditRouteFile, context) => edited(nodes, eip, state, input, context)),
  limits: ALL_ROUTES,
});

function edited(nodes: NodeOperations, eip: EipServices, state: State, input: EditRouteFile, context: CommandContext) {
  requireDeployer(context.caller, 'deploy routes');
  const change = new Change(state, context.caller, context.answers);
  const written = writeFile(nodes, change, input);
  if ('ask' in written) return written;
  const { nodeId: fileId } = written;
  const { after, path, moveTo = path, autoStart = null } = input;
  if (after === null) {
    const gone = withdrawn(eip, state, { fileId, userId: context.caller.userId });
    return together([change.decision(null), gone, noteGone(state, fileId)], [input.routeId]);
  }
  const file = { fileId, path: moveTo, format: formatOf(moveTo), text: after.text, autoStart };
  const routes = deployed(eip, state, file, context);
  if ('ask' in routes) return routes;
  const { routeIds, warnings } = routes.answer as DeployedRoutes;
  // Nobody needs to look at it again.
  const noted = noteDeployed(state, change, {
    ...{ nodeId: fileId, path: moveTo, hash: hashOf(after.content), deploymentId: fileId, problem: null },
    warnings: warnings.map(warningText),
  });
  return together([change.decision(null), routes as Decision<DeployedRoutes>, noted], routeIds);
}

type Part = Pick<Decision<unknown>, 'write' | 'events' | 'jobs'>;

/** Decisions about different documents as one. */
const together = <A>(parts: readonly Part[], answer: A): Decision<A> => ({
  write: parts.flatMap(({ write = [] }) => write),
  events: parts.flatMap(({ events = [] }) => events),
  jobs: parts.flatMap(({ jobs = [] }) => jobs),
  answer,
});

/** Writes the file, or asks; gives its node. */
function writeFile(nodes: NodeOperations, change: Change, { path, before, after, moveTo }: EditRouteFile) {
  if (before === null) {
    if (after === null) throw new Error(`expected a file to write at '${path}'`);
    const file = { path: posix.dirname(path), name: posix.basename(path), mimeType: 'application/yaml' };
    return nodes.createFile.apply(change, { ...file, content: after.content });
  }
  const file = fileAsRead(change, path, before);
  if (after === null) {
    const asked = nodes.deleteNode.apply(change, { path });
    return isAsking(asked) ? asked : { nodeId: file.id };
  }
  writeContent(change, file, after.content);
  if (moveTo === undefined || moveTo === path) return { nodeId: file.id };
  const folder = posix.dirname(moveTo);
  if (change.find(folder) === undefined)
    nodes.createFolder.apply(change, { path: posix.dirname(folder), name: posix.basename(folder) });
  nodes.moveNode.apply(change, { sourcePath: path, destPath: folder });
  return { nodeId: file.id };
}

/** @throws BAD_REQUEST (it is not there), CONFLICT (it is another one than was read) */
function fileAsRead(change: Change, path: string, { nodeId, hash }: NonNullable<EditRouteFile['before']>): ContentNode {
  const file = change.at(path, 'File');
  const data = change.contentOf(file).properties['jcr:data'];
  if (file.id === nodeId && JSON.stringify(data) === hash) return file;
  throw new ServiceError('CONFLICT', `expected '${path}' as it was read, but somebody has changed it since`, {
    reason: 'file_changed',
    resourceId: file.id,
  });
}

function writeContent(change: Change, file: ContentNode, value: BlobValue | InlineValue): void {
  const content = change.contentOf(file);
  if (content.id === file.id) throw badRequest(`expected '${change.pathOf(file)}' to be a file`);
  change.require(content, 'jcr:modifyProperties');
  change.requireChangeable(content);
  const properties = { ...content.properties, 'jcr:data': { type: 'Binary', value } as const };
  change.put(change.types.touched(change, { ...content, properties }));
}
