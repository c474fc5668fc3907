import type { Clock } from '../../shared/clock.js';
import { badRequest, limitExceeded, messageOf, unavailable } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { Thread, workerThread } from '../../shared/thread.js';
import { systemTime, type Timer } from '../../shared/time.js';
import { type Batch, Collected } from './collected.js';
import type { PackedRows } from './packed-rows.js';
import type { PlacedRow, Reached, RecordEntry, RecordQuery, RecordRow, RecordsPart } from './record.js';
import type { RecordsAnswer, RecordsRequest, RecordsThreadData } from './records-thread.js';

export interface RecordsOptions extends RecordsThreadData {
  /** The clock by which rows grow old. Default: the machine's. */
  readonly clock?: Pick<Clock, 'now'>;
  /** How many characters of rows may wait for the thread; beyond that the oldest are dropped. Default 32 million. */
  readonly sizeMax?: number;
  /** Rows could not be written and are gone. Default: the server's log. */
  readonly onFault?: (message: string, rows: number) => void;
}

/** Rows are collected until there are so many, or for so long. */
const COLLECT_ROWS = 500;
const COLLECT_MS = 100;
const READ_ROWS_MAX = 5_000;
/** How long the thread may take for one answer. */
const ANSWER_MS = 10_000;

/** Facts on which nobody decides, appended to streams of their own. A kill loses at most what was collected for 100 ms. */
export class Records {
  readonly #options: RecordsOptions;
  readonly #collected: Collected;
  #thread: Thread<RecordsRequest, RecordsAnswer> | null = null;
  #timer: Timer | null = null;
  #sending: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: RecordsOptions) {
    this.#options = options;
    this.#collected = new Collected(options.sizeMax ?? 32_000_000);
  }

  /** How many rows were dropped since the start: too large, too many for a thread that is stuck, or refused by the disk. */
  get dropped(): number {
    return this.#collected.dropped;
  }

  /** Adds a row to a stream. Returns at once; never throws for what the disk does. */
  append(partition: string, stream: string, row: RecordRow): void {
    if (this.#isClosed) return this.#collected.drop(1);
    this.#collected.add(partition, stream, row.at, JSON.stringify(row));
    if (this.#collected.rows >= COLLECT_ROWS) void this.#send();
    else this.#timer ??= systemTime.after(COLLECT_MS, () => void this.#send()).hold();
  }

  /**
   * Writes rows of the stream, then `packed` ones, with how far they reach, all of it or nothing: for rows that are made of what is kept elsewhere, and
   * made anew where this fails. @throws whatever the disk says; UNAVAILABLE
   */
  async write(partition: string, rows: readonly RecordRow[], reached: Reached, packed?: PackedRows): Promise<void> {
    const entries = entriesOf(partition, reached.stream, rows);
    if (packed !== undefined && packed.count > 0) entries.push(packed.entry(partition, reached.stream));
    await this.#ask({ kind: 'append', partition, now: this.#now(), entries, reached });
  }

  /** The place that was written last with rows of the stream. @throws UNAVAILABLE */
  async reached(partition: string, stream: string): Promise<string | undefined> {
    return (await this.#ask({ kind: 'reached', partition, stream })) as string | undefined;
  }

  /** Removes what is older than is kept, also where nothing is written any more. */
  async trim(partition: string): Promise<void> {
    await this.#ask({ kind: 'trim', partition, now: this.#now() });
  }

  /** Resolves when all rows appended so far are written or dropped. */
  async flush(): Promise<void> {
    await this.#send();
  }

  /**
   * The wanted rows of a stream, with all that were appended before.
   * @throws BAD_REQUEST, LIMIT_EXCEEDED a limit that is none, or above 5,000; UNAVAILABLE the thread does not answer within 10 s
   */
  async read<R extends RecordRow>(partition: string, stream: string, query: RecordQuery): Promise<R[]> {
    return (await this.page<R>(partition, stream, query)).map(({ row }) => row);
  }

  /** As {@link read}, each row with its place. */
  async page<R extends RecordRow>(partition: string, stream: string, query: RecordQuery): Promise<PlacedRow<R>[]> {
    const { limit } = query;
    if (!Number.isInteger(limit) || limit < 1) throw badRequest(`expected a limit from 1 on, but it is ${limit}`);
    if (limit > READ_ROWS_MAX)
      throw limitExceeded(`expected at most ${READ_ROWS_MAX} rows, but ${limit} are asked for`);
    await this.#send();
    const found: string[] = [];
    // Part by part: what is written meanwhile has its turn.
    for (let behind = query.behind; ; ) {
      const rest = { ...query, limit: limit - found.length, ...(behind !== undefined && { behind }) };
      const part = (await this.#ask({ kind: 'read', partition, stream, query: rest })) as RecordsPart;
      found.push(...part.rows);
      behind = part.behind;
      if (behind === undefined || found.length >= limit) break;
    }
    return found.map((text) => {
      const blank = text.indexOf(' ');
      return { place: text.slice(0, blank), row: JSON.parse(text.slice(blank + 1)) as R };
    });
  }

  /** Closes a partition's file; it is opened again when it is used again. */
  async forget(partition: string): Promise<void> {
    await this.flush();
    if (this.#thread !== null) await this.#ask({ kind: 'forget', partition });
  }

  /** Writes what was appended, then ends the thread. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.flush();
    this.#isClosed = true;
    // What it has not written by then is gone, as records may be.
    await this.#thread?.close(ANSWER_MS);
  }

  /** Sends all that is collected, one message at a time: what comes meanwhile goes with the next one. */
  #send(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = null;
    this.#collected.close();
    if (this.#sending === null) {
      const first = this.#collected.take();
      if (first === undefined) return Promise.resolve();
      this.#sending = this.#sendAll(first);
    }
    return this.#sending;
  }

  async #sendAll(first: Batch): Promise<void> {
    for (let next: Batch | undefined = first; next !== undefined; next = this.#collected.take())
      await this.#write(next);
    // Here, not when the promise is seen to be settled: what is collected in between would stay behind.
    this.#sending = null;
  }

  async #write({ partition, entries }: Batch): Promise<void> {
    try {
      await this.#ask({ kind: 'append', partition, now: this.#now(), entries });
    } catch (thrown) {
      const rows = entries.reduce((sum, { count }) => sum + count, 0);
      this.#collected.drop(rows);
      const { onFault = toLog } = this.#options;
      onFault(`expected to write records of '${partition}', but: ${messageOf(thrown)}`, rows);
    }
  }

  #now(): number {
    return (this.#options.clock ?? systemTime).now();
  }

  #ask(request: RecordsRequest): Promise<RecordsAnswer> {
    if (this.#isClosed) return Promise.reject(unavailable('expected the server to be running, but it is stopping'));
    this.#thread ??= this.#start();
    return this.#thread.ask(request, { ms: ANSWER_MS, late: isLate });
  }

  /** When it is gone, the next request starts another. */
  #start(): Thread<RecordsRequest, RecordsAnswer> {
    const { dataFolder, retention } = this.#options;
    const data: RecordsThreadData = { dataFolder, retention };
    return new Thread(workerThread(new URL('./records-thread.js', import.meta.url), { data, name: 'records' }), {
      holds: 'never',
      gone: () => {
        this.#thread = null;
      },
    });
  }
}

function entriesOf(partition: string, stream: string, rows: readonly RecordRow[]): RecordEntry[] {
  const entries: RecordEntry[] = [];
  for (let i = 0; i < rows.length; i += COLLECT_ROWS) {
    const some = rows.slice(i, i + COLLECT_ROWS);
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { at } of some) [first, last] = [Math.min(first, at), Math.max(last, at)];
    entries.push({ partition, stream, count: some.length, first, last, rows: JSON.stringify(some) });
  }
  return entries;
}

const isLate = () => unavailable(`expected the records' thread to answer within ${ANSWER_MS} ms, but it did not`);
const toLog = (message: string, rows: number): void => log.error({ rows }, message);
