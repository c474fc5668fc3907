import assert from 'node:assert/strict';
import { VirtualClock } from '../../../src/shared/clock.js';
import { operation, put } from '../../../src/store/index.js';
import { type CommitRecord, GROUP_COMMITS_MAX, type Log } from '../../../src/store/log/log.js';
import { add, callerNamed, counters, drop, set } from '../../support/test-domain.js';
import type { LogKit } from '../log-kit.js';
import { logFixture, storeFixture } from '../support/log-fixture.js';
import { partitionOn } from '../support/test-partition.js';

const ann = { caller: callerNamed('ann') };

/** Notes what is handed to the log, and can keep it from being answered. */
class WatchedLog implements Log {
  readonly #log: Log;
  readonly sizes: number[] = [];
  gate: Promise<void> = Promise.resolve();

  constructor(log: Log) {
    this.#log = log;
  }

  get inFlightMax(): number {
    return this.#log.inFlightMax ?? 1;
  }

  async append(group: readonly CommitRecord[]): Promise<void> {
    this.sizes.push(group.length);
    await this.#log.append(group);
    await this.gate;
  }

  recover = () => this.#log.recover();
  probe = () => this.#log.probe();
  trim = (revision: number, before: number) => this.#log.trim(revision, before);
  close = () => this.#log.close();
}

/** One decider: it decides ahead of the log, on what it decided before, and answers when the log has it. */
export function deciderContract(kit: LogKit): void {
  describe('the decider', () => {
    const open = logFixture(kit);
    const watched = async () => {
      let log: WatchedLog | undefined;
      const partition = partitionOn(await open(), (inner) => {
        log = new WatchedLog(inner);
        return log;
      });
      assert.ok(log);
      return { partition, log };
    };

    it('commits in groups what comes while the log is at work, up to 32 together', async () => {
      const { partition, log } = await watched();
      const sent = Array.from({ length: 200 }, () => partition.send(add, { id: 'a', by: 1 }, ann));
      await Promise.all(sent);
      assert.equal(
        log.sizes.reduce((sum, size) => sum + size, 0),
        200,
      );
      assert.ok(log.sizes.length < 100, `200 commits went in ${log.sizes.length} groups`);
      assert.ok(Math.max(...log.sizes) <= GROUP_COMMITS_MAX);
    });

    it('answers nobody before the log has answered, and then in the order of its decisions', async () => {
      const { partition, log } = await watched();
      let letGo: () => void = () => {};
      log.gate = new Promise((resolve) => {
        letGo = resolve;
      });
      const order: number[] = [];
      const sent = Array.from({ length: 80 }, (_, i) =>
        partition.send(add, { id: i % 2 === 0 ? 'a' : 'b', by: 1 }, ann).then(() => order.push(i)),
      );
      while (partition.replica.read().get(counters, 'b') === undefined)
        await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(order, []);
      letGo();
      await Promise.all(sent);
      assert.deepEqual(
        order,
        Array.from({ length: 80 }, (_, i) => i),
      );
    });

    it('sees in its overlay what is decided, and nobody else sees it before it is durable', async () => {
      const { partition } = await watched();
      await partition.send(set, { id: 'old', group: 'g', value: 1, tags: [] }, ann);
      const sent = [partition.send(add, { id: 'a', by: 7 }, ann), partition.send(drop, { id: 'old' }, ann)];
      assert.equal(partition.decider.peek().get(counters, 'a')?.value, 7);
      assert.equal(partition.decider.peek().get(counters, 'old'), undefined);
      assert.equal(partition.replica.read().get(counters, 'a'), undefined);
      assert.equal(partition.replica.read().get(counters, 'old')?.value, 1);
      await Promise.all(sent);
      assert.equal(partition.replica.read().get(counters, 'a')?.value, 7);
      assert.equal(partition.replica.read().get(counters, 'old'), undefined);
    });

    it('lets commands wait while the overlay is full, and loses none', async () => {
      const { partition } = await watched();
      const sent = Array.from({ length: 3_000 }, (_, i) =>
        partition.send(set, { id: `c${i}`, group: 'g', value: i, tags: [] }, ann),
      );
      const revisions = (await Promise.all(sent)).map(({ revision }) => revision);
      assert.deepEqual(
        revisions,
        Array.from({ length: 3_000 }, (_, i) => i + 1),
      );
      assert.equal(partition.replica.read().get(counters, 'c2999')?.value, 2_999);
    });
  });

  describe('time and ids', () => {
    const on = storeFixture(kit);
    const stamp = operation('stamp', (state, _input: object) => {
      const ids = [state.ids.next(), state.ids.next()];
      return {
        write: ids.map((id) => put(counters, { id, group: 'stamped', value: state.now, tags: [] })),
        answer: { ids, now: state.now },
      };
    });

    it('come to a decision from outside: the domain clock’s now, and ids that are new and in order', async () => {
      const clock = new VirtualClock(5_000);
      const partition = await on.begin({ operations: [stamp], clock });
      const first = (await partition.send(stamp, {}, ann)).answer;
      clock.set(90_000_000);
      const second = (await partition.send(stamp, {}, ann)).answer;
      assert.deepEqual([first.now, second.now], [5_000, 90_000_000]);
      const ids = [...first.ids, ...second.ids];
      assert.equal(new Set(ids).size, 4);
      assert.deepEqual([...ids].sort(), ids);
      for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    });

    it('are two clocks: what the store measures for itself goes on while the domain clock stands', async () => {
      const partition = await on.begin({ operations: [stamp], clock: new VirtualClock(5_000) });
      const { commandId } = await partition.send(stamp, {}, ann);
      const begun = performance.now();
      await Promise.all([partition.replica.settled(commandId, 30), partition.send(stamp, {}, ann)]);
      assert.ok(performance.now() - begun < 5_000);
      assert.equal(partition.replica.read().now, 5_000);
    });
  });
}
