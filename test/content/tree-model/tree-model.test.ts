import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { temporaryFolder } from '../../support/temporary.js';
import { type Course, live, replay } from './history.js';
import type { HistoryThreadData } from './history-thread.js';
import { ONCE_DIFFERENT } from './once-different.js';

// Slow: 98,000 random steps beside a model of the tree.

/** Other histories than the usual: `MILLRACE_FUZZ_SEED=4711 npm test -- test/content/tree-model`. */
const SEED = Number(process.env.MILLRACE_FUZZ_SEED ?? 1);
const STEPS = 500;
const HISTORIES = 196;
const THREADS = 2;
const STORED_STEPS = 2_000;
const STORED_STEPS_PER_RESTART = 230;

describe('the tree of nodes, step by step beside a plain model of it', function () {
  this.timeout(300_000);
  const scratch = temporaryFolder();
  after(() => scratch.remove());

  for (const [what, steps] of Object.entries(ONCE_DIFFERENT))
    it(`is the same: ${what}`, () => replay(steps, { scratch: scratch.path, folder: null }));

  it(`is the same in ${HISTORIES} random histories of ${STEPS} steps`, async () => {
    const courses = Array.from({ length: HISTORIES }, (_, i) => ({
      seed: SEED + i,
      steps: STEPS,
      stepsPerRestart: Number.POSITIVE_INFINITY,
    }));
    const shares = Array.from({ length: THREADS }, (_, thread) => courses.filter((_, i) => i % THREADS === thread));
    const differences = await Promise.all(shares.map((share) => lived(share, scratch.path)));
    const found = differences.filter((difference) => difference !== null);
    assert.ok(found.length === 0, found.join('\n\n'));
  });

  it(`is the same in ${STORED_STEPS} steps through a log on disk that is opened again and again`, () =>
    live(
      { seed: SEED, steps: STORED_STEPS, stepsPerRestart: STORED_STEPS_PER_RESTART },
      { scratch: scratch.path, folder: join(scratch.path, 'data') },
    ));
});

/** The first difference in the histories; null: there is none. */
async function lived(courses: readonly Course[], scratch: string): Promise<string | null> {
  const workerData: HistoryThreadData = { courses, scratch, folder: null };
  const thread = new Worker(new URL('./history-thread.js', import.meta.url), { workerData });
  const [difference] = await once(thread, 'message');
  await thread.terminate();
  return difference as string | null;
}
