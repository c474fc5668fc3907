import assert from 'node:assert/strict';
import { longJobs } from '../../../../src/store/index.js';
import { MemoryLogs } from '../../../../src/store/log/memory-logs.js';
import type { Store } from '../../../../src/store/store.js';
import { HeldType, startedJob } from '../../../support/long-jobs.js';
import { openTestStore } from '../../../support/test-store.js';

describe('long jobs of a partition that is closed', () => {
  let store: Store;
  let held: HeldType;
  beforeEach(() => {
    held = new HeldType();
    store = openTestStore({ folder: null, logs: new MemoryLogs() }, { longJobs: { types: [held], workers: 1 } });
  });
  afterEach(() => store.close(0));

  it('are given back, and leave their worker to those of others', async () => {
    const [one, two] = [await store.open('one', 'one'), await store.open('two', 'two')];
    const first = await startedJob({ partition: one, store });
    const run = await held.running(first);
    const second = await startedJob({ partition: two, store });
    run.context.signal.addEventListener('abort', () => run.fail(new Error('it is told to end')));
    let status: string | undefined;
    // The last that is seen of it, before nothing can be read any more.
    void run.context.signal.addEventListener('abort', () => {
      status = one.replica.read().get(longJobs, first)?.actor.value;
    });
    await store.closePartition('one', 1_000);
    assert.equal(status, 'running');
    await held.running(second);
    assert.equal(store.longJobs.running, 1);
  });

  it('are not waited for longer than told', async () => {
    const one = await store.open('one', 'one');
    await held.running(await startedJob({ partition: one, store }));
    await store.closePartition('one', 0);
    assert.equal(store.longJobs.running, 0);
  });
});
