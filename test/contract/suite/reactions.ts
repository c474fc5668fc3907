import assert from 'node:assert/strict';
import { collection, incidents, put } from '../../../src/store/index.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import type { ReplicaSide } from '../../../src/store/partition/replica-side.js';
import { add, callerNamed, counters } from '../../support/test-domain.js';
import type { TestParts } from '../../support/test-store.js';
import type { LogKit } from '../log-kit.js';
import { storeFixture } from '../support/log-fixture.js';

const ann = { caller: callerNamed('ann') };

/** Reactions follow the feed; their position moves with what they cause. */
export function reactionContract(kit: LogKit): void {
  const on = storeFixture(kit);
  let partition: Partition;
  const begin = async (parts?: TestParts) => {
    partition = await on.begin(parts);
  };
  const value = (id: string) => partition.replica.read().get(counters, id)?.value;

  describe('a reaction', () => {
    const doubled = collection<{ id: string; value: number }>({ name: 'counter' });
    const mirror = (fails: () => boolean = () => false) => ({
      name: 'mirror',
      types: ['counter.changed'],
      react: (
        state: { get: ReplicaSide['read'] extends () => infer S ? (S extends { get: infer G } ? G : never) : never },
        { event }: { event: { ids: Readonly<Record<string, string | null>> } },
      ) => {
        if (fails()) throw new Error('not today');
        const id = String(event.ids.counterId);
        const now = state.get(counters, id);
        return {
          write: [put(doubled, { id: `${id}2`, group: 'mirror', value: (now?.value ?? 0) * 2, tags: [] })],
          answer: null,
        };
      },
    });

    it('follows what happened, each entry in its own commit', async () => {
      await begin({ reactions: [mirror()] });
      for (let i = 0; i < 10; i++) await partition.send(add, { id: 'a', by: 1 }, ann);
      await on.until(() => value('a2') === 20);
    });

    it('commits nothing for entries that are none of its business', async () => {
      const concerns = ({ ids }: { ids: Readonly<Record<string, string | null>> }) => ids.counterId === 'z';
      await begin({ reactions: [{ ...mirror(), concerns }] });
      for (let i = 0; i < 10; i++) await partition.send(add, { id: 'a', by: 1 }, ann);
      await partition.send(add, { id: 'z', by: 1 }, ann);
      await on.until(() => value('z2') === 2);
      assert.equal(value('a2'), undefined);
      // Eleven commands and one reaction; where all of it takes seconds, a position now and then.
      assert.ok(partition.replica.read().revision <= 16, `the next revision is ${partition.replica.read().revision}`);
    });

    it('passes over an entry that failed five times, with an incident', async () => {
      let bad = 0;
      await begin({ reactions: [mirror(() => bad++ < 5)] });
      await partition.send(add, { id: 'a', by: 1 }, ann);
      await partition.send(add, { id: 'b', by: 1 }, ann);
      await on.until(() => value('b2') === 2);
      assert.equal(value('a2'), undefined);
      const [incident] = partition.replica.read().range(incidents, 'created', [0], 10);
      assert.equal(incident?.type, 'failedReaction');
      assert.match(incident?.message ?? '', /mirror.*counter\.changed.*not today/);
    });
  });
}
