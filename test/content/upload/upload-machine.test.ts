import assert from 'node:assert/strict';
import { createActor } from 'xstate';
import { uploadMachine } from '../../../src/content/index.js';
import { accepts, snapshotOf, start } from '../../../src/store/index.js';
import { moved } from '../../support/actor.js';

describe('the actor of an upload', () => {
  const open = start(uploadMachine, {});

  it('takes chunks until it is completed or aborted', () => {
    assert.equal(open.value, 'open');
    assert.deepEqual(accepts(uploadMachine, open), ['append', 'seal', 'complete', 'abort']);
    assert.equal(moved(uploadMachine, open, { type: 'append' })?.value, 'open');
    assert.equal(moved(uploadMachine, open, { type: 'complete' })?.value, 'completed');
    assert.equal(moved(uploadMachine, open, { type: 'abort' })?.value, 'aborted');
  });

  it('takes nothing once it has ended', () => {
    for (const type of ['complete', 'abort'] as const) {
      const ended = moved(uploadMachine, open, { type });
      assert.ok(ended);
      assert.equal(snapshotOf(uploadMachine, ended).status, 'done');
      assert.deepEqual(accepts(uploadMachine, ended), []);
    }
  });

  it('is restored by XState', () => {
    const snapshot = JSON.parse(JSON.stringify(snapshotOf(uploadMachine, open)));
    assert.equal(createActor(uploadMachine, { snapshot }).getSnapshot().value, 'open');
  });
});
