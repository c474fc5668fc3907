import { log as serverLog } from '../../shared/log.js';
import { type ThreadPort, workerThread } from '../../shared/thread.js';
import { pause, systemTime, type Timer } from '../../shared/time.js';
import type { Finding } from './finding.js';

export interface ScrubThreadData {
  readonly dataFolder: string;
  readonly partitions: readonly string[];
}

/** What the thread says. */
export type ScrubReport =
  | { readonly kind: 'found'; readonly finding: Finding }
  | { readonly kind: 'failed'; readonly partition: string; readonly message: string }
  /** The last one: it ends in order. */
  | { readonly kind: 'through' };

export interface ScrubberOptions {
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
  #walking: { readonly thread: ThreadPort; readonly ended: Promise<void> } | null = null;

  constructor(options: ScrubberOptions) {
    this.#options = options;
    this.#timer = this.#after(options.firstMs);
  }

  /** Resolves when nothing walks any more, or after 2 s. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer.cancel();
    if (this.#walking === null) return;
    const { thread, ended } = this.#walking;
    thread.post('end');
    await Promise.race([ended, pause(systemTime, CLOSE_MS)]);
  }

  #after(ms: number): Timer {
    return systemTime.after(ms, () => this.#walk());
  }

  #walk(): void {
    const { dataFolder, partitions, everyMs } = this.#options;
    const workerData: ScrubThreadData = { dataFolder, partitions: partitions() };
    const thread = workerThread(new URL('./scrub-thread.js', import.meta.url), { workerData, name: 'scrubber' });
    thread.hold(false);
    let isThrough = false;
    thread.onMessage((report) => {
      const told = report as ScrubReport;
      isThrough ||= told.kind === 'through';
      this.#take(told);
    });
    const ended = new Promise<void>((resolve) => {
      thread.onExit((reason) => {
        if (!isThrough) serverLog.error({ err: reason }, 'the background check has failed');
        this.#walking = null;
        if (!this.#isClosed) this.#timer = this.#after(everyMs);
        resolve();
      });
    });
    this.#walking = { thread, ended };
  }

  #take(report: ScrubReport): void {
    if (report.kind === 'found') return this.#options.found(report.finding);
    if (report.kind === 'through') return;
    const { partition, message } = report;
    serverLog.error({ partition, reason: message }, 'what is stored could not be compared with its checksums');
  }
}
