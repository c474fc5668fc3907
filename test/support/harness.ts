import { type Job, jobSubject, jobs } from '../../src/engine/collections.js';
import type { Caller } from '../../src/shared/caller.js';
import { messageOf, ServiceError } from '../../src/shared/errors.js';
import { seedOf } from '../../src/shared/ids.js';
import { evaluate } from '../../src/store/decide/asks.js';
import {
  AFTER_OTHERS,
  type Answered,
  type AnyJobType,
  type Collection,
  type Command,
  type Decision,
  type Document,
  type Evaluator,
  type FeedEvent,
  jobMachine,
  type Operation,
  put,
  step,
} from '../../src/store/index.js';
import { failJobOf } from '../../src/store/job/operations.js';
import { jobOf } from '../../src/store/job/transition.js';
import { MemoryDocuments, MemoryState } from './memory-state.js';

export interface HarnessParts {
  readonly jobTypes?: readonly AnyJobType[];
  readonly evaluators?: Readonly<Record<string, Evaluator>>;
  /** ms. Default: 2026-01-01T00:00:00Z. */
  readonly now?: number;
}

const ASKS_MAX = 1_000;
const JOBS_MAX = 10_000;

/** A partition without a log: runs one command after the other on documents in memory, and its jobs when it is told to. */
export class Harness {
  readonly documents = new MemoryDocuments();
  /** Everything that happened, in order. */
  readonly events: FeedEvent[] = [];
  /** Everything that was written by the last command. */
  lastDecision: Decision<unknown> | undefined;
  /** The domain clock, ms. */
  now: number;
  readonly #types: ReadonlyMap<string, AnyJobType>;
  readonly #evaluators: Readonly<Record<string, Evaluator>>;
  #commands = 0;
  /** Of the last command that wrote. */
  revision = 0;

  constructor({ jobTypes = [], evaluators = {}, now = Date.UTC(2026, 0, 1) }: HarnessParts = {}) {
    this.#types = new Map(jobTypes.map((type) => [type.type, type]));
    this.#evaluators = evaluators;
    this.now = now;
  }

  /** Runs an operation to its end: decides, answers what it asks, decides again; then writes what it decided. */
  async run<I, A>(operation: Operation<I, A>, input: I, caller: Caller): Promise<A> {
    const command: Command<I> = {
      id: `command-${++this.#commands}`,
      type: operation.name,
      // Plain JSON, as a store has it.
      input: JSON.parse(JSON.stringify(input)) as I,
      caller,
      cause: caller.cause,
      keyed: false,
    };
    const seed = seedOf(command.id);
    const answers: Answered[] = [];
    for (let asks = 0; asks < ASKS_MAX; asks++) {
      const state = this.state(seed);
      operation.mailbox?.(state, command.input, answers);
      const decided = operation.decide(this.state(seed, operation.limits?.reads), command.input, {
        caller,
        commandId: command.id,
        seed,
        answers,
      });
      if (!('ask' in decided)) return this.#commit(decided, command);
      const ask = JSON.parse(JSON.stringify(decided.ask));
      if (ask.kind === AFTER_OTHERS) {
        answers.length = 0;
        await this.#runNext(ask.question);
        continue;
      }
      answers.push({ ask, answer: JSON.parse(JSON.stringify(await evaluate(this.#evaluators, ask, command))) });
    }
    throw new Error(`'${operation.name}' asks more than ${ASKS_MAX} times`);
  }

  /** What a decision would see now. */
  state(seed = seedOf('look'), readMax?: number): MemoryState {
    return new MemoryState(this.documents, seed, this.now, this.revision + 1, readMax);
  }

  get<T extends Document>(collection: Collection<T>, id: string): T | undefined {
    return this.state().get(collection, id);
  }

  all<T extends Document>(collection: Collection<T>): T[] {
    return this.documents.all(collection);
  }

  /** The types of all events so far. */
  get eventTypes(): string[] {
    return this.events.map((event) => event.type);
  }

  /** Takes a waiting job and does it, whenever it is due; gives what became of it, undefined when it is gone. */
  async runJob(id: string): Promise<Job | undefined> {
    await this.performJob(this.takeJob(id));
    return this.get(jobs, id);
  }

  /** The job, running its next attempt. */
  takeJob(id: string): Job {
    const waiting = this.get(jobs, id);
    if (waiting === undefined) throw new Error(`job '${id}' is gone`);
    const job = { ...waiting, actor: step(jobMachine, waiting.actor, { type: 'take' })[0] };
    this.documents.apply([put(jobs, job)]);
    return job;
  }

  /** Does the work of a running job, and commits its outcome, or its failure. */
  async performJob(job: Job): Promise<void> {
    const caller = callerNamed(job.userId, { cause: { ...job.cause, jobId: job.id } });
    const attempt = { jobId: job.id, attempt: job.actor.context.attempt };
    try {
      const type = this.#types.get(job.type);
      if (type === undefined) throw new Error(`nothing runs jobs of type '${job.type}'`);
      const { operation, input } = await type.run(job, this.state());
      await this.run(operation as Operation<unknown, unknown>, input, caller);
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      const code = thrown instanceof ServiceError ? thrown.code : null;
      const failure = { message: messageOf(thrown), code, stack: thrown.stack ?? null };
      await this.run(failJobOf({ types: this.#types, subject: jobSubject }), { ...attempt, failure }, caller);
    }
  }

  /** Does what goes on by itself until nothing is left of it, oldest first; gives how many jobs that were. */
  settle(): Promise<number> {
    return this.#runAll((job) => job.immediate);
  }

  /** Sets the clock, and does all that is due by then. */
  runDue(now = this.now): Promise<number> {
    this.now = Math.max(this.now, now);
    return this.#runAll(() => true);
  }

  async #runAll(wanted: (job: Job) => boolean): Promise<number> {
    for (let count = 0; count < JOBS_MAX; count++) {
      const [next] = this.all(jobs)
        .filter((job) => job.actor.value === 'waiting' && !job.suspended && job.dueAt <= this.now && wanted(job))
        .sort((a, b) => a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1));
      if (next === undefined) return count;
      await this.runJob(next.id);
    }
    throw new Error(`more than ${JOBS_MAX} jobs`);
  }

  /** Does the next job of the mailbox: a command lets it go before it. */
  async #runNext(mailbox: string): Promise<void> {
    const isNext = (job: Job) => job.instanceId === mailbox && job.immediate && job.actor.value === 'waiting';
    const next = this.all(jobs).find((job) => isNext(job) && !job.suspended);
    if (next === undefined) throw new Error(`expected a job of '${mailbox}' to go before the command`);
    await this.runJob(next.id);
  }

  #commit<A>(decision: Decision<A>, command: Command): A {
    this.lastDecision = decision;
    if ((decision.write ?? []).length > 0) this.revision++;
    this.documents.apply(decision.write ?? []);
    this.documents.apply((decision.jobs ?? []).map((job) => put(jobs, jobOf(job, command, this.now, jobSubject))));
    this.events.push(...(JSON.parse(JSON.stringify(decision.events ?? [])) as FeedEvent[]));
    return decision.answer;
  }
}

/** A caller; by default without groups and roles. */
export const callerNamed = (userId: string, more: Partial<Caller> = {}): Caller => ({
  userId,
  groups: [],
  roles: [],
  sessionId: null,
  workspace: 'test',
  cause: {},
  ...more,
});
