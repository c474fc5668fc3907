import assert from 'node:assert/strict';
import { VirtualClock } from '../../../src/shared/clock.js';
import { type JobType, jobs, operation, put, type Reaction } from '../../../src/store/index.js';
import { takeOutcome } from '../../../src/store/job/outcome.js';
import { LocalLogs } from '../../../src/store/log/local-logs.js';
import type { Log } from '../../../src/store/log/log.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import { reactionPositions } from '../../../src/store/reaction/reaction.js';
import type { Store } from '../../../src/store/store.js';
import { Changes } from '../../support/changes.js';
import { temporaryFolder } from '../../support/temporary.js';
import { add, callerNamed, counters } from '../../support/test-domain.js';
import { openTestPartition, openTestStore } from '../../support/test-store.js';

const ann = { caller: callerNamed('ann') };
const NOW = 1_000_000;

interface Made {
  readonly id: string;
  readonly type: string;
  readonly dueAt: number;
  readonly immediate?: boolean;
}

const make = operation('make', (_, { made }: { made: readonly Made[] }) => ({
  jobs: made.map((job) => ({ ...job, input: null })),
  answer: null,
}));
const counted = operation('counted', (state, { type, ...job }: { jobId: string; attempt: number; type: string }) => {
  const { done } = takeOutcome(state, job);
  const before = state.get(counters, type) ?? { id: type, group: 'g', value: 0, tags: [] };
  return { write: [done, put(counters, { ...before, value: before.value + 1 })], answer: null };
});
const counting = (type: string, untaken: boolean): JobType<{ jobId: string; attempt: number; type: string }> => ({
  type,
  untaken,
  run: ({ id, actor }) => ({ operation: counted, input: { jobId: id, attempt: actor.context.attempt, type } }),
});

/** Counts what it was shown, and what it was told that it was not. */
const noted = (id: string, state: Parameters<Reaction['react']>[0]) => {
  const before = state.get(counters, id) ?? { id, group: 'g', value: 0, tags: [] };
  return { write: [put(counters, { ...before, value: before.value + 1 })], answer: null };
};
const reaction: Reaction = {
  name: 'mirror',
  types: ['counter.changed'],
  react: (state) => noted('shown', state),
  missed: (state) => noted('missed', state),
};
const sleeper = { jobTypes: [counting('taken', false), counting('untaken', true)], reactions: [reaction] };
const others = [counting('other', true)];

/** The embedded logs, whose last one can be reached. */
class ReachedLogs extends LocalLogs {
  log: Log | undefined;

  override async open(...args: Parameters<LocalLogs['open']>) {
    const opened = await super.open(...args);
    this.log = opened.log;
    return opened;
  }
}

describe('a domain that is at rest in a partition', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let clock: VirtualClock;
  let logs: ReachedLogs;
  let store: Store;
  let changes: Changes;
  let partition: Partition;
  const open = async (isAtRest: boolean): Promise<void> => {
    changes = new Changes();
    logs = new ReachedLogs(folder.path);
    store = openTestStore(
      { folder: folder.path, logs },
      {
        operations: [make, counted],
        jobTypes: [...sleeper.jobTypes, ...others],
        reactions: sleeper.reactions,
        clock,
        resting: () => (isAtRest ? [sleeper] : []),
        committed: changes.tell,
      },
    );
    partition = await openTestPartition(store);
  };
  const again = async (isAtRest: boolean): Promise<void> => {
    await store.close(100);
    await open(isAtRest);
  };
  beforeEach(async () => {
    folder = temporaryFolder();
    clock = new VirtualClock(NOW);
    await open(true);
  });
  afterEach(async () => {
    await store.close(100);
    folder.remove();
  });

  const value = (id: string) => partition.replica.read().get(counters, id)?.value ?? 0;
  const values = (...ids: string[]) => ids.map(value);
  const runDue = async () => {
    while ((await partition.decider.jobs.takeDue()) > 0) await partition.decider.jobs.quiet();
  };
  const made = (type: string, dueAt: number, immediate = false) => ({ id: `${type}-${dueAt}`, type, dueAt, immediate });

  it('runs no job and no timer while others do, and goes on with them when it is at rest no more', async () => {
    const due = ['taken', 'untaken', 'other'].flatMap((type) => [made(type, NOW, true), made(type, NOW + 10)]);
    await partition.send(make, { made: due }, ann);
    await runDue();
    clock.set(NOW + 20);
    await runDue();
    assert.deepEqual(values('taken', 'untaken', 'other'), [0, 0, 2]);
    assert.equal(partition.replica.read().range(jobs, 'queue', ['immediate', 0], 10).length, 4);
    assert.equal(partition.decider.jobs.running, 0);
    await again(false);
    await runDue();
    assert.deepEqual(values('taken', 'untaken', 'other'), [2, 2, 2]);
  });

  it('has no time at which it is due', async () => {
    const early = Array.from({ length: 300 }, (_, n) => made('taken', NOW + n + 1));
    for (const some of [early.slice(0, 150), early.slice(150)]) await partition.send(make, { made: some }, ann);
    assert.equal(partition.decider.jobs.nextDue(), Number.POSITIVE_INFINITY);
    await partition.send(make, { made: [made('other', NOW + 1_000)] }, ann);
    assert.equal(partition.decider.jobs.nextDue(), NOW + 1_000);
    await again(false);
    assert.equal(partition.decider.jobs.nextDue(), NOW + 1);
  });

  it('is shown by the feed what came meanwhile, where that is still kept', async () => {
    await partition.send(add, { id: 'a', by: 1 }, ann);
    await partition.send(add, { id: 'a', by: 1 }, ann);
    assert.equal(value('shown'), 0);
    await again(false);
    await changes.until(() => value('shown') === 2);
    assert.equal(value('missed'), 0);
  });

  it('does not hold the feed, and is told once that there was more', async () => {
    for (let n = 0; n < 5; n++) await partition.send(add, { id: 'a', by: 1 }, ann);
    await logs.log?.trim(4, 0);
    await again(false);
    await changes.until(() => value('shown') === 1);
    assert.equal(value('missed'), 1);
    await again(false);
    await partition.send(add, { id: 'a', by: 1 }, ann);
    await changes.until(() => value('shown') === 2);
    assert.equal(value('missed'), 1);
    assert.ok(partition.replica.read().get(reactionPositions, 'mirror'));
  });
});
