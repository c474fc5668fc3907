import assert from 'node:assert/strict';
import { SteadyClock } from '../../../../src/shared/clock.js';
import { systemTime } from '../../../../src/shared/time.js';
import { LONG_JOB_DEFAULTS, LongJobs, longJobs, operation, type Partition, put } from '../../../../src/store/index.js';
import type { LogPlace } from '../../../contract/log-kit.js';
import { openLog } from '../../../contract/support/log-fixture.js';
import { memoryKit } from '../../../contract/support/memory-kit.js';
import { partitionOn } from '../../../contract/support/test-partition.js';
import { HeldType, jobIn } from '../../../support/long-jobs.js';
import { callerNamed } from '../../../support/test-domain.js';

const ann = { caller: callerNamed('ann') };

/** Takes a job for a server that nobody hears of any more. */
const takeElsewhere = operation('takeElsewhere', (state, { jobId }: { readonly jobId: string }) => {
  const job = state.get(longJobs, jobId);
  if (job === undefined) throw new Error('there is no such job');
  return {
    write: [put(longJobs, { ...job, actor: { value: 'running' as const, context: { attempt: 1 } } })],
    answer: null,
  };
});

describe('long jobs of a history that has become another one', () => {
  let place: LogPlace;
  let partition: Partition;
  afterEach(async () => {
    await partition.close(0);
    await place.remove();
  });

  it('are taken back where they run by it and not here, and go on; what runs here goes on as it is', async () => {
    const held = new HeldType();
    const clock = new SteadyClock();
    const runner = new LongJobs({
      ...LONG_JOB_DEFAULTS,
      types: [held],
      workers: 1,
      clock,
      time: systemTime,
      callerOf: (userId) => callerNamed(userId),
    });
    const { operations, follower } = runner.host('test');
    let isDeaf = false;
    place = await memoryKit.make();
    partition = partitionOn(await openLog(place), (log) => log, {
      clock,
      operations: [...operations, takeElsewhere],
      followers: [{ committed: (commit) => isDeaf || follower.committed(commit) }],
    });
    await partition.begin();
    await runner.open(partition);
    const { initLongJob, startLongJob } = runner.operations;
    const started = async () => {
      const { jobId } = (await partition.send(initLongJob, { type: 'held' }, ann)).answer;
      await partition.send(startLongJob, { jobId, type: 'held' }, ann);
      return jobId;
    };
    const here = await started();
    const run = await held.running(here);
    const elsewhere = await started();
    isDeaf = true;
    await partition.send(takeElsewhere, { jobId: elsewhere }, ann);
    isDeaf = false;
    follower.renewed?.();
    await jobIn(partition, elsewhere, 'queued');
    run.end();
    (await held.running(elsewhere)).end();
    for (const [jobId, attempt, deaths] of [
      [here, 1, 0],
      [elsewhere, 2, 1],
    ] as const) {
      const job = await jobIn(partition, jobId, 'completed');
      assert.deepEqual([job.actor.context.attempt, job.deaths], [attempt, deaths]);
    }
    assert.deepEqual(held.begun, [here, elsewhere]);
    await runner.drain(0);
  });
});
