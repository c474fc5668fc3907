import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { log as serverLog } from '../../shared/log.js';
import type { Finding } from './finding.js';

export interface ScrubThreadData {
  readonly dataFolder: string;
  readonly partitions: readonly string[];
}

/** What the thread says. */
export type ScrubReport =
  | { readonly kind: 'found'; readonly finding: Finding }
  | { readonly kind: 'failed'; readonly partition: string; readonly message: string };

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
  #timer: NodeJS.Timeout;
  #walking: { readonly worker: Worker; readonly ended: Promise<void> } | null = null;

  constructor(options: ScrubberOptions) {
    this.#options = options;
    this.#timer = this.#after(options.firstMs);
  }

  /** Resolves when nothing walks any more, or after 2 s. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#walking === null) return;
    const { worker, ended } = this.#walking;
    worker.postMessage('end');
    const patience = new AbortController();
    await Promise.race([ended, sleep(CLOSE_MS, undefined, { signal: patience.signal }).catch(() => {})]);
    patience.abort();
    clearTimeout(this.#timer);
  }

  #after(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#walk(), ms).unref();
  }

  #walk(): void {
    const { dataFolder, partitions, everyMs } = this.#options;
    const workerData: ScrubThreadData = { dataFolder, partitions: partitions() };
    const worker = new Worker(new URL('./scrub-thread.js', import.meta.url), { workerData, name: 'scrubber' });
    worker.unref();
    worker.on('message', (report: ScrubReport) => this.#take(report));
    worker.on('error', (thrown) => serverLog.error({ err: thrown }, 'the background check has failed'));
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', () => {
        this.#walking = null;
        this.#timer = this.#after(everyMs);
        resolve();
      });
    });
    this.#walking = { worker, ended };
  }

  #take(report: ScrubReport): void {
    if (report.kind === 'found') return this.#options.found(report.finding);
    const { partition, message } = report;
    serverLog.error({ partition, reason: message }, 'what is stored could not be compared with its checksums');
  }
}
