import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '../../../src/shared/errors.js';
import { decodePosition, put, steppedOperation } from '../../../src/store/index.js';
import type { Log } from '../../../src/store/log/log.js';
import type { Partition } from '../../../src/store/partition/partition.js';
import { add, addAsked, callerNamed, counters } from '../../support/test-domain.js';
import type { LogKit } from '../log-kit.js';
import { openLog, placeFixture, storeFixture } from '../support/log-fixture.js';
import { partitionOn } from '../support/test-partition.js';

const ann = { caller: callerNamed('ann') };

/** Longer than a decision has the main thread at once: whatever comes behind it is another slice. */
const SLICE_MS = 6;

/** Puts as many counters as it has steps, each as large as counter `a` is then, and refuses at `refusedAt`. */
const fill = {
  ...steppedOperation('fill', function* (state, { n, refusedAt = -1 }: { n: number; refusedAt?: number }) {
    const written = [];
    for (let i = 0; i < n; i++) {
      if (i === refusedAt) throw new ServiceError('CONFLICT', 'expected to go on');
      const value = state.get(counters, 'a')?.value ?? 0;
      written.push(put(counters, { id: `f${i}`, group: 'filled', value, tags: ['filled'] }));
      if (i < 4) spin();
      yield;
    }
    const events = written.map(({ id }) => ({ type: 'counter.changed', ids: { counterId: id }, data: { quote: '"' } }));
    return { write: written, events, answer: n };
  }),
  limits: { reads: 10_000, writes: 10_000 },
};

function spin(): void {
  const until = performance.now() + SLICE_MS;
  while (performance.now() < until);
}

/** A decision may go step by step: others have the main thread meanwhile, and nothing else is decided. */
export function stepContract(kit: LogKit): void {
  const on = storeFixture(kit);
  const place = placeFixture(kit);
  const begin = () => on.begin({ operations: [fill], evaluators: { number: () => 5 } });
  const valueIn = (partition: Partition, id: string) => partition.replica.read().get(counters, id)?.value;

  describe('a command that is decided in steps', () => {
    it('leaves the main thread to others, and sees one state to its end', async () => {
      const partition = await begin();
      await partition.send(add, { id: 'a', by: 1 }, ann);
      let turns = 0;
      let isOver = false;
      const filling = partition.send(fill, { n: 10 }, ann).finally(() => {
        isOver = true;
      });
      const adding = partition.send(add, { id: 'a', by: 1 }, ann);
      const asking = partition.send(addAsked, { id: 'a', question: 'q' }, ann);
      while (!isOver) {
        turns++;
        await turn();
      }
      assert.ok(turns >= 4, `there were ${turns} turns`);
      assert.equal((await filling).answer, 10);
      assert.equal((await adding).answer, 2, 'what came later is decided later');
      await asking;
      assert.deepEqual([valueIn(partition, 'f0'), valueIn(partition, 'f9'), valueIn(partition, 'a')], [1, 1, 7]);
    });

    it('shows nothing of itself before it is whole', async () => {
      const partition = await begin();
      const filling = partition.send(fill, { n: 5 }, ann);
      await turn();
      assert.equal(partition.decider.peek().get(counters, 'f0'), undefined);
      await filling;
      assert.equal(partition.decider.peek().findMulti(counters, 'tag', 'filled').length, 5);
    });

    it('commits thousands of documents with their events at once', async () => {
      const partition = await begin();
      const position = partition.replica.feed.position();
      const { revision } = await partition.send(fill, { n: 3_500 }, ann);
      assert.equal((await partition.send(add, { id: 'f3499', by: 3 }, ann)).answer, 3);
      const { events, last } = await eventsBehind(partition, position);
      assert.deepEqual([events, last], [3_501, revision + 1]);
    });

    it('that is refused on its way changes nothing', async () => {
      const partition = await begin();
      const filling = partition.send(fill, { n: 10, refusedAt: 3 }, ann);
      const adding = partition.send(add, { id: 'a', by: 1 }, ann);
      await assert.rejects(filling, (thrown: unknown) => thrown instanceof ServiceError && thrown.code === 'CONFLICT');
      assert.deepEqual([(await adding).answer, (await adding).revision], [1, 1]);
      assert.equal(valueIn(partition, 'f0'), undefined);
    });

    it('is decided again when the log fails meanwhile', async () => {
      let fail = () => {};
      const failed = new Promise<void>((_, reject) => {
        fail = () => reject(new ServiceError('UNAVAILABLE', 'the group was refused'));
      });
      let appended = 0;
      const failing = (log: Log): Log => ({
        append: (group) => (appended++ === 0 ? failed : log.append(group)),
        recover: () => log.recover(),
        probe: () => log.probe(),
        trim: (revision, before) => log.trim(revision, before),
        close: () => log.close(),
      });
      const partition = partitionOn(await openLog(place()), failing, { operations: [fill] });
      const adding = partition.send(add, { id: 'a', by: 2 }, ann);
      await turn();
      const filling = partition.send(fill, { n: 5 }, ann);
      fail();
      assert.equal((await adding).answer, 2);
      assert.equal((await filling).answer, 5);
      assert.equal(valueIn(partition, 'f4'), 2);
      await partition.close(0);
    });

    it('is whole, however the log fails while it takes the documents', async () => {
      let failures = 1;
      const failing = (log: Log): Log => ({
        append: async (group) => {
          const isLarge = group.some(({ documents }) => documents.length > 1_000);
          if (!isLarge || failures-- <= 0) return log.append(group);
          await Promise.all([log.append(group), log.recover()]);
        },
        recover: () => log.recover(),
        probe: () => log.probe(),
        trim: (revision, before) => log.trim(revision, before),
        close: () => log.close(),
      });
      const partition = partitionOn(await openLog(place()), failing, { operations: [fill] });
      const { answer, revision } = await partition.send(fill, { n: 2_500 }, ann);
      assert.deepEqual([answer, revision], [2_500, 1]);
      assert.equal(valueIn(partition, 'f0'), 0);
      assert.equal(valueIn(partition, 'f2499'), 0);
      await partition.close(0);
    });

    it('is waited for at the end', async () => {
      const partition = partitionOn(await openLog(place()), (log) => log, { operations: [fill] });
      const filling = partition.send(fill, { n: 5 }, ann);
      await partition.close(0);
      assert.equal((await filling).answer, 5);
    });
  });
}

async function eventsBehind(partition: Partition, position: string) {
  const [place = null] = decodePosition(position);
  let events = 0;
  let last = 0;
  for await (const { revision } of partition.replica.feed.follow(place, new AbortController().signal, {
    toEnd: true,
  })) {
    events++;
    last = revision;
  }
  return { events, last };
}
