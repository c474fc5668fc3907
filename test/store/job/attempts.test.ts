import assert from 'node:assert/strict';
import { ServiceError, unavailable } from '../../../src/shared/errors.js';
import { systemTime } from '../../../src/shared/time.js';
import { type Job, jobs, type Operation, operation, put, remove } from '../../../src/store/index.js';
import { Attempts } from '../../../src/store/job/attempts.js';
import { noSubject } from '../../../src/store/job/job.js';
import { jobClass } from '../../../src/store/job/operations.js';
import { Slots } from '../../../src/store/job/slots.js';
import { jobOf } from '../../../src/store/job/transition.js';
import { MemoryDocuments, MemoryState } from '../../support/memory-state.js';
import { callerNamed } from '../../support/test-domain.js';

const drop = operation('drop', (_, { id }: { id: string }) => ({ write: [remove(jobs, id)], answer: null }));

describe('attempts of jobs', () => {
  let documents: MemoryDocuments;
  let slots: Slots;
  let sent: string[];
  let performed: string[];
  let over: string[];
  let stopped: string[];
  let failures: Error[];
  let pauses: number[];
  let attempts: Attempts<Job, string>;
  beforeEach(() => {
    [documents, slots] = [new MemoryDocuments(), new Slots(3)];
    [sent, performed, over, stopped, failures, pauses] = [[], [], [], [], [], []];
    attempts = new Attempts<Job, string>({
      of: jobClass({ types: new Map(), subject: noSubject }),
      slots,
      time: { ...systemTime, after: (ms, run) => systemTime.after(pauses.push(ms) && 0, run) },
      send,
      perform: ({ id, actor }) => {
        performed.push(`${id} ${actor.context.attempt}`);
        return `run of ${id}`;
      },
      over: (id, _, { isLast, isFreed }) => over.push(`${id} ${isLast} ${isFreed}`),
      stop: (run) => stopped.push(run),
      giveUp: async () => null,
    });
  });
  async function send<I, A>(operation: Operation<I, A>, input: I): Promise<A> {
    sent.push(operation.name);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    const context = { caller: callerNamed('ann'), commandId: 'c', seed: 'seed', answers: [] };
    const result = operation.decide(new MemoryState(documents, 'seed', 9), input, context);
    assert.ok(!('ask' in result));
    const { write = [], events = [] } = result;
    documents.apply(write);
    const record = { ...{ revision: 1, id: 'c', at: 0, events: 0, body: '', outcome: null }, documents: [] };
    const command = { id: 'c', type: operation.name, cause: {}, caller: { userId: 'ann' } };
    attempts.committed({ record, command, events, writes: write });
    return result.answer;
  }
  const waiting = (id: string): Job =>
    jobOf(
      { id, type: 'count', dueAt: 0, input: null },
      { caller: callerNamed('ann'), cause: {}, id: 'c' },
      0,
      noSubject,
    );
  const running = (id: string, attempt = 1, deaths = 0): Job => ({
    ...waiting(id),
    deaths,
    actor: { value: 'running', context: { attempt, retries: 3 } },
  });
  const stored = (...all: readonly Job[]) => documents.apply(all.map((job) => put(jobs, job)));
  const states = () => Object.fromEntries(documents.all(jobs).map(({ id, actor }) => [id, actor.value]));

  it('that a dead server left are taken back, those that use up their lives one by one', async () => {
    const left = ['a', 'b', 'c'].map((id) => running(id, 1, id === 'b' ? 0 : 2));
    stored(...left, running('here'));
    attempts.run(running('here'));
    await attempts.takeBack();
    assert.deepEqual(sent, ['recoverJobs', 'recoverJobs', 'recoverJobs']);
    assert.deepEqual(states(), { a: 'dead', b: 'waiting', c: 'dead', here: 'running' });
    const deaths = Object.fromEntries(documents.all(jobs).map((job) => [job.id, job.deaths]));
    assert.deepEqual(deaths, { a: 3, b: 1, c: 3, here: 0 });
  });

  it('begin with the commit that takes the job; the slot of one that waits no more is free again', async () => {
    stored(waiting('a'));
    for (const id of ['a', 'gone']) slots.reserve({ id, exclusive: null, attempt: 1 });
    assert.equal(await attempts.take(['a', 'gone']), 1);
    assert.deepEqual([performed, slots.used, attempts.runOf('a')], [['a 1'], 1, 'run of a']);
    attempts.run(running('a'));
    assert.deepEqual(performed, ['a 1'], 'each once');
  });

  it('are over with the commit that removes their job', async () => {
    stored(running('a'));
    attempts.run(running('a'));
    await send(drop, { id: 'a' });
    assert.deepEqual([over, slots.used], [['a true true'], 0]);
  });

  it('that could not be taken leave their slots', async () => {
    failures.push(unavailable('the log is away'));
    slots.reserve({ id: 'a', exclusive: null, attempt: 1 });
    await assert.rejects(attempts.take(['a']), { code: 'UNAVAILABLE' });
    assert.equal(slots.used, 0);
  });

  it('are over with those before them, and not with one before', () => {
    attempts.run(running('a', 2));
    attempts.over('a', { ...waiting('a'), actor: { value: 'waiting', context: { attempt: 1, retries: 2 } } });
    assert.deepEqual([over, attempts.has(running('a', 2)), slots.used], [['a false false'], true, 1]);
    attempts.over('a', { ...waiting('a'), actor: { value: 'waiting', context: { attempt: 2, retries: 2 } } });
    assert.deepEqual([over.at(-1), attempts.has(running('a', 2)), slots.used], ['a true true', false, 0]);
    attempts.over('never', null);
    assert.equal(over.at(-1), 'never true false');
  });

  it('send again what the log could not take, after a pause, until the server drains', async () => {
    const away = unavailable('the log is away');
    failures.push(away, away);
    await attempts.untilAnswered(() => attempts.takeBack());
    assert.deepEqual([sent.length, pauses], [3, [200, 200]]);
    failures.push(new ServiceError('CONFLICT', 'no'));
    await assert.rejects(
      attempts.untilAnswered(() => attempts.takeBack()),
      { code: 'CONFLICT' },
    );
    await attempts.drain(async () => {}, 0);
    failures.push(away);
    await assert.rejects(
      attempts.untilAnswered(() => attempts.takeBack()),
      { code: 'UNAVAILABLE' },
    );
    assert.equal(pauses.filter((ms) => ms === 200).length, 2);
  });

  it('that do not end while the server drains are given back, as is what is taken meanwhile', async () => {
    stored(running('a'), running('late'));
    attempts.run(running('a'));
    const drained = attempts.drain(() => new Promise(() => {}), 50);
    attempts.run(running('late'));
    assert.deepEqual([attempts.isDraining, stopped, over], [true, ['run of a'], ['late false true']]);
    await drained;
    assert.deepEqual([sent, performed, pauses], [['releaseJobs'], ['a 1'], [50]]);
    assert.deepEqual(states(), { a: 'waiting', late: 'waiting' });
    sent.length = 0;
    await attempts.drain(async () => {}, 50);
    assert.deepEqual(sent, [], 'nothing runs any more');
  });
});
