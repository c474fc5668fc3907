import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createActor } from 'xstate';
import { longJobMachine, snapshotOf, start } from '../../../../src/store/index.js';
import type { LongJobEvent } from '../../../../src/store/job/long/machine.js';
import { moved } from '../../../support/actor.js';

const EVENTS = ['append', 'start', 'take', 'progress', 'release', 'complete', 'fail', 'abort', 'stopped'] as const;
const fresh = () => start(longJobMachine, { attempt: 0 });
/** The states that the events lead through; `-` where one is not accepted. */
const path = (...events: readonly LongJobEvent['type'][]): string[] => {
  let actor = fresh();
  return events.map((type) => {
    const next = moved(longJobMachine, actor, { type });
    actor = next ?? actor;
    return next?.value ?? '-';
  });
};

describe('the machine of long jobs', () => {
  it('goes from init over queued and running to its end', () => {
    assert.deepEqual(path('append', 'start', 'take', 'progress', 'complete'), [
      'init',
      'queued',
      'running',
      'running',
      'completed',
    ]);
    assert.deepEqual(path('start', 'take', 'fail').at(-1), 'failed');
  });

  it('takes items and a start only in init', () => {
    assert.deepEqual(path('start', 'append', 'start', 'take', 'append', 'start'), [
      'queued',
      '-',
      '-',
      'running',
      '-',
      '-',
    ]);
  });

  it('aborts at once in init, and by way of aborting once it was started', () => {
    assert.deepEqual(path('abort'), ['aborted']);
    assert.deepEqual(path('start', 'abort', 'take', 'stopped'), ['queued', 'aborting', '-', 'aborted']);
    assert.deepEqual(path('start', 'take', 'abort', 'abort', 'stopped').slice(2), ['aborting', '-', 'aborted']);
  });

  for (const ending of ['complete', 'fail', 'release', 'stopped'] as const) {
    it(`is aborted, once that was asked, when its run ends with ${ending}`, () => {
      assert.deepEqual(path('start', 'take', 'abort', 'progress', ending).slice(3), ['aborting', 'aborted']);
    });
  }

  it('counts its runs', () => {
    let actor = fresh();
    for (const type of ['start', 'take', 'release', 'take'] as const) {
      actor = moved(longJobMachine, actor, { type }) ?? actor;
    }
    assert.deepEqual([actor.value, actor.context.attempt], ['running', 2]);
  });

  it('ends once, and every stored snapshot restores', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 12 }), (events) => {
        let actor = fresh();
        for (const type of events) {
          const isOver = snapshotOf(longJobMachine, actor).status === 'done';
          const next = moved(longJobMachine, actor, { type });
          if (isOver) assert.equal(next, undefined);
          actor = JSON.parse(JSON.stringify(next ?? actor));
          const restored = createActor(longJobMachine, {
            snapshot: snapshotOf(longJobMachine, actor) as never,
          }).getSnapshot();
          assert.deepEqual([restored.value, restored.context], [actor.value, actor.context]);
        }
      }),
    );
  });
});
