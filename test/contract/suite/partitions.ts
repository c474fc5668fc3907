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

    it('are closed while others go on: whoever uses one is refused, and it is opened again as it was', async () => {
      await on.begin();
      const [one, two] = [await on.store().open('id-1', 'web'), await on.store().open('id-2', 'other')];
      await one.send(add, { id: 'a', by: 1 }, ann);
      const { feed } = one.replica;
      const following = feed.follow(null, new AbortController().signal).next();
      const inFlight = one.send(add, { id: 'a', by: 1 }, ann);
      const closed = on.store().closePartition('id-1', 1_000);
      await inFlight;
      await closed;
      const stopped = { code: 'UNAVAILABLE', info: { reason: 'workspace_stopped' } };
      assert.equal((await following).value.event.type, 'counter.changed', 'what was durable is told');
      await assert.rejects(feed.follow(null, new AbortController().signal).next(), stopped);
      await assert.rejects(one.send(add, { id: 'a', by: 1 }, ann), stopped);
      await assert.rejects(one.sendAsSystem(add, { id: 'a', by: 1 }), stopped);
      for (const read of [
        () => one.replica.read(),
        () => one.replica.readBack(),
        () => one.replica.statements,
        () => feed.position(),
        () => on.store().find('id-1'),
        () => one.decider.peek().get(counters, 'a'),
      ])
        assert.throws(read, stopped);
      assert.equal((await two.send(add, { id: 'a', by: 1 }, ann)).answer, 1);
      assert.deepEqual(
        on.store().partitions.map(({ id }) => id),
        ['test', 'id-2'],
      );
      if (!kit.hasFiles) return;
      const again = await on.store().open('id-1', 'web', true);
      assert.equal((await again.send(add, { id: 'a', by: 1 }, ann)).answer, 3);
      assert.equal(again.replica.feed.epoch, feed.epoch, 'it is the same history');
    });

    it('tell whoever follows one that it is closed', async () => {
      await on.begin();
      const one = await on.store().open('id-1', 'web');
      const entries = one.replica.feed.follow(null, new AbortController().signal);
      const following = entries.next();
      const told = assert.rejects(following, { code: 'UNAVAILABLE', info: { reason: 'workspace_stopped' } });
      await on.store().closePartition('id-1', 1_000);
      await told;
    });

    it('are opened and closed in the order in which that was asked', async () => {
      await on.begin();
      const done: string[] = [];
      const note = (what: string) => (): void => void done.push(what);
      const store = on.store();
      await Promise.all([
        store.open('id-1', 'web').then(note('open')),
        store.closePartition('id-1', 1_000).then(note('closed')),
        store.removePartition('id-1').then(note('removed')),
        store.open('id-1', 'web').then(note('open')),
        store.open('id-1', 'web').then(note('open')),
      ]);
      assert.deepEqual(done, ['open', 'closed', 'removed', 'open', 'open']);
      assert.equal(store.find('id-1').isOpen, true);
    });

    it('are removed with all that is kept of them, and nothing of others', async () => {
      await on.begin();
      const store = on.store();
      const [one, two] = [await store.open('id', 'web'), await store.open('id-2', 'other')];
      await Promise.all([one.send(add, { id: 'a', by: 1 }, ann), two.send(add, { id: 'a', by: 5 }, ann)]);
      await assert.rejects(store.removePartition('id'), { code: 'CONFLICT' });
      const { epoch } = one.replica.feed;
      await store.closePartition('id', 1_000);
      await store.removePartition('id');
      await store.removePartition('id');
      const anew = await store.open('id', 'web');
      assert.equal(anew.replica.read().get(counters, 'a'), undefined);
      assert.notEqual(anew.replica.feed.epoch, epoch);
      assert.equal(two.replica.read().get(counters, 'a')?.value, 5);
    });

    it('are named by an id that is no path', async () => {
      await on.begin();
      for (const id of ['', '..', '../x', 'a/b', 'a b', '{a}', 'a:b']) {
        await assert.rejects(on.store().open(id, 'web'), { code: 'BAD_REQUEST' }, id);
      }
    });
  });
}
