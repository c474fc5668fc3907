import { badRequest, limitExceeded, ServiceError, unavailable } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import { requireFree, requireRoomFor } from '../tree/add-node.js';
import type { Change } from '../tree/change.js';
import { contentOperation, isAsking, type NodeAnswer } from '../tree/content-operation.js';
import { detachedTrees, isStored } from '../tree/detached.js';
import { type ContentNode, nodes, ROOT_ID } from '../tree/node.js';
import { subtreeOf } from '../tree/subtree.js';
import { qualifiedName } from '../value/names.js';
import { type CopyContext, copyOf, leavesList, protectedNames } from './copy.js';
import { stagedCopy } from './copy-plan.js';
import { refusalOf } from './large-work.js';

export interface CopyNodeInput {
  readonly sourcePath: string;
  /** The parent of the copy. */
  readonly destPath: string;
  /** Default: the source's. */
  readonly name?: string | null;
  /** The workspace that is copied from. Default: this one. */
  readonly sourceWorkspace?: string | null;
  /** Of the source. Default: any. */
  readonly expectedVersion?: number | null;
  /** Whether it may get the name of a sibling, as the types allow. Default: false. */
  readonly allowSameNameSiblings?: boolean | null;
}

export interface CopyAnswer extends NodeAnswer {
  /** Whether there is a node with an access control list among those that were copied whose copy has none. */
  readonly leavesLists: boolean;
}

/** How many nodes one decision copies itself. Larger subtrees are staged. */
export const COPY_DIRECT_MAX = 150;

/**
 * Copies a node with all below it that the caller may read (JCR 2.0 §10.7). A large subtree, and one of another workspace, is made out of the
 * tree first, and then there by one write. @throws BAD_REQUEST, ALREADY_EXISTS, FORBIDDEN, CONFLICT
 */
export const copyNode = contentOperation('copyNode', (change, input: CopyNodeInput): CopyAnswer | Asking => {
  const { sourceWorkspace = null, destPath } = input;
  if (sourceWorkspace !== null && sourceWorkspace !== change.caller.workspace) return copyStaged(change, input);
  const source = change.at(input.sourcePath, 'Source node');
  change.requireVersion(source, input.expectedVersion);
  requireCopyable(change, source, change.at(destPath, 'Destination node'));
  const all = subtreeOf(change, source, COPY_DIRECT_MAX);
  if (all === undefined) return copyStaged(change, input, source);
  const place = placeFor(change, input, source);
  return copyDirectly(change, all, place);
});

/** Lists come with what is copied where the caller may set them: nobody gains rights by a copy. */
const mayBringLists = (change: Change, destId: string | null): boolean => {
  const dest = destId === null ? undefined : change.tree.get(destId);
  return dest !== undefined && change.access.has(dest, 'jcr:modifyAccessControl');
};

/** @throws BAD_REQUEST */
function requireCopyable(change: Change, source: ContentNode, dest: ContentNode): void {
  if (source.id === ROOT_ID) throw badRequest('the root cannot be copied', { reason: 'root_not_copied' });
  if (!isStored(change, source))
    throw badRequest(`'${change.pathOf(source)}' cannot be copied: it is shown here, but kept elsewhere`, {
      reason: 'not_copyable',
      resourceId: source.id,
    });
  if (!change.tree.isWithin(dest, source.id)) return;
  throw new ServiceError('BAD_REQUEST', `'${change.pathOf(source)}' cannot be copied below itself`, {
    reason: 'copy_below_itself',
    resourceId: source.id,
  });
}

/** What the copied node is where it comes to be. */
type Place = Pick<ContentNode, 'parent' | 'name' | 'order' | 'sns'>;

/** @throws FORBIDDEN, CONFLICT (locked, checked in), ALREADY_EXISTS, BAD_REQUEST (the types do not allow it) */
function placeFor(change: Change, input: CopyNodeInput, copied: Pick<ContentNode, 'name' | 'type' | 'mixins'>): Place {
  const dest = change.at(input.destPath, 'Destination node');
  const name = qualifiedName(input.name ?? copied.name, change.types.namespaces);
  change.require(dest, 'jcr:addChildNodes');
  change.requireOpenFor(dest, { ...copied, name });
  const { sns } = change.types.childOf(change, dest, { ...copied, name });
  if (input.allowSameNameSiblings === true) requireRoomFor(change, dest, { name, sns });
  else requireFree(change, dest, name);
  return { parent: dest.id, name, order: change.lastKey(dest, sns), ...(sns && { sns }) };
}

function copyDirectly(change: Change, all: readonly ContentNode[], place: Place): CopyAnswer {
  const copied = readableOf(change, all);
  const withLists = mayBringLists(change, place.parent);
  const context: CopyContext = {
    types: change.types,
    seed: change.draft.ids.next(),
    userId: change.caller.userId,
    now: change.now,
    isCopied: (id) => copied.has(id),
    keepsList: (node) => withLists && change.access.has(node, 'jcr:readAccessControl'),
  };
  let nodeId = '';
  let leavesLists = false;
  for (const node of copied.values()) {
    leavesLists ||= leavesList(context, node);
    const copy = copyOf(context, node);
    change.exempt(copy.id, protectedNames(change.types, copy));
    if (nodeId !== '') change.put(copy);
    else nodeId = change.put(placed(copy, place)).id;
  }
  return { nodeId, leavesLists };
}

const placed = ({ sns: _, ...copy }: ContentNode, place: Place): ContentNode => ({ ...copy, ...place });

/** What is left out takes with it what lies below. */
function readableOf(change: Change, all: readonly ContentNode[]): ReadonlyMap<string, ContentNode> {
  const copied = new Map<string, ContentNode>();
  for (const node of all) {
    const isBelow = copied.size === 0 || copied.has(node.parent ?? '');
    if (isBelow && change.access.canRead(node)) copied.set(node.id, node);
  }
  return copied;
}

/** `source`: where it is in the same workspace. */
function copyStaged(change: Change, input: CopyNodeInput, source?: ContentNode): CopyAnswer | Asking {
  const { sourcePath, destPath, sourceWorkspace = null, expectedVersion = null } = input;
  if (source !== undefined) requireUntouched(change, source);
  const from = source === undefined ? sourceWorkspace : null;
  const dest = change.at(destPath, 'Destination node');
  change.require(dest, 'jcr:addChildNodes');
  change.requireOpenFor(dest, null);
  const name = input.name ?? '';
  const { now } = change;
  const { partition } = change.draft;
  const withLists = mayBringLists(change, dest.id);
  const facts = { partition, sourceWorkspace: from, sourcePath, destPath, name, expectedVersion, withLists, now };
  const staged = stagedCopy(change, facts);
  if (isAsking(staged)) return staged;
  if (staged.problem !== null) throw refusalOf(staged.problem);
  return { nodeId: publish(change, staged.rootId, input), leavesLists: staged.leavesLists };
}

/** @throws UNAVAILABLE what was staged is being swept */
function publish(change: Change, rootId: string, input: CopyNodeInput): string {
  const tree = change.draft.get(detachedTrees, rootId);
  const root = change.draft.get(nodes, rootId);
  if (tree?.isStaging !== true || root === undefined)
    throw unavailable('expected the copy to be whole, but it took too long; try again', { reason: 'copy_lost' });
  const copy = placed(root, placeFor(change, input, root));
  change.draft.remove(detachedTrees, rootId);
  change.exempt(rootId, protectedNames(change.types, copy));
  return change.put(copy).id;
}

/** The reader sees nothing of what the same commit does. @throws LIMIT_EXCEEDED */
function requireUntouched(change: Change, source: ContentNode): void {
  const above = new Set((change.tree.chainOf(source) ?? []).map(({ id }) => id));
  const isTouched = change.draft.changed(nodes).some((id) => {
    const [before, after] = [change.draft.before(nodes, id), change.draft.get(nodes, id)];
    return above.has(id) || [before, after].some((it) => it !== undefined && change.tree.isWithin(it, source.id));
  });
  if (!isTouched) return;
  throw limitExceeded(
    `expected '${change.pathOf(source)}', which is too large for one decision, to be copied by itself, but the same transaction has changed it or what is above it`,
    { reason: 'subtree_too_large', resourceId: source.id },
  );
}
