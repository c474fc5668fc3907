import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createActor } from 'xstate';
import { type RouteEvent, routeMachine } from '../../../src/eip/machine/route.js';
import { type ActorOf, accepts, snapshotOf, start, step } from '../../../src/store/index.js';
import { moved } from '../../support/actor.js';

type RouteActor = ActorOf<typeof routeMachine>;

const fresh = (): RouteActor => start(routeMachine, { attempts: 1, onStopped: 'stay' });
const given = (...events: RouteEvent[]): RouteActor =>
  events.reduce<RouteActor>((actor, event) => {
    const next = moved(routeMachine, actor, event);
    assert.ok(next, `${actor.value} does not accept ${event.type}`);
    return next;
  }, fresh());

const begin: RouteEvent = { type: 'start', attempts: 1 };
const started: RouteEvent = { type: 'started', attempts: 3 };
const plain = (
  type: 'stop' | 'fail' | 'suspend' | 'resume' | 'withdraw' | 'retry' | 'drained' | 'failed' | 'updated' | 'notUpdated',
) => ({
  type,
});
const running = [begin, started] as const;
const suspended = [...running, plain('suspend'), plain('drained')] as const;

const events: fc.Arbitrary<RouteEvent> = fc.oneof(
  fc
    .constantFrom('start', 'recover', 'started')
    .chain((type) => fc.integer({ min: 1, max: 3 }).map((attempts) => ({ type, attempts }) as RouteEvent)),
  fc.boolean().map((yes) => ({ type: 'update' as const, start: yes })),
  fc
    .constantFrom(
      'stop',
      'fail',
      'suspend',
      'resume',
      'withdraw',
      'retry',
      'drained',
      'failed',
      'updated',
      'notUpdated',
    )
    .map((type) => ({ type }) as RouteEvent),
);

const causes = (actor: RouteActor, event: RouteEvent): string[] =>
  step(routeMachine, actor, event)[1].map(({ type, params }) =>
    params === undefined ? type : `${type} ${(params as { readonly work: string }).work}`,
  );
const offers = (...sequence: RouteEvent[]) => {
  const asked = ['start', 'stop', 'suspend', 'resume', 'update'];
  return accepts(routeMachine, given(...sequence))
    .filter((type) => asked.includes(type))
    .sort();
};

describe('the route machine', () => {
  it('takes a route through its life as its consumer goes', () => {
    assert.equal(fresh().value, 'Stopped');
    assert.equal(given(begin).value, 'Starting');
    assert.equal(given(...running).value, 'Started');
    assert.equal(given(...running, plain('suspend')).value, 'Suspending');
    assert.equal(given(...suspended).value, 'Suspended');
    assert.equal(given(...suspended, plain('resume')).value, 'Starting');
    assert.equal(given(...running, plain('stop')).value, 'Stopping');
    assert.equal(given(...running, plain('stop'), plain('drained')).value, 'Stopped');
  });

  it('offers in each state what leads on', () => {
    assert.deepEqual(offers(), ['start', 'update']);
    assert.deepEqual(offers(begin), ['stop', 'update']);
    assert.deepEqual(offers(...running), ['stop', 'suspend', 'update']);
    assert.deepEqual(offers(...running, plain('suspend')), ['stop', 'update']);
    assert.deepEqual(offers(...suspended), ['resume', 'start', 'stop', 'update']);
    assert.deepEqual(offers(...running, plain('stop')), ['update']);
  });

  it('does nothing where it is so already', () => {
    for (const [actor, event] of [
      [fresh(), plain('stop')],
      [given(begin), begin],
      [given(...running), begin],
      [given(...running), plain('resume')],
      [given(...suspended), plain('suspend')],
      [given(...running, plain('stop')), plain('stop')],
    ] as const)
      assert.deepEqual(step(routeMachine, actor, event), [actor, []]);
  });

  it('refuses what cannot be', () => {
    for (const [actor, event] of [
      [fresh(), plain('suspend')],
      [fresh(), plain('resume')],
      [given(begin), plain('suspend')],
      [given(...running, plain('stop')), begin],
      [given(...running, plain('stop')), plain('resume')],
      [given(...running, plain('suspend')), begin],
      [fresh(), plain('drained')],
      [given(...running), plain('drained')],
    ] as const)
      assert.equal(moved(routeMachine, actor, event), undefined, `${actor.value} ${event.type}`);
  });

  it('names what each transition causes', () => {
    assert.deepEqual(causes(fresh(), begin), ['begin start', 'store', 'tell']);
    assert.deepEqual(causes(given(begin), started), ['forgive', 'swapNext', 'store', 'tell']);
    assert.deepEqual(causes(given(...running), plain('suspend')), ['takeVersion', 'begin suspend', 'store', 'tell']);
    assert.deepEqual(causes(given(...running), plain('stop')), ['takeVersion', 'begin stop', 'store', 'tell']);
    assert.deepEqual(causes(given(...suspended), plain('resume')), ['begin resume', 'store', 'tell']);
    assert.deepEqual(causes(given(...suspended), begin), ['begin resume', 'store', 'tell']);
    assert.deepEqual(causes(given(...running), { type: 'update', start: true }), ['begin swap', 'store']);
    assert.deepEqual(causes(fresh(), { type: 'update', start: true }), ['takeVersion', 'store']);
    assert.deepEqual(causes(given(...running), plain('updated')), ['takeVersion', 'forgive', 'store']);
    assert.deepEqual(causes(given(...running), plain('notUpdated')), ['dropVersion', 'blame', 'openIncident', 'store']);
  });

  it('stops where its consumer does not start and whoever asked waits for it', () => {
    assert.equal(given(begin, plain('failed')).value, 'Stopped');
    assert.deepEqual(causes(given(begin), plain('failed')), ['blame', 'openIncident', 'store', 'tell']);
  });

  it('is tried again where nobody waits for it, and stops behind the last attempt', () => {
    const twice: RouteEvent = { type: 'start', attempts: 2 };
    assert.deepEqual(causes(given(twice), plain('failed')), ['blame', 'retryLater', 'store']);
    assert.equal(given(twice, plain('failed')).value, 'Starting');
    assert.deepEqual(causes(given(twice, plain('failed')), plain('retry')), ['begin start', 'store']);
    assert.equal(given(twice, plain('failed'), plain('retry'), plain('failed')).value, 'Stopped');
  });

  it('counts as failed where another route says so, and where its consumer cannot go on while it is paused', () => {
    const stops = ['takeVersion', 'blame', 'openIncident', 'begin stop', 'store', 'tell'];
    for (const actor of [given(begin), given(...running), given(...running, plain('suspend')), given(...suspended)]) {
      assert.deepEqual(causes(actor, plain('fail')), stops, actor.value);
      assert.equal(moved(routeMachine, actor, plain('fail'))?.value, 'Stopping');
    }
    assert.deepEqual(causes(given(...suspended), plain('failed')), stops);
    for (const actor of [fresh(), given(...running, plain('stop'))])
      assert.deepEqual(causes(actor, plain('fail')), ['blame', 'openIncident', 'store'], actor.value);
  });

  it('starts anew where its consumer failed and it may be tried again, else drains and stops', () => {
    assert.equal(given(...running, plain('failed')).value, 'Starting');
    const once: RouteEvent = { type: 'started', attempts: 1 };
    assert.equal(given(begin, once, plain('failed')).value, 'Stopping');
    assert.deepEqual(causes(given(begin, once), plain('failed')), [
      'blame',
      'openIncident',
      'begin stop',
      'store',
      'tell',
    ]);
  });

  it('is Starting with a new runtime where it ran, and does what it was doing where it was on its way', () => {
    const recover: RouteEvent = { type: 'recover', attempts: 3 };
    assert.equal(given(...running, recover).value, 'Starting');
    assert.deepEqual(causes(given(begin), recover), ['begin start', 'store']);
    assert.deepEqual(causes(given(...running, plain('suspend')), recover), ['begin suspend', 'store']);
    assert.deepEqual(causes(given(...running, plain('stop')), recover), ['begin stop', 'store']);
    for (const resting of [fresh(), given(...suspended)])
      assert.equal(moved(routeMachine, resting, recover), undefined);
  });

  it('is removed at once where it does not run, else when it has drained', () => {
    assert.deepEqual(causes(fresh(), plain('withdraw')), ['remove']);
    const leaving = given(...running, plain('withdraw'));
    assert.equal(leaving.value, 'Stopping');
    assert.deepEqual(causes(leaving, plain('drained')), ['remove', 'tell']);
  });

  it('comes back where its file does while it leaves', () => {
    const back = given(...running, plain('withdraw'), { type: 'update', start: true });
    assert.deepEqual(causes(back, plain('drained')), ['begin start', 'store', 'tell']);
    const stays = given(...running, plain('withdraw'), { type: 'update', start: false });
    assert.deepEqual(causes(stays, plain('drained')), ['store', 'tell']);
    const stopped = given(...running, plain('stop'), { type: 'update', start: true });
    assert.deepEqual(causes(stopped, plain('drained')), ['store', 'tell']);
  });

  it('restores in createActor from every stored state', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 30 }), (sequence) => {
        let actor = fresh();
        for (const event of sequence) {
          const next = moved(routeMachine, actor, event);
          if (next !== undefined && next.value !== actor.value) {
            // Whoever follows a route misses no change of its state, but that of one that is gone.
            assert.ok(causes(actor, event).includes('tell'), `${actor.value} ${event.type}`);
            assert.ok(/store|remove/.test(causes(actor, event).join()), `${actor.value} ${event.type}`);
          }
          actor = next ?? actor;
          assert.ok(actor.context.attempts >= 1);
        }
        const restored = createActor(routeMachine, {
          snapshot: JSON.parse(JSON.stringify(snapshotOf(routeMachine, actor))),
        }).getSnapshot();
        assert.deepEqual([restored.value, restored.context, restored.status], [actor.value, actor.context, 'active']);
      }),
    );
  });
});
