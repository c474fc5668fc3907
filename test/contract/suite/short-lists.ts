import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type AnyCollection, tableOf } from '../../../src/store/log/schema.js';
import type { Condition } from '../../../src/store/read/condition.js';
import { listPage } from '../../../src/store/read/list.js';
import { type ListRequest, PAGE_MAX, type Page } from '../../../src/store/read/list-request.js';
import { shortList } from '../../../src/store/read/short-list.js';
import { CachedStatements } from '../../../src/store/statements.js';
import type { LogKit } from '../log-kit.js';
import { arbitraryComparisons, arbitraryOrders, arbitraryThings } from '../support/list-model.js';
import { placeFixture } from '../support/log-fixture.js';
import { ThingLog } from '../support/thing-log.js';
import { callerNamed, openThings, ownThings, type Thing, thing } from '../support/things.js';

const ann = callerNamed('ann');
const ofKind = (value: string | number): Condition => ({ op: 'eq', column: 'kind', value });

/** Lists that are read without a reader's thread: the same pages, and only where they are short. */
export function shortListContract(kit: LogKit): void {
  describe('a short list', () => {
    let log: ThingLog;
    let reading: CachedStatements;
    const place = placeFixture(kit, () => log.close());

    beforeEach(async () => {
      log = await ThingLog.open(place(), 'p1');
      reading = new CachedStatements(log.database);
    });

    const request = (given: Partial<ListRequest> = {}): ListRequest => ({
      collection: 'openThing',
      where: [ofKind('x')],
      order: [],
      count: true,
      caller: ann,
      field: 'things',
      ...given,
    });
    const short = (given: Partial<ListRequest> = {}, of: AnyCollection = openThings) =>
      shortList(reading, of, request({ collection: of.name, ...given }));
    /** The reader's page, in whose rows no document has been read. */
    const long = (given: Partial<ListRequest>, of: AnyCollection) =>
      listPage(reading, of, request({ collection: of.name, ...given }));
    const told = ({ rows, ...page }: Page) => ({ ...page, rows: rows.map(({ document: _, ...row }) => row) });
    const fill = async (of: AnyCollection, items: readonly Thing[]) => {
      const present = reading.prepare(`SELECT id FROM ${tableOf(of)}`).all();
      const gone = present.map(({ id }) => ({ collection: of, id: String(id) }));
      await log.commit([...gone, ...items.map((document) => ({ collection: of, id: document.id, document }))]);
    };
    const things = (count: number, given: Partial<Thing> = {}) =>
      Array.from({ length: count }, (_, i) => thing(`t${String(i).padStart(3, '0')}`, { kind: 'x', ...given }));

    it("is the reader's, page by page, forwards and backwards, whatever is asked beside and whoever asks", async () => {
      const eve = callerNamed('eve', ['administrator']);
      await fc.assert(
        fc.asyncProperty(
          arbitraryThings,
          fc.array(arbitraryComparisons, { maxLength: 2 }),
          arbitraryOrders,
          fc.integer({ min: 0, max: 7 }),
          fc.constantFrom(ann, eve),
          fc.boolean(),
          async (items, conditions, order, size, caller, owned) => {
            const of = owned ? ownThings : openThings;
            await fill(of, items);
            const asked = { where: [...conditions, ofKind('x')], order, caller };
            const same = (given: Partial<ListRequest>) => {
              const page = short({ ...asked, ...given }, of);
              assert.ok(page);
              assert.deepEqual(told(page), long({ ...asked, ...given }, of));
              return page;
            };
            const whole = same({});
            const places = [undefined, ...whole.rows.map(({ cursor }) => cursor)];
            for (const after of places)
              for (const before of places.slice(-3)) {
                same({ first: size, after: after ?? null, before: before ?? null });
                same({ last: size, after: after ?? null, before: before ?? null });
              }
          },
        ),
        { numRuns: 60 },
      );
    });

    it('has the documents of its rows', async () => {
      await fill(openThings, [thing('a', { kind: 'x', name: 'Ann' }), thing('b')]);
      assert.deepEqual(
        short()?.rows.map(({ document }) => document),
        [thing('a', { kind: 'x', name: 'Ann' })],
      );
    });

    it('is empty where nothing belongs to the thing, and tells its revision', async () => {
      assert.deepEqual(short(), { rows: [], hasNextPage: false, hasPreviousPage: false, totalCount: 0, revision: 0 });
      await fill(openThings, [thing('a')]);
      assert.deepEqual([short()?.totalCount, short()?.revision], [0, 1]);
    });

    it("is the reader's as soon as more belongs to the thing, however few are asked for", async () => {
      await fill(openThings, [...things(50), thing('other')]);
      assert.equal(short({ first: 1 })?.totalCount, 50);
      await log.put(openThings, thing('t999', { kind: 'x' }));
      assert.equal(short({ first: 1 }), undefined);
      assert.equal(short({ first: 1, where: [ofKind('x'), { op: 'eq', column: 'id', value: 't001' }] }), undefined);
      await log.remove(openThings, 't000');
      assert.equal(short({ first: 1 })?.totalCount, 50);
    });

    it("is the reader's where a document is large, or all of them together are", async () => {
      await fill(openThings, things(8, { name: 'n'.repeat(8_000) }));
      assert.equal(short()?.rows.length, 8);
      await log.put(openThings, thing('t008', { kind: 'x', name: 'n'.repeat(8_000) }));
      assert.equal(short({ first: 1 }), undefined);
      await fill(openThings, [thing('a', { kind: 'x', name: 'n'.repeat(9_000) })]);
      assert.equal(short(), undefined);
    });

    it("is the reader's where a document is not what was written", async () => {
      await fill(openThings, things(2));
      log.database.exec(`UPDATE ${tableOf(openThings)} SET body = '{}' WHERE id = 't001'`);
      assert.equal(short(), undefined);
    });

    it("is the reader's where it is of no one thing, or asks for what no column holds", async () => {
      await fill(openThings, things(1));
      const wheres: (readonly Condition[])[] = [
        [],
        [{ op: 'eq', column: 'name', value: 'a' }],
        [{ op: 'eq', column: 'kind', value: null }],
        [{ op: 'ge', column: 'kind', value: 'x' }],
        [{ op: 'not', of: ofKind('x') }],
        [ofKind('x'), { op: 'multi', column: 'groups', values: ['g1'] }],
        [ofKind('x'), { op: 'contains', column: 'name', value: 'a' }],
        [ofKind('x'), { op: 'any', of: [ofKind('x')] }],
        [ofKind('x'), { op: 'eq', column: 'toString', value: 1 }],
      ];
      for (const where of wheres) assert.equal(short({ where }), undefined, JSON.stringify(where));
      assert.equal(short({ order: [{ column: 'body' }] }), undefined);
    });

    it('refuses what the reader refuses', async () => {
      await fill(openThings, things(2));
      const other = short({ field: 'other', first: 1 })?.rows[0]?.cursor ?? '';
      const refused: Partial<ListRequest>[] = [{ after: other }, { after: '?' }, { first: -1 }, { first: 1, last: 1 }];
      for (const given of refused) assert.throws(() => short(given), { code: 'BAD_REQUEST' });
      assert.throws(() => short({ first: PAGE_MAX + 1 }), { code: 'LIMIT_EXCEEDED' });
    });

    it('takes what it reads from the room of its answer', async () => {
      await fill(openThings, things(2));
      const taken: number[] = [];
      const room = { bytesLeft: 1_000, take: (bytes: number) => void taken.push(bytes) };
      const page = shortList(reading, openThings, request({ first: 1 }), room);
      assert.deepEqual(taken, [page?.rows[0]?.body.length, page?.rows[0]?.body.length]);
    });

    it('reads no more rows than it may give, by the index', async () => {
      await fill(openThings, things(60));
      const asked: string[] = [];
      const spy = {
        prepare: (sql: string) => {
          asked.push(sql);
          return reading.prepare(sql);
        },
      };
      assert.equal(shortList(spy, openThings, request()), undefined);
      const plan = reading
        .prepare(`EXPLAIN QUERY PLAN ${asked.join()}`)
        .all('x')
        .map(({ detail }) => String(detail));
      assert.ok(
        plan.some((step) => /SEARCH d_openThing USING INDEX i_openThing_kind/.test(step)),
        plan.join('\n'),
      );
      assert.ok(!plan.some((step) => /SCAN d_openThing|TEMP B-TREE/.test(step)), plan.join('\n'));
    });
  });
}
