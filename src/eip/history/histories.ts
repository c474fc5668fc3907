import { messageOf, unavailable } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { Thread, workerThread } from '../../shared/thread.js';
import { systemTime, type Time, type Timer } from '../../shared/time.js';
import type { StatsBucket } from './exchange-counts.js';
import type { ExchangeRecord } from './exchange-record.js';
import type { HistoryPage, KeptStatistic } from './history-file.js';
import type { HistoryQuery, StatsQuery } from './history-query.js';
import { type EndedExchanges, HistoryQueue, type Skipped } from './history-queue.js';
import type {
  HistoryAnswer,
  HistoryDamage,
  HistoryRequest,
  HistoryThreadData,
  KeptExchanges,
} from './history-thread.js';
import type { PackedRecords } from './packed-records.js';

export type { KeptExchanges } from './history-thread.js';

export interface HistoriesOptions extends HistoryThreadData {
  /** The domain clock, ms. */
  readonly now: () => number;
  /** A file was damaged and begun anew, or exchanges could not be written. Default: the server's log. */
  readonly onFault?: (message: string) => void;
  /** Default: the machine's. */
  readonly time?: Time;
}

/** How long the thread may take for one answer. */
const ANSWER_MS = 10_000;
/** How often what is old is looked for where nothing new comes, ms. */
const TIDY_MS = 60_000;
/** So many exchanges of a batch those who follow a workspace are told of one by one. */
const TOLD_MAX = 50;

/** Where what is counted of the routes of one workspace is kept over a restart. */
export interface StatisticsStore {
  load(): Promise<readonly KeptStatistic[]>;
  save(statistics: readonly KeptStatistic[]): Promise<void>;
}

type Follower = (kept: KeptExchanges) => void;

/** The histories of exchanges of all workspaces, as the main thread has them: what routes hand over goes to a thread that keeps it, and reads it. */
export class Histories {
  readonly #options: HistoriesOptions;
  readonly #time: Time;
  readonly #queue: HistoryQueue;
  readonly #followers = new Map<string, Set<Follower>>();
  #thread: Thread<HistoryRequest, HistoryAnswer, never, HistoryDamage> | null = null;
  #tidy: Timer | undefined;
  #isClosed = false;

  constructor(options: HistoriesOptions) {
    this.#options = options;
    this.#time = options.time ?? systemTime;
    this.#queue = new HistoryQueue({
      write: (partition, batches) => this.#write(partition, batches),
      tell: (message) => this.#tell(message),
      time: this.#time,
    });
  }

  /** Exchanges of the workspace that were left out since the server's start, as there were more than could be written. */
  skipped(partition: string): Skipped {
    return this.#queue.skipped(partition);
  }

  /** Takes exchanges over. Resolves when they are written, or left out, however long that takes; never rejects for what the disk does. */
  take(partition: string, ended: EndedExchanges): Promise<void> {
    return this.#queue.add(partition, ended);
  }

  /** Calls back with what is kept of a workspace from now on. Gives how to end that. */
  follow(partition: string, follower: Follower): () => void {
    const followers = this.#followers.get(partition) ?? new Set();
    this.#followers.set(partition, followers.add(follower));
    return () => {
      followers.delete(follower);
      if (followers.size === 0 && this.#followers.get(partition) === followers) this.#followers.delete(partition);
    };
  }

  list(partition: string, query: HistoryQuery): Promise<HistoryPage> {
    return this.#ask({ kind: 'list', partition, query }) as Promise<HistoryPage>;
  }

  /** As {@link list}, with all that is kept of each. */
  records(partition: string, query: HistoryQuery): Promise<HistoryPage<ExchangeRecord>> {
    return this.#ask({ kind: 'records', partition, query }) as Promise<HistoryPage<ExchangeRecord>>;
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

  /** What is kept of what is counted of the routes of a workspace. */
  statisticsOf(partition: string): StatisticsStore {
    return {
      load: () => this.#ask({ kind: 'statistics', partition }) as Promise<readonly KeptStatistic[]>,
      save: async (statistics) => {
        await this.#ask({ kind: 'keepStatistics', partition, statistics });
      },
    };
  }

  /** Closes a workspace's file; it is opened again when it is used again. */
  async forget(partition: string): Promise<void> {
    this.#queue.forget(partition);
    if (this.#thread !== null) await this.#ask({ kind: 'forget', partition });
  }

  /** Writes what was taken over, then ends the thread. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#queue.close();
    this.#isClosed = true;
    this.#tidy?.cancel();
    await this.#thread?.close(ANSWER_MS);
  }

  async #write(partition: string, batches: readonly PackedRecords[]): Promise<void> {
    const followers = this.#followers.get(partition);
    const told = followers === undefined ? 0 : TOLD_MAX;
    const kept = await this.#ask({ kind: 'append', partition, now: this.#options.now(), batches, told });
    if (kept !== null) for (const follower of followers ?? []) follower(kept as KeptExchanges);
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
    this.#tidy ??= this.#time.every(TIDY_MS, () => this.#tidyUp());
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

  #tidyUp(): void {
    if (this.#thread === null) return;
    this.#ask({ kind: 'tidy', now: this.#options.now() }).catch((thrown: unknown) =>
      this.#tell(`what is old of the history of exchanges could not be removed: ${messageOf(thrown)}`),
    );
  }

  #tell(message: string): void {
    const { onFault = (its: string) => log.error(its) } = this.#options;
    onFault(message);
  }
}

const isLate = () =>
  unavailable(`expected the thread of the history of exchanges to answer within ${ANSWER_MS} ms, but it did not`);
