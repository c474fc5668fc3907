import assert from 'node:assert/strict';
import {
  type Incident,
  incidents,
  type Job,
  type JobEvent,
  type JobSubject,
  jobs,
  jobsAbout,
  moveJob,
  put,
  remove,
} from '../../../src/store/index.js';
import { mayBegin } from '../../../src/store/job/operations.js';
import { takeOutcome } from '../../../src/store/job/outcome.js';
import { begun, jobOf } from '../../../src/store/job/transition.js';
import { MemoryDocuments, MemoryState } from '../../support/memory-state.js';
import { callerNamed, counters } from '../../support/test-domain.js';

const NOW = 5_000;
/** Every job is about a room. */
const rooms = jobsAbout<{ readonly room: string }>({ columns: { room: ({ room }) => room } });
const subject: JobSubject<{ readonly room: string }> = {
  jobs: rooms,
  of: () => ({ room: 'i1' }),
  cause: ({ room }) => ({ instanceId: room }),
  incident: ({ room: instanceId }) => ({
    ...{ activityId: null, executionId: null, definitionId: 'd1', definitionKey: null },
    instanceId,
  }),
  spanName: ({ room }) => room,
  spanAttributes: () => ({}),
};
const state = () => new MemoryState(new MemoryDocuments(), 'seed', NOW);
const made = (retries: number): Job =>
  jobOf(
    { id: 'j1', type: 'count', dueAt: 1_000, retries, input: null },
    { caller: callerNamed('ann'), cause: {}, id: 'c1' },
    1_000,
    subject,
  );
const failed = { message: 'it broke', code: null, stack: 'at work', at: NOW };
const move = (job: Job, event: JobEvent, domain?: Parameters<typeof moveJob>[4]) =>
  moveJob(state(), job, event, subject, domain);

describe('a transition of a job', () => {
  it('removes a job that succeeded, and nothing else', () => {
    const { job, write, events } = move(begun(made(3)), { type: 'succeed' });
    assert.equal(job.actor.value, 'done');
    assert.deepEqual([write, events], [[remove(jobs, 'j1')], []]);
  });

  it('gives an attempt back without counting a failure', () => {
    const { job, write } = move(begun(made(3)), { type: 'release' });
    assert.deepEqual(job.actor, { value: 'waiting', context: { attempt: 1, retries: 3 } });
    assert.deepEqual(write, [put(rooms, job as Job & { readonly room: string })]);
  });

  it('uses up a retry, and waits for as long as the domain says', () => {
    const retryAt = (job: Job, now: number) => now + 1_000 * job.actor.context.attempt;
    const { job, write, events } = move(begun(made(2)), { type: 'fail' }, { retryAt });
    assert.deepEqual(job.actor, { value: 'waiting', context: { attempt: 1, retries: 1 } });
    assert.deepEqual([job.dueAt, job.immediate], [NOW + 1_000, false]);
    assert.deepEqual([write, events], [[put(rooms, job as Job & { readonly room: string })], []]);
    assert.equal(move(begun(made(2)), { type: 'fail' }).job.dueAt, NOW);
  });

  for (const [type, retries] of [
    ['fail', 1],
    ['kill', 3],
  ] as const) {
    it(`opens an incident of a job that is dead by ${type}, and lets the domain follow`, () => {
      const told: [string, Incident][] = [];
      const dead = (_: unknown, job: Job, incident: Incident) => {
        told.push([job.actor.value, incident]);
        return { write: [remove(counters, 'c')], events: [{ type: 'domain.told', ids: {}, data: null }] };
      };
      const { job, write, events } = move({ ...begun(made(retries)), failure: failed }, { type }, { dead });
      assert.deepEqual(job.actor, { value: 'dead', context: { attempt: 1, retries: 0 } });
      const [[seen, incident] = []] = told;
      assert.ok(incident);
      assert.equal(seen, 'dead');
      assert.deepEqual(write, [
        put(rooms, job as Job & { readonly room: string }),
        put(incidents, incident),
        remove(counters, 'c'),
      ]);
      assert.deepEqual(
        events.map((event) => event.type),
        ['incident.created', 'domain.told'],
      );
      const { id: incidentId, jobId, instanceId, message, stackTrace, created } = incident;
      const ids = { incidentId, processInstanceId: 'i1', definitionId: 'd1', definitionKey: null };
      assert.deepEqual(events[0]?.ids, ids);
      assert.deepEqual([jobId, instanceId, message, stackTrace, created], ['j1', 'i1', 'it broke', 'at work', NOW]);
    });
  }

  it('revives a dead job: it is due at once, and its incident is resolved', () => {
    const dead = move({ ...begun(made(1)), deaths: 2 }, { type: 'fail' }).job;
    let resolved = 0;
    const { job, write } = move(dead, { type: 'setRetries', retries: 4 }, { revived: () => resolved++ });
    assert.deepEqual(job.actor, { value: 'waiting', context: { attempt: 1, retries: 4 } });
    assert.deepEqual([job.dueAt, job.immediate, job.deaths, resolved], [NOW, true, 0, 1]);
    assert.deepEqual(write, [put(rooms, job as Job & { readonly room: string })]);
  });

  it('lets a job that waits keep its time when it gets other retries', () => {
    const { job, write } = move(
      made(3),
      { type: 'setRetries', retries: 5 },
      { revived: () => assert.fail('no incident') },
    );
    assert.deepEqual([job.dueAt, job.actor.context.retries], [1_000, 5]);
    assert.deepEqual(write, [put(rooms, job as Job & { readonly room: string })]);
  });

  for (const [what, job, attempt, found] of [
    ['the attempt that it is at', begun(made(3)), 1, null],
    ['the attempt that it would be at, where it waits', made(3), 1, null],
    ['another attempt', begun(made(3)), 2, 'it is running at attempt 1'],
    ['another attempt than it would be at', made(3), 2, 'it is waiting at attempt 0'],
    ['an attempt, where it waits to be woken', { ...made(3), suspended: true }, 1, 'it is waiting at attempt 0'],
    ['an attempt of one that is dead', move(begun(made(1)), { type: 'fail' }).job, 1, 'it is dead at attempt 1'],
    ['an attempt of one that is gone', null, 1, 'it is gone'],
  ] as const)
    it(`${found === null ? 'takes' : 'refuses'} the outcome of ${what}`, () => {
      const documents = new MemoryDocuments();
      if (job !== null) documents.apply([put(jobs, job)]);
      const outcome = () => takeOutcome(new MemoryState(documents, 'seed', NOW), { jobId: 'j1', attempt });
      if (found === null)
        assert.deepEqual([outcome().job.actor.value, outcome().done], ['running', remove(jobs, 'j1')]);
      else
        assert.throws(outcome, {
          code: 'CONFLICT',
          message: `expected job 'j1' to be running attempt ${attempt}, but ${found}`,
          info: { reason: 'job_attempt_over', resourceId: 'j1' },
        });
    });

  const running = begun(made(3));
  const dead = move(begun(made(1)), { type: 'fail' }).job;
  for (const [what, job, begins, queued] of [
    ['whose time has come', { ...made(3), dueAt: NOW }, true, 'timed'],
    ['whose time has not come', { ...made(3), dueAt: NOW + 1 }, false, 'timed'],
    ['that goes on by itself', { ...made(3), immediate: true }, true, 'immediate'],
    ['that waits to be woken', { ...made(3), suspended: true }, false, null],
    ['that runs', running, false, null],
    ['that is dead', dead, false, null],
  ] as const)
    it(`${begins ? 'begins' : 'does not begin'} a job ${what}, which is ${queued ?? 'not'} in the queue`, () => {
      const documents = new MemoryDocuments();
      documents.apply([put(jobs, job)]);
      const queue = (name: string) =>
        new MemoryState(documents, 'seed', NOW)
          .range(jobs, 'queue', [name, 0], 1)
          .filter(({ immediate }) => immediate === (name === 'immediate'));
      assert.equal(mayBegin(job, NOW), begins);
      assert.deepEqual(
        ['immediate', 'timed'].filter((name) => queue(name).length > 0),
        queued === null ? [] : [queued],
      );
    });

  it('buries a job that is made dead: it has no retries, and says why', () => {
    const failure = { message: 'no program', code: 'NOT_FOUND' };
    const command = { caller: callerNamed('ann'), cause: {}, id: 'c1' };
    const job = jobOf({ id: 'j1', type: 'count', dueAt: 0, input: null, failure }, command, NOW, subject);
    assert.deepEqual(job.actor, { value: 'dead', context: { attempt: 0, retries: 0 } });
    assert.deepEqual(job.failure, { ...failure, stack: null, at: NOW });
  });

  it('refuses what the state does not accept, and says which it is', () =>
    assert.throws(() => move(begun(made(3)), { type: 'setRetries', retries: 1 }), {
      code: 'CONFLICT',
      message: "expected job 'j1' to accept setRetries, but it is running",
      info: { reason: 'job_running', resourceId: 'j1', details: { state: 'running' } },
    }));
});
