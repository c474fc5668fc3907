import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type Collection,
  collection,
  type Document,
  Draft,
  put,
  type Scalar,
  type State,
} from '../../src/store/index.js';
import { compareKeys, compareScalars, isAtOrBehind, isInRange } from '../../src/store/order.js';
import { MemoryDocuments, MemoryState } from '../support/memory-state.js';

/** A document in a list, whose keys do not repeat there; in an index with others of its rank, where they may. */
interface Place extends Document {
  readonly list: string | null;
  readonly key: string;
  readonly rank: number;
  readonly tags: readonly string[];
}

const places = collection<Place>({
  name: 'place',
  columns: { list: (it) => it.list, key: (it) => it.key, rank: (it) => it.rank },
  multi: { tag: (it) => it.tags },
  indexes: { list: { columns: ['list', 'key'], unique: true }, rank: { columns: ['list', 'rank'] } },
});

const IDS = ['a', 'b', 'c', 'd', 'e', '\u{1F600}', '\uFFFD'];
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', '\u{1F600}', '\uFFFD'];
const LISTS = ['x', 'x', 'y', null];
const TAGS = ['red', 'blue'];

interface Change {
  readonly id: string;
  /** null: it is removed. */
  readonly to: Omit<Place, 'id'> | null;
}

const change: fc.Arbitrary<Change> = fc.record({
  id: fc.constantFrom(...IDS),
  to: fc.option(
    fc.record(
      {
        list: fc.constantFrom(...LISTS),
        key: fc.constantFrom(...KEYS),
        rank: fc.integer({ min: -2, max: 2 }),
        tags: fc.uniqueArray(fc.constantFrom(...TAGS)),
      },
      { noNullPrototype: true },
    ),
  ),
});

interface Asked {
  readonly list: string;
  readonly from: number;
  readonly keys: readonly [string, string];
  readonly limit: number;
}

const asked: fc.Arbitrary<Asked> = fc.record({
  list: fc.constantFrom('x', 'y', 'z'),
  from: fc.integer({ min: -3, max: 3 }),
  keys: fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom(...KEYS)),
  limit: fc.integer({ min: 1, max: 4 }),
});

type Reads = Pick<State, 'get' | 'find' | 'count' | 'nth' | 'range' | 'findMulti'>;

/** What every kind of read gives. */
function seen(reads: Reads, { list, from, keys: [low, high], limit }: Asked): unknown {
  const options = [{}, { limit }, { from }, { from, limit }, { descending: true }, { from, limit, descending: true }];
  return {
    got: IDS.map((id) => reads.get(places, id)),
    found: options.map((one) => reads.find(places, 'rank', [list], one)),
    named: reads.find(places, 'list', [list, low], { limit: 1 }),
    counts: [{}, { from: low }, { below: high }, { from: low, below: high }].map((range) =>
      reads.count(places, 'list', [list], range),
    ),
    counted: reads.count(places, 'rank', [list], { from }),
    nth: [0, 1, 2, limit, IDS.length].map((n) => reads.nth(places, 'list', [list], n)),
    ranged: [
      reads.range(places, 'rank', [list, from], limit),
      reads.range(places, 'rank', [list, from, 'c'], limit),
      reads.range(places, 'list', [list], IDS.length),
    ],
    tagged: [reads.findMulti(places, 'tag', 'red'), reads.findMulti(places, 'tag', 'blue', limit)],
  };
}

/** The same reads of a plain map, in as few words as they can be said. */
function plain(documents: ReadonlyMap<string, Place>): Reads {
  const all = <T extends Document>() => [...documents.values()] as unknown as T[];
  const keyOf = <T extends Document>({ columns, indexes }: Collection<T>, index: string, document: T): Scalar[] =>
    (indexes[index]?.columns ?? []).map((column) => columns[column]?.(document) ?? null);
  const inOrder = <T extends Document>(of: Collection<T>, index: string) =>
    all<T>()
      .map((document) => ({ document, key: keyOf(of, index, document) }))
      .filter(({ key }) => key[0] !== null)
      .sort((a, b) => compareKeys(a.key, b.key) || compareScalars(a.document.id, b.document.id));
  const within = <T extends Document>(of: Collection<T>, index: string, prefix: readonly Scalar[]) =>
    inOrder(of, index).filter(({ key }) => compareKeys(key, prefix) === 0);
  return {
    get: (_, id) => all<never>().find((one: Document) => one.id === id),
    find: (of, index, prefix, { limit, descending = false, from } = {}) => {
      const found = within(of, index, prefix).filter(({ key }) => {
        const order = from === undefined ? 0 : compareScalars(key[prefix.length] ?? null, from);
        return descending ? order <= 0 : order >= 0;
      });
      return (descending ? found.reverse() : found).slice(0, limit).map(({ document }) => document);
    },
    count: (of, index, prefix, range = {}) =>
      within(of, index, prefix).filter(({ key }) => isInRange(key[prefix.length] ?? null, range)).length,
    nth: (of, index, prefix, n) => within(of, index, prefix)[n]?.document,
    range: (of, index, from, limit) =>
      inOrder(of, index)
        .filter(({ key, document }) => isAtOrBehind(key, document.id, from))
        .slice(0, limit)
        .map(({ document }) => document),
    findMulti: (of, column, value, limit) =>
      all<never>()
        .filter((one) => of.multi[column]?.(one).includes(value))
        .sort((a: Document, b: Document) => compareScalars(a.id, b.id))
        .slice(0, limit),
  };
}

/** Does the change, unless the index of lists would not be unique any more; whether it did. */
function takes(model: Map<string, Place>, { id, to }: Change): boolean {
  const others = [...model.values()].filter((one) => one.id !== id && to?.list != null && one.list === to.list);
  if (others.some(({ key }) => key === to?.key)) return false;
  if (to === null) model.delete(id);
  else model.set(id, { id, ...to });
  return true;
}

/** Documents in memory, and the plain map of them. */
function storedOf(changes: readonly Change[]) {
  const model = new Map<string, Place>();
  for (const one of changes) takes(model, one);
  const documents = new MemoryDocuments();
  documents.apply([...model.values()].map((place) => put(places, place)));
  return { model, documents };
}

function draftOne(draft: Draft, { id, to }: Change): void {
  if (to === null) draft.remove(places, id);
  else draft.put(places, { id, ...to });
}

describe('layers of documents', () => {
  const layer = fc.array(change, { maxLength: 6 });

  it('read like one plain map, however many lie upon each other', () => {
    fc.assert(
      fc.property(layer, fc.array(fc.tuple(layer, asked), { minLength: 1, maxLength: 4 }), (stored, layers) => {
        const { model, documents } = storedOf(stored);
        let state: State = new MemoryState(documents, 'seed', 0);
        for (const [changes, question] of layers) {
          const draft = new Draft(state);
          for (const one of changes) {
            if (takes(model, one)) draftOne(draft, one);
            assert.deepEqual(seen(draft, question), seen(plain(model), question));
          }
          state = draft;
        }
      }),
    );
  });

  it('come to one in what they write', () => {
    fc.assert(
      fc.property(layer, layer, asked, (stored, changes, question) => {
        const { model, documents } = storedOf(stored);
        const draft = new Draft(new MemoryState(documents, 'seed', 0));
        for (const one of changes) if (takes(model, one)) draftOne(draft, one);
        documents.apply(draft.writes());
        assert.deepEqual(seen(new MemoryState(documents, 'seed', 0), question), seen(plain(model), question));
      }),
    );
  });
});
