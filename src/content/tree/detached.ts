import {
  collection,
  type Document,
  type Draft,
  type NewJob,
  put,
  type State,
  type Write,
} from '../../store/documents.js';
import type { Change } from './change.js';
import { type ContentNode, nodes, ROOT_ID } from './node.js';
import type { Reading, Tree } from './tree.js';

/** A subtree that is not in the tree: it was taken out and waits to be swept, or is being made and waits to be put in. Id: its topmost node's. */
export interface DetachedTree extends Document {
  /** Whether it is being made. Its strong references count already, so that what they point at stays until it is in the tree. */
  readonly isStaging: boolean;
  /** When it was detached, or when staging last went on. ms, domain clock. */
  readonly since: number;
  /** Whether nodes in it that have versions may come back by a restore: their histories stay, and are shown. */
  readonly keepsHistories?: true;
  /** Whoever makes it, where it may be taken over by another. */
  readonly maker?: string;
}

export const detachedTrees = collection<DetachedTree>({
  name: 'detachedTree',
  columns: { since: (it) => it.since },
  indexes: { since: { columns: ['since'] } },
});

/** The kind of job that removes what was taken out of the tree. Its input: the id of the topmost node. */
export const SWEEP_JOB = 'sweepDetached';

/** Input of a job of the kind {@link SWEEP_JOB}. */
export interface SweepInput {
  readonly rootId: string;
}

/** Takes the node with all below it out of the tree by one write; a job sweeps it behind the commit. */
export function detachTree(change: Change, node: ContentNode): void {
  change.detach(node);
  sweepLater(change, node.id);
}

/** Has nodes that are not in the tree any more, or never were, swept behind the commit. */
export function sweepLater(change: Change, rootId: string, kept: HistoriesKept = {}): void {
  change.draft.put(detachedTrees, { id: rootId, isStaging: false, since: change.now, ...kept });
  change.jobs.push(sweepJob(change.draft, rootId));
}

/** Fate of the histories of swept nodes; they go where it is not said that they stay. */
type HistoriesKept = Pick<DetachedTree, 'keepsHistories'>;

const historiesKept = (tree: DetachedTree | undefined): HistoriesKept =>
  tree?.keepsHistories === true ? { keepsHistories: true } : {};

/** As {@link sweepLater}, for a decision that is no {@link Change}. `from`: the tree that it was a part of. Default: itself. */
export function sweeping(state: State, rootId: string, from = rootId): { write: Write[]; jobs: NewJob[] } {
  const kept = historiesKept(state.get(detachedTrees, from));
  const tree: DetachedTree = { id: rootId, isStaging: false, since: state.now, ...kept };
  return { write: [put(detachedTrees, tree)], jobs: [sweepJob(state, rootId)] };
}

/** The job that sweeps a detached tree, one commit after the other. */
export function sweepJob(state: Pick<State, 'ids' | 'now'>, rootId: string): NewJob {
  const input: SweepInput = { rootId };
  const exclusive = `sweep:${rootId}`;
  return { id: state.ids.next(), type: SWEEP_JOB, dueAt: state.now, immediate: true, exclusive, input };
}

/**
 * Whether the node's strong references count: it is in the tree, or in one that is being made. Nodes that wait to be swept refer to nothing
 * any more.
 */
export function isHolding(draft: Draft, tree: Tree, node: ContentNode): boolean {
  let top: ContentNode = node;
  while (top.parent !== null) {
    const above = tree.get(top.parent);
    if (above === undefined) return false;
    top = above;
  }
  return top.id === ROOT_ID || draft.get(detachedTrees, top.id)?.isStaging === true;
}

/** Nodes that were stored as such: what is mounted is no part of a subtree. */
export const isStored = (change: Change, { id }: ContentNode): boolean => change.draft.get(nodes, id) !== undefined;

/**
 * Where a stored node is: in the tree, `within` the node that it is about or `elsewhere`; out of it, `staged` for the node that it is about or
 * `foreign`, for something else; `lost`: it waits to be swept.
 */
export type Whereabout = 'within' | 'elsewhere' | 'staged' | 'foreign' | 'lost';

/** Tells where nodes are; what is above them is looked at once. */
export class Whereabouts {
  readonly #reading: Pick<Reading, 'get'>;
  readonly #known = new Map<string, Whereabout>();

  /** `stagingId`: holds what is staged for the node. */
  constructor(reading: Pick<Reading, 'get'>, rootId: string, stagingId: string) {
    this.#reading = reading;
    this.#known.set(ROOT_ID, 'elsewhere').set(rootId, 'within').set(stagingId, 'staged');
  }

  of(node: ContentNode): Whereabout {
    const path: string[] = [];
    let at: ContentNode | undefined = node;
    let top = node;
    while (at !== undefined && !this.#known.has(at.id)) {
      path.push(at.id);
      top = at;
      at = at.parent === null ? undefined : this.#reading.get(nodes, at.parent);
    }
    const found = (at && this.#known.get(at.id)) ?? this.#outOf(top);
    for (const id of path) this.#known.set(id, found);
    return found;
  }

  #outOf(top: ContentNode): Whereabout {
    return this.#reading.get(detachedTrees, top.id)?.isStaging === true ? 'foreign' : 'lost';
  }
}
