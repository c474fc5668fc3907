import type { Caller } from '../../shared/caller.js';
import type { Clock } from '../../shared/clock.js';
import { idSource } from '../../shared/ids.js';
import type { Time } from '../../shared/time.js';
import type { Collection, Document } from '../collection.js';
import type { Known } from '../durable-cache.js';
import { Feed } from '../feed/feed.js';
import type { CommitFollower, Committed, LandedCommits } from '../feed/landed-commits.js';
import { type Job, jobs } from '../job/job.js';
import { MergedState, type StateFacts } from '../merged-state.js';
import type { SeenDurable } from '../overlay.js';
import type { Replica } from '../replica.js';
import type { State } from '../state.js';
import { workspaceStopped } from './stopped.js';

/** Bounds of what a query reads, and who is told how much it is. */
export type ReadLimits = Partial<Pick<StateFacts, 'readMax' | 'onRead'>>;

export interface ReplicaSideOptions {
  /** The partition's. */
  readonly id: string;
  /** The workspace's name. */
  readonly workspace: string;
  readonly replica: Replica;
  readonly commits: LandedCommits;
  /** The domain clock. */
  readonly clock: Clock;
  readonly time: Time;
  /** Durable documents that the decider of this server has at hand. null: this server decides nothing of the partition. */
  readonly known: SeenDurable | null;
}

/**
 * The side of a partition that is read, searched and followed. It lives on a replica and on what it is told of commits that have landed, and knows
 * no decider: a server that decides nothing of the partition may have it, too.
 */
export class ReplicaSide {
  readonly id: string;
  /** The workspace's name. */
  readonly workspace: string;
  readonly feed: Feed;
  readonly #options: ReplicaSideOptions;
  readonly #quiet = new Quiet();
  #isClosed = false;

  constructor(options: ReplicaSideOptions) {
    this.#options = options;
    const { id, workspace, replica, commits, time } = options;
    this.id = id;
    this.workspace = workspace;
    this.feed = new Feed(id, replica, time);
    commits.follow(this.#quiet);
    commits.follow(this.feed);
  }

  /** The durable state, as queries read it. Nothing undecided, nothing undurable. */
  read(limits: ReadLimits = {}): State {
    const { known, replica } = this.#options;
    return this.#durable(() => known?.of(replica.revision()) ?? null, limits);
  }

  /**
   * As {@link read}, for what a command of this server has just changed: at least that is in it, and most of it is at hand. What another server
   * writes may be missing.
   */
  readBack(limits: ReadLimits = {}): State {
    return this.#durable(() => this.#options.known, limits);
  }

  /** Statements that read the durable state on this thread, for what is small. */
  get statements(): Pick<Replica, 'prepare'> {
    this.#requireOpen();
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
      const patience = this.#options.time.after(waitMs, resolve).hold();
      void this.#quiet.of(commandId).then(() => {
        patience.cancel();
        resolve();
      });
    });
  }

  /** Whoever reads or follows it from now on, or does already, is told that the workspace is stopped. */
  close(): void {
    this.#isClosed = true;
    this.feed.end(workspaceStopped(this.workspace));
    this.#quiet.end();
  }

  #requireOpen(): void {
    if (this.#isClosed) throw workspaceStopped(this.workspace);
  }

  #durable(known: () => Known | null, limits: ReadLimits): State {
    this.#requireOpen();
    const { id: partition, clock, replica, time } = this.#options;
    const now = clock.now();
    const nextRevision = () => replica.revision() + 1;
    return new MergedState(
      { now, ids: idSource(time.seed(), now), partition, nextRevision, ...limits },
      replica,
      null,
      known,
    );
  }
}

/** Knows which commands still have calls and continuations running that they set off. */
class Quiet implements CommitFollower {
  readonly collections = [jobs];
  readonly #rootOf = new Map<string, string>();
  readonly #running = new Map<string, Set<string>>();
  readonly #waiting = new Map<string, (() => void)[]>();

  committed({ writes }: Committed): void {
    for (const { collection, id, document } of writes) {
      if (collection.name !== jobs.name) continue;
      const job = document as Job | null;
      if (job !== null && goesOn(job)) this.#add(job);
      else this.#remove(id);
    }
    this.#wake();
  }

  /** The history has become another one: what runs by it is told of as it is taken. */
  renewed(): void {
    this.end();
  }

  /** Nobody waits any more. */
  end(): void {
    this.#rootOf.clear();
    this.#running.clear();
    this.#wake();
  }

  isRunning(commandId: string): boolean {
    return this.#running.has(commandId);
  }

  /** Resolves when nothing that the command set off is running. */
  of(commandId: string): Promise<void> {
    if (!this.isRunning(commandId)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.set(commandId, [...(this.#waiting.get(commandId) ?? []), resolve]);
    });
  }

  #add(job: Job): void {
    const root = job.cause.commandId ?? '';
    this.#rootOf.set(job.id, root);
    this.#running.set(root, (this.#running.get(root) ?? new Set()).add(job.id));
  }

  #remove(id: string): void {
    const root = this.#rootOf.get(id);
    if (root === undefined) return;
    this.#rootOf.delete(id);
    const running = this.#running.get(root);
    running?.delete(id);
    if (running?.size === 0) this.#running.delete(root);
  }

  #wake(): void {
    for (const [commandId, waiting] of this.#waiting) {
      if (this.#running.has(commandId)) continue;
      this.#waiting.delete(commandId);
      for (const resolve of waiting) resolve();
    }
  }
}

/** A retry that waits for its time is not running: whoever asked is answered. So they are before what only writes what counts already. */
const goesOn = (job: Job): boolean =>
  job.immediate && !job.isBehind && !job.suspended && (job.actor.value === 'running' || job.actor.value === 'waiting');
