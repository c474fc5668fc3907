import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createActor } from 'xstate';
import {
  type ProcessInstanceEvent,
  processInstanceMachine,
  type RunOutcome,
} from '../../../src/engine/machine/process-instance.js';
import { type ActorOf, snapshotOf, start, step } from '../../../src/store/index.js';
import { moved } from '../../support/actor.js';

type InstanceActor = ActorOf<typeof processInstanceMachine>;

const fresh = () => start(processInstanceMachine, { started: false });
const given = (...events: ProcessInstanceEvent[]): InstanceActor =>
  events.reduce<InstanceActor>((actor, event) => {
    const next = moved(processInstanceMachine, actor, event);
    assert.ok(next, `${actor.value} does not accept ${event.type}`);
    return next;
  }, fresh());
const begin: ProcessInstanceEvent = { type: 'start' };
const outcomes = fc.constantFrom<RunOutcome>('waiting', 'completed', 'cancelled', 'failed');
const events: fc.Arbitrary<ProcessInstanceEvent> = fc.oneof(
  fc.constant({ type: 'start' as const }),
  outcomes.map((outcome) => ({ type: 'step' as const, outcome })),
  fc
    .constantFrom('suspend', 'activate', 'cancel', 'erase', 'migrate', 'modify')
    .map((type) => ({ type }) as ProcessInstanceEvent),
);

describe('the process instance machine', () => {
  it('starts once, and steps only then', () => {
    assert.equal(moved(processInstanceMachine, fresh(), { type: 'step', outcome: 'waiting' }), undefined);
    assert.equal(moved(processInstanceMachine, given(begin), begin), undefined);
    assert.equal(given(begin, { type: 'step', outcome: 'waiting' }).value, 'active');
  });

  it('ends as its run did', () => {
    for (const outcome of ['completed', 'cancelled', 'failed'] as const) {
      assert.equal(given(begin, { type: 'step', outcome }).value, outcome);
      assert.equal(snapshotOf(processInstanceMachine, given(begin, { type: 'step', outcome })).status, 'done');
    }
  });

  it('does not step while it is suspended, but may be changed and cancelled', () => {
    const suspended = given(begin, { type: 'suspend' });
    assert.equal(moved(processInstanceMachine, suspended, { type: 'step', outcome: 'waiting' }), undefined);
    assert.deepEqual(step(processInstanceMachine, suspended, { type: 'suspend' }), [suspended, []]);
    assert.equal(given(begin, { type: 'suspend' }, { type: 'modify' }).value, 'suspended');
    assert.equal(given(begin, { type: 'suspend' }, { type: 'migrate' }, { type: 'activate' }).value, 'active');
    assert.equal(given(begin, { type: 'suspend' }, { type: 'cancel' }).value, 'cancelled');
  });

  it('says what each transition causes', () => {
    const causes = (actor: InstanceActor, event: ProcessInstanceEvent) => step(processInstanceMachine, actor, event)[1];
    const plain = (...types: string[]) => types.map((type) => ({ type }));
    const suspends = (suspended: boolean) => [
      { type: 'store' },
      { type: 'suspendTasks', params: { suspended } },
      { type: 'suspendJobs', params: { suspended } },
      { type: 'tellCalled' },
    ];
    const active = given(begin);
    const suspended = given(begin, { type: 'suspend' });
    assert.deepEqual(causes(fresh(), begin), plain('tellStarted'));
    assert.deepEqual(causes(active, { type: 'step', outcome: 'waiting' }), plain('store'));
    assert.deepEqual(
      causes(active, { type: 'step', outcome: 'failed' }),
      plain('closeIncidents', 'store', 'tellEnded'),
    );
    assert.deepEqual(causes(active, { type: 'suspend' }), [...suspends(true), ...plain('tellSuspended')]);
    assert.deepEqual(causes(suspended, { type: 'activate' }), [...suspends(false), ...plain('tellActivated')]);
    assert.deepEqual(causes(active, { type: 'activate' }), []);
    assert.deepEqual(causes(active, { type: 'cancel' }), plain('closeIncidents', 'store', 'tellEnded'));
    assert.deepEqual(
      causes(suspended, { type: 'cancel' }),
      plain('closeIncidents', 'store', 'tellEnded', 'dropHeldJobs'),
    );
    assert.deepEqual(causes(suspended, { type: 'erase' }), plain('tellEnded'));
  });

  it('restores in createActor from every stored state, and accepts nothing after its end', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 20 }), (sequence) => {
        let actor = fresh();
        for (const event of sequence) {
          const next = moved(processInstanceMachine, actor, event);
          if (snapshotOf(processInstanceMachine, actor).status === 'done') assert.equal(next, undefined);
          actor = next ?? actor;
        }
        const restored = createActor(processInstanceMachine, {
          snapshot: JSON.parse(JSON.stringify(snapshotOf(processInstanceMachine, actor))),
        }).getSnapshot();
        assert.deepEqual(
          [restored.value, restored.context, restored.status],
          [actor.value, actor.context, snapshotOf(processInstanceMachine, actor).status],
        );
      }),
    );
  });
});
