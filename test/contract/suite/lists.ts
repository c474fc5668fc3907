import assert from 'node:assert/strict';
import fc from 'fast-check';
import { connection } from '../../../src/shared/connection.js';
import { type AnyCollection, tableOf } from '../../../src/store/log/schema.js';
import type { Condition } from '../../../src/store/read/condition.js';
import { defineFunctions } from '../../../src/store/read/condition-sql.js';
import { listPage } from '../../../src/store/read/list.js';
import { type ListRequest, PAGE_MAX, type Page } from '../../../src/store/read/list-request.js';
import { CachedStatements } from '../../../src/store/statements.js';
import type { LogKit } from '../log-kit.js';
import { arbitraryConditions, arbitraryOrders, arbitraryThings, expected, holds } from '../support/list-model.js';
import { placeFixture } from '../support/log-fixture.js';
import { ThingLog } from '../support/thing-log.js';
import { callerNamed, openThings, ownThings, type Thing, thing } from '../support/things.js';

const ann = callerNamed('ann');

const idsOf = (page: Page) => page.rows.map(({ id }) => id);

/** Lists: filters, stable order, cursors by key, exact counts; nothing that the caller may not see. */
export function listContract(kit: LogKit): void {
  describe('a list', () => {
    let log: ThingLog;
    let reading: CachedStatements;
    const place = placeFixture(kit, () => log.close());

    beforeEach(async () => {
      log = await ThingLog.open(place(), 'p1');
      defineFunctions(log.database);
      reading = new CachedStatements(log.database);
    });

    const request = (given: Partial<ListRequest> = {}): ListRequest => ({
      collection: 'openThing',
      where: [],
      order: [],
      count: false,
      caller: ann,
      field: 'things',
      ...given,
    });
    const page = (given: Partial<ListRequest> = {}, of: AnyCollection = openThings): Page =>
      listPage(reading, of, request({ collection: of.name, ...given }));
    /** Makes these things the collection's only ones. */
    const fill = async (of: AnyCollection, items: readonly Thing[]) => {
      const present = reading.prepare(`SELECT id FROM ${tableOf(of)}`).all();
      const gone = present.map(({ id }) => ({ collection: of, id: String(id) }));
      await log.commit([...gone, ...items.map((document) => ({ collection: of, id: document.id, document }))]);
    };
    /** Every page from the start to the end, as lists of ids. */
    const pagesForwards = (size: number, given: Partial<ListRequest>, of: AnyCollection): string[][] => {
      let one = page({ ...given, first: size }, of);
      const all = [idsOf(one)];
      while (one.hasNextPage) {
        one = page({ ...given, first: size, after: one.rows.at(-1)?.cursor ?? '' }, of);
        all.push(idsOf(one));
      }
      return all;
    };
    /** Every page from the end to the start. */
    const pagesBackwards = (size: number, given: Partial<ListRequest>, of: AnyCollection): string[][] => {
      let one = page({ ...given, last: size }, of);
      const all = [idsOf(one)];
      while (one.hasPreviousPage) {
        one = page({ ...given, last: size, before: one.rows[0]?.cursor ?? '' }, of);
        all.push(idsOf(one));
      }
      return all;
    };

    it('gives what the conditions say, in the order that was asked for', async () => {
      await fc.assert(
        fc.asyncProperty(
          arbitraryThings,
          fc.array(arbitraryConditions, { maxLength: 2 }),
          arbitraryOrders,
          async (items, where, order) => {
            await fill(openThings, items);
            const found = page({ where, order, count: true });
            assert.deepEqual(idsOf(found), expected(items, { where, order }));
            assert.equal(found.totalCount, found.rows.length);
          },
        ),
        { numRuns: 300 },
      );
    });

    it('leaves out what is left behind: all of some, and what is gone of others', async () => {
      const gone = fc.record({ all: arbitraryConditions, among: fc.option(arbitraryConditions, { nil: undefined }) });
      await fc.assert(
        fc.asyncProperty(arbitraryThings, gone, fc.boolean(), async (items, { all, among }, owned) => {
          const isGone = (one: Thing) => among !== undefined && holds(among, one) && one.groups.includes('g1');
          const now = () => ({ all, ...(among !== undefined && { some: { among, isGone } }) });
          const of = { ...(owned ? ownThings : openThings), leftBehind: { now, mayBe: () => true } };
          await fill(of, items);
          const left = items.filter((one) => !holds(all, one) && !isGone(one) && !(owned && one.owner === 'bob'));
          const found = page({ first: 3, count: true }, of);
          assert.deepEqual(idsOf(found), expected(left, { where: [], order: [] }).slice(0, 3));
          assert.deepEqual([found.totalCount, found.hasNextPage], [left.length, left.length > 3]);
        }),
        { numRuns: 100 },
      );
    });

    it('is the sum of its pages, for every page size, forwards and backwards', async () => {
      await fc.assert(
        fc.asyncProperty(
          arbitraryThings,
          arbitraryOrders,
          fc.integer({ min: 1, max: 7 }),
          fc.boolean(),
          async (items, order, size, owned) => {
            const of = owned ? ownThings : openThings;
            await fill(of, items);
            const all = expected(owned ? items.filter(({ owner }) => owner !== 'bob') : items, { where: [], order });
            const forwards = pagesForwards(size, { order }, of);
            assert.deepEqual(forwards.flat(), all);
            assert.ok(forwards.slice(0, -1).every((ids) => ids.length === size));
            const backwards = pagesBackwards(size, { order }, of);
            assert.deepEqual(backwards.reverse().flat(), all);
          },
        ),
        { numRuns: 200 },
      );
    });

    it('goes on behind a cursor whose document is gone, and shows what has come in behind it', async () => {
      const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'.split('')), { minLength: 3 });
      await fc.assert(
        fc.asyncProperty(ids, ids, arbitraryOrders, async (present, changed, order) => {
          const made = (id: string) => thing(id, { name: id > 'h' ? null : id, size: id.charCodeAt(0) % 3 });
          await fill(openThings, present.map(made));
          const [first] = page({ order, first: 2 }).rows.slice(-1);
          assert.ok(first);
          const seen = idsOf(page({ order, first: 2 }));
          await log.remove(openThings, ...changed.filter((id) => present.includes(id)));
          await log.put(openThings, ...changed.filter((id) => !present.includes(id)).map(made));
          const now = [
            ...present.filter((id) => !changed.includes(id)),
            ...changed.filter((id) => !present.includes(id)),
          ];
          const place = [...new Set([...now, first.id])].map(made);
          const all = expected(place, { where: [], order });
          const rest = all.slice(all.indexOf(first.id) + 1);
          const next = idsOf(page({ order, after: first.cursor }));
          assert.deepEqual(next, rest);
          assert.ok(next.every((id) => !seen.includes(id)));
        }),
        { numRuns: 100 },
      );
    });

    it('gives what lies between two cursors', async () => {
      await fill(
        openThings,
        [...'abcdef'].map((id) => thing(id, { name: id < 'c' ? null : id })),
      );
      for (const descending of [false, true]) {
        const order = [{ column: 'name', descending }];
        const { rows } = page({ order });
        const between = { order, after: rows[0]?.cursor ?? '', before: rows[4]?.cursor ?? '' };
        const inner = rows.slice(1, 4).map(({ id }) => id);
        assert.deepEqual(idsOf(page(between)), inner);
        assert.deepEqual(idsOf(page({ ...between, first: 2 })), inner.slice(0, 2));
        assert.deepEqual(idsOf(page({ ...between, last: 2 })), inner.slice(1));
      }
    });

    it('says whether there is more', async () => {
      await fill(
        openThings,
        [...'abc'].map((id) => thing(id)),
      );
      const has = ({ hasNextPage, hasPreviousPage }: Page) => ({ hasNextPage, hasPreviousPage });
      const a = page({ first: 1 });
      assert.deepEqual(has(a), { hasNextPage: true, hasPreviousPage: false });
      assert.deepEqual(has(page({ first: 2, after: a.rows[0]?.cursor ?? '' })), {
        hasNextPage: false,
        hasPreviousPage: true,
      });
      assert.deepEqual(has(page({ last: 3 })), { hasNextPage: false, hasPreviousPage: false });
      const c = page({ last: 1 });
      assert.deepEqual(has(page({ last: 1, before: c.rows[0]?.cursor ?? '' })), {
        hasNextPage: true,
        hasPreviousPage: true,
      });
    });

    it('gives no edges for a size of 0', async () => {
      await fill(openThings, [thing('a')]);
      assert.deepEqual(idsOf(page({ first: 0 })), []);
      assert.deepEqual(idsOf(page({ last: 0 })), []);
      assert.equal(page({ first: 0, count: true }).totalCount, 1);
    });

    it('refuses a size that is negative, broken, too large, or of both directions', async () => {
      for (const first of [-1, 1.5, Number.NaN]) assert.throws(() => page({ first }), { code: 'BAD_REQUEST' });
      assert.throws(() => page({ last: -3 }), { code: 'BAD_REQUEST' });
      assert.throws(() => page({ first: 1, last: 1 }), { code: 'BAD_REQUEST' });
      assert.throws(() => page({ first: PAGE_MAX + 1 }), { code: 'LIMIT_EXCEEDED' });
    });

    it('refuses a cursor of another field, filter or order', async () => {
      await fill(openThings, [thing('a'), thing('b')]);
      const after = page({ first: 1 }).rows[0]?.cursor ?? '';
      assert.deepEqual(idsOf(page({ after })), ['b']);
      const others: Partial<ListRequest>[] = [
        { field: 'other' },
        { where: [{ op: 'notNull', column: 'kind' }] },
        { order: [{ column: 'name' }] },
      ];
      for (const other of others) assert.throws(() => page({ ...other, after }), { code: 'BAD_REQUEST' });
    });

    it('refuses a forged cursor', async () => {
      await fill(openThings, [thing('a'), thing('b')]);
      const order = [{ column: 'size' }];
      const good = page({ order, first: 1 }).rows[0]?.cursor ?? '';
      const [hash] = JSON.parse(Buffer.from(good, 'base64url').toString());
      const forged = [
        [hash],
        [hash, 1],
        [hash, 1, 2],
        [hash, {}, 'a'],
        [hash, true, 'a'],
        [hash, 1, 'a', 'b'],
        {},
        null,
        1,
      ];
      for (const body of forged) {
        const after = Buffer.from(JSON.stringify(body)).toString('base64url');
        assert.throws(() => page({ order, after }), { code: 'BAD_REQUEST' }, JSON.stringify(body));
      }
      fc.assert(
        fc.property(fc.string(), (after) => {
          assert.throws(() => page({ order, after }), { code: 'BAD_REQUEST' });
        }),
      );
    });

    it('counts what the caller may see, whatever the page', async () => {
      await fill(ownThings, [
        thing('a', { owner: 'bob' }),
        thing('b', { owner: 'ann' }),
        thing('c'),
        thing('d', { owner: 'bob' }),
      ]);
      const found = page({ first: 1, count: true }, ownThings);
      assert.deepEqual(idsOf(found), ['b']);
      assert.equal(found.totalCount, 2);
      assert.equal(found.hasNextPage, true);
      assert.equal(page({ count: true, caller: callerNamed('eve', ['administrator']) }, ownThings).totalCount, 4);
      assert.equal(page({ first: 1 }, ownThings).totalCount, null);
    });

    it('refuses names that are not declared, so that no text of a caller becomes SQL', async () => {
      const column = 'name" OR 1=1 --';
      assert.throws(() => page({ where: [{ op: 'eq', column, value: 1 }] }), /declared column/);
      assert.throws(() => page({ order: [{ column }] }), /declared column/);
      assert.throws(() => page({ where: [{ op: 'multi', column, values: ['a'] }] }), /declared multi column/);
      assert.throws(() => page({ where: [{ op: 'eq', column: 'toString', value: 1 }] }), /declared column/);
    });

    it('takes long lists of values, and refuses conditions nested too deep', async () => {
      await fill(openThings, [thing('a', { size: 70_000 }), thing('b', { size: 1 })]);
      const many = Array.from({ length: 40_000 }, (_, at) => at + 50_000);
      assert.deepEqual(idsOf(page({ where: [{ op: 'in', column: 'size', values: many }] })), ['a']);
      let deep: Condition = { op: 'notNull', column: 'size' };
      for (let at = 0; at < 50; at++) deep = { op: 'not', of: deep };
      assert.throws(() => page({ where: [deep] }), { code: 'BAD_REQUEST' });
    });

    it('names the revision that it is of', async () => {
      assert.equal(page().revision, 0);
      await log.put(openThings, thing('a'));
      await log.put(openThings, thing('b'));
      assert.equal(page().revision, 2);
    });

    it('becomes a Relay connection', async () => {
      await fill(openThings, [thing('a', { name: 'Ann' }), thing('b')]);
      const found = page({ first: 1, count: true });
      const made = connection(found, ({ body }) => (JSON.parse(body) as Thing).name);
      const cursor = found.rows[0]?.cursor ?? '';
      assert.deepEqual(made, {
        edges: [{ node: 'Ann', cursor }],
        pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: cursor, endCursor: cursor },
        totalCount: 2,
      });
      const none = connection(page({ first: 0 }), ({ id }) => id);
      assert.deepEqual(none.pageInfo, {
        hasNextPage: true,
        hasPreviousPage: false,
        startCursor: null,
        endCursor: null,
      });
      assert.equal(none.totalCount, null);
    });
  });
}
