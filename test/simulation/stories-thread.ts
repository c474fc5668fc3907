import { parentPort, workerData } from 'node:worker_threads';
import type { Failure, ManyTold, ThreadWork } from './many.js';
import { playStory } from './story.js';

// A thread that plays stories, one after the other.

const { from, until, by, isOneEnough } = workerData as ThreadWork;
const failures: Failure[] = [];
let stories = 0;
let calls = 0;
for (let seed = from; seed < until && !(isOneEnough && failures.length > 0); seed += by) {
  const told = await playStory(seed);
  stories++;
  calls += told.calls;
  if (told.wrong.length > 0) failures.push({ seed, wrong: told.wrong });
}
parentPort?.postMessage({ stories, calls, failures } satisfies ManyTold);
