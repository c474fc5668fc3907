import { badRequest, limitExceeded, ServiceError } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import type { Change } from '../tree/change.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import { detachedTrees, isStored } from '../tree/detached.js';
import { type ContentNode, nodes, ROOT_ID } from '../tree/node.js';
import { subtreeOf } from '../tree/subtree.js';
import { qualifiedName } from '../value/names.js';
import { type CopyContext, copyOf, leavesList } from './copy.js';
import { LargeKind, type Ready } from './large-work.js';
import { attachStaged, beingMade, type Place, placeBelow, protectedNames, stagedNode } from './staging.js';

interface CopyNodeInput {
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

/** Asked for a copy that is too large for one decision, or of another workspace. */
export interface CopyQuestion {
  /** The partition that is copied to. */
  readonly partition: string;
  /** Null: the source is in the same. */
  readonly sourceWorkspace: string | null;
  readonly sourcePath: string;
  readonly destPath: string;
  readonly name: string;
  readonly expectedVersion: number | null;
  /** Whether lists of the source come with it, as far as the caller may read them. */
  readonly withLists: boolean;
  /** ms, domain clock */
  readonly now: number;
}

/** A copy out of the tree: put where it belongs, it is there with all below it. */
export interface StagedCopy extends Ready {
  readonly rootId: string;
  readonly leavesLists: boolean;
}

export const copying = new LargeKind<CopyQuestion, StagedCopy>('stageCopy', (question) => JSON.stringify(question));

/** How many nodes one decision copies itself. Larger subtrees are staged. */
const COPY_DIRECT_MAX = 150;

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
  const { dest, name } = destinationOf(change, input, source);
  return copyDirectly(change, all, placeBelow(change, dest, { ...source, name }, isOnlyOfName(input)));
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

/** Where the copy goes, and what it is called there. @throws FORBIDDEN */
function destinationOf(change: Change, input: CopyNodeInput, source: ContentNode): { dest: ContentNode; name: string } {
  const dest = change.at(input.destPath, 'Destination node');
  const name = qualifiedName(input.name ?? source.name, change.types.namespaces);
  change.require(dest, 'jcr:addChildNodes');
  return { dest, name };
}

const isOnlyOfName = ({ allowSameNameSiblings }: CopyNodeInput): boolean => allowSameNameSiblings !== true;

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
  const question = { partition, sourceWorkspace: from, sourcePath, destPath, name, expectedVersion, withLists, now };
  return copying.decide(change, {
    about: JSON.stringify(question),
    path: () => sourcePath,
    question: () => question,
    take: ({ rootId, leavesLists }) => ({ nodeId: publish(change, rootId, input), leavesLists }),
  });
}

/** @throws UNAVAILABLE what was staged is being swept */
function publish(change: Change, rootId: string, input: CopyNodeInput): string {
  beingMade(change.draft, rootId, 'copy');
  const root = stagedNode(change, rootId, 'copy');
  const { dest, name } = destinationOf(change, input, root);
  change.draft.remove(detachedTrees, rootId);
  return attachStaged(change, dest, { ...root, name }, isOnlyOfName(input)).id;
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
