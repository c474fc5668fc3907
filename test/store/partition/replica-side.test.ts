import assert from 'node:assert/strict';
import { SteadyClock } from '../../../src/shared/clock.js';
import { systemTime, turn } from '../../../src/shared/time.js';
import { LandedCommits } from '../../../src/store/feed/landed-commits.js';
import { type Committed, jobs, longJobs, operation, put, remove, type Write } from '../../../src/store/index.js';
import { noSubject } from '../../../src/store/job/job.js';
import { takeOutcome } from '../../../src/store/job/outcome.js';
import { jobOf } from '../../../src/store/job/transition.js';
import type { OpenedLog } from '../../../src/store/log/logs.js';
import { MemoryLogs } from '../../../src/store/log/memory-logs.js';
import { shapeOf } from '../../../src/store/log/schema.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import { ReplicaSide } from '../../../src/store/partition/replica-side.js';
import { storeCollections } from '../../../src/store/store.js';
import { partitionOn } from '../../contract/support/test-partition.js';
import { add, callerNamed, counters } from '../../support/test-domain.js';

const ann = { caller: callerNamed('ann') };
const collections = [...storeCollections(), counters];

const later = operation('later', (_state, { id }: { id: string }) => ({
  jobs: [{ id, type: 'count', dueAt: 0, immediate: true, input: null }],
  answer: null,
}));
const counted = operation('counted', (state, attempt: { jobId: string; attempt: number }) => {
  const { done } = takeOutcome(state, attempt);
  return { write: [done, put(counters, { id: attempt.jobId, group: 'g', value: 1, tags: [] })], answer: null };
});

describe('a replica side without a decider', () => {
  let opened: OpenedLog;
  let partition: Partition;
  let commits: LandedCommits;
  let side: ReplicaSide;
  let work = Promise.resolve();
  const control = new AbortController();

  beforeEach(async () => {
    opened = await new MemoryLogs().open('test', collections.map(shapeOf));
    const run = async (job: { id: string; actor: { context: { attempt: number } } }) => {
      await work;
      return { operation: counted, input: { jobId: job.id, attempt: job.actor.context.attempt } };
    };
    partition = partitionOn(opened, (log) => log, {
      operations: [later, counted],
      jobTypes: [{ type: 'count', run }],
    });
    await partition.begin();
    const { replica } = opened;
    commits = new LandedCommits({ replica, collections });
    const clock = new SteadyClock();
    side = new ReplicaSide({ id: 'test', workspace: 'test', replica, commits, clock, time: systemTime, known: null });
  });
  afterEach(() => partition.close(1_000));
  after(() => control.abort());

  const caughtUp = () => commits.catchUp(new Map());

  it('reads what landed', async () => {
    await partition.send(add, { id: 'c', by: 3 }, ann);
    assert.equal(side.read().get(counters, 'c')?.value, 3);
    assert.equal(side.readBack().get(counters, 'c')?.value, 3);
    await partition.send(add, { id: 'c', by: 4 }, ann);
    assert.equal(side.readBack().get(counters, 'c')?.value, 7, 'nothing is kept that another process may have written');
    assert.equal(side.find(counters, 'c', ann.caller)?.value, 7);
  });

  it('is told by its own feed of what landed elsewhere, once and in order', async () => {
    const entries = side.feed.follow(null, control.signal);
    const told = [entries.next(), entries.next()];
    for (const by of [1, 2]) await partition.send(add, { id: 'c', by }, ann);
    await caughtUp();
    await caughtUp();
    await partition.send(add, { id: 'c', by: 3 }, ann);
    await caughtUp();
    told.push(entries.next());
    const values = (await Promise.all(told)).map(({ value }) => value?.event.data as { value: number } | undefined);
    assert.deepEqual(
      values.map((counter) => counter?.value),
      [1, 3, 6],
    );
  });

  it('gives positions that the other side takes, and takes its', async () => {
    await partition.send(add, { id: 'c', by: 1 }, ann);
    await caughtUp();
    assert.equal(side.feed.position(), partition.replica.feed.position());
  });

  it('is at the next revision when it is read', async () => {
    const { revision } = await partition.send(add, { id: 'c', by: 1 }, ann);
    assert.equal(side.read().revision, revision + 1);
  });

  for (const [what, more, goesOn] of [
    ['goes on by itself and waits', {}, true],
    ['goes on by itself and runs', { actor: { value: 'running', context: { attempt: 1, retries: 3 } } }, true],
    ['goes on by itself and is dead', { actor: { value: 'dead', context: { attempt: 1, retries: 0 } } }, false],
    ['waits for its time', { immediate: false }, false],
    ['runs at its time', { immediate: false, actor: { value: 'running', context: { attempt: 1, retries: 3 } } }, false],
    ['waits to be woken', { suspended: true }, false],
    ['writes what counts already', { isBehind: true }, false],
  ] as const)
    it(`is ${goesOn ? 'not ' : ''}at rest while a job ${what}`, async () => {
      const tell = (write: Write) => {
        const record = { ...{ revision: 1, id: 'c1', at: 0, events: 0, body: '', outcome: null }, documents: [] };
        const command = { id: 'c1', type: 't', cause: {}, caller: ann.caller };
        commits.tell({ record, command, events: [], writes: [write] });
      };
      const job = { id: 's', type: 'count', dueAt: 0, immediate: true, input: null };
      const made = jobOf(job, { caller: ann.caller, cause: {}, id: 'c1' }, 0, noSubject);
      tell(put(jobs, { ...made, ...more }));
      let isSettled = false;
      const settled = side.settled('c1', 60_000).then(() => {
        isSettled = true;
      });
      await turn(systemTime);
      assert.equal(isSettled, !goesOn);
      tell(remove(jobs, 's'));
      await settled;
    });

  it('knows when what a command set off has come to rest', async () => {
    let finish = () => {};
    work = new Promise((resolve) => {
      finish = resolve;
    });
    const { commandId } = await partition.send(later, { id: 'j' }, ann);
    await caughtUp();
    let isSettled = false;
    const settled = side.settled(commandId, 60_000).then(() => {
      isSettled = true;
    });
    await caughtUp();
    assert.equal(isSettled, false);
    finish();
    await partition.replica.settled(commandId, 60_000);
    await caughtUp();
    await settled;
    assert.deepEqual([side.read().get(jobs, 'j'), side.read().get(counters, 'j')?.value], [undefined, 1]);
  });
});

describe('landed commits', () => {
  const commit = (revision: number) => ({
    revision,
    id: `c${revision}`,
    at: 0,
    events: 1,
    outcome: null,
    documents: [],
  });
  const body = JSON.stringify({ type: 't', userId: 'ann', events: [{ type: 'noted', ids: {}, data: 1 }], docs: [] });
  const begun = async () => {
    const { log, replica } = await new MemoryLogs().open('test', collections.map(shapeOf));
    const told: string[] = [];
    const commits = new LandedCommits({ replica, collections });
    commits.follow({
      committed: ({ record, command }) => told.push(`${record.revision} ${command.id} ${command.caller.userId}`),
      renewed: () => told.push('renewed'),
    });
    return { log, replica, commits, told };
  };

  it('are told as they were decided where that is known, else as they are stored', async () => {
    const { log, commits, told } = await begun();
    await log.append([1, 2, 3].map((revision) => ({ ...commit(revision), body })));
    const command = { id: 'known', type: 't', cause: {}, caller: { userId: 'bob' } };
    await commits.catchUp(new Map([[2, { record: { ...commit(2), body }, command, events: [], writes: [] }]]));
    assert.deepEqual(told, ['1 c1 ann', '2 known bob', '3 c3 ann']);
  });

  it('are told to those that name collections where one of them is written', async () => {
    const { log, commits } = await begun();
    const told: string[] = [];
    const note = (name: string) => ({ committed: ({ record }: Committed) => told.push(`${name} ${record.revision}`) });
    commits.follow({ collections: [counters], ...note('counters') });
    commits.follow({ collections: [jobs, longJobs], ...note('jobs') });
    commits.follow(note('all'));
    const docs = [
      [],
      [['counter', 'a']],
      [['job', 'a']],
      [
        ['longJob', 'a'],
        ['counter', 'b'],
        ['counter', 'c'],
      ],
    ];
    const bodies = docs.map((docs) => JSON.stringify({ type: 't', userId: 'ann', events: docs, docs }));
    await log.append(bodies.map((body, i) => ({ ...commit(i + 1), body })));
    await commits.catchUp(new Map());
    assert.deepEqual(told, ['all 1', 'counters 2', 'all 2', 'jobs 3', 'all 3', 'counters 4', 'jobs 4', 'all 4']);
    assert.deepEqual(commits.told, { revision: 4, events: 5 });
  });

  it('are not told where some are missing in between: whoever follows begins anew', async () => {
    const { log, commits, told } = await begun();
    await log.append([1, 2, 3].map((revision) => ({ ...commit(revision), body })));
    await log.trim(2, 0);
    await commits.catchUp(new Map());
    assert.deepEqual(told, ['renewed']);
    await log.append([{ ...commit(4), body }]);
    await commits.catchUp(new Map());
    assert.deepEqual(told, ['renewed', '4 c4 ann']);
  });
});
