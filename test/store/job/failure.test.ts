import assert from 'node:assert/strict';
import { VirtualClock } from '../../../src/shared/clock.js';
import { systemTime, type Time } from '../../../src/shared/time.js';
import { incidents, type Job, jobs, operation, put } from '../../../src/store/index.js';
import { untakenRuns } from '../../../src/store/job/job-starter.js';
import type { AnyJobType } from '../../../src/store/job/job-type.js';
import { takeOutcome } from '../../../src/store/job/outcome.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import type { Store } from '../../../src/store/store.js';
import { eventually } from '../../support/eventually.js';
import { callerNamed, counters } from '../../support/test-domain.js';
import { openTestPartition, openTestStore } from '../../support/test-store.js';

const make = operation('make', (_, { id, type, exclusive }: { id: string; type: string; exclusive?: string }) => ({
  jobs: [{ id, type, dueAt: 1_000, input: null, retries: 1, ...(exclusive && { exclusive }) }],
  answer: null,
}));
const counted = operation('counted', (state, input: { jobId: string; attempt: number }) => ({
  write: [takeOutcome(state, input).done, put(counters, { id: input.jobId, group: 'g', value: 1, tags: [] })],
  answer: null,
}));

describe('the failure of a job that cannot be stored', () => {
  let store: Store;
  let partition: Partition;
  /** Pauses that are waited for, ms, and how each ends. */
  let pauses: { readonly ms: number; readonly end: () => void }[];
  /** How often the failure is refused still. */
  let refusals: number;
  let runs: string[];

  const failing = (type: string, message: string, untaken = false): AnyJobType => ({
    type,
    untaken,
    run: ({ id }) => {
      runs.push(id);
      throw new Error(message);
    },
    dead: () => {
      if (refusals-- > 0) throw new Error('this cannot be stored');
      return {};
    },
  });
  const good = (type: string): AnyJobType => ({
    type,
    run: (job: Job) => ({ operation: counted, input: { jobId: job.id, attempt: job.actor.context.attempt } }),
  });
  beforeEach(async () => {
    [pauses, refusals, runs] = [[], 0, []];
    const after: Time['after'] = (ms, run) => {
      if (ms < 1_000) return systemTime.after(ms, run);
      const timer = { cancel: () => {}, hold: () => timer };
      pauses.push({ ms, end: run });
      return timer;
    };
    const jobTypes = [
      failing('fails', 'no luck'),
      failing('untaken', 'no luck', true),
      failing('talks', 'x'.repeat(300_000)),
      good('works'),
    ];
    const clock = new VirtualClock(1_000);
    const time = { ...systemTime, after };
    store = openTestStore({ folder: null }, { operations: [make, counted], jobTypes, clock, time, jobSlots: 1 });
    partition = await openTestPartition(store);
    pauses = [];
  });
  afterEach(() => store.close(0));

  const due = async (id: string, type: string, exclusive?: string) => {
    await partition.send(make, { id, type, ...(exclusive && { exclusive }) }, { caller: callerNamed('ann') });
    await partition.decider.jobs.takeDue();
    await partition.decider.jobs.quiet();
  };
  const pauseOf = async (n: number) => {
    await eventually(`pause ${n}`, () => pauses.length >= n);
    return pauses[n - 1] ?? assert.fail();
  };
  const incidentsNow = () => partition.replica.read().range(incidents, 'created', [0], 10);

  for (const type of ['fails', 'untaken'])
    it(`is tried again after pauses that grow, up to five minutes, and the work is not done again (${type})`, async () => {
      refusals = 11;
      await due('a', type);
      const waited: number[] = [];
      for (let n = 1; n <= 11; n++) {
        const { ms, end } = await pauseOf(n);
        waited.push(ms / 1_000);
        assert.equal(incidentsNow().length, 0);
        end();
      }
      await eventually('it is stored', () => incidentsNow().length === 1);
      assert.deepEqual(waited, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
      assert.deepEqual([pauses.length, runs], [11, ['a']]);
      assert.equal(partition.replica.read().get(jobs, 'a')?.actor.value, 'dead');
    });

  it('holds up no other job meanwhile, be it of the same exclusive name', async () => {
    refusals = 1;
    await due('a', 'fails', 'one');
    await due('b', 'works', 'one');
    assert.equal(partition.replica.read().get(counters, 'b')?.value, 1);
    (await pauseOf(1)).end();
    await eventually('it is stored', () => incidentsNow().length === 1);
  });

  it('is not waited for when the server ends: the job waits for the next one, and its life is not counted', async () => {
    refusals = 1;
    await due('a', 'fails');
    await pauseOf(1);
    await partition.decider.jobs.drain(1_000);
    const { actor, deaths } = partition.replica.read().get(jobs, 'a') ?? assert.fail();
    assert.deepEqual([actor.value, actor.context.retries, deaths], ['waiting', 1, 0]);
    assert.equal(partition.replica.read().get(untakenRuns, 'runs'), undefined);
  });

  it('does not come of what it says: the end of a long message is left out', async () => {
    await due('a', 'talks');
    assert.equal(pauses.length, 0);
    const [incident] = incidentsNow();
    assert.match(incident?.message ?? '', /^x{20000}$/);
    assert.match(incident?.stackTrace ?? '', /^Error: x{39993}$/);
  });
});
