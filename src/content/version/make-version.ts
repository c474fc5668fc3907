import type { Asking, Draft, Operation } from '../../store/index.js';
import type { Change } from '../tree/change.js';
import { isAsking } from '../tree/content-operation.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { SUBTREE_MAX } from '../tree/subtree.js';
import { type Chunked, changedChunks, newChunks, requireFreezable, sameEntry } from './frozen-chunks.js';
import { childEntry, frozenNode, rootEntry, TreeEntries } from './frozen-entry.js';
import { chunkOf, entriesOf } from './frozen-tree.js';
import { freezing, plannedTree, RECENT_MAX, type TreeToFreeze } from './planned-check-in.js';
import { isRestructured, settledBy, settledSince } from './settled.js';
import {
  chunkId,
  type FrozenEntry,
  frozenChunks,
  frozenNodeId,
  frozenNodes,
  frozenTrees,
  type Version,
  versionHistories,
  versions,
} from './version.js';
import { historyOf, nextVersionName, type Versionable, versionNamed } from './version-history.js';

/** Limits of an operation that makes a version: it reads and writes what a plan leaves to it, and the chunks that this changes. */
export const FREEZE_LIMITS: Operation<unknown, unknown>['limits'] = { reads: 4_000, writes: 2_000 };

/**
 * Makes a version of a node that is checked out, and checks it in (JCR 2.0 §15.2). What has not changed since the version before is shared with
 * it. Large trees are planned outside of the decision. @throws CONFLICT an item's on-parent-version is ABORT; LIMIT_EXCEEDED
 */
export function makeVersion(change: Change, node: Versionable): Version | Asking {
  const tree = treeOf(change, node);
  if (isAsking(tree)) return tree;
  const version = newVersion(change, node);
  write(change, version, tree);
  const versioning = { checkedOut: false, baseVersion: version.id, predecessors: [] };
  change.put({ ...node, versioning });
  return version;
}

function treeOf(change: Change, node: Versionable): TreeToFreeze | Asking {
  if (freezing.isAsked(change, node.id)) return plannedTree(change, node);
  return settledTree(change, node) ?? smallTree(change, node) ?? plannedTree(change, node);
}

/** The tree compared with the version before; undefined: it is too large to be looked at in a decision. */
function smallTree(change: Change, root: Versionable): TreeToFreeze | undefined {
  const found = frozenSubtree(change, root);
  if (found === undefined) return undefined;
  const base = change.draft.get(frozenTrees, root.versioning.baseVersion);
  const layout = base !== undefined && base.entries <= SUBTREE_MAX ? base : null;
  const before = new Map((layout === null ? [] : entriesOf(change.draft, layout)).map((entry) => [entry.id, entry]));
  const put = found.entries.filter((entry) => !sameEntry(entry, before.get(entry.id)));
  const ids = new Set(found.entries.map(({ id }) => id));
  const gone = [...before.keys()].filter((id) => !ids.has(id));
  return { layout, put, gone, nodes: found.nodes };
}

/** The entries of the tree, parents first; undefined when there are more nodes than a decision looks at. */
function frozenSubtree(change: Change, root: ContentNode) {
  const entries: FrozenEntry[] = [rootEntry(root)];
  const found = new Map([[root.id, root]]);
  for (const parent of entries) {
    if (parent.kind !== 'node') continue;
    const limit = SUBTREE_MAX - found.size + 1;
    for (const child of change.draft.find(nodes, 'name', [parent.id], { limit })) {
      found.set(child.id, child);
      const entry = childEntry(change.types, parent, child);
      if (entry !== null) entries.push(entry);
    }
    if (found.size > SUBTREE_MAX) return undefined;
  }
  return { entries, nodes: found };
}

function newVersion(change: Change, node: Versionable): Version {
  const { draft } = change;
  const { revision } = draft;
  const { baseVersion, predecessors } = node.versioning;
  const history = historyOf(draft, node.id);
  const base = draft.get(versions, baseVersion);
  if (history === undefined || base === undefined) throw new Error(`expected node '${node.id}' to have a history`);
  const version: Version = {
    id: draft.ids.next(),
    history: node.id,
    number: history.count,
    name: nextVersionName(base.name, (name) => versionNamed(draft, node.id, name) !== undefined),
    created: change.now,
    createdBy: change.caller.userId,
    predecessors,
    successors: [],
    revision,
  };
  draft.put(versions, version);
  draft.put(versionHistories, { ...history, count: history.count + 1, revision });
  for (const id of predecessors) {
    const predecessor = draft.get(versions, id);
    if (predecessor !== undefined)
      draft.put(versions, { ...predecessor, successors: [...predecessor.successors, version.id] });
  }
  return version;
}

function write(change: Change, version: Version, { layout, put: found, gone, nodes: sources }: TreeToFreeze): void {
  const { draft, types, caller, now } = change;
  const { history } = version;
  const by = { userId: caller.userId, now };
  const put = found.map((entry) => (entry.body === draft.revision ? { ...entry, body: -version.number } : entry));
  for (const entry of put) {
    const node = sources.get(entry.id);
    if (entry.kind === 'history' || node === undefined) continue;
    if (draft.get(frozenNodes, frozenNodeId(history, entry)) !== undefined) continue;
    draft.put(frozenNodes, frozenNode(types, node, { history, entry, by }));
  }
  const { chunks, entries } = chunked(change, { layout, put, gone });
  requireFreezable(version, entries);
  const writers = chunks.map((chunk, bucket) => {
    if (chunk === null) return layout?.writers[bucket] ?? '';
    draft.put(frozenChunks, { id: chunkId(version.id, bucket), history, ...chunk });
    return version.id;
  });
  draft.put(frozenTrees, { id: version.id, history, root: history, writers, entries });
  settle(draft, version, entries);
}

/** From now on what differs from the version is known by when it was written. */
function settle(draft: Draft, { id, history }: Version, entries: number): void {
  const known = draft.get(versionHistories, history);
  if (known === undefined) return;
  const { settled: _, ...rest } = known;
  const settled = settledBy(draft, id, entries);
  draft.put(versionHistories, { ...rest, ...(settled && { settled }) });
}

function chunked(change: Change, { layout, put, gone }: Omit<TreeToFreeze, 'nodes'>): Chunked {
  if (layout === null) return { chunks: newChunks(put), entries: put.length };
  const before = { buckets: layout.writers.length, entries: layout.entries };
  return changedChunks(before, { put, gone }, (bucket) => chunkOf(change.draft, layout, bucket));
}

/** The tree compared with its base version by what was written since alone; undefined: that is not enough, or too much. */
function settledTree(change: Change, root: Versionable): TreeToFreeze | undefined {
  const settled = settledSince(change.draft, root);
  if (settled === undefined || restructures(change, root)) return undefined;
  const written = change.draft.range(nodes, 'version', [settled.revision], RECENT_MAX);
  if (written.length === RECENT_MAX) return undefined;
  const entries = new TreeEntries({ tree: change.tree, types: change.types, root });
  return { layout: settled.layout, gone: settled.gone, ...entries.ofAll([root, ...written]) };
}

const restructures = (change: Change, root: ContentNode): boolean =>
  change.changes().some((one) => isRestructured(one, change.trees(), root.id));
