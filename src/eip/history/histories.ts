import { messageOf, unavailable } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { Thread, workerThread } from '../../shared/thread.js';
import { systemTime } from '../../shared/time.js';
import type { HistoryBatch } from '../runtime/exchange-history.js';
import type { StatsBucket } from './exchange-counts.js';
import type { ExchangeRecord } from './exchange-record.js';
import type { HistoryPage } from './history-file.js';
import type { HistoryQuery, StatsQuery } from './history-query.js';
import type { HistoryAnswer, HistoryDamage, HistoryRequest, HistoryThreadData } from './history-thread.js';
import type { PackedRecords } from './packed-records.js';

export interface HistoriesOptions extends HistoryThreadData {
  /** The domain clock, ms. */
  readonly now: () => number;
  /** A file was damaged and begun anew, or exchanges could not be written. Default: the server's log. */
  readonly onFault?: (message: string) => void;
  /** A clock that goes on by itself, ms. Default: the machine's. */
  readonly monotonic?: () => number;
}

/** When what was sent first is not written after so long, completed exchanges are left out, ms. */
const BEHIND_MS = 1_000;
/** So many bytes may wait for the thread; beyond, failed exchanges are left out, too. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
/** How long the thread may take for one answer. */
const ANSWER_MS = 10_000;

/** Exchanges that are left out, by their workspace's partition. */
interface Skipped {
  completed: number;
  failed: number;
}

/** The histories of exchanges of all workspaces, as the main thread has them: what routes hand over goes to a thread that keeps it, and reads it. */
export class Histories {
  readonly #options: HistoriesOptions;
  readonly #skipped = new Map<string, Skipped>();
  /** What was sent and is not written: since when, and how large it is. */
  readonly #waiting = new Set<{ readonly since: number; readonly bytes: number }>();
  #bytes = 0;
  /** What was sent last could not be written: that is told once. */
  #isFailing = false;
  #thread: Thread<HistoryRequest, HistoryAnswer, never, HistoryDamage> | null = null;
  #isClosed = false;

  constructor(options: HistoriesOptions) {
    this.#options = options;
  }

  /** Exchanges of the workspace that were left out since the server's start, as there were more than could be written. */
  skipped(partition: string): Readonly<Skipped> {
    return this.#skipped.get(partition) ?? { completed: 0, failed: 0 };
  }

  /** Takes a batch over. Returns at once, and never throws for what the disk does. */
  take(partition: string, { completed, failed }: Pick<HistoryBatch, 'completed' | 'failed'>): void {
    const batches: PackedRecords[] = [];
    if (failed !== null) {
      if (this.#bytes <= WAITING_BYTES_MAX) batches.push(failed);
      else this.#skip(partition, 'failed', failed.count);
    }
    if (completed !== null) {
      if (this.#isBehind()) this.#skip(partition, 'completed', completed.count);
      else batches.push(completed);
    }
    if (batches.length > 0) void this.#write(partition, batches);
  }

  list(partition: string, query: HistoryQuery): Promise<HistoryPage> {
    return this.#ask({ kind: 'list', partition, query }) as Promise<HistoryPage>;
  }

  /** The exchange of that id; of several the first, of a route where one is given. Null: none is kept. */
  find(partition: string, exchangeId: string, routeId?: string): Promise<ExchangeRecord | null> {
    return this.#ask({ kind: 'find', partition, exchangeId, routeId }) as Promise<ExchangeRecord | null>;
  }

  /** Buckets in which nothing is are left out. */
  stats(partition: string, query: StatsQuery): Promise<StatsBucket[]> {
    return this.#ask({ kind: 'stats', partition, query }) as Promise<StatsBucket[]>;
  }

  /** The routes that exchanges began in between two instants, ms. */
  routesBetween(partition: string, from: number, to: number): Promise<string[]> {
    return this.#ask({ kind: 'routesBetween', partition, from, to }) as Promise<string[]>;
  }

  /** When the first exchange from an instant on began, ms. Null: there is none. */
  firstFrom(partition: string, from: number): Promise<number | null> {
    return this.#ask({ kind: 'firstFrom', partition, from }) as Promise<number | null>;
  }

  /** Closes a workspace's file; it is opened again when it is used again. */
  async forget(partition: string): Promise<void> {
    this.#skipped.delete(partition);
    if (this.#thread !== null) await this.#ask({ kind: 'forget', partition });
  }

  /** Writes what was taken over, then ends the thread. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#thread?.close(ANSWER_MS);
  }

  async #write(partition: string, batches: readonly PackedRecords[]): Promise<void> {
    const bytes = batches.reduce((sum, batch) => sum + batch.bytes.byteLength, 0);
    const waiting = { since: this.#monotonic(), bytes };
    this.#waiting.add(waiting);
    this.#bytes += bytes;
    try {
      await this.#ask({ kind: 'append', partition, now: this.#options.now(), batches });
      this.#isFailing = false;
    } catch (thrown) {
      if (this.#isFailing) return;
      this.#isFailing = true;
      const rows = batches.reduce((sum, { count }) => sum + count, 0);
      this.#tell(`expected to keep ${rows} exchanges of '${partition}', but: ${messageOf(thrown)}`);
    } finally {
      this.#waiting.delete(waiting);
      this.#bytes -= bytes;
    }
  }

  #monotonic(): number {
    return (this.#options.monotonic ?? systemTime.monotonic)();
  }

  #isBehind(): boolean {
    const [first] = this.#waiting;
    return first !== undefined && this.#monotonic() - first.since >= BEHIND_MS;
  }

  #skip(partition: string, which: keyof Skipped, count: number): void {
    const skipped = this.#skipped.get(partition) ?? { completed: 0, failed: 0 };
    skipped[which] += count;
    this.#skipped.set(partition, skipped);
  }

  #ask(request: HistoryRequest): Promise<HistoryAnswer> {
    if (this.#isClosed) return Promise.reject(unavailable('expected the server to be running, but it is stopping'));
    this.#thread ??= this.#start();
    // What is written may take as long as it does: nobody waits for that.
    return this.#thread.ask(request, request.kind === 'append' ? undefined : { ms: ANSWER_MS, late: isLate });
  }

  /** When it is gone, the next request starts another. */
  #start(): Thread<HistoryRequest, HistoryAnswer, never, HistoryDamage> {
    const { dataFolder, retention } = this.#options;
    const data: HistoryThreadData = { dataFolder, retention };
    return new Thread(workerThread(new URL('./history-thread.js', import.meta.url), { data, name: 'history' }), {
      holds: 'never',
      heard: ({ partition, reason }) =>
        this.#tell(`the history of exchanges of '${partition}' was damaged, and is begun anew: ${reason}`),
      lost: ({ message }) => unavailable(`the thread of the history of exchanges has ended: ${message}`),
      gone: () => {
        this.#thread = null;
      },
    });
  }

  #tell(message: string): void {
    const { onFault = (its: string) => log.error(its) } = this.#options;
    onFault(message);
  }
}

const isLate = () =>
  unavailable(`expected the thread of the history of exchanges to answer within ${ANSWER_MS} ms, but it did not`);
