import { badRequest, ServiceError } from '../../shared/errors.js';
import { addNode, type ParentOptions, parentAt } from '../tree/add-node.js';
import type { Change, ExpectedVersion } from '../tree/change.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import type { ContentNode } from '../tree/node.js';
import { addFile, replaceContent } from '../upload/create-file.js';
import { formatPath, parseAbsolutePath } from '../value/path.js';
import type { BlobValue, InlineValue } from '../value/property.js';
import { type GivenProperty, setProperties } from './set-properties.js';

/** Input of `writeNode`: what is to be at a path, whether it is there already or not. */
export interface WriteNode extends ParentOptions, ExpectedVersion {
  readonly path: string;
  /** The bytes of a file. Default: properties alone. */
  readonly content?: BlobValue | InlineValue | null;
  /** Of a file. Default: what it has; of a new one application/octet-stream. */
  readonly mimeType?: string | null;
  /** Of a new node. Default: nt:file with bytes; without, nt:folder in a folder, else nt:unstructured. */
  readonly nodeType?: string | null;
  readonly properties?: readonly GivenProperty[] | null;
  /** Where a node is there: it is changed, or that is an error, or it stays as it is. Default: it is changed. */
  readonly exists?: 'override' | 'fail' | 'ignore' | null;
}

export interface WriteAnswer extends NodeAnswer {
  readonly isNew: boolean;
  readonly path: string;
  readonly version: number;
}

/**
 * Makes a node, or changes the one that is there. `expectedVersion` 0: none may be there.
 * @throws BAD_REQUEST (a path, a property, the types); FORBIDDEN; ALREADY_EXISTS; CONFLICT (another version, locked, checked in)
 */
export const writeNode = contentOperation('writeNode', (change, input: WriteNode): WriteAnswer => {
  const present = change.find(input.path);
  if (present === undefined) return answerOf(change, made(change, input), true);
  if (input.exists === 'fail') throw isThere(change, present);
  if (input.exists !== 'ignore') changed(change, present, input);
  return answerOf(change, change.at(input.path), false);
});

const answerOf = (change: Change, node: ContentNode, isNew: boolean): WriteAnswer => ({
  ...{ nodeId: node.id, isNew, path: change.pathOf(node) },
  // Written last with this commit, or before.
  version: change.versionOf(node),
});

function made(change: Change, input: WriteNode): ContentNode {
  const { path, content, mimeType, nodeType, expectedVersion } = input;
  if (expectedVersion != null && expectedVersion !== 0) throw notThere(path, expectedVersion);
  const segments = parseAbsolutePath(path, change.types.namespaces);
  const last = segments.at(-1);
  if (last === undefined) throw badRequest(`expected the path of a node below the root, but it is '${path}'`);
  const parent = parentAt(change, formatPath({ absolute: true, segments: segments.slice(0, -1) }), input);
  const { name } = last;
  const node =
    content == null
      ? addNode(change, parent, { name, type: nodeType ?? typeIn(change, parent), isOnlyOfName: true })
      : addFile(change, parent, { name, type: nodeType ?? 'nt:file', content, mimeType });
  withProperties(change, input);
  return node;
}

const typeIn = (change: Change, parent: ContentNode): string =>
  change.types.isA(parent, 'nt:folder') ? 'nt:folder' : 'nt:unstructured';

function changed(change: Change, node: ContentNode, input: WriteNode): void {
  const { content, mimeType, expectedVersion } = input;
  change.requireVersion(node, expectedVersion);
  if (content != null) replaceContent(change, node, { content, mimeType });
  withProperties(change, input);
}

function withProperties(change: Change, { path, properties }: WriteNode): void {
  if (properties == null || properties.length === 0) return;
  const answer = setProperties.apply(change, { path, properties });
  const { errors } = 'ask' in answer ? { errors: [] } : answer;
  if (errors.length === 0) return;
  const message = errors.map(({ propertyName, message: why }) => `${propertyName}: ${why}`).join('; ');
  throw badRequest(message, { reason: 'properties_refused', details: { errors } });
}

/** Input of `expectNode`: the version that a block has read of a node. */
export interface ExpectNode {
  readonly path: string;
  /** Null: it was not there. */
  readonly version: number | null;
}

/** Requires that a node is as it was read: what is written behind it may rest on that. @throws CONFLICT it is not */
export const expectNode = contentOperation('expectNode', (change, { path, version }: ExpectNode): boolean => {
  const node = change.find(path);
  if (node === undefined && version !== null) throw notThere(path, version);
  if (node !== undefined) change.requireVersion(node, version ?? 0);
  return true;
});

const notThere = (path: string, version: number) =>
  new ServiceError('CONFLICT', `expected version ${version} of '${path}', but it is not there`, {
    reason: 'version_mismatch',
  });

const isThere = (change: Change, node: ContentNode) =>
  new ServiceError('ALREADY_EXISTS', `there is a node at '${change.pathOf(node)}' already`, {
    reason: 'node_exists',
    ...change.resourceOf(node),
  });
