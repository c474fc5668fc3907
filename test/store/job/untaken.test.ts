import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { VirtualClock } from '../../../src/shared/clock.js';
import { idSource, newSeed } from '../../../src/shared/ids.js';
import { incidents, type Job, jobs, operation, put, remove } from '../../../src/store/index.js';
import { untakenRuns } from '../../../src/store/job/job-starter.js';
import type { AnyJobType } from '../../../src/store/job/job-type.js';
import { takeOutcome } from '../../../src/store/job/outcome.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import type { Store } from '../../../src/store/store.js';
import { dataFolder } from '../../support/data-folder.js';
import { eventually } from '../../support/eventually.js';
import { callerNamed, counters } from '../../support/test-domain.js';
import { openTestPartition, openTestStore } from '../../support/test-store.js';

const ann = { caller: callerNamed('ann') };
const newId = () => idSource(newSeed(), Date.now()).next();

const make = operation('make', (_, { made }: { made: { id: string; dueAt: number; exclusive?: string }[] }) => ({
  jobs: made.map((job) => ({ ...job, type: 'count', input: null })),
  answer: null,
}));
const counted = operation('counted', (state, input: { jobId: string; attempt: number }) => {
  const { done } = takeOutcome(state, input);
  const before = state.get(counters, 'jobs') ?? { id: 'jobs', group: 'g', value: 0, tags: [] };
  return { write: [done, put(counters, { ...before, value: before.value + 1 })], answer: null };
});
const suspend = operation('suspend', (state, { id }: { id: string }) => {
  const job = state.get(jobs, id);
  return { write: job === undefined ? [] : [put(jobs, { ...job, suspended: true })], answer: null };
});
const cancel = operation('cancel', (state, { id }: { id: string }) => ({
  write: state.get(jobs, id) === undefined ? [] : [remove(jobs, id)],
  answer: state.get(jobs, id) !== undefined,
}));
const outcome = (job: Job) => ({ operation: counted, input: { jobId: job.id, attempt: job.actor.context.attempt } });
const NOW = 1_000_000;

describe('jobs that are run without being taken', () => {
  const opened: Store[] = [];
  const clocks: VirtualClock[] = [];
  const open = async (folder: string | null, run: AnyJobType['run'], jobSlots = 16): Promise<Partition> => {
    const clock = new VirtualClock(NOW);
    const types = [{ type: 'count', untaken: true, run }];
    const store = openTestStore(
      { folder },
      { operations: [make, counted, suspend, cancel], jobTypes: types, clock, jobSlots },
    );
    opened.push(store);
    clocks.push(clock);
    return openTestPartition(store);
  };
  const ended = async () => {
    for (const store of opened.splice(0)) await store.close(0);
  };
  afterEach(ended);
  const makeJobs = (partition: Partition, count: number, exclusive?: string) => {
    const made = Array.from({ length: count }, () => ({
      id: newId(),
      dueAt: NOW + 1,
      ...(exclusive && { exclusive }),
    }));
    return partition.send(make, { made }, ann).then(() => made.map(({ id }) => id));
  };
  const due = async (partition: Partition) => {
    clocks.at(-1)?.set(NOW + 1);
    let ran = 0;
    for (let more = await partition.decider.jobs.takeDue(); more > 0; more = await partition.decider.jobs.takeDue()) {
      ran += more;
      await partition.decider.jobs.quiet();
    }
    return ran;
  };
  const value = (partition: Partition) => partition.replica.read().get(counters, 'jobs')?.value ?? 0;

  it('are each done once, however many are due, with one commit each', async () => {
    const partition = await open(null, outcome);
    for (let n = 0; n < 4; n++) await makeJobs(partition, 400);
    const before = partition.replica.read().revision;
    assert.equal(await due(partition), 1_600);
    assert.equal(value(partition), 1_600);
    assert.equal(partition.replica.read().revision - before, 1_601, 'one more says that they are run so');
    assert.equal(partition.decider.jobs.running, 0);
  });

  it('run alone under their exclusive name, and hold up no others', async () => {
    const order: string[] = [];
    let most = 0;
    let now = 0;
    const slow = async (job: Job) => {
      if (job.exclusive !== null) most = Math.max(most, ++now);
      order.push(job.exclusive ?? 'free');
      await new Promise((resolve) => setImmediate(resolve));
      if (job.exclusive !== null) now--;
      return outcome(job);
    };
    const partition = await open(null, slow);
    for (let n = 0; n < 3; n++) await makeJobs(partition, 400, 'one');
    await makeJobs(partition, 10);
    assert.equal(await due(partition), 1_210);
    assert.equal(most, 1);
    assert.equal(value(partition), 1_210);
    assert.ok(order.lastIndexOf('free') < 1_000, `the last one ran as number ${order.lastIndexOf('free')}`);
  });

  it('run at once up to 64, however many slots there are', async () => {
    const waiting: (() => void)[] = [];
    const gated = async (job: Job) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return outcome(job);
    };
    const partition = await open(null, gated, 200);
    await makeJobs(partition, 70);
    clocks.at(-1)?.set(NOW + 1);
    assert.equal(await partition.decider.jobs.takeDue(), 64);
    assert.equal(partition.decider.jobs.running, 64);
    for (const go of waiting.splice(0)) go();
    await partition.decider.jobs.quiet();
    assert.equal(await partition.decider.jobs.takeDue(), 6);
    for (const go of waiting.splice(0)) go();
    await partition.decider.jobs.quiet();
    assert.equal(value(partition), 70);
  });

  it('that are suspended or gone meanwhile are passed over', async () => {
    const partition = await open(null, outcome);
    const ids = await makeJobs(partition, 100);
    clocks.at(-1)?.set(NOW + 1);
    const taken = partition.decider.jobs.takeDue();
    for (const id of ids.slice(90, 95)) await partition.send(suspend, { id }, ann);
    let cancelled = 0;
    for (const id of ids.slice(95)) if ((await partition.send(cancel, { id }, ann)).answer) cancelled++;
    await taken;
    await due(partition);
    const left = partition.replica.read().range(jobs, 'due', [0], 100).length;
    assert.equal(value(partition) + left + cancelled, 100);
    assert.equal(partition.decider.jobs.running, 0);
  });

  it('that fail use up their retries, and count their attempts', async () => {
    const attempts: number[] = [];
    const partition = await open(null, (job) => {
      attempts.push(job.actor.context.attempt);
      throw new Error('no luck');
    });
    const [id] = await makeJobs(partition, 1);
    await due(partition);
    assert.deepEqual(attempts, [1, 2, 3]);
    assert.equal(partition.replica.read().get(jobs, id ?? '')?.actor.value, 'dead');
    assert.equal(partition.replica.read().range(incidents, 'created', [0], 10).length, 1);
  });

  it('leave nothing behind when the server comes to its end', async () => {
    const folder = dataFolder();
    const partition = await open(folder.path, outcome);
    await makeJobs(partition, 10);
    await due(partition);
    assert.notEqual(partition.replica.read().get(untakenRuns, 'runs'), undefined);
    await ended();
    const again = await open(folder.path, outcome);
    assert.equal(again.replica.read().get(untakenRuns, 'runs'), undefined);
    await ended();
    folder.remove();
  });

  it('that end the server each time are dead after a few times, with an incident', async () => {
    const folder = dataFolder();
    let place = join(folder.path, 'life-0');
    // The server dies while the job runs: what it has stored by then is what the next one finds.
    for (let life = 1; life <= 5; life++) {
      let isRunning = () => {};
      const running = new Promise<void>((resolve) => {
        isRunning = resolve;
      });
      const partition = await open(place, () => {
        isRunning();
        return new Promise(() => {});
      });
      if (life === 1) await makeJobs(partition, 1);
      clocks.at(-1)?.set(NOW + 1);
      if ((await partition.decider.jobs.takeDue()) === 0) {
        const [incident] = partition.replica.read().range(incidents, 'created', [0], 10);
        assert.match(incident?.message ?? '', /died 3 times/);
        assert.equal(life, 5, 'once without being taken, and three times taken');
        await ended();
        folder.remove();
        return;
      }
      await running;
      const next = join(folder.path, `life-${life}`);
      cpSync(place, next, { recursive: true });
      place = next;
    }
    assert.fail('it is still tried');
  });

  it('that run beside one that ends the server go on: those that have but one life left run one at a time', async () => {
    const folder = dataFolder();
    let place = join(folder.path, 'life-0');
    let bad = '';
    for (let life = 1; life <= 4; life++) {
      const begun: string[] = [];
      const partition = await open(place, (job) => {
        begun.push(job.id);
        return job.id === bad || job.deaths < 2 ? new Promise(() => {}) : outcome(job);
      });
      if (life === 1) [, bad = ''] = await makeJobs(partition, 3);
      clocks.at(-1)?.set(NOW + 1);
      await eventually('they have begun', async () => {
        await partition.decider.jobs.takeDue();
        return life < 4 ? begun.length === 3 : begun.includes(bad);
      });
      const next = join(folder.path, `life-${life}`);
      cpSync(place, next, { recursive: true });
      place = next;
    }
    const partition = await open(place, outcome);
    clocks.at(-1)?.set(NOW + 1);
    await due(partition);
    const state = partition.replica.read();
    assert.deepEqual(
      state.range(incidents, 'created', [0], 10).map(({ jobId }) => jobId),
      [bad],
    );
    assert.equal(state.get(counters, 'jobs')?.value, 2);
    await ended();
    folder.remove();
  });
});
