import { messageOf } from '../../shared/errors.js';
import type { Timer, Timers } from '../../shared/time.js';
import type { PackedRecords } from './packed-records.js';

/** A batch of ended exchanges of a workspace, which is to be kept. */
export interface EndedExchanges {
  /** Null: none. */
  readonly completed: PackedRecords | null;
  readonly failed: PackedRecords | null;
}

/** Exchanges that are not kept, by how they ended. */
export interface Skipped {
  readonly completed: number;
  readonly failed: number;
}

interface HistoryQueueParts {
  /** Writes all of them, or nothing. @throws where it cannot */
  readonly write: (partition: string, batches: readonly PackedRecords[]) => Promise<void>;
  /** Told of what keeps exchanges from being written, and when they are written again. */
  readonly tell: (message: string) => void;
  readonly time: Timers;
}

/** When what came first is not written after so long, completed exchanges are left out, ms. */
const BEHIND_MS = 1_000;
/** What could not be written is tried again after so long, ms. */
const AGAIN_MS = 1_000;
/** What cannot be written so often, while others can, is given up. */
const TRIES_MAX = 3;

interface Waiting extends EndedExchanges {
  readonly partition: string;
  /** By a clock that goes on by itself, ms. */
  readonly since: number;
  tries: number;
  /** Of a workspace whose file was closed meanwhile nothing is written. */
  isForgotten: boolean;
  readonly over: () => void;
}

/** Exchanges on their way into their files: what cannot be written waits until it can, failed ones however long that takes; of completed ones, only what is nearly up to date. */
export class HistoryQueue {
  readonly #parts: HistoryQueueParts;
  readonly #waiting = new Set<Waiting>();
  /** Those of them that could not be written, in the order in which they came. */
  #again: Waiting[] = [];
  #retry: Timer | undefined;
  readonly #skipped = new Map<string, { completed: number; failed: number }>();

  constructor(parts: HistoryQueueParts) {
    this.#parts = parts;
  }

  skipped(partition: string): Skipped {
    return this.#skipped.get(partition) ?? { completed: 0, failed: 0 };
  }

  /** Takes exchanges over. Resolves when they are written, or left out; never rejects. */
  add(partition: string, ended: EndedExchanges): Promise<void> {
    const isBehind = ended.completed !== null && this.#isBehind();
    if (isBehind) this.#skip(partition, { ...ended, failed: null });
    const { failed, completed } = isBehind ? { ...ended, completed: null } : ended;
    if (failed === null && completed === null) return Promise.resolve();
    return new Promise((over) => {
      const since = this.#parts.time.monotonic();
      const waiting = { partition, failed, completed, since, tries: 0, isForgotten: false, over };
      this.#waiting.add(waiting);
      if (this.#again.length > 0) this.#again.push(waiting);
      else void this.#tried(waiting);
    });
  }

  /** Nothing more is written of a workspace. */
  forget(partition: string): void {
    this.#skipped.delete(partition);
    for (const waiting of this.#waiting) if (waiting.partition === partition) waiting.isForgotten = true;
  }

  /** Tries once more what could not be written; the rest is told of, and lost. */
  async close(): Promise<void> {
    this.#retry?.cancel();
    await this.#writeAgain();
    this.#retry?.cancel();
    const lost = sumOf(this.#again.map(countOf));
    if (lost > 0) this.#parts.tell(`the server stops, and ${lost} exchanges could not be kept`);
  }

  async #tried(waiting: Waiting): Promise<boolean> {
    const { partition, failed, completed } = waiting;
    try {
      if (!waiting.isForgotten)
        await this.#parts.write(
          partition,
          [failed, completed].filter((batch) => batch !== null),
        );
      this.#over(waiting);
      return true;
    } catch (thrown) {
      waiting.tries++;
      if (this.#again.length === 0)
        this.#parts.tell(`${countOf(waiting)} exchanges of '${partition}' wait to be kept: ${messageOf(thrown)}`);
      if (!this.#again.includes(waiting)) this.#again.push(waiting);
      this.#retry ??= this.#parts.time.after(AGAIN_MS, () => void this.#writeAgain());
      return false;
    }
  }

  async #writeAgain(): Promise<void> {
    const all = this.#again;
    let isAnyWritten = false;
    for (const waiting of [...all]) if (await this.#tried(waiting)) isAnyWritten = true;
    const left = this.#again.filter((waiting) => this.#waiting.has(waiting));
    this.#again = isAnyWritten ? left.filter((waiting) => !this.#isGivenUp(waiting)) : left;
    this.#retry = undefined;
    if (this.#again.length > 0) this.#retry = this.#parts.time.after(AGAIN_MS, () => void this.#writeAgain());
    else if (isAnyWritten) this.#parts.tell('exchanges are kept again');
  }

  #isGivenUp(waiting: Waiting): boolean {
    if (waiting.tries < TRIES_MAX) return false;
    this.#skip(waiting.partition, waiting);
    this.#parts.tell(`${countOf(waiting)} exchanges of '${waiting.partition}' cannot be kept`);
    this.#over(waiting);
    return true;
  }

  #over(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    waiting.over();
  }

  #isBehind(): boolean {
    const [first] = this.#waiting;
    return first !== undefined && this.#parts.time.monotonic() - first.since >= BEHIND_MS;
  }

  #skip(partition: string, { completed, failed }: EndedExchanges): void {
    const skipped = this.#skipped.get(partition) ?? { completed: 0, failed: 0 };
    skipped.completed += completed?.count ?? 0;
    skipped.failed += failed?.count ?? 0;
    this.#skipped.set(partition, skipped);
  }
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
const countOf = ({ completed, failed }: EndedExchanges): number => (completed?.count ?? 0) + (failed?.count ?? 0);
