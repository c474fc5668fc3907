import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/shared/errors.js';
import { systemTime } from '../../../src/shared/time.js';
import { Feed } from '../../../src/store/feed/feed.js';
import { type Decision, incidents, type Operation, put } from '../../../src/store/index.js';
import { MemoryLogs } from '../../../src/store/log/memory-logs.js';
import { ReactionHost } from '../../../src/store/reaction/host.js';
import { type Reaction, reactionOperations, reactionPositions } from '../../../src/store/reaction/reaction.js';
import { Changes } from '../../support/changes.js';
import { MemoryDocuments, MemoryState } from '../../support/memory-state.js';
import { callerNamed, counters } from '../../support/test-domain.js';

const effect = put(counters, { id: 'effect', group: 'g', value: 1, tags: [] });
const reaction: Reaction = {
  name: 'mirror',
  types: ['counter.changed'],
  react: () => ({ write: [effect], answer: 'its own' }),
};
const asking: Reaction = { ...reaction, name: 'asking', react: () => ({ ask: { kind: 'number', question: '' } }) };
const { react, moveReaction, failReaction } = reactionOperations([reaction, asking], () => 'now');
const entryAt = (revision: number, index: number) => ({
  event: { type: 'counter.changed', ids: { processInstanceId: 'i1' }, data: null },
  revision,
  index,
});
const entry = entryAt(5, 2);
const of = { name: 'mirror', entry, epoch: 'now' };
const positionAt = (revision: number, index: number, failures = 0) =>
  put(reactionPositions, { id: 'mirror', revision, index, failures });

describe('a reaction', () => {
  let documents: MemoryDocuments;
  beforeEach(() => {
    documents = new MemoryDocuments();
  });
  const decided = <I>(operation: Operation<I, null>, input: I): Decision<null> => {
    const context = { caller: callerNamed('ann'), commandId: 'c1', seed: 'seed', answers: [] };
    const result = operation.decide(new MemoryState(documents, 'seed', 9), input, context);
    assert.ok(!('ask' in result));
    documents.apply(result.write ?? []);
    return result;
  };

  it('moves its position by the decision of what the entry causes, and then has no more failures', () => {
    documents.apply([positionAt(5, 1, 4)]);
    assert.deepEqual(decided(react, of), { write: [effect, positionAt(5, 2)], answer: null });
  });

  for (const [revision, index, isPast] of [
    [4, 9, false],
    [5, 1, false],
    [5, 2, true],
    [5, 3, true],
    [6, 0, true],
  ] as const)
    it(`that stands at ${revision}.${index} ${isPast ? 'causes nothing' : 'reacts'} when it is shown 5.2`, () => {
      documents.apply([positionAt(revision, index)]);
      assert.equal(decided(react, of).write?.length, isPast ? undefined : 2);
    });

  it('comes to nothing where its entry is of a former history', () => {
    const former = { ...of, epoch: 'former' };
    assert.deepEqual(decided(react, former), { answer: null });
    assert.deepEqual(decided(moveReaction, { name: 'mirror', revision: 5, index: 2, epoch: 'former' }), {
      answer: null,
    });
    assert.deepEqual(decided(failReaction, { ...former, message: 'no luck' }), { answer: null });
  });

  it('is refused where nobody has registered it', () =>
    assert.throws(() => decided(react, { ...of, name: 'nobody' }), {
      code: 'NOT_FOUND',
      message: "there is no reaction 'nobody'",
    }));

  it('stays where it is while it asks', () => {
    const context = { caller: callerNamed('ann'), commandId: 'c1', seed: 'seed', answers: [] };
    const result = react.decide(new MemoryState(documents, 'seed', 9), { ...of, name: 'asking' }, context);
    assert.deepEqual(result, { ask: { kind: 'number', question: '' } });
  });

  it('stands behind entries that were none of its business', () =>
    assert.deepEqual(decided(moveReaction, { name: 'mirror', revision: 7, index: 1, epoch: 'now' }), {
      write: [positionAt(7, 1)],
      answer: null,
    }));

  it('passes over an entry at its fifth failure, with an incident that says which', () => {
    const failed = { ...of, message: 'no luck' };
    assert.deepEqual(decided(failReaction, failed).write, [positionAt(0, -1, 1)]);
    for (const failures of [2, 3, 4])
      assert.deepEqual(decided(failReaction, failed).write, [positionAt(0, -1, failures)]);
    const { write, events } = decided(failReaction, failed);
    assert.deepEqual(write?.[0], positionAt(5, 2));
    const [incident] = documents.all(incidents);
    assert.deepEqual(
      [incident?.type, incident?.message, incident?.instanceId, incident?.configuration],
      ['failedReaction', "reaction 'mirror' passed over counter.changed (5.2): no luck", 'i1', 'mirror:5:2'],
    );
    assert.deepEqual(
      events?.map(({ type }) => type),
      ['incident.created'],
    );
  });
});

describe('the host of reactions', () => {
  const mine = { type: 'counter.changed', ids: {}, data: null };
  /** One that is none of its business, and one of a type that it does not want. */
  const foreign = { ...mine, data: 'foreign' };
  const another = { ...mine, type: 'another.changed' };
  const choosy: Reaction = { ...reaction, concerns: ({ data }) => data !== 'foreign' };
  const failures: Error[] = [];
  let sent: unknown[];
  let told: Changes;
  let documents: MemoryDocuments;
  let host: ReactionHost | undefined;
  beforeEach(() => {
    [sent, told, documents, host] = [[], new Changes(), new MemoryDocuments(), undefined];
  });
  afterEach(() => host?.close());

  /** A feed of commits with these events, and a host of the reaction on it; `times`: what its clock shows, one after the other. */
  const hosted = async (commits: readonly (readonly object[])[], times: readonly number[] = []) => {
    const { log, replica } = await new MemoryLogs().open('p', []);
    const records = commits.map((events, i) => ({
      ...{ revision: i + 1, id: `c${i + 1}`, at: 0, events: events.length, outcome: null, documents: [] },
      body: JSON.stringify({ type: 't', userId: 'ann', events, docs: [] }),
    }));
    await log.append(records);
    const feed = new Feed('p', replica);
    let looks = 0;
    const monotonic = () => times[Math.min(looks++, times.length - 1)] ?? 0;
    host = new ReactionHost({
      reactions: [choosy],
      feed,
      state: () => new MemoryState(documents, 'seed', 9),
      time: { ...systemTime, monotonic, after: (_, run) => systemTime.after(0, run) },
      send: async ({ name }, input) => {
        const { entry, ...rest } = input as { entry?: { revision: number; index: number } };
        const { revision, index, message } = { ...rest, ...entry } as Record<string, unknown>;
        sent.push([name, `${revision}.${index}`, ...(message === undefined ? [] : [message])]);
        told.tell();
        const failure = name === 'react' ? failures.shift() : undefined;
        if (failure !== undefined) throw failure;
      },
    });
    return host;
  };
  const sentBy = async (hosting: ReactionHost, count: number) => {
    hosting.begin();
    await told.until(() => sent.length >= count);
    return sent;
  };

  it('shows it each of its entries, in their order, and no other', async () => {
    const host = await hosted([[mine, foreign], [another], [another, mine], [mine]]);
    assert.deepEqual(await sentBy(host, 3), [
      ['react', '1.0'],
      ['react', '3.1'],
      ['react', '4.0'],
    ]);
  });

  it('goes on behind the place that it has come to', async () => {
    documents.apply([positionAt(2, 0)]);
    const host = await hosted([[mine], [mine, mine], [mine]]);
    assert.deepEqual(await sentBy(host, 2), [
      ['react', '2.1'],
      ['react', '3.0'],
    ]);
  });

  it('moves its place behind each thousandth entry that is none of its business', async () => {
    const host = await hosted([[...Array(500).fill(foreign), mine, ...Array(2_000).fill(foreign), mine]]);
    assert.deepEqual(await sentBy(host, 4), [
      ['react', '1.500'],
      ['moveReaction', '1.1500'],
      ['moveReaction', '1.2500'],
      ['react', '1.2501'],
    ]);
  });

  it('moves its place when a second has passed, at the next entry', async () => {
    const host = await hosted([[...Array(5).fill(foreign), mine]], [0, 1_000, 1_001, 1_001, 2_001, 2_002]);
    assert.deepEqual(await sentBy(host, 3), [
      ['moveReaction', '1.1'],
      ['moveReaction', '1.3'],
      ['react', '1.5'],
    ]);
  });

  it('tries an entry again, and counts its failures where that is not for want of a log', async () => {
    failures.push(new ServiceError('UNAVAILABLE', 'the log is away'), new Error('no luck'));
    const host = await hosted([[mine]]);
    assert.deepEqual(await sentBy(host, 4), [
      ['react', '1.0'],
      ['react', '1.0'],
      ['failReaction', '1.0', 'no luck'],
      ['react', '1.0'],
    ]);
  });

  it('needs the feed from the commit on in which its slowest reaction stands', async () => {
    const host = await hosted([]);
    assert.equal(host.slowest(), 0);
    for (const [revision, kept] of [
      [5, 4],
      [1, 0],
      [0, 0],
    ] as const) {
      documents.apply([positionAt(revision, 3)]);
      assert.equal(host.slowest(), kept);
    }
  });
});
