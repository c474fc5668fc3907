import { badRequest, ServiceError, unavailable } from '../../shared/errors.js';
import { put, type State, type Write } from '../../store/documents.js';
import type { Change } from '../tree/change.js';
import { type DetachedTree, detachedTrees } from '../tree/detached.js';
import { type ContentNode, nodes, type Versioning } from '../tree/node.js';
import type { Reading } from '../tree/tree.js';
import {
  type FrozenChunk,
  frozenChunks,
  type Version,
  type VersionHistory,
  versionHistories,
  versionLitter,
  versions,
} from './version.js';

/** A node that has versions. */
export type Versionable = ContentNode & { readonly versioning: Versioning };

/** The node, whose versions the caller may make and restore. @throws BAD_REQUEST it is not versionable; FORBIDDEN; CONFLICT it is locked by somebody else */
export function managed(change: Change, node: ContentNode): Versionable {
  const versionable = requireVersionable(node, change.pathOf(node));
  change.require(node, 'jcr:versionManagement');
  change.requireUnlocked(node);
  return versionable;
}

/** @throws BAD_REQUEST */
function requireVersionable(node: ContentNode, path: string): Versionable {
  const { versioning } = node;
  if (versioning !== undefined) return { ...node, versioning };
  throw badRequest(`expected '${path}' to be versionable, but it is not`, {
    reason: 'not_versionable',
    resourceId: node.id,
  });
}

/** The history of a node, with or without the node; undefined: there is none. */
export function historyOf(state: Pick<State, 'get'>, nodeId: string): VersionHistory | undefined {
  const history = state.get(versionHistories, nodeId);
  return history?.deleted === true ? undefined : history;
}

/** As {@link historyOf}, as far as it is shown: nothing tells of a node that is being made out of the tree. */
export function shownHistoryOf(reading: Reading, nodeId: string): VersionHistory | undefined {
  const history = historyOf(reading, nodeId);
  if (history === undefined) return undefined;
  let top = reading.get(nodes, nodeId);
  for (let above = top; above !== undefined; above = reading.get(nodes, above.parent ?? '')) top = above;
  const detached = top === undefined ? undefined : reading.get(detachedTrees, top.id);
  const isBeingMade = detached?.isStaging === true && detached.keepsHistories !== true;
  return isBeingMade ? undefined : history;
}

/** The version of the name, or with the label. @throws NOT_FOUND */
export function versionAt(change: Change, node: ContentNode, by: VersionRef): Version {
  const history = historyOf(change.draft, node.id);
  const id = by.label === undefined ? undefined : history?.labels[by.label];
  const version =
    by.label === undefined
      ? versionNamed(change.draft, node.id, by.name)
      : id === undefined
        ? undefined
        : change.draft.get(versions, id);
  if (version !== undefined) return version;
  const what = by.label === undefined ? `version '${by.name}'` : `version with the label '${by.label}'`;
  const message = `expected a ${what} of '${change.pathOf(node)}', but there is none`;
  throw new ServiceError('NOT_FOUND', message, { reason: 'version_not_found', resourceId: node.id });
}

/** Reference to a version of a node: by its name, or by a label. */
export type VersionRef =
  | { readonly name: string; readonly label?: undefined }
  | { readonly label: string; readonly name?: undefined };

export const versionNamed = (state: Pick<State, 'find'>, nodeId: string, name: string): Version | undefined =>
  state.find(versions, 'name', [nodeId, name], { limit: 1 })[0];

/**
 * Begins the history of a node that has become versionable: a root version, behind which the node is checked out (JCR 2.0 §15.1). One that was
 * versionable before goes on with the history that it had. Nothing happens to nodes of other types.
 */
export function beginVersioning(change: Change, node: ContentNode): ContentNode {
  if (node.versioning !== undefined || !change.types.isA(node, 'mix:simpleVersionable')) return node;
  const base = newestVersion(change, node) ?? newHistory(change, node);
  return change.put({ ...node, versioning: { checkedOut: true, baseVersion: base.id, predecessors: [base.id] } });
}

/** @throws UNAVAILABLE the node is a deleted one's successor, and the former's versions are not swept yet */
function newestVersion(change: Change, node: ContentNode): Version | undefined {
  const history = change.draft.get(versionHistories, node.id);
  if (history?.deleted === true) throw unavailable(`the versions of the former '${node.name}' are being removed`);
  if (history === undefined) return undefined;
  return change.draft.find(versions, 'number', [node.id], { descending: true, limit: 1 })[0];
}

function newHistory(change: Change, node: ContentNode): Version {
  const { revision } = change.draft;
  const root: Version = {
    id: change.draft.ids.next(),
    history: node.id,
    number: 0,
    name: ROOT_VERSION,
    created: change.now,
    createdBy: change.caller.userId,
    predecessors: [],
    successors: [],
    revision,
  };
  change.draft.put(versions, root);
  change.draft.put(versionHistories, { id: node.id, rootVersion: root.id, labels: {}, count: 1, revision });
  return root;
}

/**
 * Takes the history of a node that is deleted for good out of sight; what it holds is swept later. One that a version of another node names
 * stays, for that brings the node back. To be called for every node of a subtree: at most two writes.
 */
function forgottenHistory(state: Naming & Pick<State, 'now'>, { id }: Pick<ContentNode, 'id'>): Write[] {
  const history = historyOf(state, id);
  return history === undefined || isNamed(state, id) ? [] : outOfSight(history, state.now);
}

/** As {@link forgottenHistory}, of a node of a detached tree. */
export const forgetSwept = (
  state: State,
  node: ContentNode,
  { keepsHistories }: DetachedTree,
): { readonly write?: readonly Write[] } =>
  keepsHistories === true || node.versioning === undefined ? {} : { write: forgottenHistory(state, node) };

/** The history out of sight, and to be swept. */
export const outOfSight = (history: VersionHistory, now: number): Write[] => [
  put(versionHistories, { ...history, labels: {}, deleted: true }),
  put(versionLitter, { id: history.id, since: now }),
];

/** As {@link forgottenHistory}, of all nodes that a change deletes: what names only each other goes. */
export function forgetHistories({ draft }: Pick<Change, 'draft'>, removed: readonly ContentNode[]): void {
  const going = new Set(removed.flatMap(({ id, versioning }) => (versioning === undefined ? [] : [id])));
  const kept = (): string[] => [...going].filter((id) => isNamed(draft, id, going));
  for (let stays = kept(); stays.length > 0; stays = kept()) for (const id of stays) going.delete(id);
  for (const id of going) {
    const history = historyOf(draft, id);
    if (history === undefined) continue;
    draft.put(versionHistories, { ...history, labels: {}, deleted: true });
    draft.put(versionLitter, { id, since: draft.now });
  }
}

type Naming = Pick<State, 'get' | 'findMulti'>;

/** How many parts of frozen trees are looked at; where there are more, one of them counts. */
const NAMING_MAX = 50;

/** Whether a version of another node has the node as a child with a history of its own. `going`: nodes whose versions do not count. */
function isNamed(state: Naming, nodeId: string, going: ReadonlySet<string> = NONE): boolean {
  const chunks = state.findMulti(frozenChunks, 'named', nodeId, NAMING_MAX);
  const counts = ({ history }: FrozenChunk) => !going.has(history) && historyOf(state, history) !== undefined;
  return chunks.length === NAMING_MAX || chunks.some(counts);
}

const NONE: ReadonlySet<string> = new Set();

/** The name of the version that every history begins with (JCR 2.0 §3.13.5.2). */
export const ROOT_VERSION = 'jcr:rootVersion';

/**
 * The name of the version that follows `base`: `1.0` behind the root version, then `1.1`, `1.2` and so on. Where that one is taken, as after
 * a restore of an older version, a branch begins: `.0` is appended to the base's name until nothing has it. A second line from the root
 * version is `2.0`.
 */
export function nextVersionName(base: string, isTaken: (name: string) => boolean): string {
  if (base === ROOT_VERSION) {
    let line = 1;
    while (isTaken(`${line}.0`)) line++;
    return `${line}.0`;
  }
  const dot = base.lastIndexOf('.');
  const next = `${base.slice(0, dot + 1)}${Number(base.slice(dot + 1)) + 1}`;
  if (!isTaken(next)) return next;
  let branch = `${base}.0`;
  while (isTaken(branch)) branch += '.0';
  return branch;
}
