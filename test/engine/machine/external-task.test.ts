import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createActor } from 'xstate';
import { type ExternalTaskEvent, externalTaskMachine } from '../../../src/engine/machine/external-task.js';
import { type ActorOf, accepts, can, snapshotOf, start, step } from '../../../src/store/index.js';
import { moved } from '../../support/actor.js';

type Actor = ActorOf<typeof externalTaskMachine>;

const events = fc.oneof(
  ...(['lock', 'extend'] as const).map((type) => fc.record({ type: fc.constant(type), isFree: fc.boolean() })),
  ...(['fail', 'setRetries'] as const).map((type) =>
    fc.record({ type: fc.constant(type), retries: fc.integer({ min: 0, max: 2 }) }),
  ),
  ...(['unlock', 'complete', 'cancel'] as const).map((type) => fc.constant({ type })),
) as fc.Arbitrary<ExternalTaskEvent>;

const given = (...sequence: ExternalTaskEvent[]): Actor =>
  sequence.reduce<Actor>(
    (actor, event) => moved(externalTaskMachine, actor, event) ?? actor,
    start(externalTaskMachine, {}),
  );
const lock = { type: 'lock', isFree: true } as const;
const failed = { type: 'fail', retries: 0 } as const;

describe('the external task machine', () => {
  it('says what each state accepts, where there is something to do', () => {
    const offers = (...sequence: ExternalTaskEvent[]) => accepts(externalTaskMachine, given(...sequence)).sort();
    assert.deepEqual(offers(), ['cancel', 'lock', 'setRetries']);
    assert.deepEqual(offers(lock), ['cancel', 'complete', 'extend', 'fail', 'lock', 'setRetries', 'unlock']);
    assert.deepEqual(offers(lock, failed), ['cancel', 'setRetries']);
    assert.deepEqual(offers(lock, { type: 'complete' }), []);
  });

  it('gives a locked task to nobody else, and extends no lock that has ended', () => {
    assert.ok(!can(externalTaskMachine, given(lock), { type: 'lock', isFree: false }));
    assert.ok(can(externalTaskMachine, given(lock), lock));
    assert.ok(!can(externalTaskMachine, given(lock), { type: 'extend', isFree: true }));
  });

  for (const [what, sequence, event, caused] of [
    ['is locked', [], lock, ['store']],
    ['is unlocked', [lock], { type: 'unlock' }, ['store', 'tellOpened']],
    ['is done', [lock], { type: 'complete' }, ['remove', 'tellEnded']],
    ['fails with retries left', [lock], { type: 'fail', retries: 1 }, ['store', 'tellOpened']],
    ['fails without', [lock], failed, ['openIncident', 'store', 'tellUpdated']],
    ['gets none', [], { type: 'setRetries', retries: 0 }, ['openIncident', 'store', 'tellUpdated']],
    ['gets new retries', [lock, failed], { type: 'setRetries', retries: 1 }, ['closeIncident', 'store', 'tellOpened']],
    ['is left', [], { type: 'cancel' }, ['remove', 'tellEnded']],
    ['is left, having failed', [lock, failed], { type: 'cancel' }, ['closeIncident', 'remove', 'tellEnded']],
  ] as const) {
    it(`says what is caused when one ${what}`, () => {
      const actions = step(externalTaskMachine, given(...sequence), event)[1].map(({ type }) => type);
      assert.deepEqual(actions, caused);
    });
  }

  it('restores each state that it stores', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 8 }), (sequence) => {
        const actor = given(...sequence);
        const snapshot = snapshotOf(externalTaskMachine, actor);
        const restored = createActor(externalTaskMachine, { snapshot } as never).getSnapshot();
        assert.equal(restored.value, actor.value);
      }),
    );
  });
});
