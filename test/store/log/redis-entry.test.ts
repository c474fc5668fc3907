import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CommitRecord } from '../../../src/store/log/log.js';
import { batchOf, commitOf, documentOf, outcomeOf } from '../../../src/store/log/redis-entry.js';
import { keysOf } from '../../../src/store/log/redis-keys.js';
import type { TableShape } from '../../../src/store/log/schema.js';

const shape: TableShape = { name: 'thing', columns: ['name', 'size'], multi: ['tags'], indexes: [], steady: [] };
const shapes = new Map([[shape.name, shape]]);
const keys = keysOf('p');

const text = fc.string({ unit: 'binary' });
const document = fc.record(
  {
    collection: fc.constant('thing'),
    id: fc.string({ minLength: 1, unit: 'binary' }),
    body: fc.jsonValue().map((value) => JSON.stringify(value)),
    columns: fc.tuple(
      fc.option(text),
      fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0))),
    ),
    multi: fc.tuple(fc.array(text)),
  },
  { noNullPrototype: true },
);
const removed = fc
  .string({ minLength: 1 })
  .map((id) => ({ collection: 'thing', id, body: null, columns: [], multi: [] }));
const record: fc.Arbitrary<CommitRecord> = fc.record(
  {
    revision: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    id: fc.uuid(),
    at: fc.maxSafeNat(),
    events: fc.nat(),
    body: fc.jsonValue().map((value) => JSON.stringify(value)),
    outcome: fc.option(fc.record({ id: fc.uuid(), body: fc.json() }, { noNullPrototype: true })),
    documents: fc.array(fc.oneof(document, removed), { maxLength: 4 }),
  },
  { noNullPrototype: true },
);

/** What the script makes of its arguments: the same walk over them, with the stream's entries as its result. */
function entriesOf({ args }: ReturnType<typeof batchOf>): [string, string[]][] {
  const names = Number(args[1]);
  let at = 2 + names;
  return Array.from({ length: Number(args[0]) }, () => {
    const [revision = '', id = '', time = '', events = '', body = '', outcome = '', kept = '', documents = ''] =
      args.slice(at, at + 8);
    at += 8;
    const fields = ['id', id, 'at', time, 'events', events, 'body', body];
    if (outcome !== '') fields.push(`o:${outcome}`, kept);
    for (let i = 0; i < Number(documents); i++, at += 3) {
      fields.push(`d:${args[1 + Number(args[at])]}/${args[at + 1]}`, args[at + 2] ?? '');
    }
    return [`${revision}-0`, fields];
  });
}

describe('a commit in Redis', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 4 }), (group) => {
        const read = entriesOf(batchOf(group, keys, shapes)).map((entry) => commitOf(entry, shapes));
        assert.deepEqual(read, group);
      }),
    );
  });

  it('keeps columns by name: a collection that has got another column reads what was written before', () => {
    const written: CommitRecord = {
      revision: 7,
      id: 'c',
      at: 1,
      events: 0,
      body: '{}',
      outcome: null,
      documents: [{ collection: 'thing', id: 'a', body: '{"id":"a"}', columns: ['n', 3], multi: [['x']] }],
    };
    const stored = batchOf([written], keys, shapes).args.at(-1) ?? '';
    const later: TableShape = { ...shape, columns: ['kind', 'size', 'name'], multi: ['owners', 'tags'] };
    assert.deepEqual(documentOf(later, 'a', stored), {
      revision: 7,
      document: { collection: 'thing', id: 'a', body: '{"id":"a"}', columns: [null, 3, 'n'], multi: [[], ['x']] },
    });
  });

  it('keeps an outcome with its time and revision, whatever is in it', () => {
    assert.deepEqual(outcomeOf('12 34 {"answer":"a b  c"}'), { at: 12, revision: 34, body: '{"answer":"a b  c"}' });
  });

  it('has all its keys on one machine of a cluster', () => {
    const { meta, log, outcome, outcomeAt, documents } = keys;
    for (const key of [meta, log, outcome, outcomeAt, documents('thing')]) assert.match(key, /^millrace:\{p\}:/);
  });
});
