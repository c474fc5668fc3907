import { type Caller, type Cause, SYSTEM_USER } from '../../shared/caller.js';
import { idSource } from '../../shared/ids.js';
import { systemTime, type Time } from '../../shared/time.js';
import { activeTraceparent, inSpan } from '../../shared/trace.js';
import type { Aside } from '../decide/accepted.js';
import type { Operation } from '../decision.js';
import { type CommitFollower, LandedCommits } from '../feed/landed-commits.js';
import { type Job, jobs } from '../job/job.js';
import type { AnyCollection } from '../log/schema.js';
import { Overlay } from '../overlay.js';
import { DeciderSide, type DeciderSideOptions, type RestingDomain } from './decider-side.js';
import { ReplicaSide } from './replica-side.js';
import { workspaceStopped } from './stopped.js';

export interface PartitionOptions
  extends Omit<DeciderSideOptions, 'time' | 'commits' | 'overlay' | 'feed' | 'send' | 'resting'> {
  /** Whatever the partition's documents are of, those of the store included. */
  readonly collections: readonly AnyCollection[];
  /** Default: the machine's. */
  readonly time?: Time;
  /** Groups and roles of whoever a job acts for. */
  readonly callerOf: (userId: string, workspace: string, cause: Cause) => Caller;
  /** The domains that are at rest in the partition as long as it is open: their data can be read and changed, and nothing of them runs. Default: none is. */
  readonly resting?: (replica: ReplicaSide) => readonly RestingDomain[];
  /** Who follows its commits, behind the partition itself. Default: nobody. */
  readonly followers?: readonly CommitFollower[];
}

export interface SendOptions {
  readonly caller: Caller;
  /** A client's command id, made from its idempotency key. */
  readonly commandId?: string;
  /** With a command id: what is compared, when it comes again, where the input has another text each time. Default: the input. */
  readonly compared?: unknown;
  /** With a command id: whether it is decided anew when it comes again and was refused. Default: it is refused again. */
  readonly retriesRefused?: boolean;
  /** Told when the command waits for what it asked, or for another one that does, and when it goes on. */
  readonly aside?: Aside;
}

/** Answer of a command, and the newest revision that was decided before it was given. */
export interface Sent<A> {
  readonly answer: A;
  readonly revision: number;
  readonly commandId: string;
}

/** A partition as everybody uses it, wherever it is decided: commands are sent to it, and what has landed is read and followed. */
export type PartitionPort = Pick<Partition, 'id' | 'workspace' | 'replica' | 'send' | 'sendAsSystem'>;

/**
 * One partition, open on this server, in two sides: one is read, one decides. Nothing passes between them but commands, which are made here, and
 * commits that have landed.
 */
export class Partition {
  readonly id: string;
  /** The workspace's name. */
  readonly workspace: string;
  /** Whoever only reads is given this alone. */
  readonly replica: ReplicaSide;
  readonly decider: DeciderSide;
  readonly #options: PartitionOptions;
  readonly #time: Time;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: PartitionOptions) {
    const { id, workspace, replica, collections, clock, followers = [], time = systemTime } = options;
    this.#options = options;
    this.#time = time;
    this.id = id;
    this.workspace = workspace;
    const commits = new LandedCommits({ replica, collections, time });
    const overlay = new Overlay();
    this.replica = new ReplicaSide({ id, workspace, replica, commits, clock, time, known: overlay.seen });
    const { feed } = this.replica;
    this.decider = new DeciderSide({
      ...options,
      resting: options.resting?.(this.replica) ?? [],
      time,
      commits,
      overlay,
      feed,
      send: (operation, input, job) =>
        job === null
          ? this.sendAsSystem(operation, input)
          : this.#answerOf(operation, input, {
              caller: this.#callerOf(this.#userOf(job), { ...job.cause, jobId: job.id }),
            }),
    });
    for (const follower of followers) commits.follow(follower);
  }

  /** Takes back what a dead server was running; then jobs and reactions go on. */
  begin(): Promise<void> {
    return this.decider.begin();
  }

  /** Whether it may be used: nobody has begun to close it. */
  get isOpen(): boolean {
    return this.#closing === undefined;
  }

  /** Resolves when the command is durable. Rejects with its refusal, or UNAVAILABLE (the same command id may be sent again). */
  send<I, A>(operation: Operation<I, A>, input: I, options: SendOptions): Promise<Sent<A>> {
    if (!this.isOpen) return Promise.reject(workspaceStopped(this.workspace));
    return this.#send(operation, input, options);
  }

  /** As {@link send}, for what the server does by itself: no part of whatever trace is active. */
  sendAsSystem<I, A>(operation: Operation<I, A>, input: I): Promise<A> {
    return this.#answerOf(operation, input, { caller: this.#callerOf(SYSTEM_USER, {}), root: true });
  }

  /**
   * Takes no more commands, lets those in flight finish, gives running jobs back, closes the log. From then on whatever is asked of it is refused, and
   * whoever follows its feed is told so: UNAVAILABLE (`workspace_stopped`). Asked again, it is the same close.
   */
  close(drainMs: number): Promise<void> {
    this.#closing ??= this.#close(drainMs);
    return this.#closing;
  }

  async #close(drainMs: number): Promise<void> {
    await this.decider.close(drainMs);
    this.#isClosed = true;
    this.replica.close();
    await this.#options.log.close();
    this.#options.replica.close();
  }

  /** Whoever the job acts for now: the user may be gone since its attempt began, and another one have the name. */
  #userOf({ id, userId }: Job): string {
    return this.decider.peek().get(jobs, id)?.userId ?? userId;
  }

  #callerOf(userId: string, cause: Cause): Caller {
    return this.#options.callerOf(userId, this.workspace, cause);
  }

  async #answerOf<I, A>(operation: Operation<I, A>, input: I, options: SendOptions & OfTrace): Promise<A> {
    return (await this.#send(operation, input, options)).answer;
  }

  async #send<I, A>(
    operation: Operation<I, A>,
    input: I,
    { caller, commandId, compared, retriesRefused = false, aside, root = false }: SendOptions & OfTrace,
  ): Promise<Sent<A>> {
    if (this.#isClosed) throw workspaceStopped(this.workspace);
    const now = this.#options.clock.now();
    const id = commandId ?? idSource(this.#time.seed(), now).next();
    const keyed = commandId !== undefined;
    const attributes = { 'app.workspace': this.workspace, 'app.command.id': id };
    const done = await inSpan(`command ${operation.name}`, { attributes, root }, () => {
      const traced = tracedCaller(caller, now);
      const facts = { id, type: operation.name, input, caller: traced, cause: traced.cause, keyed };
      const command = keyed ? { ...facts, ...(compared !== undefined && { compared }), retriesRefused } : facts;
      return this.decider.submit(command, aside);
    });
    return { answer: done.answer as A, revision: done.revision, commandId: id };
  }
}

interface OfTrace {
  /** Whether the command is no part of the trace that happens to be active. Default: it is. */
  readonly root?: boolean;
}

/** The caller whose cause names the command's own span: what the command sets off continues that. */
function tracedCaller(caller: Caller, now: number): Caller {
  const traceparent = activeTraceparent();
  if (traceparent === undefined) return caller;
  const traceStart = caller.cause.traceStart ?? now;
  return { ...caller, cause: { ...caller.cause, traceparent, traceStart } };
}
