import { type QueryContext, type ReaderQuery, type State, snapshotState, tableOf } from '../../store/documents.js';
import { Change } from '../tree/change.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { typesOf } from '../tree/stored-types.js';
import { Tree } from '../tree/tree.js';
import type { Types } from '../tree/types.js';
import { type Chunked, changedChunks, newChunks, requireFreezable, sameEntry } from './frozen-chunks.js';
import { childEntry, frozenNode, rootEntry, TreeEntries } from './frozen-entry.js';
import { chunkOf, entriesOf, frozenContent } from './frozen-tree.js';
import { settledSince } from './settled.js';
import { type FrozenEntry, type FrozenLayout, type FrozenNode, versionHistories } from './version.js';

interface PlanFreeze {
  readonly partition: string;
  /** The node that is checked in. */
  readonly nodeId: string;
  /** What it is compared with; null: nothing is frozen yet. */
  readonly layout: FrozenLayout | null;
  /** Whether that is the base version's: then what was written since that was made may be enough to look at. */
  readonly isBase: boolean;
  /** ms, domain clock */
  readonly now: number;
}

/** Nodes of a tree that are not frozen as they are. Ids line by line. */
interface PlannedFreeze {
  readonly revision: number;
  readonly changed: string;
  readonly gone: string;
}

/** Compares a tree with what is frozen of it. @throws CONFLICT (ABORT), LIMIT_EXCEEDED */
export const planFreeze: ReaderQuery<PlanFreeze, PlannedFreeze> = {
  name: 'planFreeze',
  run(context, query) {
    const { changed, gone } = writtenSince(context, query) ?? new Comparison(context, query).run();
    return { revision: context.revision, changed: changed.join('\n'), gone: gone.join('\n') };
  },
};

/** The comparison of a tree that is settled; undefined: it is not, or so much was written since that a walk is shorter. */
function writtenSince(
  context: QueryContext,
  { partition, nodeId, isBase, now }: PlanFreeze,
): { changed: readonly string[]; gone: readonly string[] } | undefined {
  const state = snapshotState(context, partition, now);
  const root = isBase ? state.get(nodes, nodeId) : undefined;
  const settled = root && settledSince(state, root);
  if (root === undefined || settled === undefined) return undefined;
  const max = Math.ceil(settled.layout.entries / 4);
  const written = context.log.prepare(WRITTEN).all(settled.revision, max + 1);
  if (written.length > max) return undefined;
  const entries = new TreeEntries({ tree: new Tree(state), types: typesOf(state), root });
  const frozen = frozenContent(state, root.versioning?.baseVersion ?? '');
  const isChanged = (id: string) => {
    const node = state.get(nodes, id);
    const entry = node === undefined ? null : entries.of(node);
    return entry !== null && !sameEntry(entry, frozen?.entry(id));
  };
  return { changed: written.map(({ id }) => String(id)).filter(isChanged), gone: settled.gone };
}

const WRITTEN = `SELECT id FROM ${tableOf(nodes)} WHERE c_version >= ? LIMIT ?`;

/**
 * Nodes from the root down, each behind its parent. What lies below a node with versions of its own is left out; a history that it had once is
 * enough for that, as what is copied all the same is walked then. All in one text: a row for each of many nodes would take longer than the rest.
 */
const WALK = `WITH RECURSIVE below (id, parent, version, owned) AS (
  SELECT id, NULL, c_version, 0 FROM ${tableOf(nodes)} WHERE id = ?
  UNION ALL
  SELECT d.id, d.c_parent, d.c_version, EXISTS (SELECT 1 FROM ${tableOf(versionHistories)} h WHERE h.id = d.id)
  FROM below b JOIN ${tableOf(nodes)} d ON d.c_parent = b.id WHERE b.owned = 0)
  SELECT group_concat(id || char(31) || coalesce(parent, '') || char(31) || version || char(31) || owned, char(30)) AS walked FROM below`;

/** How a node that was come to is frozen; its children need to know. */
interface Seen {
  readonly entry: FrozenEntry;
  /** Whether its types are others than before, so that its children may be frozen in another way. */
  readonly isRetyped: boolean;
}

class Comparison {
  readonly #context: QueryContext;
  readonly #state: State;
  readonly #types: Types;
  readonly #rootId: string;
  readonly #before: ReadonlyMap<string, FrozenEntry>;
  readonly #seen = new Map<string, Seen>();
  readonly #changed: string[] = [];

  constructor(context: QueryContext, { partition, nodeId, layout, now }: PlanFreeze) {
    this.#context = context;
    this.#state = snapshotState(context, partition, now);
    this.#types = typesOf(this.#state);
    this.#rootId = nodeId;
    const entries = layout === null ? [] : entriesOf(this.#state, layout);
    this.#before = new Map(entries.map((entry) => [entry.id, entry]));
  }

  /** @throws CONFLICT (ABORT), LIMIT_EXCEEDED */
  run(): { readonly changed: readonly string[]; readonly gone: readonly string[] } {
    const under: string[] = [this.#rootId];
    for (let top = under.pop(); top !== undefined; top = under.pop()) under.push(...this.#walk(top));
    requireFreezable({ history: this.#rootId }, this.#seen.size);
    const gone = [...this.#before.keys()].filter((id) => !this.#seen.has(id));
    return { changed: this.#changed, gone };
  }

  /** Gives nodes that have versions of their own but are copied all the same: what lies below them is still to be walked. */
  #walk(top: string): string[] {
    const copied: string[] = [];
    const walked = String(this.#context.log.prepare(WALK).get(top)?.walked ?? '');
    for (const row of walked === '' ? [] : walked.split('\u001e')) {
      const [id = '', parent = '', version = '', owned = ''] = row.split('\u001f');
      if (id === top && top !== this.#rootId) continue;
      const entry = this.#compare(id, parent, Number(version));
      if (entry?.kind === 'node' && owned === '1') copied.push(id);
    }
    return copied;
  }

  #compare(id: string, parentId: string, version: number): FrozenEntry | null {
    const parent = this.#seen.get(parentId);
    if (id !== this.#rootId && parent?.entry.kind !== 'node') return null;
    const before = this.#before.get(id);
    if (before?.kind === 'node' && before.body === version && parent?.isRetyped !== true)
      return this.#see(before, false);
    const node = this.#state.get(nodes, id);
    const entry = node && this.#entryOf(node, parent?.entry);
    if (entry == null) return null;
    if (!sameEntry(entry, before)) this.#changed.push(id);
    return this.#see(entry, before !== undefined && !isSameType(before, entry));
  }

  #entryOf(node: ContentNode, parent: FrozenEntry | undefined): FrozenEntry | null {
    return parent === undefined ? rootEntry(node) : childEntry(this.#types, parent, node);
  }

  #see(entry: FrozenEntry, isRetyped: boolean): FrozenEntry {
    this.#seen.set(entry.id, { entry, isRetyped });
    return entry;
  }
}

const isSameType = (a: FrozenEntry, b: FrozenEntry): boolean =>
  a.type === b.type && a.mixins.join() === b.mixins.join();

interface FreezePage {
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

interface PlanChunks {
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
