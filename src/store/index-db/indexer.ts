import { log } from '../../shared/log.js';
import { Thread, workerThread } from '../../shared/thread.js';
import { systemTime, type Timer } from '../../shared/time.js';
import type { CommitFollower } from '../feed/landed-commits.js';
import type { Fault } from './applier.js';
import type { IndexerReport, IndexerRequest, IndexerThreadData } from './indexer-thread.js';

export interface IndexerOptions extends IndexerThreadData {
  /** What went wrong; the indexer goes on by itself. `fault`: the document that one projection could not take. Default: the server's log. */
  readonly onFault?: (partition: string, message: string, fault: Fault | null) => void;
}

interface Waiter {
  readonly revision: number;
  readonly timer: Timer;
  resolve(reached: boolean): void;
}

interface Followed {
  revision: number | null;
  /** The newest revision that the log is known to have. */
  newest: number;
  /** Whether the thread was woken and has not come to rest yet: it then finds by itself what comes. */
  isAwake: boolean;
  /** What `newest` was when it was woken. */
  wokenFor: number;
  /** Set while more is let come before it is woken. */
  linger: Timer | null;
  readonly waiters: Set<Waiter>;
}

/** Where nobody waits, what comes within so many ms is indexed together: waking the thread for each commit costs more than indexing it. */
const LINGER_MS = 50;
/** After the thread ended by itself. */
const RESTART_MS = 1_000;
/** How long {@link Indexer.close} waits for a batch to end. */
const CLOSE_MS = 5_000;

/** Keeps every `index.db` behind its log, in a thread of its own, which also checkpoints both files. */
export class Indexer {
  readonly #options: IndexerOptions;
  readonly #partitions = new Map<string, Followed>();
  #thread: Thread<never, never, IndexerRequest, IndexerReport>;
  #closed: Promise<void> | null = null;

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#thread = this.#start();
  }

  /** Advances with each commit of the partition. */
  follower(partition: string): CommitFollower {
    return { committed: ({ record }) => this.advance(partition, record.revision) };
  }

  /** The partition's log is at this revision. Cheap; the first call follows the partition. */
  advance(partition: string, revision: number): void {
    const followed = this.#of(partition);
    if (revision > followed.newest) followed.newest = revision;
    if (followed.newest > (followed.revision ?? -1)) this.#wakeSoon(partition, followed);
  }

  /** What the partition's index has reached; null as long as it is being built or is not followed. */
  revision(partition: string): number | null {
    return this.#partitions.get(partition)?.revision ?? null;
  }

  /** Resolves to true as soon as the index is at the revision or behind it, to false when that takes longer than `withinMs`. */
  reached(partition: string, revision: number, withinMs: number): Promise<boolean> {
    const followed = this.#of(partition);
    if (followed.revision !== null && followed.revision >= revision) return Promise.resolve(true);
    if (this.#closed !== null) return Promise.resolve(false);
    this.#wake(partition, followed);
    return new Promise((resolve) => {
      const timer = systemTime.after(Math.max(0, withinMs), () => settle(followed, waiter, false)).hold();
      const waiter: Waiter = { revision, timer, resolve };
      followed.waiters.add(waiter);
    });
  }

  /** The partition's index could not be read: it is made anew. Told again meanwhile, it is the same one. */
  damaged(partition: string): void {
    const followed = this.#partitions.get(partition);
    if (followed === undefined || followed.revision === null) return;
    followed.revision = null;
    this.#tell({ kind: 'renew', partition });
  }

  /** Closes the partition's files in the thread; whoever waits for it is told that it is not reached. */
  forget(partition: string): void {
    const followed = this.#partitions.get(partition);
    if (followed === undefined) return;
    this.#partitions.delete(partition);
    for (const waiter of followed.waiters) settle(followed, waiter, false);
    this.#tell({ kind: 'forget', partition });
  }

  /** Ends the thread between two batches. Safe to call twice. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #close(): Promise<void> {
    for (const followed of this.#partitions.values()) {
      for (const waiter of followed.waiters) settle(followed, waiter, false);
    }
    // One that hangs within SQLite has nothing that cannot be made anew.
    return this.#thread.close(CLOSE_MS);
  }

  #of(partition: string): Followed {
    let followed = this.#partitions.get(partition);
    if (followed === undefined) {
      followed = { revision: null, newest: 0, isAwake: false, wokenFor: 0, linger: null, waiters: new Set() };
      this.#partitions.set(partition, followed);
    }
    return followed;
  }

  /** At once for whoever waits, and for the first index. */
  #wakeSoon(partition: string, followed: Followed): void {
    if (followed.waiters.size > 0 || followed.revision === null) return this.#wake(partition, followed);
    if (followed.isAwake) return;
    followed.linger ??= systemTime.after(LINGER_MS, () => this.#wake(partition, followed));
  }

  #wake(partition: string, followed: Followed): void {
    followed.linger?.cancel();
    followed.linger = null;
    // It was forgotten meanwhile, or everything is being closed.
    if (this.#partitions.get(partition) !== followed || this.#closed !== null) return;
    if (followed.isAwake) return;
    followed.isAwake = true;
    followed.wokenFor = followed.newest;
    this.#tell({ kind: 'wake', partition });
  }

  #tell(message: IndexerRequest): void {
    this.#thread.tell(message);
  }

  #start(): Thread<never, never, IndexerRequest, IndexerReport> {
    const { dataFolder, modules } = this.#options;
    const data: IndexerThreadData = { dataFolder, modules };
    return new Thread(workerThread(new URL('./indexer-thread.js', import.meta.url), { data, name: 'indexer' }), {
      holds: 'never',
      heard: (report: IndexerReport) => this.#take(report),
      gone: ({ message }) => {
        if (this.#closed !== null) return;
        this.#fault('', `the indexer's thread is gone: ${message}`, null);
        systemTime.after(RESTART_MS, () => this.#restart());
      },
    });
  }

  #restart(): void {
    if (this.#closed !== null) return;
    this.#thread = this.#start();
    for (const [partition, followed] of this.#partitions) {
      followed.isAwake = false;
      this.#wake(partition, followed);
    }
  }

  #take(message: IndexerReport): void {
    if (message.kind === 'fault') this.#fault(message.partition, message.message, message.fault);
    if (message.kind === 'damage') toldDamaged(message.path, message.reason);
    if (message.kind !== 'reached') return;
    const { partition, revision, isLast } = message;
    const followed = this.#partitions.get(partition);
    if (followed === undefined) return;
    followed.revision = revision;
    if (isLast) {
      followed.isAwake = false;
      if (followed.newest > followed.wokenFor) this.#wakeSoon(partition, followed);
    }
    for (const waiter of followed.waiters) {
      if (revision !== null && revision >= waiter.revision) settle(followed, waiter, true);
    }
  }

  #fault(partition: string, message: string, fault: Fault | null): void {
    const { onFault = toLog } = this.#options;
    onFault(partition, message, fault);
  }
}

function settle(followed: Followed, waiter: Waiter, reached: boolean): void {
  waiter.timer.cancel();
  followed.waiters.delete(waiter);
  waiter.resolve(reached);
}

function toLog(partition: string, message: string, fault: Fault | null): void {
  log.error(
    { partition, ...(fault && { projection: fault.projection, collection: fault.collection, id: fault.id }) },
    message,
  );
}

const toldDamaged = (path: string, reason: string): void =>
  log.warn({ path, reason }, 'an index is damaged, and made anew out of the log');
