import assert from 'node:assert/strict';
import { sweepLongJobs } from '../../src/server/maintenance/maintenance.js';
import { longJobs } from '../../src/store/index.js';
import { HeldType, jobIn, startedJob } from '../support/long-jobs.js';
import { openTestPartition, openTestStore } from '../support/test-store.js';

describe('the sweep of old long jobs', () => {
  it('removes what ended or was made long ago, in every partition, and leaves the rest', async () => {
    const held = new HeldType();
    const store = openTestStore({ folder: null }, { longJobs: { types: [held] } });
    const partitions = [await openTestPartition(store), await store.open('other', 'other')];
    const ended: string[] = [];
    const running: string[] = [];
    for (const partition of partitions) {
      const jobId = await startedJob({ partition, store });
      (await held.running(jobId)).end();
      await jobIn(partition, jobId, 'completed');
      ended.push(jobId);
      running.push(await startedJob({ partition, store }));
      await held.running(running.at(-1) ?? '');
    }
    const left = () =>
      partitions.map((partition, at) =>
        [ended[at], running[at]].filter((id) => partition.replica.read().get(longJobs, id ?? '') !== undefined),
      );
    const sweep = (keptMs: number) => sweepLongJobs(store, { keptMs, now: () => Date.now() }).work(() => false);
    await sweep(3_600_000);
    assert.deepEqual(
      left(),
      ended.map((id, at) => [id, running[at]]),
    );
    await sweep(-3_600_000);
    assert.deepEqual(
      left(),
      running.map((id) => [id]),
    );
    await store.close(0);
  });
});
