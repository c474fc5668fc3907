import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/shared/errors.js';
import { systemTime, turn } from '../../../src/shared/time.js';
import { decodePosition } from '../../../src/store/feed/position.js';
import { operation } from '../../../src/store/index.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import { add, callerNamed } from '../../support/test-domain.js';
import type { TestParts } from '../../support/test-store.js';
import type { LogKit } from '../log-kit.js';
import { storeFixture } from '../support/log-fixture.js';

const ann = { caller: callerNamed('ann') };
const refusal = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code;

/** The feed: every event once, in order, from any position. */
export function feedContract(kit: LogKit): void {
  const on = storeFixture(kit);
  let partition: Partition;
  const begin = async (parts?: TestParts) => {
    partition = await on.begin(parts);
  };

  describe('the feed', () => {
    const take = async (n: number, after: string | null, signal = new AbortController()) => {
      const place = after === null ? null : (decodePosition(after)[0] ?? null);
      const entries = [];
      for await (const entry of partition.replica.feed.follow(place, signal.signal)) {
        entries.push(entry);
        if (entries.length === n) break;
      }
      return entries;
    };

    it('gives every event once, in order, from any position on', async () => {
      await begin();
      const start = partition.replica.feed.position();
      const following = take(5, start);
      for (let i = 0; i < 5; i++) await partition.send(add, { id: 'a', by: 1 }, ann);
      const entries = await following;
      assert.deepEqual(
        entries.map(({ event }) => (event.data as { value: number }).value),
        [1, 2, 3, 4, 5],
      );
      const rest = await take(3, entries[1]?.position ?? '');
      assert.deepEqual(
        rest.map(({ event }) => (event.data as { value: number }).value),
        [3, 4, 5],
      );
    });

    it('gives whoever names types events of these, and one in a thousand of the others', async () => {
      const told = operation('told', (_state, { type, times }: { type: string; times: number }) => ({
        events: Array.from({ length: times }, (_, n) => ({ type, ids: {}, data: n })),
        answer: null,
      }));
      await begin({ operations: [told] });
      const [place = null] = decodePosition(partition.replica.feed.position());
      for (const [type, times] of [
        ['a', 700],
        ['b', 2],
        ['c', 700],
        ['b', 1],
        ['a', 700],
      ] as const)
        await partition.send(told, { type, times }, ann);
      const given = [];
      const following = { types: ['b'], toEnd: true };
      for await (const { event } of partition.replica.feed.follow(place, new AbortController().signal, following))
        given.push(`${event.type}${event.data}`);
      assert.deepEqual(given, ['b0', 'b1', 'c299', 'b0', 'a599']);
    });

    it('lets callers have their turn before thousands of followers have all looked', async () => {
      await begin();
      let seen = 0;
      const followers = Array.from({ length: 3_000 }, async () => {
        await take(1, partition.replica.feed.position());
        seen++;
      });
      await partition.send(add, { id: 'a', by: 1 }, ann);
      await turn(systemTime);
      assert.ok(seen < 3_000, `${seen} of 3000`);
      await Promise.all(followers);
    });

    it('resumes inside of a commit', async () => {
      const burst = operation('burst', (_state, _input: object) => ({
        events: [1, 2, 3].map((n) => ({ type: 'counter.changed', ids: {}, data: n })),
        answer: null,
      }));
      await begin({ operations: [burst] });
      const start = partition.replica.feed.position();
      await partition.send(burst, {}, ann);
      await partition.send(burst, {}, ann);
      const entries = await take(6, start);
      for (const [i, { position }] of entries.slice(0, 5).entries()) {
        const rest = await take(5 - i, position);
        assert.deepEqual(
          rest.map(({ event }) => event.data),
          entries.slice(i + 1).map(({ event }) => event.data),
        );
      }
    });

    it('asks to read anew when the position is of another history', async () => {
      await begin();
      const [place] = decodePosition(partition.replica.feed.position());
      assert.ok(place);
      assert.throws(() => partition.replica.feed.check({ ...place, epoch: 'another' }), refusal('RESYNC_REQUIRED'));
      assert.throws(() => partition.replica.feed.check({ ...place, revision: 1e9 }), {
        code: 'RESYNC_REQUIRED',
        message: 'the position is older than what is kept, or of another history: read anew',
        info: {},
      });
    });
  });
}
