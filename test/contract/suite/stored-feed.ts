import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/shared/errors.js';
import { Feed } from '../../../src/store/feed/feed.js';
import { COMMIT_END } from '../../../src/store/feed/position.js';
import type { OpenedLog } from '../../../src/store/log/logs.js';
import type { LogKit } from '../log-kit.js';
import { logFixture } from '../support/log-fixture.js';

const gone = (error: unknown) => error instanceof ServiceError && error.code === 'RESYNC_REQUIRED';

/** A feed of a server that has just started, so nothing of it is in memory: commits 1 to 200 of two events each. */
async function storedFeed({ log, replica }: OpenedLog) {
  const events = ['a', 'b'].map((data) => ({ type: 'noted', ids: {}, data }));
  const body = JSON.stringify({ type: 't', userId: 'ann', events, docs: [] });
  const commit = (revision: number) =>
    ({ revision, id: `c${revision}`, at: 0, events: 2, body, outcome: null, documents: [] }) as const;
  await log.append(Array.from({ length: 200 }, (_, i) => commit(i + 1)));
  const feed = new Feed('p', replica);
  const place = (revision: number, index = COMMIT_END) => ({ partition: 'p', epoch: feed.epoch, revision, index });
  /** As the decider does it: so many commits more, each with one event. */
  const goOn = async (count: number) => {
    const first = replica.revision() + 1;
    const more = Array.from({ length: count }, (_, i) => ({ ...commit(first + i), events: 1 }));
    await log.append(more);
    const command = { id: 'c', type: 't', cause: {}, caller: { userId: 'ann' } };
    const event = { type: 'noted', ids: {}, data: 'c' };
    for (const record of more) feed.committed({ record, command, events: [event], writes: [] });
  };
  return { feed, place, goOn, trim: (revision: number) => log.trim(revision, 0) };
}

/** Followers that come late read the feed from the replica. */
export function storedFeedContract(kit: LogKit): void {
  describe('a feed that was stored', () => {
    const open = logFixture(kit);
    const stored = async () => storedFeed(await open());

    it('leaves no gap in silence when it is shortened while a follower stands still', async () => {
      const { feed, place, trim } = await stored();
      const entries = feed.follow(place(0), new AbortController().signal);
      assert.equal((await entries.next()).value?.revision, 1);
      await trim(150);
      const read: number[] = [];
      await assert.rejects(async () => {
        for await (const { revision } of entries) read.push(revision);
      }, gone);
      assert.equal(read.at(-1), 100, 'what it had read is told, and nothing behind the gap');
    });

    it('refuses a place within a commit whose rest is gone', async () => {
      const { feed, place, trim } = await stored();
      await trim(150);
      await assert.rejects(feed.follow(place(150, 0), new AbortController().signal).next(), gone);
      assert.equal((await feed.follow(place(150), new AbortController().signal).next()).value?.revision, 151);
    });

    it('has no gap where what is kept in memory begins', async () => {
      const { feed, place, goOn } = await stored();
      const next = async (revision: number) =>
        (await feed.follow(place(revision), new AbortController().signal).next()).value?.revision;
      await goOn(501);
      for (let revision = 445; revision < 455; revision++) assert.equal(await next(revision), revision + 1);
      for (const revision of [199, 200, 700]) assert.equal(await next(revision), revision + 1);
    });

    it('ends where it stands, for who only wants what is there already', async () => {
      const { feed, place } = await stored();
      const read: number[] = [];
      for await (const { revision, index } of feed.follow(place(198, 0), new AbortController().signal, {
        toEnd: true,
      })) {
        read.push(revision + index / 10);
      }
      assert.deepEqual(read, [198.1, 199, 199.1, 200, 200.1]);
      const nothing = feed.follow(place(200), new AbortController().signal, { toEnd: true });
      assert.deepEqual(await nothing.next(), { done: true, value: undefined });
    });
  });
}
