import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/shared/errors.js';
import { decodePosition } from '../../../src/store/feed/position.js';
import { add, callerNamed, counters } from '../../support/test-domain.js';
import type { LogKit } from '../log-kit.js';
import { storeFixture } from '../support/log-fixture.js';

const ann = { caller: callerNamed('ann') };

/** A partition per workspace, named by the workspace's id: each has its own state, order, feed and history. */
export function partitionContract(kit: LogKit): void {
  describe('partitions', () => {
    const on = storeFixture(kit);

    it('know nothing of each other', async () => {
      await on.begin();
      const [one, two] = [await on.store().open('id-1', 'web'), await on.store().open('id-2', 'web')];
      await Promise.all([one.send(add, { id: 'a', by: 1 }, ann), two.send(add, { id: 'a', by: 5 }, ann)]);
      assert.equal(one.replica.read().get(counters, 'a')?.value, 1);
      assert.equal(two.replica.read().get(counters, 'a')?.value, 5);
      assert.equal((await one.send(add, { id: 'a', by: 1 }, ann)).revision, 2, 'revisions are dense in each');
      const outcome = (partition: typeof one) => partition.send(add, { id: 'k', by: 1 }, { ...ann, commandId: 'key' });
      assert.deepEqual([(await outcome(one)).answer, (await outcome(two)).answer], [1, 1], 'keys are kept in each');
    });

    it('have histories of their own, and positions name them', async () => {
      await on.begin();
      const [one, two] = [await on.store().open('id-1', 'web'), await on.store().open('id-2', 'web')];
      const [place] = decodePosition(one.replica.feed.position());
      assert.ok(place);
      assert.equal(place.partition, 'id-1');
      assert.notEqual(one.replica.feed.epoch, two.replica.feed.epoch);
      const another = (error: unknown) => error instanceof ServiceError && error.code === 'RESYNC_REQUIRED';
      assert.throws(() => two.replica.feed.check(place), another);
    });

    it('are named by an id that is no path', async () => {
      await on.begin();
      for (const id of ['', '..', '../x', 'a/b', 'a b', '{a}', 'a:b']) {
        await assert.rejects(on.store().open(id, 'web'), { code: 'BAD_REQUEST' }, id);
      }
    });
  });
}
