import type { Caller, Cause } from '../../shared/caller.js';
import type { DomainClock } from '../../shared/clock.js';
import { idSource } from '../../shared/ids.js';
import { log as serverLog } from '../../shared/log.js';
import { systemTime, type Time } from '../../shared/time.js';
import { activeTraceparent, inSpan } from '../../shared/trace.js';
import type { Collection, Document } from '../collection.js';
import type { Aside } from '../decide/accepted.js';
import type { Committed } from '../decide/commit.js';
import { Decider } from '../decide/decider.js';
import type { AnyOperation, DeciderOptions } from '../decide/decider-options.js';
import type { Evaluator } from '../decide/evaluate.js';
import type { Operation } from '../decision.js';
import type { Known } from '../durable-cache.js';
import { Feed } from '../feed/feed.js';
import { KEPT, type Kept, Trimmer } from '../feed/trimmer.js';
import type { Job } from '../job/job.js';
import type { AnyJobType } from '../job/job-type.js';
import { Quiet } from '../job/quiet.js';
import { JobRunner } from '../job/runner.js';
import type { Log } from '../log/log.js';
import type { AnyCollection } from '../log/schema.js';
import { LogPatience } from '../log-patience.js';
import { MergedState, type StateFacts } from '../merged-state.js';
import { ReactionHost } from '../reaction/host.js';
import type { Reaction } from '../reaction/reaction.js';
import type { Replica } from '../replica.js';
import type { State } from '../state.js';
import { SYSTEM_USER } from '../system-caller.js';

/** How much a query reads at most, and who is told of it. */
export type ReadLimits = Partial<Pick<StateFacts, 'readMax' | 'onRead'>>;

/** What the domains bring to every partition. */
export interface DomainParts {
  readonly operations: readonly AnyOperation[];
  readonly evaluators: Readonly<Record<string, Evaluator>>;
  readonly jobTypes: readonly AnyJobType[];
  readonly reactions: readonly Reaction[];
}

export interface PartitionOptions extends DomainParts, Pick<DeciderOptions, 'decided' | 'isServing'> {
  readonly id: string;
  /** The workspace's name, for callers that the partition makes itself. */
  readonly workspace: string;
  readonly log: Log;
  readonly replica: Replica;
  /** Whatever the partition's documents are of, those of the store included. */
  readonly collections: readonly AnyCollection[];
  readonly clock: DomainClock;
  /** Default: the machine's. */
  readonly time?: Time;
  /** Default: that of a server that has started. */
  readonly patience?: LogPatience | undefined;
  /** Whether timers run by themselves; not on a virtual clock. */
  readonly automatic: boolean;
  readonly jobSlots: number;
  /** How many commands may wait for one process instance. Default 100. */
  readonly mailboxMax?: number;
  /** How long feed and outcomes are kept. Default {@link KEPT}. */
  readonly kept?: Kept;
  /** Groups and roles of whoever a job acts for. */
  readonly callerOf: (userId: string, workspace: string, cause: Cause) => Caller;
  /** Told of every durable commit. */
  readonly committed?: (committed: Committed) => void;
}

export interface SendOptions {
  readonly caller: Caller;
  /** A client's command id, made from its idempotency key. */
  readonly commandId?: string;
  /** Told when the command waits for what it asked, or for another one that does, and when it goes on. */
  readonly aside?: Aside;
}

/** An answered command. */
export interface Sent<A> {
  readonly answer: A;
  readonly revision: number;
  readonly commandId: string;
}

/** One partition, open on this server: commands in, state and feed out. */
export class Partition {
  readonly id: string;
  /** The workspace's name. */
  readonly workspace: string;
  readonly feed: Feed;
  readonly jobs: JobRunner;
  readonly #options: PartitionOptions;
  readonly #time: Time;
  readonly #decider: Decider;
  readonly #reactions: ReactionHost;
  readonly #quiet = new Quiet();
  readonly #trimmer: Trimmer;

  constructor(options: PartitionOptions) {
    this.#options = options;
    this.#time = options.time ?? systemTime;
    this.id = options.id;
    this.workspace = options.workspace;
    this.feed = new Feed(options.id, options.replica, this.#time);
    const state = () => this.#decider.state();
    this.jobs = new JobRunner({
      clock: options.clock,
      time: this.#time,
      automatic: options.automatic,
      slots: options.jobSlots,
      types: new Map(options.jobTypes.map((type) => [type.type, type])),
      send: (operation, input, job) => this.#sendFor(operation, input, job),
      state,
    });
    const send = (operation: AnyOperation, input: unknown) => this.#sendFor(operation, input, null);
    const { reactions } = options;
    this.#reactions = new ReactionHost({ reactions, feed: this.feed, time: this.#time, state, send });
    this.#trimmer = new Trimmer({
      log: options.log,
      replica: options.replica,
      slowest: () => this.#reactions.slowest(),
      kept: options.kept ?? KEPT,
      time: this.#time,
    });
    this.#decider = this.#makeDecider();
  }

  /** Takes back what a dead server was running; then jobs and reactions go on. */
  async begin(): Promise<void> {
    await this.jobs.begin();
    this.#reactions.begin();
    this.#trimmer.begin();
  }

  /** Resolves when the command is durable. Rejects with its refusal, or UNAVAILABLE (the same command id may be sent again). */
  send<I, A>(operation: Operation<I, A>, input: I, options: SendOptions): Promise<Sent<A>> {
    return this.#send(operation, input, options);
  }

  /** As {@link send}, for what the server does by itself: no part of whatever trace is active. */
  async sendAsSystem<I, A>(operation: Operation<I, A>, input: I): Promise<A> {
    const caller = this.#options.callerOf(SYSTEM_USER, this.workspace, {});
    return (await this.#send(operation, input, { caller, root: true })).answer;
  }

  /** The durable state, as queries read it. Nothing undecided, nothing undurable. */
  read(limits: ReadLimits = {}): State {
    return this.#durable(() => this.#decider.known.of(this.#options.replica.revision()), limits);
  }

  /**
   * As {@link read}, for what a command of this server has just changed: at least that is in it, and most of it is at hand. What another server
   * writes may be missing.
   */
  readBack(limits: ReadLimits = {}): State {
    return this.#durable(() => this.#decider.known, limits);
  }

  /** Statements that read the durable state on this thread, for what is small. */
  get statements(): Pick<Replica, 'prepare'> {
    return this.#options.replica;
  }

  /** The document, if the caller may see it. `state`: default {@link read}. */
  find<T extends Document>(
    collection: Collection<T>,
    id: string,
    caller: Caller,
    state: State = this.read(),
  ): T | undefined {
    const document = state.get(collection, id);
    return document !== undefined && (collection.visible?.(caller, document) ?? true) ? document : undefined;
  }

  /** Resolves when nothing runs any more that the command set off by itself (calls, continuations), or after `waitMs`. */
  async settled(commandId: string, waitMs: number): Promise<void> {
    if (!this.#quiet.isRunning(commandId)) return;
    await new Promise<void>((resolve) => {
      const patience = this.#time.after(waitMs, resolve).hold();
      void this.#quiet.of(commandId).then(() => {
        patience.cancel();
        resolve();
      });
    });
  }

  /** The state that the next decision sees. For the virtual clock and for tests. */
  peek(): State {
    return this.#decider.state();
  }

  /** For how long the oldest command has been waiting to be decided or to be durable, ms; 0: none is. */
  waitedMs(): number {
    return this.#decider.waitedMs();
  }

  /** Resolves when commands are taken and the log makes them durable; nothing that stays is written. @throws UNAVAILABLE */
  probe(): Promise<void> {
    return this.#decider.probe();
  }

  /** Takes no more commands, lets those in flight finish, gives running jobs back, closes the log. */
  async close(drainMs: number): Promise<void> {
    this.#trimmer.close();
    await this.#reactions.close();
    await this.jobs.drain(drainMs).catch((thrown: unknown) => {
      // The next start takes them back.
      serverLog.warn({ err: thrown, partition: this.id }, 'running jobs could not be given back');
    });
    await this.#decider.close();
    await this.#options.log.close();
    this.#options.replica.close();
  }

  #durable(known: () => Known | null, limits: ReadLimits): State {
    const { clock, replica } = this.#options;
    const now = clock.now();
    const nextRevision = () => replica.revision() + 1;
    const facts = { now, ids: idSource(this.#time.seed(), now), partition: this.id, nextRevision, ...limits };
    return new MergedState(facts, replica, null, known);
  }

  #makeDecider(): Decider {
    const { collections, replica, log, clock, evaluators, mailboxMax, decided, isServing } = this.#options;
    const own = [...this.jobs.operations, ...Object.values(this.#reactions.operations)];
    const operations = new Map([...this.#options.operations, ...own].map((one) => [one.name, one]));
    const committed = (commit: Committed) => this.#committed(commit);
    return new Decider({
      partition: this.id,
      replica,
      collections,
      log,
      clock,
      time: this.#time,
      patience: this.#options.patience ?? new LogPatience(),
      operations,
      evaluators,
      jobs: this.jobs,
      mailboxMax,
      committed,
      renewed: () => this.#renewed(),
      reopened: () => this.jobs.wake(),
      decided,
      isServing,
    });
  }

  /** What is stored is not what followed what was told: streams read anew, and jobs that run by the former history are nobody's any more. */
  #renewed(): void {
    this.feed.renew();
    this.#trimmer.renew();
    this.#quiet.renew();
    this.jobs.renew();
  }

  #committed(committed: Committed): void {
    this.#quiet.committed(committed);
    this.feed.append(committed);
    this.jobs.committed(committed);
    this.#trimmer.committed(committed);
    this.#options.committed?.(committed);
  }

  async #sendFor(operation: AnyOperation, input: unknown, job: Job | null): Promise<unknown> {
    const { workspace, callerOf } = this.#options;
    const cause = job === null ? {} : { ...job.cause, jobId: job.id };
    const caller = callerOf(job?.userId ?? SYSTEM_USER, workspace, cause);
    // What the partition does by itself is no part of the trace that happens to be active when it does.
    const { answer } = await this.#send(operation, input, { caller, root: job === null });
    return answer;
  }

  async #send<I, A>(
    operation: Operation<I, A>,
    input: I,
    { caller, commandId, aside, root = false }: SendOptions & { readonly root?: boolean },
  ): Promise<Sent<A>> {
    const now = this.#options.clock.now();
    const id = commandId ?? idSource(this.#time.seed(), now).next();
    const keyed = commandId !== undefined;
    const attributes = { 'app.workspace': this.#options.workspace, 'app.command.id': id };
    const done = await inSpan(`command ${operation.name}`, { attributes, root }, () => {
      const traced = tracedCaller(caller, now);
      const command = { id, type: operation.name, input, caller: traced, cause: traced.cause, keyed };
      return this.#decider.submit(command, aside);
    });
    return { answer: done.answer as A, revision: done.revision, commandId: id };
  }
}

/** The caller whose cause names the command's own span: what the command sets off continues that. */
function tracedCaller(caller: Caller, now: number): Caller {
  const traceparent = activeTraceparent();
  if (traceparent === undefined) return caller;
  const traceStart = caller.cause.traceStart ?? now;
  return { ...caller, cause: { ...caller.cause, traceparent, traceStart } };
}
