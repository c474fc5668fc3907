import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assign, createActor, initialTransition, type SnapshotFrom, setup, transition } from 'xstate';
import {
  type Action,
  type ActorOf,
  accepts,
  can,
  caused,
  EventRefused,
  perform,
  snapshotOf,
  start,
  step,
} from '../../src/store/actor.js';

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
    store: caused,
    tell: (_, _params: { readonly count: number }) => caused(),
  },
}).createMachine({
  id: 'task',
  initial: 'free',
  context: { owner: null, count: 0 },
  states: {
    free: { on: { claim: { target: 'held', actions: ['take', 'store'] }, release: 'free' } },
    held: {
      on: {
        claim: {
          guard: 'mine',
          actions: ['take', 'store', { type: 'tell', params: ({ context }) => ({ count: context.count }) }],
        },
        release: { target: 'free', actions: ['drop', 'store'] },
        finish: 'done',
      },
    },
    done: { type: 'final' },
  },
});

type Event = Parameters<typeof step<typeof machine>>[2];
type Held = ActorOf<typeof machine>;
const events = fc.oneof(
  fc.record({ type: fc.constant('claim' as const), userId: fc.constantFrom('ann', 'bob') }),
  fc.constant({ type: 'release' as const }),
  fc.constant({ type: 'finish' as const }),
);
const free: Held = start(machine, { owner: null, count: 0 });
const claim = { type: 'claim', userId: 'ann' } as const;

/** As XState stores it. */
const persisted = (snapshot: SnapshotFrom<typeof machine>) =>
  JSON.parse(JSON.stringify(machine.getPersistedSnapshot(snapshot)));

describe('an actor', () => {
  it('gives what transition() of XState gives, for any sequence of events: the actor, and what it causes', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 20 }), (sequence: Event[]) => {
        let ours = free;
        let [theirs] = initialTransition(machine);
        for (const event of sequence) {
          const stored: Held = JSON.parse(JSON.stringify(ours));
          assert.equal(can(machine, stored, event), theirs.can(event));
          if (!theirs.can(event)) {
            assert.throws(() => step(machine, stored, event), EventRefused);
            continue;
          }
          const [actor, actions] = step(machine, stored, event);
          const [snapshot, caused] = transition(machine, theirs, event);
          assert.deepEqual(
            actions,
            caused.map(({ type, params }) => (params === undefined ? { type } : { type, params })),
          );
          assert.deepEqual(snapshotOf(machine, actor), persisted(snapshot));
          ours = actor;
          theirs = snapshot;
        }
      }),
      { numRuns: 200 },
    );
  });

  it('starts as XState starts it', () => {
    const [initial] = initialTransition(machine);
    assert.deepEqual(snapshotOf(machine, free), persisted(initial));
  });

  it('restores in createActor from what is stored', () => {
    const [held] = step(machine, free, claim);
    const live = createActor(machine, { snapshot: JSON.parse(JSON.stringify(snapshotOf(machine, held))) }).start();
    live.send({ type: 'release' });
    assert.equal(live.getSnapshot().value, 'free');
  });

  it('says what its state accepts, where there is something to do', () => {
    assert.deepEqual(accepts(machine, free), ['claim']);
    const [held] = step(machine, free, claim);
    assert.deepEqual(accepts(machine, held).sort(), ['claim', 'finish', 'release']);
    const [done] = step(machine, held, { type: 'finish' });
    assert.deepEqual(accepts(machine, done), []);
  });

  it('causes nothing where there is nothing to do', () => {
    assert.deepEqual(step(machine, free, { type: 'release' }), [free, []]);
  });

  it('leaves the actor as it was', () => {
    step(machine, free, claim);
    assert.deepEqual(free.context, { owner: null, count: 0 });
  });

  it('gives a refusal as the error of its caller, else as one that says what was asked of what', () => {
    const refused = new Error('not so');
    assert.throws(
      () => step(machine, free, { type: 'finish' }, () => refused),
      (thrown) => thrown === refused,
    );
    assert.throws(() => step(machine, free, { type: 'finish' }), {
      name: 'EventRefused',
      message: "expected the actor 'task' to accept 'finish', but it is free",
    });
  });

  it('is told the same the second time as the first, whatever the caller makes of the first answer', () => {
    const [, first] = step(machine, free, claim);
    assert.throws(() => (first as Action[]).push({ type: 'more' }), TypeError);
    assert.deepEqual(step(machine, free, claim)[1], [{ type: 'store' }]);
  });
});

describe('what a transition causes', () => {
  it('is performed in its order, each action by its performer with its params', () => {
    const [held] = step(machine, free, claim);
    const [, actions] = step(machine, held, claim);
    const performed: unknown[] = [];
    const performers = {
      store: (into: unknown[]) => into.push('store'),
      tell: (into: unknown[], { count }: { readonly count: number }) => into.push(count),
    };
    type Caused =
      | { readonly type: 'store'; readonly params?: undefined }
      | { readonly type: 'tell'; readonly params: { readonly count: number } };
    perform<Caused, unknown[]>(performers, actions, performed);
    assert.deepEqual(performed, ['store', 2]);
  });

  it('is never passed over', () => {
    assert.throws(() => perform<Action, null>({}, [{ type: 'tell' }], null), /nothing performs 'tell'/);
  });
});
