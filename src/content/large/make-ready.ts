import type { Caller } from '../../shared/caller.js';
import { messageOf, ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { Command, Evaluator, Operation, ReaderQuery } from '../../store/index.js';
import { busyTree, type LargeKind, PLAN_ROUNDS_MAX, problemOf, type Ready, type Refused } from './large-work.js';
import { abandonStaging, type BeginStaging, beginStaging, type StageNodes, stageNodes } from './staging.js';

/** The way of large work to the reader and to partitions: what a decision cannot do itself. */
export interface LargeWork {
  /** The partition of the workspace with the name; undefined: there is none that is open. */
  partitionOf(workspace: string): string | undefined;
  /** Asks a query of the content's reader module, with more time than a request has. */
  plan<A, R>(partition: string, query: ReaderQuery<A, R>, args: A, caller: Caller): Promise<R>;
  /** Sends a command in the system's name. @throws ServiceError its refusal, or UNAVAILABLE */
  send<I, A>(partition: string, operation: Operation<I, A>, input: I): Promise<A>;
}

/** How large work of a kind is made ready, outside of any decision. */
export interface Preparation<S> {
  readonly kind: string;
  readonly evaluator: (services: S) => Evaluator;
}

export const preparation = <Q, R extends Ready, S>(
  { name }: LargeKind<Q, R>,
  prepare: (services: S, question: Q, caller: Caller) => Promise<R | Refused>,
): Preparation<S> => ({
  kind: name,
  evaluator:
    (services) =>
    (question: Q, { caller }: Command) =>
      prepare(services, question, caller),
});

/** A preparation that is a query of the reader. */
export const plannedByReader = <Q extends { readonly partition: string }, R extends Ready>(
  kind: LargeKind<Q, R>,
  query: ReaderQuery<Q, R | Refused>,
): Preparation<{ readonly largeWork: LargeWork }> =>
  preparation(kind, ({ largeWork }, question, caller) => largeWork.plan(question.partition, query, question, caller));

/** When what was staged and not taken up is given up: its command is decided long before. */
const GIVEN_UP_MS = 60_000;

/** Work that is staged: written, commit by commit, to where nothing leads. */
export interface Staging<R> {
  /** For the refusal that the tree never rests. */
  readonly path: string;
  /** Plans, and stages what the plan finds missing. Undefined: that took a while, so that it is to be planned again. @throws what keeps it from being done */
  round(round: number): Promise<R | undefined>;
  /** Sees to it that what was staged is swept, unless it was taken up. */
  abandon(): Promise<unknown>;
}

/**
 * Plans and stages until nothing is missing; a refusal is an answer, with which the decision refuses. What was staged is given up at once where
 * it is refused, else in a while; where the server ends before, the next start sweeps it.
 */
export async function stagedInRounds<R>(staging: Staging<R>): Promise<R | Refused> {
  let givenUpMs = 0;
  try {
    return await answeringRefusals(async () => {
      for (let round = 0; round <= PLAN_ROUNDS_MAX; round++) {
        const ready = await staging.round(round);
        if (ready === undefined) continue;
        givenUpMs = GIVEN_UP_MS;
        return ready;
      }
      throw busyTree(staging.path);
    });
  } finally {
    setTimeout(() => {
      staging.abandon().catch((thrown: unknown) => {
        log.warn({ reason: messageOf(thrown) }, 'what was staged and not finished is swept later');
      });
    }, givenUpMs).unref();
  }
}

/** As `orRefused`, for work that waits. */
export async function answeringRefusals<T>(work: () => Promise<T>): Promise<T | Refused> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ServiceError) return { problem: problemOf(thrown) };
    throw thrown;
  }
}

/** Nodes that one preparation makes out of the tree. */
export class NodeStaging {
  readonly rootId: string;
  readonly #work: LargeWork;
  readonly #partition: string;
  #maker: string | null = null;

  /** `rootId`: of the topmost node, or of what holds the topmost ones. */
  constructor(work: LargeWork, partition: string, rootId: string) {
    this.#work = work;
    this.#partition = partition;
    this.rootId = rootId;
  }

  get isBegun(): boolean {
    return this.#maker !== null;
  }

  async begin(facts: Omit<BeginStaging, 'rootId'>): Promise<void> {
    this.#maker = await this.#work.send(this.#partition, beginStaging, { rootId: this.rootId, ...facts });
  }

  async stage(nodes: Omit<StageNodes, 'rootId'>): Promise<void> {
    await this.#work.send(this.#partition, stageNodes, { rootId: this.rootId, ...nodes });
  }

  /** What is not in the tree by now is swept. */
  async abandon(): Promise<void> {
    const { rootId } = this;
    if (this.#maker !== null) await this.#work.send(this.#partition, abandonStaging, { rootId, maker: this.#maker });
  }
}

/**
 * Does work for the lines of a text, some at a time. `done`: does it for the first of these lines and tells for how many.
 */
export async function byLines(lines: string, most: number, done: (some: string) => Promise<number>): Promise<void> {
  for (const page of linePages(lines, most)) {
    for (let left = page; left !== ''; ) {
      const count = await done(left);
      left = left.split('\n').slice(count).join('\n');
    }
  }
}

/** The lines of a text in pages of so many. */
function* linePages(lines: string, size: number): Generator<string> {
  let from = 0;
  while (from < lines.length) {
    let to = from;
    for (let n = 0; n < size && to < lines.length; n++) {
      const end = lines.indexOf('\n', to);
      to = end < 0 ? lines.length + 1 : end + 1;
    }
    yield lines.slice(from, to - 1);
    from = to;
  }
}
