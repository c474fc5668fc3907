import assert from 'node:assert/strict';
import { Indexer, type ListRequest, type Partition, Reader } from '../../../src/store/index.js';
import { add, callerNamed, drop, set } from '../../support/test-domain.js';
import type { LogKit } from '../log-kit.js';
import { tagged } from '../support/counter-fixture.js';
import { storeFixture } from '../support/log-fixture.js';

const modules = [new URL('../support/counter-fixture.js', import.meta.url).href];
const caller = callerNamed('ann');
const byValue: ListRequest = {
  collection: 'counter',
  where: [{ op: 'eq', column: 'group', value: 'g' }],
  order: [{ column: 'value', descending: true }],
  count: true,
  caller,
  field: 'counters',
};

/** A list, and a query of the index, has what the caller's command has just committed. */
export function readYourWritesContract(kit: LogKit): void {
  describe('reading what was written', () => {
    const on = storeFixture(kit);
    let partition: Partition;
    let indexer: Indexer;
    let reader: Reader;
    beforeEach(async () => {
      partition = await on.begin();
      const { folder } = on.place();
      indexer = new Indexer({ dataFolder: folder, modules });
      reader = new Reader({ dataFolder: folder, modules, index: indexer });
    });
    afterEach(async () => {
      await reader.close();
      await indexer.close();
    });

    it('lists what a command has just committed', async () => {
      for (const [id, by] of [
        ['a', 3],
        ['b', 5],
        ['c', 4],
      ] as const) {
        const { revision } = await partition.send(add, { id, by }, { caller });
        const page = await reader.list('test', byValue);
        assert.ok(page.revision >= revision);
      }
      await partition.send(drop, { id: 'c' }, { caller });
      const page = await reader.list('test', byValue);
      assert.deepEqual([page.rows.map(({ id }) => id), page.totalCount], [['b', 'a'], 2]);
    });

    it('finds by the index what a command has just committed', async () => {
      for (let n = 0; n < 30; n++) {
        const counter = { id: `c${n}`, group: 'g', value: n, tags: [n % 2 === 0 ? 'even' : 'odd'] };
        const { revision } = await partition.send(set, counter, { caller });
        indexer.advance('test', revision);
        const found = await reader.query('test', tagged, { tag: n % 2 === 0 ? 'even' : 'odd' }, caller, {
          afterRevision: revision,
        });
        assert.ok(found.answer.includes(counter.id));
      }
    });
  });
}
