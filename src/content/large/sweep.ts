import {
  type JobAttempt,
  type NewJob,
  operation,
  put,
  remove,
  type State,
  steppedOperation,
  takeOutcome,
  type Write,
} from '../../store/documents.js';
import type { AnyJobType } from '../../store/index.js';
import { type DetachedTree, detachedTrees, SWEEP_JOB, type SweepInput, sweeping, sweepJob } from '../tree/detached.js';
import { HookList } from '../tree/hook-list.js';
import { type ContentNode, nodes } from '../tree/node.js';

/** Hooks that remove what goes with a swept node: by few writes, and jobs for the rest. The node is not in the tree any more. */
export const onSwept = new HookList<
  (
    state: State,
    node: ContentNode,
    tree: DetachedTree,
  ) => { readonly write?: readonly Write[]; readonly jobs?: readonly NewJob[] }
>('onSwept');

/**
 * The outcome of a job that sweeps: removes a hundred nodes of a detached tree, leaves first, and goes on by another job. What is in the
 * tree, or being made, is left alone.
 */
export const sweepDetached = steppedOperation('sweepDetached', function* (state, attempt: JobAttempt) {
  const { job, done } = takeOutcome(state, attempt);
  const { rootId } = job.input as SweepInput;
  const tree = state.get(detachedTrees, rootId);
  const root = state.get(nodes, rootId);
  if (tree === undefined || tree.isStaging) return { write: [done], answer: null };
  if (root === undefined || root.parent !== null) return { write: [done, remove(detachedTrees, rootId)], answer: null };
  const { leaves, last } = yield* leavesOf(state, root);
  const removed: ReturnType<typeof removalOf>[] = [];
  for (const leaf of leaves) {
    removed.push(removalOf(state, leaf, tree));
    yield;
  }
  const write: Write[] = [done, ...removed.flatMap((one) => one.write)];
  const jobs: NewJob[] = removed.flatMap((one) => one.jobs ?? []);
  if (last === undefined) return { write: [...write, remove(detachedTrees, rootId)], jobs, answer: null };
  const split = leaves.length > 0 ? undefined : splitOff(state, last, rootId);
  return {
    write: [...write, ...(split?.write ?? [])],
    jobs: [...jobs, ...(split?.jobs ?? []), sweepJob(state, rootId)],
    answer: null,
  };
});

function removalOf(
  state: State,
  node: ContentNode,
  tree: DetachedTree,
): { write: readonly Write[]; jobs?: readonly NewJob[] } {
  const more = onSwept.all.map((hook) => hook(state, node, tree));
  return {
    write: [remove(nodes, node.id), ...more.flatMap(({ write }) => write ?? [])],
    jobs: more.flatMap(({ jobs }) => jobs ?? []),
  };
}

/** Where one decision finds no leaf, a part of the tree becomes a tree of its own. */
function splitOff(state: State, node: ContentNode, rootId: string): { write: Write[]; jobs: NewJob[] } {
  const { write, jobs } = sweeping(state, node.id, rootId);
  return { write: [put(nodes, { ...node, parent: null, order: null, version: state.revision }), ...write], jobs };
}

/** Sweeps what was taken out of the tree; its command does all. */
export const sweepJobType: AnyJobType = {
  type: SWEEP_JOB,
  run: (job) => ({ operation: sweepDetached, input: { jobId: job.id, attempt: job.actor.context.attempt } }),
};

/** Input of `sweepForsaken`. */
interface SweepForsaken {
  /** Trees that nothing has happened to since then are swept, whatever they were made for. ms, domain clock; null: all, as when a server starts. */
  readonly before: number | null;
}

/** How many trees one decision looks at. */
const TREES_MAX = 200;

/**
 * Sees to it that detached trees which nobody works at any more are swept: what a crash left of copies and imports, and what a job gave up.
 * Answers how many.
 */
export const sweepForsaken = operation('sweepForsaken', (state, { before }: SweepForsaken) => {
  const trees = state.range(detachedTrees, 'since', [0], TREES_MAX, { skipDamaged: true });
  const forsaken = trees.filter(({ since }) => before === null || since < before);
  const all = forsaken.map(({ id }) => sweeping(state, id));
  return {
    write: all.flatMap(({ write }) => write),
    jobs: all.flatMap(({ jobs }) => jobs),
    answer: forsaken.length,
  };
});

/** Nodes that a decision removes at once, and documents that it reads to find them. */
const LEAVES_MAX = 100;
const READS_MAX = 400;

interface Leaves {
  /** Nodes that can be removed in this order: each has no children but earlier ones. */
  readonly leaves: readonly ContentNode[];
  /** The node that was come to, below which there are more. Undefined: these are all nodes of the tree. */
  readonly last: ContentNode | undefined;
}

interface Frame {
  readonly node: ContentNode;
  /** As many as one decision may come to. */
  readonly children: readonly ContentNode[];
  next: number;
}

/** The first nodes of a tree from its leaves up, as many as one decision may remove; one after the other. */
const leavesOf = (state: Pick<State, 'find'>, root: ContentNode): Generator<void, Leaves, void> =>
  new Descent(state, root).steps();

class Descent {
  readonly #state: Pick<State, 'find'>;
  readonly #leaves: ContentNode[] = [];
  readonly #stack: Frame[] = [];
  #reads = 0;

  constructor(state: Pick<State, 'find'>, root: ContentNode) {
    this.#state = state;
    this.#open(root);
  }

  *steps(): Generator<void, Leaves, void> {
    let isGoing = true;
    for (let frame = this.#stack.at(-1); isGoing && frame !== undefined; frame = this.#stack.at(-1)) {
      isGoing = this.#step(frame);
      yield;
    }
    return { leaves: this.#leaves, last: this.#stack.at(-1)?.node };
  }

  /** One node down, or one up. False: there is no going on in this decision. */
  #step(frame: Frame): boolean {
    const child = frame.children[frame.next++];
    if (child !== undefined) {
      this.#open(child);
      return this.#reads < READS_MAX;
    }
    this.#leaves.push(frame.node);
    this.#stack.pop();
    return this.#leaves.length < LEAVES_MAX;
  }

  #open(node: ContentNode): void {
    // Where there are more of them it is not come back to: so many leaves were found before, or so many documents read.
    const limit = Math.min(LEAVES_MAX, READS_MAX - this.#reads);
    const children = this.#state.find(nodes, 'name', [node.id], { limit });
    this.#reads += children.length;
    this.#stack.push({ node, children, next: 0 });
  }
}
