import assert from 'node:assert/strict';
import { cut, withIncident, without } from '../../../src/server/notification/incident-kinds.js';
import { newIncident } from '../../../src/store/index.js';

let ids = 0;
const state = { ids: { next: () => `i${++ids}`, random: () => 0 }, now: 1 };
const incident = (type: string, definitionKey: string | null, message: string | null = null) =>
  newIncident(state, { type, definitionKey, message });

describe('incidents that were not told of', () => {
  it('are counted by type and process, and show the first', () => {
    const [one, two, other] = [incident('failedJob', 'a', 'm'), incident('failedJob', 'a'), incident('failedJob', 'b')];
    const opened = [one, two, other].reduce(withIncident, []);
    assert.deepEqual(opened, [
      { type: 'failedJob', definitionKey: 'a', count: 2, incidentId: one.id, message: 'm' },
      { type: 'failedJob', definitionKey: 'b', count: 1, incidentId: other.id, message: null },
    ]);
  });

  it('are told apart by ten kinds, and the others are one', () => {
    const all = Array.from({ length: 100 }, (_, n) => incident('failedJob', `p${n}`));
    const opened = [...all, incident('failedJob', 'p9'), incident('failedJob', 'p10')].reduce(withIncident, []);
    assert.equal(opened.length, 11);
    assert.deepEqual(
      opened.slice(-2).map(({ type, definitionKey, count }) => [type, definitionKey, count]),
      [
        ['failedJob', 'p9', 2],
        [null, null, 91],
      ],
    );
  });

  it('are without those that were told of', () => {
    const before = [incident('a', null), incident('b', null)].reduce(withIncident, []);
    const after = [incident('a', null), incident('c', null)].reduce(withIncident, before);
    assert.deepEqual(
      without(after, before).map(({ type, count }) => [type, count]),
      [
        ['a', 1],
        ['c', 1],
      ],
    );
  });

  it('show so much of a long message, and no half of a character', () => {
    assert.equal(cut('abc', 3), 'abc');
    assert.equal(cut('abcd', 3), 'ab…');
    assert.equal(cut('a\u{1F600}bc', 3), 'a…');
  });
});
