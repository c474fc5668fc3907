import { log as serverLog } from '../../shared/log.js';
import { Thread, workerThread } from '../../shared/thread.js';
import { systemTime, type Timer } from '../../shared/time.js';
import type { Finding } from '../damage.js';
import type { ScrubReport, ScrubThreadData } from './scrub-thread.js';

interface ScrubberOptions {
  readonly dataFolder: string;
  /** The ids of the open partitions. */
  readonly partitions: () => readonly string[];
  readonly found: (finding: Finding) => void;
  /** How long after the beginning the first walk begins, and how long it rests between two walks, ms. */
  readonly firstMs: number;
  readonly everyMs: number;
}

/** How long {@link Scrubber.close} waits for a thread that is within SQLite. */
const CLOSE_MS = 2_000;

/** Compares all that is stored with its checksums, in the background: what is damaged is found before somebody needs it. */
export class Scrubber {
  readonly #options: ScrubberOptions;
  #timer: Timer;
  #isClosed = false;
  #walking: Thread<never, never, never, ScrubReport> | null = null;

  constructor(options: ScrubberOptions) {
    this.#options = options;
    this.#timer = this.#after(options.firstMs);
  }

  /** Resolves when nothing walks any more, or after 2 s. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer.cancel();
    await this.#walking?.close(CLOSE_MS);
  }

  #after(ms: number): Timer {
    return systemTime.after(ms, () => this.#walk());
  }

  #walk(): void {
    const { dataFolder, partitions, everyMs } = this.#options;
    const data: ScrubThreadData = { dataFolder, partitions: partitions() };
    let isThrough = false;
    const port = workerThread(new URL('./scrub-thread.js', import.meta.url), { data, name: 'scrubber' });
    this.#walking = new Thread(port, {
      holds: 'never',
      heard: (report: ScrubReport) => {
        isThrough ||= report.kind === 'through';
        this.#take(report);
      },
      gone: (reason) => {
        if (!isThrough && !this.#isClosed) serverLog.error({ err: reason }, 'the background check has failed');
        this.#walking = null;
        if (!this.#isClosed) this.#timer = this.#after(everyMs);
      },
    });
  }

  #take(report: ScrubReport): void {
    if (report.kind === 'found') return this.#options.found(report.finding);
    if (report.kind === 'through') return this.#walking?.end();
    const { partition, message } = report;
    serverLog.error({ partition, reason: message }, 'what is stored could not be compared with its checksums');
  }
}
