import type { FeedEvent } from '../../store/index.js';
import type { ContentView } from './content-view.js';
import type { AccessEntry, ContentNode } from './node.js';
import type { Tree } from './tree.js';
import { isOfSameTypes, type Types } from './types.js';

/** Kind of a change of a node; the values of the API's NodeEventType. */
type NodeEventType =
  | 'CREATED'
  | 'MODIFIED'
  | 'DELETED'
  | 'MOVED'
  | 'LOCKED'
  | 'UNLOCKED'
  | 'CHECKED_IN'
  | 'CHECKED_OUT';

/** The data of a feed event `node.changed`: one per node and commit. */
export interface NodeChanged {
  readonly eventType: NodeEventType;
  readonly identifier: string;
  readonly nodeType: string;
  /** Where it is; of a deleted node: where it was. */
  readonly path: string;
  /** Where a moved node was. */
  readonly sourcePath: string | null;
  readonly userId: string;
  /** ms */
  readonly timestamp: number;
  /** What decided who could read it before: its parent then, and its own entries. Null where neither changed. */
  readonly before: { readonly parentId: string; readonly acl: readonly AccessEntry[] | null } | null;
}

export const NODE_CHANGED = 'node.changed';

/** A node before and after a commit; undefined: it was or is not there. */
export interface NodeChange {
  readonly before: ContentNode | undefined;
  readonly after: ContentNode | undefined;
}

/** Whether a node that was there has left, moved, or been given another name or other types. */
export const isStructural = ({ before, after }: NodeChange): boolean =>
  before !== undefined &&
  (after?.parent !== before.parent || before.name !== after.name || !isOfSameTypes(before, after));

/**
 * The events of a commit's changes, one change after the other. A file is one thing with its content: what happens to its jcr:content happens
 * to the file. Of a removed subtree its root alone is told.
 */
export function* changeEvents(
  changes: readonly NodeChange[],
  trees: Trees,
  who: Who,
): Generator<void, FeedEvent[], void> {
  const told = new Map<string, FeedEvent>();
  for (const change of changes) {
    yield;
    const data = changedOf(asOfFile(change, trees), trees, who);
    if (data === undefined) continue;
    // Of a file and its content both, this is the same.
    told.set(data.identifier, { type: NODE_CHANGED, ids: { nodeId: data.identifier }, data });
  }
  return [...told.values()];
}

/** The tree before a commit and behind it, and what its types say. */
export interface Trees {
  readonly before: Tree;
  readonly after: Tree;
  readonly types: Types;
}

interface Who {
  readonly userId: string;
  readonly timestamp: number;
}

/** A node that is in a tree, and where. */
interface Placed {
  readonly node: ContentNode;
  readonly path: string;
}

function placedIn(tree: Tree, node: ContentNode | undefined): Placed | undefined {
  if (node === undefined) return undefined;
  const path = tree.pathOf(node);
  return path === undefined ? undefined : { node, path };
}

function changedOf(change: NodeChange, trees: Trees, who: Who): NodeChanged | undefined {
  const [was, is] = [placedIn(trees.before, change.before), placedIn(trees.after, change.after)];
  if (is === undefined) return was && deletedOf(was, trees, who);
  const facts = { identifier: is.node.id, nodeType: is.node.type, path: is.path, ...who };
  if (was === undefined) return { eventType: 'CREATED', ...facts, sourcePath: null, before: null };
  const [before, after] = [was.node, is.node];
  const isMoved = before.parent !== after.parent || before.name !== after.name;
  return {
    eventType: isMoved ? 'MOVED' : kindOf(before, after),
    ...facts,
    sourcePath: isMoved ? was.path : null,
    before: isMoved || JSON.stringify(before.acl) !== JSON.stringify(after.acl) ? readableBefore(before) : null,
  };
}

/** Told of what was in the tree, and whose parent is still there. */
function deletedOf({ node, path }: Placed, trees: Trees, who: Who): NodeChanged | undefined {
  if (!isTopmost(node, trees)) return undefined;
  const facts = { identifier: node.id, nodeType: node.type, path, sourcePath: null };
  return { eventType: 'DELETED', ...facts, ...who, before: readableBefore(node) };
}

/** Whether the removed node's parent is still there. */
const isTopmost = ({ parent }: ContentNode, trees: Trees): boolean => {
  const above = parent === null ? undefined : trees.after.get(parent);
  return above !== undefined && trees.after.chainOf(above) !== undefined;
};

const readableBefore = ({ parent, acl }: ContentNode): NodeChanged['before'] =>
  parent === null ? null : { parentId: parent, acl: acl ?? null };

/** LOCKED, UNLOCKED, CHECKED_IN and CHECKED_OUT when that is all that happened. */
function kindOf(before: ContentNode, after: ContentNode): NodeEventType {
  const isLocking = before.lock?.token !== after.lock?.token;
  // What makes a node lockable comes with its first lock.
  const rest = ({ lock: _lock, versioning: _versioning, version: _version, mixins, ...others }: ContentNode) =>
    JSON.stringify([others, isLocking ? mixins.filter((mixin) => mixin !== 'mix:lockable') : mixins]);
  if (rest(before) !== rest(after)) return 'MODIFIED';
  if (isLocking) return after.lock === undefined ? 'UNLOCKED' : 'LOCKED';
  const [was, is] = [before.versioning, after.versioning].map((it) => it?.checkedOut ?? true);
  if (was === is) return 'MODIFIED';
  return is === true ? 'CHECKED_OUT' : 'CHECKED_IN';
}

/** A change of a file's content as a change of the file. */
function asOfFile(change: NodeChange, trees: Trees): NodeChange {
  const { before, after } = change;
  const content = after ?? before;
  if (content?.name !== 'jcr:content' || content.parent === null) return change;
  const file = trees.after.get(content.parent);
  const was = trees.before.get(content.parent);
  if (file?.type !== 'nt:file') return change;
  // Not the same object, so that it counts as changed whatever the file itself did.
  return { before: was, after: { ...file, version: (after ?? file).version } };
}

/** A change as a subscriber is told of it. */
export interface SeenChange {
  readonly eventType: NodeEventType;
  /** Null: the node is no longer shown to the subscriber, and where it is, is not its business. */
  readonly path: string | null;
  readonly identifier: string;
  readonly nodeType: string | null;
  readonly sourcePath: string | null;
  readonly userId: string;
  /** ms */
  readonly timestamp: number;
}

/** Which changes a subscriber follows: at the path, of its children, and with `deep` of all that lies below. */
export interface Followed {
  readonly path: string;
  readonly deep: boolean;
}

/**
 * The change as whoever has the view, which is asked for only when it is needed, may know it; undefined: it is not for it. A node that it can read is told as it is. One that it could read
 * before, but not any more, is told as DELETED, with its path only when it has left a place that the subscriber may look at.
 */
export function seenChange(
  changed: NodeChanged,
  followed: Followed,
  viewNow: () => ContentView,
): SeenChange | undefined {
  const { path, sourcePath } = changed;
  if (!isFollowed(path, followed) && (sourcePath === null || !isFollowed(sourcePath, followed))) return undefined;
  const view = viewNow();
  const node = view.get(changed.identifier);
  if (node === undefined || changed.eventType === 'DELETED') return dropped(view, changed);
  const { eventType, identifier, nodeType, userId, timestamp } = changed;
  const seenSource = sourcePath !== null && couldRead(view, changed) ? sourcePath : null;
  return { eventType, path, identifier, nodeType, sourcePath: seenSource, userId, timestamp };
}

function dropped(view: ContentView, changed: NodeChanged): SeenChange | undefined {
  if (!couldRead(view, changed)) return undefined;
  const { identifier, userId, timestamp, eventType, path, sourcePath } = changed;
  const vacated = eventType === 'DELETED' ? path : sourcePath;
  const mayLook = vacated !== null && view.get(changed.before?.parentId ?? '') !== undefined;
  return {
    eventType: 'DELETED',
    path: mayLook ? vacated : null,
    identifier,
    nodeType: null,
    sourcePath: null,
    userId,
    timestamp,
  };
}

/** Whether the node could be read where it was, with the entries that it had. */
function couldRead({ access, tree }: ContentView, { before }: NodeChanged): boolean {
  const parent = before === null ? undefined : tree.get(before.parentId);
  return parent !== undefined && access.canReadBelow(parent, before?.acl ?? undefined);
}

export function isFollowed(path: string, followed: Followed): boolean {
  if (path === followed.path) return true;
  const base = followed.path === '/' ? '/' : `${followed.path}/`;
  if (!path.startsWith(base)) return false;
  return followed.deep || !path.slice(base.length).includes('/');
}
