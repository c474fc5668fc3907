import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { playStory } from './story.js';

/** Which stories: so many seeds, from the first on. */
export interface Wanted {
  readonly from: number;
  readonly seeds: number;
  /** The simulation that plays them. Default: this one, in the folder of this module. */
  readonly stage?: URL;
  /** Whether one that goes wrong is enough, whoever plays it. */
  readonly isOneEnough?: boolean;
}

/** A story that went wrong. */
export interface Failure {
  readonly seed: number;
  readonly wrong: readonly string[];
}

/** What many stories came to. */
export interface ManyTold {
  readonly stories: number;
  readonly calls: number;
  readonly failures: readonly Failure[];
}

/** How many threads play stories: each has a stage of its own. */
const THREADS_MAX = 4;

/** Plays many stories, as many at a time as there are processors. */
export async function playMany(wanted: Wanted): Promise<ManyTold> {
  const { from, seeds, stage = new URL('./', import.meta.url), isOneEnough = false } = wanted;
  const threads = Math.max(1, Math.min(THREADS_MAX, availableParallelism(), seeds));
  const enough = isOneEnough ? new Int32Array(new SharedArrayBuffer(4)) : null;
  const parts = Array.from(
    { length: threads },
    (_, i): ThreadWork => ({ from: from + i, until: from + seeds, by: threads, enough }),
  );
  const told = await Promise.all(parts.map((work) => playInThread(new URL('./stories-thread.js', stage), work)));
  return {
    stories: told.reduce((sum, { stories }) => sum + stories, 0),
    calls: told.reduce((sum, { calls }) => sum + calls, 0),
    failures: told.flatMap(({ failures }) => failures).sort((a, b) => a.seed - b.seed),
  };
}

/** What one thread plays. */
export interface ThreadWork {
  readonly from: number;
  readonly until: number;
  readonly by: number;
  /** Set in all threads by the one that has found what is looked for; null: all stories are played. */
  readonly enough: Int32Array | null;
}

function playInThread(url: URL, workerData: ThreadWork): Promise<ManyTold> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(url, { workerData });
    worker.once('message', (told: ManyTold) => resolve(told));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread that plays stories ended with ${code}`)));
  });
}

/** How many lines of a trace are shown. */
const SHOWN_LINES = 120;

/** A story that went wrong, for people: what is wrong, what happened before, and how to see it again. */
export async function toldOf({ seed, wrong }: Failure): Promise<string> {
  const { trace } = await playStory(seed, true);
  return [
    `story ${seed}: ${wrong.join('; ')}`,
    ...trace.slice(-SHOWN_LINES),
    `the whole of it: npm run simulate -- --from ${seed} --seeds 1 --trace`,
  ].join('\n');
}
