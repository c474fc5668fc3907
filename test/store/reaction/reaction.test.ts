import assert from 'node:assert/strict';
import { type Decision, incidents, type Operation, put } from '../../../src/store/index.js';
import { type Reaction, reactionOperations, reactionPositions } from '../../../src/store/reaction/reaction.js';
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
