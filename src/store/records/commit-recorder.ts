import { log as serverLog } from '../../shared/log.js';
import { pause, systemTime, type Time, type Timer } from '../../shared/time.js';
import type { Feed, KeptCommit } from '../feed/feed.js';
import type { CommitFollower, Committed } from '../feed/landed-commits.js';
import type { RecordRow } from './record.js';
import type { Records } from './records.js';

/** Records that are made of commits. */
export interface CommitRecords {
  readonly records: Pick<Records, 'write' | 'reached'>;
  readonly stream: string;
  /** The row of a commit; null: of one that is damaged, `revision` is what is known of it. Undefined: there is nothing to record. */
  readonly rowOf: (commit: KeptCommit | null, revision: number) => RecordRow | undefined;
  /** Default: the machine's. */
  readonly time?: Time;
}

/** Rows of live commits are written together, so long after the first. */
const COLLECT_MS = 100;
/** With more rows than these waiting, they are read back from the log when the disk is fast again. */
const WAITING_MAX = 10_000;
const READ_COMMITS = 100;
/** Where there is nothing to record, the place is written only so often: these are looked at again after a start. */
const MOVE_COMMITS = 1_000;
const RETRY_MS = 1_000;

/**
 * Makes records of one partition's commits, each once and none left out: how far they reach is written with them, and what has come behind it is
 * read back from the kept commits, which the log keeps for so long.
 */
export class CommitRecorder implements CommitFollower {
  readonly #options: CommitRecords;
  readonly #partition: string;
  #feed: Feed | undefined;
  /** Up to this revision they are written. */
  #written = 0;
  /** Up to this one they are written or waiting. */
  #seen = 0;
  #waiting: RecordRow[] = [];
  /** Whether commits are taken as they come; else they are read back. */
  #isLive = false;
  #timer: Timer | undefined;
  #working: Promise<void> | undefined;
  /** One more with each other history: what was under way says nothing of this one. */
  #history = 0;
  #isClosed = false;

  constructor(partition: string, options: CommitRecords) {
    this.#partition = partition;
    this.#options = options;
  }

  /** Goes on where the records end. */
  begin(feed: Feed): void {
    this.#feed = feed;
    this.#work(() => this.#open(feed));
  }

  committed({ record, command, events, writes }: Committed): void {
    if (!this.#isLive || record.revision <= this.#seen) return;
    this.#seen = record.revision;
    const { type, cause, caller } = command;
    const written = writes.slice(0, WRITTEN_MAX).map(({ collection, id }) => `${collection.name}/${id}`);
    const commit = { at: record.at, type, userId: caller.userId, cause, events, written };
    const row = this.#options.rowOf(commit, record.revision);
    if (row !== undefined) this.#waiting.push(row);
    else if (this.#seen - this.#written < MOVE_COMMITS) return;
    if (this.#waiting.length > WAITING_MAX) this.#behind();
    this.#timer ??= this.#time.after(COLLECT_MS, () => this.#work(() => this.#writeAll()));
  }

  needless(): number {
    const isDone = this.#isLive && this.#waiting.length === 0 && this.#working === undefined;
    return isDone ? this.#seen : this.#written;
  }

  renewed(): void {
    this.#history++;
    this.#written = Math.min(this.#written, this.#feed?.newest() ?? 0);
    this.#behind();
    this.#timer ??= this.#time.after(COLLECT_MS, () => this.#work(() => this.#writeAll()));
  }

  /** Writes what is waiting; the partition may be closed by then. What cannot be written is read back at the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#working;
    if (!this.#isLive || this.#waiting.length === 0) return;
    await this.#write().catch((thrown: unknown) => this.#failed(thrown));
  }

  get #time(): Time {
    return this.#options.time ?? systemTime;
  }

  #behind(): void {
    this.#isLive = false;
    this.#waiting = [];
  }

  /** One thing at a time. What fails is tried again until it is done or this is closed. */
  #work(task: () => Promise<void>): void {
    const before = this.#working ?? Promise.resolve();
    const working = before.then(async () => {
      while (!this.#isClosed) {
        try {
          await task();
          break;
        } catch (thrown) {
          this.#failed(thrown);
          await pause(this.#time, RETRY_MS);
        }
      }
      if (this.#working === working) this.#working = undefined;
    });
    this.#working = working;
  }

  #failed(thrown: unknown): void {
    this.#behind();
    const facts = { partition: this.#partition, stream: this.#options.stream, err: thrown };
    serverLog.error(facts, 'records of commits could not be written, and are made later');
  }

  async #open(feed: Feed): Promise<void> {
    const { records, stream } = this.#options;
    const [epoch, revision] = (await records.reached(this.#partition, stream))?.split(' ') ?? [];
    // Another history has in common with the former what both have; it may have begun below, and what was recorded of the former has happened, too.
    const reached = epoch === feed.epoch ? Number(revision) : Math.min(Number(revision ?? 0), feed.newest());
    this.#written = Math.max(reached, feed.oldest());
    await this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    do {
      if (!this.#isLive) this.#readBack();
      if (this.#seen > this.#written) await this.#write();
    } while (!this.#isClosed && (!this.#isLive || this.#waiting.length > 0));
  }

  /** Some of what is not written; when that is all there is, commits are taken as they come. */
  #readBack(): void {
    const read = this.#feed?.keptCommits(this.#written, READ_COMMITS) ?? [];
    this.#seen = read.at(-1)?.revision ?? this.#written;
    const rows = read.map(({ commit, revision }) => this.#options.rowOf(commit, revision));
    this.#waiting = rows.filter((row) => row !== undefined);
    this.#isLive = read.length < READ_COMMITS;
  }

  async #write(): Promise<void> {
    const { records, stream } = this.#options;
    const [rows, to, history] = [this.#waiting, this.#seen, this.#history];
    this.#waiting = [];
    await records.write(this.#partition, rows, { stream, place: `${this.#feed?.epoch} ${to}` });
    if (history === this.#history) this.#written = to;
  }
}

/** So many documents of a commit are told, at most. */
const WRITTEN_MAX = 10;
