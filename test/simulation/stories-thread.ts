import { parentPort, workerData } from 'node:worker_threads';
import type { Failure, ManyTold, ThreadWork } from './many.js';
import { playStory } from './story.js';

// A thread that plays stories, one after the other.

const { from, until, by, enough } = workerData as ThreadWork;
const failures: Failure[] = [];
let stories = 0;
let calls = 0;
for (let seed = from; seed < until && !(enough && Atomics.load(enough, 0) > 0); seed += by) {
  const told = await playStory(seed);
  stories++;
  calls += told.calls;
  if (told.wrong.length === 0) continue;
  failures.push({ seed, wrong: told.wrong });
  if (enough) Atomics.store(enough, 0, 1);
}
parentPort?.postMessage({ stories, calls, failures } satisfies ManyTold);
