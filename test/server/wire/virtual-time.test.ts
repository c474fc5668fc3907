import assert from 'node:assert/strict';
import { jobSubject } from '../../../src/engine/index.js';
import { VirtualTime } from '../../../src/server/wire/virtual-time.js';
import { VirtualClock } from '../../../src/shared/clock.js';
import type { ServiceError } from '../../../src/shared/errors.js';
import { operation } from '../../../src/store/index.js';
import { takeOutcome } from '../../../src/store/job/outcome.js';
import { callerNamed } from '../../support/harness.js';
import { openTestPartition, openTestStore } from '../../support/test-store.js';

const admin = callerNamed('admin', { roles: ['administrator'] });
const NOW = 1_000_000;

const make = operation('make', (state, { type }: { type: string }) => ({
  jobs: [{ id: state.ids.next(), type, dueAt: NOW + 1_000, activityId: 'here', instanceId: 'one', input: null }],
  answer: null,
}));
/** Each job is followed by another one, at the same time. */
const again = operation('again', (state, input: { jobId: string; attempt: number }) => {
  const { job, done } = takeOutcome(state, input);
  return { write: [done], jobs: [{ ...job, id: state.ids.next(), failure: null }], answer: null };
});

async function opened(limits: { jobs: number; ms: number }) {
  const clock = new VirtualClock(NOW);
  const store = openTestStore(
    { folder: null },
    {
      clock,
      jobSubject,
      operations: [make, again],
      jobTypes: [
        {
          type: 'endless',
          untaken: true,
          run: ({ id, actor }) => ({ operation: again, input: { jobId: id, attempt: actor.context.attempt } }),
        },
        { type: 'stuck', run: () => new Promise(() => {}) },
      ],
    },
  );
  const partition = await openTestPartition(store);
  const time = new VirtualTime(
    clock,
    () => store.partitions,
    () => [],
    limits,
  );
  const refusal = () =>
    time.advance({ by: 'PT1H', to: null }, admin).then(
      () => assert.fail('the clock came to rest'),
      (thrown: ServiceError) => thrown,
    );
  return { clock, store, partition, time, refusal };
}

describe('virtual time', () => {
  it('says where it stands and what goes on when there is no end of jobs', async () => {
    const { store, clock, partition, refusal } = await opened({ jobs: 100, ms: 60_000 });
    await partition.send(make, { type: 'endless' }, { caller: admin });
    for (const jobsRun of [100, 100]) {
      const { code, message, info } = await refusal();
      assert.equal(code, 'LIMIT_EXCEEDED');
      assert.match(
        message,
        /after 100 jobs, .*endless at 'here' of process instance one; it stands at 1970-01-01T00:16:41/,
      );
      assert.deepEqual((info.details as { jobsRun: number }).jobsRun, jobsRun);
      assert.equal(clock.now(), NOW + 1_000);
    }
    await store.close(0);
  });

  it('says what is in flight when that does not end', async () => {
    const { store, partition, refusal } = await opened({ jobs: 100, ms: 300 });
    await partition.send(make, { type: 'stuck' }, { caller: admin });
    const { code, message, info } = await refusal();
    assert.equal(code, 'LIMIT_EXCEEDED');
    assert.match(message, /after 0.3 s, with 1 jobs run, there is more: stuck at 'here' of process instance one/);
    assert.equal(info.reason, 'clock_not_at_rest');
    await store.close(0);
  });
});
