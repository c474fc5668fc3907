import assert from 'node:assert/strict';
import { decodePosition } from '../../../src/store/feed/position.js';
import { type Operation, operation, put } from '../../../src/store/index.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import { add, callerNamed, counters } from '../../support/test-domain.js';
import type { LogKit } from '../log-kit.js';
import { storeFixture } from '../support/log-fixture.js';

const ann = { caller: callerNamed('ann') };

/** As many documents as the decisions of any domain may write. */
const WRITES_MAX = 10_000;

const setMany: Operation<{ group: string }, null> = {
  ...operation('setMany', (_state, { group }: { group: string }) => ({
    write: Array.from({ length: WRITES_MAX }, (_, n) => put(counters, { id: `c${n}`, group, value: n, tags: [] })),
    answer: null,
  })),
  limits: { reads: 1, writes: WRITES_MAX },
};

/** What a server finds when it starts again on what it had stored. */
export function restartContract(kit: LogKit): void {
  describe('a store that is opened again', () => {
    const on = storeFixture(kit);
    const again = async (): Promise<Partition> => {
      await on.end();
      return on.begin();
    };

    it('has every document and index, and goes on with the next revision', async () => {
      const partition = await on.begin();
      for (let i = 0; i < 50; i++) await partition.send(add, { id: `c${i % 10}`, by: 1 }, ann);
      const after = await again();
      const found = after.replica.read().find(counters, 'group', ['g']);
      assert.deepEqual(
        found.map(({ value }) => value),
        Array.from({ length: 10 }, () => 5),
      );
      assert.equal((await after.send(add, { id: 'c0', by: 1 }, ann)).revision, 51);
    });

    it('has all of a commit of as many documents as one may have', async () => {
      const groups = ['x', 'ß"\n\u{1F600}'];
      const partition = await on.begin({ operations: [setMany] });
      for (const group of groups) await partition.send(setMany, { group }, ann);
      const sizes = (of: Partition) => groups.map((group) => of.replica.read().count(counters, 'group', [group]));
      assert.deepEqual(sizes(partition), [0, WRITES_MAX]);
      const after = await again();
      assert.deepEqual(sizes(after), [0, WRITES_MAX]);
      assert.equal((await after.send(add, { id: 'c0', by: 1 }, ann)).revision, groups.length + 1);
    });

    it('gives the same key the same answer', async () => {
      const keyed = { ...ann, commandId: 'k1' };
      const partition = await on.begin();
      await partition.send(add, { id: 'a', by: 3 }, keyed);
      await assert.rejects(partition.send(add, { id: 'a', by: -9 }, { ...ann, commandId: 'k2' }), { code: 'CONFLICT' });
      const after = await again();
      assert.equal((await after.send(add, { id: 'a', by: 3 }, keyed)).answer, 3);
      await assert.rejects(after.send(add, { id: 'a', by: -9 }, { ...ann, commandId: 'k2' }), { code: 'CONFLICT' });
      assert.equal(after.replica.read().get(counters, 'a')?.value, 3);
    });

    it('goes on with the feed from positions that were given before, in the same epoch', async () => {
      const partition = await on.begin();
      const start = partition.replica.feed.position();
      for (let i = 0; i < 5; i++) await partition.send(add, { id: 'a', by: 1 }, ann);
      const { epoch } = partition.replica.feed;
      const after = await again();
      assert.equal(after.replica.feed.epoch, epoch);
      await after.send(add, { id: 'a', by: 1 }, ann);
      const values: unknown[] = [];
      for await (const { event } of after.replica.feed.follow(
        decodePosition(start)[0] ?? null,
        new AbortController().signal,
      )) {
        if (values.push((event.data as { value: number }).value) === 6) break;
      }
      assert.deepEqual(values, [1, 2, 3, 4, 5, 6]);
    });
  });
}
