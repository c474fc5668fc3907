import { ServiceError } from '../../shared/errors.js';
import { log as serverLog } from '../../shared/log.js';
import { pause, systemTime, type Time, type Timer } from '../../shared/time.js';
import type { Feed, KeptCommit } from '../feed/feed.js';
import type { CommitFollower, Committed } from '../feed/landed-commits.js';
import { PackedRows, type Packing } from './packed-rows.js';
import type { RecordRow } from './record.js';
import type { Records } from './records.js';

/** A commit, as records are made of it. */
export interface RecordedCommit extends Omit<KeptCommit, 'written'> {
  readonly revision: number;
  /** Collection and id of the first documents: `task/…`. */
  written(): readonly string[];
}

/** Commits of which nothing is known but their revisions: damaged ones, and those that were gone before they were recorded. */
export interface UnknownCommits {
  readonly from: number;
  readonly to: number;
  readonly reason: 'damaged' | 'gone';
}

/** Records that are made of commits. */
export interface CommitRecords {
  readonly records: Pick<Records, 'write' | 'reached'>;
  readonly stream: string;
  readonly packing: Packing;
  /** Adds the row of a commit, or none where there is nothing to record. */
  readonly addRow: (commit: RecordedCommit, rows: PackedRows) => void;
  readonly rowOfUnknown: (commits: UnknownCommits) => RecordRow;
  /** How many commits the log keeps for records that cannot be written. Default 1,000,000. */
  readonly heldMax?: number;
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
const HELD_MAX = 1_000_000;

/**
 * Makes records of one partition's commits, each once and none left out: how far they reach is written with them, and what has come behind it is
 * read back from the kept commits, which the log keeps for so long. For ever it keeps none: a row tells of those that went before they were recorded.
 */
export class CommitRecorder implements CommitFollower {
  readonly #options: CommitRecords;
  readonly #partition: string;
  #feed: Feed | undefined;
  /** Up to this revision they are written. */
  #written = 0;
  /** Up to this one they are written or waiting. */
  #seen = 0;
  /** The newest that was told. */
  #newest = 0;
  /** Since when they cannot be written, ms since the process began. */
  #failingSince: number | undefined;
  #waiting: PackedRows;
  /** Of commits before those. */
  #unknown: RecordRow[] = [];
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
    this.#waiting = new PackedRows(options.packing);
  }

  /** Goes on where the records end. */
  begin(feed: Feed): void {
    this.#feed = feed;
    this.#newest = feed.newest();
    this.#work(() => this.#open(feed));
  }

  committed({ record, command, events, writes }: Committed): void {
    const { revision, at } = record;
    this.#newest = revision;
    if (!this.#isLive || revision <= this.#seen) return;
    this.#seen = revision;
    const { type, cause, caller } = command;
    const written = () => writes.slice(0, WRITTEN_MAX).map(({ collection, id }) => `${collection.name}/${id}`);
    const before = this.#waiting.count;
    this.#options.addRow({ revision, at, type, userId: caller.userId, cause, events, written }, this.#waiting);
    const isRecorded = this.#waiting.count > before;
    if (!isRecorded && this.#seen - this.#written < MOVE_COMMITS) return;
    if (this.#waiting.count > WAITING_MAX) this.#behind();
    this.#timer ??= this.#time.after(COLLECT_MS, () => this.#work(() => this.#writeAll()));
  }

  needless(): number {
    const isDone = this.#isLive && this.#waiting.count === 0 && this.#working === undefined;
    if (isDone) return this.#seen;
    return Math.max(this.#written, this.#newest - (this.#options.heldMax ?? HELD_MAX));
  }

  /** For how long they could not be written, ms; 0: they can. */
  failingMs(): number {
    return this.#failingSince === undefined ? 0 : this.#time.monotonic() - this.#failingSince;
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
    if (!this.#isLive || this.#waiting.count === 0) return;
    await this.#write().catch((thrown: unknown) => this.#failed(thrown));
  }

  get #time(): Time {
    return this.#options.time ?? systemTime;
  }

  #behind(): void {
    this.#isLive = false;
    this.#forget();
  }

  #forget(): void {
    this.#waiting = new PackedRows(this.#options.packing);
    this.#unknown = [];
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

  /** Told once, however often it is tried again. */
  #failed(thrown: unknown): void {
    this.#behind();
    // Whoever closes it does so because of that.
    const isStopped = thrown instanceof ServiceError && thrown.info.reason === 'workspace_stopped';
    if (isStopped || this.#failingSince !== undefined) return;
    this.#failingSince = this.#time.monotonic();
    serverLog.error({ ...this.#facts, err: thrown }, 'records of commits cannot be written, and are made later');
  }

  get #facts() {
    return { partition: this.#partition, stream: this.#options.stream };
  }

  async #open(feed: Feed): Promise<void> {
    const { records, stream } = this.#options;
    const [epoch, revision] = (await records.reached(this.#partition, stream))?.split(' ') ?? [];
    // Another history has in common with the former what both have; it may have begun below, and what was recorded of the former has happened, too.
    const reached = epoch === feed.epoch ? Number(revision) : Math.min(Number(revision ?? 0), feed.newest());
    // Of those that went before there were records none is missing.
    this.#written = revision === undefined ? feed.oldest() : reached;
    await this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    do {
      if (!this.#isLive) this.#readBack();
      if (this.#seen > this.#written) await this.#write();
    } while (!this.#isClosed && (!this.#isLive || this.#waiting.count > 0));
  }

  /** Some of what is not written; when that is all there is, commits are taken as they come. */
  #readBack(): void {
    const oldest = this.#feed?.oldest() ?? 0;
    const read = this.#feed?.keptCommits(Math.max(this.#written, oldest), READ_COMMITS) ?? [];
    this.#seen = Math.max(this.#written, oldest, read.at(-1)?.revision ?? 0);
    this.#forget();
    if (this.#written < oldest) this.#lack({ from: this.#written + 1, to: oldest, reason: 'gone' });
    for (const { commit, revision } of read) {
      if (commit === null) this.#lack({ from: revision, to: revision, reason: 'damaged' });
      else {
        const written = () => commit.written.slice(0, WRITTEN_MAX);
        this.#options.addRow({ ...commit, revision, written }, this.#waiting);
      }
    }
    this.#isLive = read.length < READ_COMMITS;
  }

  #lack(commits: UnknownCommits): void {
    this.#unknown.push(this.#options.rowOfUnknown(commits));
    serverLog.error({ ...this.#facts, ...commits }, 'commits could not be recorded');
  }

  async #write(): Promise<void> {
    const { records, stream } = this.#options;
    const [rows, packed, to, history] = [this.#unknown, this.#waiting, this.#seen, this.#history];
    this.#forget();
    await records.write(this.#partition, rows, { stream, place: `${this.#feed?.epoch} ${to}` }, packed);
    if (history === this.#history) this.#written = to;
    if (this.#failingSince === undefined) return;
    this.#failingSince = undefined;
    serverLog.info(this.#facts, 'records of commits are written again');
  }
}

/** So many documents of a commit are told, at most. */
const WRITTEN_MAX = 10;
