import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assign, createActor, getInitialSnapshot, setup, transition } from 'xstate';
import { type ActorOf, accepts, snapshotOf, start, step } from '../../src/store/actor.js';

interface Context {
  readonly owner: string | null;
  readonly count: number;
}

const machine = setup({
  types: {
    context: {} as Context,
    events: {} as { type: 'claim'; userId: string } | { type: 'release' } | { type: 'finish' },
  },
  guards: {
    mine: ({ context, event }) => context.owner === null || ('userId' in event && event.userId === context.owner),
  },
  actions: {
    take: assign({
      owner: ({ event }) => ('userId' in event ? event.userId : null),
      count: ({ context }) => context.count + 1,
    }),
    drop: assign({ owner: null }),
  },
}).createMachine({
  id: 'task',
  initial: 'free',
  context: { owner: null, count: 0 },
  states: {
    free: { on: { claim: { target: 'held', actions: 'take' } } },
    held: {
      on: { claim: { guard: 'mine', actions: 'take' }, release: { target: 'free', actions: 'drop' }, finish: 'done' },
    },
    done: { type: 'final' },
  },
});

type Event = Parameters<typeof step<typeof machine>>[2];
const events = fc.oneof(
  fc.record({ type: fc.constant('claim' as const), userId: fc.constantFrom('ann', 'bob') }),
  fc.constant({ type: 'release' as const }),
  fc.constant({ type: 'finish' as const }),
);

describe('an actor', () => {
  it('gives what transition() of XState gives, for any sequence of events', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 20 }), (sequence: Event[]) => {
        let ours: ActorOf<typeof machine> = start(machine, { owner: null, count: 0 });
        let theirs = getInitialSnapshot(machine);
        for (const event of sequence) {
          const next = step(machine, JSON.parse(JSON.stringify(ours)), event);
          assert.equal(next !== undefined, theirs.can(event));
          ours = next ?? ours;
          [theirs] = transition(machine, theirs, event);
          assert.deepEqual(snapshotOf(machine, ours), JSON.parse(JSON.stringify(machine.getPersistedSnapshot(theirs))));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('restores in createActor from what is stored', () => {
    const held = step(machine, start(machine, { owner: null, count: 0 }), { type: 'claim', userId: 'ann' });
    assert.ok(held);
    const live = createActor(machine, { snapshot: JSON.parse(JSON.stringify(snapshotOf(machine, held))) }).start();
    live.send({ type: 'release' });
    assert.equal(live.getSnapshot().value, 'free');
  });

  it('says what its state accepts', () => {
    const free = start(machine, { owner: null, count: 0 });
    assert.deepEqual(accepts(machine, free), ['claim']);
    const held = step(machine, free, { type: 'claim', userId: 'ann' });
    assert.ok(held);
    assert.deepEqual(accepts(machine, held).sort(), ['claim', 'finish', 'release']);
    const done = step(machine, held, { type: 'finish' });
    assert.ok(done);
    assert.deepEqual(accepts(machine, done), []);
  });

  it('leaves the actor as it was', () => {
    const free = start(machine, { owner: null, count: 0 });
    step(machine, free, { type: 'claim', userId: 'ann' });
    assert.deepEqual(free.context, { owner: null, count: 0 });
  });
});
