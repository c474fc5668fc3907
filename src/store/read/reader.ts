import type { Caller } from '../../shared/caller.js';
import { limitExceeded, unavailable } from '../../shared/errors.js';
import { Thread, workerThread } from '../../shared/thread.js';
import { pause, systemTime, type Timer } from '../../shared/time.js';
import type { ListRequest, Page } from './list-request.js';
import { newStopFlag, stopThread } from './native-guard.js';
import type { ReadRoom } from './page-room.js';
import type { ReaderQuery } from './reader-module.js';
import type { ReaderThreadData, Reply, Task, Work } from './reader-thread.js';

/** Tells when a partition's `index.db` is where a query needs it to be. */
export interface IndexProgress {
  /** The index cannot be read: another one is to be made. */
  damaged(partition: string): void;
  /** Resolves to true as soon as the index is at the revision or behind it, to false when that takes longer than `withinMs`. */
  reached(partition: string, revision: number, withinMs: number): Promise<boolean>;
}

export interface ReaderOptions {
  readonly dataFolder: string;
  /** File URLs of the modules that export a `readerModule`. */
  readonly modules: readonly string[];
  /** Default 1. */
  readonly threads?: number;
  /** How long a request may wait, and then how long it may run, in ms. Default 10,000. */
  readonly deadlineMs?: number;
  /** How many reads of the line `query` may wait or run. Default 250. */
  readonly queriesMax?: number;
  /** Why nobody may read this partition now. Default: whoever asks may read whatever is there. */
  readonly refusal?: (partition: string) => Error | undefined;
  /** Without it, a query that needs a newer index is refused. */
  readonly index?: IndexProgress;
}

/**
 * Where a read waits: `query` for a client's query, which is refused where too many of them wait; `readBack` for what a mutation reads of what it
 * has changed, in turns with all others, as its caller must be answered; `own` for what the server does by itself, among the queries, and never refused.
 */
export type ReadLine = 'query' | 'readBack' | 'own';

interface ReadOptions {
  /** Default `own`. */
  readonly line?: ReadLine;
  /** Replaces the reader's `deadlineMs`. */
  readonly deadlineMs?: number;
  /** What `index.db` must have reached before a query with `needsIndex` runs. Default: any revision. */
  readonly afterRevision?: number;
  /** What the answer counts in. Default: it may have any size. */
  readonly room?: ReadRoom | undefined;
}

/** A query's answer, and the revisions that it was read at. */
export interface QueryAnswer<R> {
  readonly answer: R;
  readonly revision: number;
  readonly indexRevision: number | null;
}

/** How long {@link Reader.close} waits for threads that are within SQLite. */
const CLOSE_MS = 2_000;

/** How many ended threads may still be within SQLite, which cannot be interrupted; more are not replaced until one has ended. */
const ENDING_MAX = 4;

interface Pending {
  readonly work: Work;
  readonly line: ReadLine;
  readonly room: ReadRoom | undefined;
  readonly deadlineMs: number;
  readonly submitted: number;
  timer: Timer | undefined;
  resolve(answer: unknown): void;
  reject(thrown: unknown): void;
}

/**
 * Lists and queries, off the main thread. A request that runs longer than its deadline costs its thread: it is refused, and the thread is replaced.
 * An answer is bounded in bytes while it is made, where the request says so: what is too large never leaves the thread.
 * @throws LIMIT_EXCEEDED it ran too long; UNAVAILABLE it waited too long, or too many queries wait (safe to repeat); and what the list, query or room throws
 */
export class Reader {
  readonly #options: ReaderOptions;
  readonly #deadlineMs: number;
  readonly #waiting = { readBacks: new Set<Pending>(), others: new Set<Pending>() };
  #wasReadBack = false;
  /** How many of the line `query` wait or run. */
  #queries = 0;
  readonly #idle: ReaderWorker[] = [];
  readonly #workers = new Set<ReaderWorker>();
  #ending = 0;
  #closed = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#deadlineMs = options.deadlineMs ?? 10_000;
  }

  list(partition: string, request: ListRequest, options: ReadOptions = {}): Promise<Page> {
    return this.#submit({ kind: 'list', partition, request }, options) as Promise<Page>;
  }

  /** Runs a query of a `readerModule`. */
  query<A, R>(
    partition: string,
    { name }: ReaderQuery<A, R>,
    args: A,
    caller: Caller,
    options: ReadOptions = {},
  ): Promise<QueryAnswer<R>> {
    const { afterRevision = 0 } = options;
    const work: Work = { kind: 'query', partition, name, args, caller, afterRevision };
    return this.#submit(work, options) as Promise<QueryAnswer<R>>;
  }

  /** Closes a partition's files; they are opened again when it is read again. */
  forget(partition: string): void {
    for (const worker of this.#workers) worker.tell(partition);
  }

  /** Ends the threads; whatever waits or runs is refused as UNAVAILABLE. Resolves when they have ended, or after 2 s. */
  async close(): Promise<void> {
    this.#closed = true;
    const reason = unavailable('expected the server to be running, but it is stopping');
    for (const pending of [...this.#waiting.readBacks, ...this.#waiting.others])
      this.#settle(pending, () => pending.reject(reason));
    await Promise.race([
      pause(systemTime, CLOSE_MS),
      Promise.all([...this.#workers].map((worker) => worker.stop(reason))),
    ]);
  }

  async #submit(work: Work, { deadlineMs = this.#deadlineMs, line = 'own', room }: ReadOptions): Promise<unknown> {
    const { queriesMax = 250 } = this.#options;
    if (this.#closed) throw unavailable('expected the server to be running, but it is stopping');
    const refusal = this.#options.refusal?.(work.partition);
    if (refusal !== undefined) throw refusal;
    if (line === 'query' && this.#queries >= queriesMax) throw tooManyQueries(queriesMax);
    if (line === 'query') this.#queries++;
    try {
      return await new Promise((resolve, reject) => {
        const submitted = systemTime.monotonic();
        this.#enqueue({ work, line, room, deadlineMs, submitted, resolve, reject, timer: undefined }, deadlineMs);
      });
    } finally {
      if (line === 'query') this.#queries--;
    }
  }

  #enqueue(pending: Pending, withinMs: number): void {
    pending.timer?.cancel();
    const late = () => {
      const waited = unavailable(
        `expected the query to begin within ${pending.deadlineMs} ms, but the readers are busy`,
      );
      this.#settle(pending, () => pending.reject(waited));
    };
    const line = this.#lineOf(pending).add(pending);
    this.#dispatch();
    if (line.has(pending)) pending.timer = systemTime.after(withinMs, late).hold();
  }

  #settle(pending: Pending, settle: () => void): void {
    pending.timer?.cancel();
    this.#lineOf(pending).delete(pending);
    settle();
  }

  #lineOf({ line }: Pending): Set<Pending> {
    return line === 'readBack' ? this.#waiting.readBacks : this.#waiting.others;
  }

  #dispatch(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const worker = this.#idle.pop() ?? this.#start();
      if (worker === undefined) return;
      this.#lineOf(next).delete(next);
      this.#wasReadBack = next.line === 'readBack';
      void this.#run(worker, next);
    }
  }

  /** Of the two lines one in turns: neither keeps the other from going on. */
  #next(): Pending | undefined {
    const { readBacks, others } = this.#waiting;
    const [first, second] = this.#wasReadBack ? [others, readBacks] : [readBacks, others];
    return first.values().next().value ?? second.values().next().value;
  }

  /** A new thread, if there may be one more. */
  #start(): ReaderWorker | undefined {
    const { threads = 1, dataFolder, modules } = this.#options;
    if (this.#closed || this.#workers.size >= threads || this.#ending >= ENDING_MAX) return undefined;
    const worker = new ReaderWorker({ dataFolder, modules }, () => this.#ended(worker));
    this.#workers.add(worker);
    return worker;
  }

  #ended(worker: ReaderWorker): void {
    // A thread that was ended is no longer among the workers; one that ended by itself is.
    if (!this.#workers.delete(worker)) this.#ending--;
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#dispatch();
  }

  async #run(worker: ReaderWorker, pending: Pending): Promise<void> {
    pending.timer?.cancel();
    const { deadlineMs } = pending;
    const late = () => {
      this.#workers.delete(worker);
      this.#ending++;
      void worker.stop(limitExceeded(`expected the query to end within ${deadlineMs} ms, but it did not`));
    };
    pending.timer = systemTime.after(deadlineMs, late).hold();
    try {
      const reply = await worker.ask({ ...pending.work, bytesMax: pending.room?.bytesLeft });
      this.#idle.push(worker);
      this.#take(pending, reply);
    } catch (thrown) {
      if (this.#workers.has(worker) && worker.lost === null) this.#idle.push(worker);
      this.#settle(pending, () => pending.reject(thrown));
    }
    this.#dispatch();
  }

  #take(pending: Pending, reply: Reply): void {
    if (reply.kind === 'behind') {
      pending.timer?.cancel();
      void this.#waitForIndex(pending, reply.revision);
    } else if (reply.kind === 'damagedIndex') {
      this.#options.index?.damaged(pending.work.partition);
      this.#enqueue(pending, pending.deadlineMs - (systemTime.monotonic() - pending.submitted));
    } else if (reply.kind === 'answer') {
      pending.room?.take(reply.bytes);
      // It may have been closed meanwhile: then nobody is answered any more.
      const refusal = this.#options.refusal?.(pending.work.partition);
      this.#settle(pending, () => (refusal === undefined ? pending.resolve(reply.answer) : pending.reject(refusal)));
    } else {
      pending.room?.take(pending.room.bytesLeft + 1);
    }
  }

  async #waitForIndex(pending: Pending, revision: number | null): Promise<void> {
    const { work, submitted, deadlineMs } = pending;
    const wanted = work.kind === 'query' ? work.afterRevision : 0;
    const left = () => deadlineMs - (systemTime.monotonic() - submitted);
    const reached = await this.#options.index?.reached(work.partition, wanted, left());
    const withinMs = left();
    if (reached === true && withinMs > 0 && !this.#closed) return this.#enqueue(pending, withinMs);
    const found = revision === null ? 'it is being built' : `it is at ${revision}`;
    pending.reject(unavailable(`expected the index of '${work.partition}' to be at revision ${wanted}, but ${found}`));
  }
}

const tooManyQueries = (max: number) =>
  unavailable(`expected at most ${max} reads of queries at once, but there are as many; try again later`, {
    reason: 'overloaded',
    details: { retryAfterSeconds: 1 },
  });

/** One reader thread. It runs one work at a time; more would only wait there instead of here. It is told of partitions whose files are to be closed. */
class ReaderWorker extends Thread<Task, Reply, string> {
  readonly #stopFlag: Int32Array;

  constructor(data: Omit<ReaderThreadData, 'stopFlag'>, gone: () => void) {
    const stopFlag = newStopFlag();
    const started: ReaderThreadData = { ...data, stopFlag };
    // A thread that waits keeps no process alive; the deadline of what it runs does.
    const port = workerThread(new URL('./reader-thread.js', import.meta.url), { data: started, name: 'reader' });
    super(port, { holds: 'never', gone });
    this.#stopFlag = stopFlag;
  }

  /** What it runs is given up at once; resolves when it has ended, which it does as soon as SQLite returns. */
  stop(reason: Error): Promise<void> {
    this.giveUp(reason);
    stopThread(this.#stopFlag);
    this.end();
    return this.ended;
  }
}
