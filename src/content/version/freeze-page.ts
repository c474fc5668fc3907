import { type ReaderQuery, snapshotState } from '../../store/index.js';
import { Change } from '../tree/change.js';
import { nodes } from '../tree/node.js';
import { frozenNode } from './freeze.js';
import { type Chunked, changedChunks, newChunks } from './frozen-chunks.js';
import { chunkOf } from './frozen-tree.js';
import { TreeEntries } from './tree-entries.js';
import type { FrozenEntry, FrozenLayout, FrozenNode } from './version.js';

export interface FreezePage {
  readonly partition: string;
  /** The node that is checked in. */
  readonly nodeId: string;
  readonly ids: readonly string[];
  /** ms, domain clock */
  readonly now: number;
}

/** Some nodes as a version keeps them. */
export interface FrozenPage {
  readonly entries: readonly FrozenEntry[];
  readonly nodes: readonly FrozenNode[];
  /** Those that are not in the tree any more. */
  readonly gone: readonly string[];
}

/** Nodes of a tree as they are now, and as a version keeps them. @throws CONFLICT (ABORT) */
export const freezePage: ReaderQuery<FreezePage, FrozenPage> = {
  name: 'freezePage',
  run(context, { partition, nodeId, ids, now }) {
    const change = new Change(snapshotState(context, partition, now), context.caller);
    const root = change.draft.get(nodes, nodeId);
    const page = { entries: [] as FrozenEntry[], nodes: [] as FrozenNode[], gone: [] as string[] };
    const by = { userId: context.caller.userId, now };
    const entries = root && new TreeEntries({ tree: change.tree, types: change.types, root });
    for (const id of ids) {
      const node = change.draft.get(nodes, id);
      const entry = node === undefined ? null : (entries?.of(node) ?? null);
      if (node === undefined || entry === null) {
        page.gone.push(id);
        continue;
      }
      page.entries.push(entry);
      if (entry.kind !== 'history') page.nodes.push(frozenNode(change.types, node, { history: nodeId, entry, by }));
    }
    return page;
  },
};

export interface PlanChunks {
  readonly partition: string;
  readonly layout: FrozenLayout | null;
  readonly put: readonly FrozenEntry[];
  readonly gone: readonly string[];
  /** ms, domain clock */
  readonly now: number;
}

/** The chunks of a tree that is frozen. */
export const planChunks: ReaderQuery<PlanChunks, Chunked> = {
  name: 'planChunks',
  run(context, { partition, layout, put, gone, now }) {
    if (layout === null) return { chunks: newChunks(put), entries: put.length };
    const state = snapshotState(context, partition, now);
    const before = { buckets: layout.writers.length, entries: layout.entries };
    return changedChunks(before, { put, gone }, (bucket) => chunkOf(state, layout, bucket));
  },
};
