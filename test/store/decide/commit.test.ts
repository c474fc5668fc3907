import assert from 'node:assert/strict';
import type { Accepted } from '../../../src/store/decide/accepted.js';
import { commitOfDecision, DOCUMENT_SIZE_MAX, textsOf } from '../../../src/store/decide/commit.js';
import { type Decision, operation, put, remove } from '../../../src/store/index.js';
import { commitBodyOf } from '../../../src/store/log/packed.js';
import { callerNamed, counters } from '../../support/test-domain.js';

const counter = (id: string, value = 0, group = 'g') => put(counters, { id, group, value, tags: [] });
const many = (count: number) => Array.from({ length: count }, (_, n) => counter(`c${n}`));
const event = { type: 'counter.changed', ids: {}, data: null };
const bodyLength = (group: string) =>
  [...pausesOf({ write: [counter('c', 0, group)] }).texts.documents.values()][0]?.body?.length ?? 0;
/** A document whose text has so many characters. */
const ofLength = (length: number, id = 'c') => counter(id, 0, 'x'.repeat(length - bodyLength('')));

/** How often the others have their turn, and what comes of it. */
function pausesOf(decision: Pick<Decision<unknown>, 'write' | 'events'>) {
  const steps = textsOf(decision);
  for (let pauses = 0; ; pauses++) {
    const { done, value } = steps.next();
    if (done === true) return { pauses, texts: value };
  }
}

describe('the text of a decision in steps', () => {
  for (const [documents, events, pauses] of [
    [0, 0, 0],
    [49, 0, 0],
    [50, 0, 1],
    [51, 0, 1],
    [100, 0, 2],
    [0, 1, 1],
    [0, 50, 1],
    [0, 51, 2],
    [50, 100, 3],
  ] as const)
    it(`is made in ${pauses + 1} of them for ${documents} documents and ${events} events`, () =>
      assert.equal(pausesOf({ write: many(documents), events: Array(events).fill(event) }).pauses, pauses));

  for (const [lengths, pauses] of [
    [[99_999], 0],
    [[100_000], 1],
    [[50_000, 49_999], 0],
    [[50_000, 50_000], 1],
    [[99_999, 1_000, 99_000], 1],
    [[99_999, 1_000, 99_000, 1_000], 2],
  ] as const)
    it(`is made in ${pauses + 1} of them for documents of ${lengths.join(' and ')} characters`, () =>
      assert.equal(pausesOf({ write: lengths.map((length, n) => ofLength(length, `${n}`)) }).pauses, pauses));
});

describe('the commit of a decision', () => {
  const accepted = (limits?: { reads: number; writes: number }): Accepted => ({
    command: { id: 'k', type: 't', input: null, caller: callerNamed('ann'), cause: {}, keyed: false },
    operation: { ...operation('t', () => ({ answer: null })), ...(limits && { limits }) },
    ...{ seed: '', now: 0, answers: [], since: 0, failures: 0 },
    resolve: () => {},
    reject: () => {},
  });
  const commitOf = (decision: Omit<Decision<null>, 'answer'>, limits?: { reads: number; writes: number }) =>
    commitOfDecision(accepted(limits), { ...decision, answer: null }, { revision: 5, at: 9 }, []);

  for (const count of [1, 6, 20])
    it(`has each document once, as it was written last, among ${count} others`, () => {
      const commit = commitOf({ write: [counter('x', 1), ...many(count), counter('x', 2)] });
      assert.equal(commit?.writes.length, count + 1);
      assert.deepEqual(
        commit?.writes.filter(({ id }) => id === 'x'),
        [counter('x', 2)],
      );
      assert.equal(commit?.record.documents.length, count + 1);
    });

  it('is none where nothing must be kept', () => {
    assert.equal(commitOf({}), null);
    assert.equal(commitOf({ events: [event] })?.record.events, 1);
    assert.equal(commitOf({ write: [counter('a')] })?.record.revision, 5);
  });

  it('names the documents that it writes, and those that it removes', () => {
    const body = commitBodyOf(commitOf({ write: [counter('a'), remove(counters, 'b')] })?.record.body ?? '');
    assert.deepEqual(body.docs, [
      ['counter', 'a'],
      ['counter', 'b', null],
    ]);
  });

  for (const [limits, most] of [
    [undefined, 500],
    [{ reads: 1, writes: 3 }, 3],
  ] as const)
    it(`has at most ${most} documents`, () => {
      assert.equal(commitOf({ write: many(most) }, limits)?.writes.length, most);
      assert.equal(commitOf({ write: [...many(most), counter('c0')] }, limits)?.writes.length, most);
      assert.throws(() => commitOf({ write: many(most + 1) }, limits), {
        code: 'LIMIT_EXCEEDED',
        message: `expected a decision to write at most ${most} documents, but it writes ${most + 1}`,
      });
    });

  it('has documents of at most 262,144 characters', () => {
    assert.equal(commitOf({ write: [ofLength(DOCUMENT_SIZE_MAX)] })?.record.documents[0]?.body?.length, 262_144);
    assert.throws(() => commitOf({ write: [ofLength(DOCUMENT_SIZE_MAX + 1)] }), {
      code: 'LIMIT_EXCEEDED',
      message: "expected counter 'c' to be at most 262144 characters, but it has 262145",
    });
  });

  it('counts of a document what its collection says', () => {
    const grouped: typeof counters = { ...counters, counted: ({ group }) => group };
    const filled = (quoted: number, tags: readonly string[] = []) =>
      put(grouped, { id: 'c', group: 'x'.repeat(quoted - 2), value: 0, tags });
    const { body } = commitOf({ write: [filled(DOCUMENT_SIZE_MAX, ['t'.repeat(5_000)])] })?.record.documents[0] ?? {};
    assert.ok(body && body.length > DOCUMENT_SIZE_MAX + 5_000);
    assert.throws(() => commitOf({ write: [filled(DOCUMENT_SIZE_MAX + 1)] }), {
      code: 'LIMIT_EXCEEDED',
      message: "expected counter 'c' to be at most 262144 characters, but it has 262145",
    });
  });
});
