import assert from 'node:assert/strict';
import { type NewJob, type Subscription, subscriptions } from '../../../src/engine/collections.js';
import { Changes } from '../../../src/engine/run/changes.js';
import { type Signal, spreadSignal } from '../../../src/engine/run/spread-signal.js';
import { seedOf } from '../../../src/shared/ids.js';
import { put } from '../../../src/store/index.js';
import { MemoryDocuments, MemoryState } from '../../support/memory-state.js';

const NOW = 1_000;

const waiting = (id: string, more: Partial<Subscription> = {}): Subscription => ({
  id,
  eventType: 'signal',
  eventName: 'alarm',
  instanceId: `instance-${id}`,
  businessKey: null,
  definitionId: 'd',
  definitionKey: 'p',
  elementId: 'hear',
  executionId: `instance-${id}:1`,
  created: NOW,
  revision: 5,
  ...more,
});

const sent: Signal = {
  signalName: 'alarm',
  variables: {},
  processInstanceId: null,
  revision: 9,
  at: NOW,
  after: null,
};

/** What a former version sent says no revision: as JSON, none at all. */
const FORMER = { revision: undefined } as unknown as Partial<Signal>;

const many = (length: number, more: Partial<Subscription> = {}) =>
  Array.from({ length }, (_, n) => waiting(`s${String(n).padStart(3, '0')}`, more));

/** Who gets the signal at once, and the jobs that are made. */
function spread(all: readonly Subscription[], signal: Partial<Signal> = {}, cause?: NewJob['cause']) {
  const documents = new MemoryDocuments();
  documents.apply(all.map((each) => put(subscriptions, each)));
  const changes = new Changes();
  const state = new MemoryState(documents, seedOf('spread'), NOW);
  const { receivers, hasMore } = spreadSignal({ state, changes }, { ...sent, ...signal }, cause);
  return { receivers: receivers.map(({ id }) => id), hasMore, jobs: changes.decision(null).jobs ?? [] };
}

describe('a signal', () => {
  it('is for all that wait for its name: in instances, and to start them', () => {
    const found = spread([
      waiting('a'),
      waiting('b', { instanceId: null, executionId: null }),
      waiting('c', { eventName: 'alarms' }),
      waiting('d', { eventName: 'alar' }),
      waiting('e', { eventType: 'message' }),
    ]);
    assert.deepEqual([found.receivers, found.hasMore], [['a', 'b'], false]);
    assert.deepEqual(
      found.jobs.map(({ type, immediate, dueAt }) => [type, immediate, dueAt]),
      [
        ['delivery', true, NOW],
        ['eventStart', true, NOW],
      ],
    );
  });

  it('is for those that waited when it was sent, by the revision of both', () => {
    const rows = [
      [8, true],
      [9, false],
      [10, false],
    ] as const;
    for (const [revision, isFor] of rows) {
      assert.equal(spread([waiting('a', { revision })]).receivers.length === 1, isFor, `revision ${revision}`);
    }
  });

  it('is for those that waited by its time, where a former version wrote one of them', () => {
    const { revision = 99, ...former } = waiting('a');
    for (const [created, isFor] of [
      [NOW - 1, true],
      [NOW, true],
      [NOW + 1, false],
    ] as const) {
      assert.equal(spread([{ ...former, created }]).receivers.length === 1, isFor);
      const { receivers } = spread([{ ...former, revision, created }], FORMER);
      assert.equal(receivers.length === 1, isFor);
    }
  });

  it('is not for the instance that threw it, which has had it', () => {
    const all = [waiting('a'), waiting('b'), waiting('c', { instanceId: null })];
    assert.deepEqual(spread(all, { thrower: 'instance-a' }).receivers, ['b', 'c']);
    assert.deepEqual(spread(all, { thrower: null }).receivers, ['a', 'b', 'c']);
  });

  it('is for one instance alone where that is named', () => {
    const all = [
      waiting('a'),
      waiting('b'),
      waiting('c', { instanceId: 'instance-b' }),
      waiting('d', { instanceId: 'instance-b', eventType: 'message' }),
      waiting('e', { instanceId: 'instance-b', eventName: 'alarms' }),
      waiting('f', { instanceId: 'instance-bb' }),
    ];
    assert.deepEqual(spread(all, { processInstanceId: 'instance-b' }).receivers, ['b', 'c']);
  });

  it('goes on by a job beyond 200 receivers, from the last one on', () => {
    const all = spread(many(200));
    assert.deepEqual([all.receivers.length, all.hasMore, all.jobs.length], [200, false, 200]);
    const part = spread(many(201));
    assert.deepEqual([part.receivers.length, part.hasMore, part.jobs.length], [200, true, 201]);
    const after = { receiver: 'instance', id: 's199' } as const;
    assert.deepEqual(part.jobs.at(-1)?.input, { ...sent, after });
    assert.deepEqual(spread(many(201), { after }).receivers, ['s200']);
    assert.deepEqual(spread(many(200), { after }), { receivers: [], hasMore: false, jobs: [] });
    const rest = spread(many(401), { after: { receiver: 'instance', id: 's000' } });
    assert.deepEqual([rest.receivers[0], rest.receivers.at(-1), rest.hasMore], ['s001', 's200', true]);
  });

  it('goes on with the cause that it came with, if any', () => {
    const { jobs } = spread(many(201), {}, { instanceId: 'thrower' });
    const { id, ...last } = jobs.at(-1) ?? assert.fail('no job');
    const input = { ...sent, after: { receiver: 'instance', id: 's199' } };
    const cause = { instanceId: 'thrower' };
    assert.deepEqual(last, { type: 'signal', dueAt: NOW, immediate: true, input, cause });
    assert.ok(spread(many(201)).jobs.every((job) => !('cause' in job)));
  });

  it('goes on among the processes that it starts', () => {
    const all = many(202, { instanceId: null });
    const { jobs } = spread(all);
    const after = { receiver: 'start', id: 's199' } as const;
    assert.deepEqual(jobs.at(-1)?.input, { ...sent, after });
    assert.deepEqual(spread(all, { after }).receivers, ['s200', 's201']);
  });
});
