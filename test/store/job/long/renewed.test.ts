import assert from 'node:assert/strict';
import { SteadyClock } from '../../../../src/shared/clock.js';
import { unavailable } from '../../../../src/shared/errors.js';
import { systemTime, type Time } from '../../../../src/shared/time.js';
import {
  type Committed,
  LONG_JOB_DEFAULTS,
  type LongJob,
  type LongJobStatus,
  LongJobs,
  longJobs,
  operation,
  type Partition,
  put,
  type Write,
} from '../../../../src/store/index.js';
import type { Log } from '../../../../src/store/log/log.js';
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

/** Puts a job back into the queue, as a server does that nobody hears of any more. */
const queueElsewhere = operation('queueElsewhere', (state, { jobId }: { readonly jobId: string }) => {
  const job = state.get(longJobs, jobId);
  if (job === undefined) throw new Error('there is no such job');
  return { write: [put(longJobs, { ...job, actor: { ...job.actor, value: 'queued' as const } })], answer: null };
});

/** All pauses are short. */
const hasty: Time = { ...systemTime, after: (ms, run) => systemTime.after(ms / 50, run) };

describe('the runner of the long jobs of a partition', () => {
  let place: LogPlace;
  let partition: Partition;
  let runner: LongJobs;
  let held: HeldType;
  /** The runner is told of no commit. */
  let isDeaf: boolean;
  /** The log takes nothing. */
  let isAway: boolean;
  /** From the first commit on after which a job is so, the log is away. */
  let awayFrom: LongJobStatus | null;
  beforeEach(async () => {
    [held, isDeaf, isAway, awayFrom] = [new HeldType(), false, false, null];
    place = await memoryKit.make();
  });
  afterEach(async () => {
    isAway = false;
    await runner.drain(0);
    await partition.close(0);
    await place.remove();
  });

  const begin = async (workers: number) => {
    const clock = new SteadyClock();
    const callerOf = (userId: string) => callerNamed(userId);
    runner = new LongJobs({ ...LONG_JOB_DEFAULTS, types: [held], workers, clock, time: hasty, callerOf });
    const { operations, follower } = runner.host('test');
    const committed = (commit: Committed) => {
      const isSo = ({ document }: Write) => (document as LongJob | null)?.actor.value === awayFrom;
      if (commit.writes.some(isSo)) isAway = true;
      if (!isDeaf) follower.committed(commit);
    };
    const parts = {
      clock,
      time: hasty,
      operations: [...operations, takeElsewhere, queueElsewhere],
      followers: [{ committed }],
    };
    partition = partitionOn(await openLog(place), leaving, parts);
    await partition.begin();
    await runner.open(partition);
    return follower;
  };
  const leaving = (log: Log): Log => {
    const there = async () => {
      if (isAway) throw unavailable('the log is away');
    };
    return {
      append: (group) => there().then(() => log.append(group)),
      recover: () => there().then(() => log.recover()),
      probe: () => there().then(() => log.probe()),
      trim: (revision, before) => log.trim(revision, before),
      close: () => log.close(),
    };
  };
  const made = async () => (await partition.send(runner.operations.initLongJob, { type: 'held' }, ann)).answer.jobId;
  const start = async (jobId: string) => {
    await partition.send(runner.operations.startLongJob, { jobId, type: 'held' }, ann);
    return jobId;
  };
  const started = async () => start(await made());
  const untilAway = () => assert.rejects(partition.send(runner.operations.initLongJob, { type: 'held' }, ann), away);
  const away = { code: 'UNAVAILABLE' };

  it('takes back what runs by another history and not here; what runs here goes on as it is', async () => {
    const follower = await begin(1);
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
  });

  it('runs a job again that waits by another history, when its run here is over', async () => {
    const follower = await begin(2);
    const jobId = await started();
    const former = await held.running(jobId);
    held.runs.clear();
    isDeaf = true;
    await partition.send(queueElsewhere, { jobId }, ann);
    isDeaf = false;
    follower.renewed?.();
    const other = await started();
    former.end({ result: 'of the former history' });
    (await held.running(jobId)).end({ result: 'of this one' });
    const job = await jobIn(partition, jobId, 'completed');
    assert.deepEqual([job.result, job.actor.context.attempt], ['of this one', 2]);
    await held.running(other);
  });

  it('takes a job when the log is back that was away when it was started', async () => {
    await begin(1);
    awayFrom = 'queued';
    const jobId = await started();
    await untilAway();
    [isAway, awayFrom] = [false, null];
    (await held.running(jobId)).end();
    assert.equal((await jobIn(partition, jobId, 'completed')).actor.context.attempt, 1);
  });

  it('aborts a job, and tells of another, when the log is back that was away meanwhile', async () => {
    await begin(1);
    const [running, waiting] = [await started(), await started()];
    const { context, end } = await held.running(running);
    awayFrom = 'aborting';
    await partition.send(runner.operations.abortLongJob, { jobId: waiting, type: 'held' }, ann);
    await untilAway();
    context.progress({ itemsProcessed: 3 });
    await untilAway();
    end();
    [isAway, awayFrom] = [false, null];
    await jobIn(partition, waiting, 'aborted');
    assert.equal((await jobIn(partition, running, 'completed')).figures.itemsProcessed, 3);
    assert.deepEqual(held.begun, [running]);
  });

  it('runs those of no partition that it was not to follow', async () => {
    await begin(1);
    const other = new LongJobs({ ...LONG_JOB_DEFAULTS, clock: new SteadyClock(), time: hasty, callerOf: callerNamed });
    await assert.rejects(other.open(partition), /expected partition 'test' to decide of its long jobs/);
  });
});
