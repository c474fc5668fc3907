import assert from 'node:assert/strict';
import { SteadyClock, VirtualClock } from '../../../src/shared/clock.js';
import { newId } from '../../../src/shared/ids.js';
import { decodePosition } from '../../../src/store/feed/position.js';
import { jobs, operation } from '../../../src/store/index.js';
import { takeOutcome } from '../../../src/store/job/outcome.js';
import { add, callerNamed } from '../../support/test-domain.js';
import type { LogKit } from '../log-kit.js';
import { storeFixture } from '../support/log-fixture.js';

const ann = { caller: callerNamed('ann') };
const HOUR = 3_600_000;

/** What the store makes of a machine's clock that somebody sets. */
export function timeContract(kit: LogKit): void {
  const on = storeFixture(kit);

  describe('the domain clock', () => {
    const schedule = operation('schedule', (_state, dueAt: number) => ({
      jobs: [{ id: newId(Date.now()), type: 'ring', dueAt, input: null }],
      answer: null,
    }));
    const rung = operation('rung', (state, input: { jobId: string; attempt: number }) => ({
      write: [takeOutcome(state, input).done],
      answer: null,
    }));

    /** A partition whose jobs ring, and a machine whose clock is set by hand; its monotonic clock runs a thousand times as fast. */
    async function alarm() {
      const machine = { wall: Date.now() };
      const clock = new SteadyClock({ wall: () => machine.wall, monotonic: () => performance.now() * 1000 });
      let ring = () => {};
      const rang = new Promise<void>((resolve) => {
        ring = resolve;
      });
      const type = {
        type: 'ring',
        run: async (job: { id: string; actor: { context: { attempt: number } } }) => {
          ring();
          return { operation: rung, input: { jobId: job.id, attempt: job.actor.context.attempt } };
        },
      };
      const partition = await on.begin({ operations: [schedule, rung], jobTypes: [type], clock });
      return { machine, clock, partition, rang };
    }

    it('lets a timer ring though the machine’s clock was set back', async () => {
      const { machine, clock, partition, rang } = await alarm();
      await partition.send(schedule, clock.now() + 3_000, ann);
      machine.wall -= HOUR;
      await rang;
      await on.until(() => partition.replica.read().range(jobs, 'due', [0], 1).length === 0);
    });

    it('lets a timer ring soon when the machine’s clock has jumped past it, as after a sleep', async () => {
      const { machine, partition, rang } = await alarm();
      await partition.send(schedule, machine.wall + 2 * HOUR, ann);
      machine.wall += 2 * HOUR;
      await rang;
      await on.until(() => partition.replica.read().range(jobs, 'due', [0], 1).length === 0);
    });

    it('never shows a commit an earlier time than the one before', async () => {
      const clock = new VirtualClock(5_000);
      let answer: (n: number) => void = () => {};
      const slow = new Promise<number>((resolve) => {
        answer = resolve;
      });
      const told = operation('told', (_state, _input: null, { answers }) =>
        answers.length === 0
          ? { ask: { kind: 'number', question: '' } }
          : { events: [{ type: 'told', ids: {}, data: null }], answer: null },
      );
      const partition = await on.begin({ operations: [told], evaluators: { number: () => slow }, clock });
      const position = partition.replica.feed.position();
      const early = partition.send(told, null, ann);
      clock.set(9_000);
      await partition.send(add, { id: 'a', by: 1 }, ann);
      answer(1);
      await early;
      const times: number[] = [];
      for await (const { at } of partition.replica.feed.follow(
        decodePosition(position)[0] ?? null,
        new AbortController().signal,
      )) {
        if (times.push(at) === 2) break;
      }
      assert.deepEqual(times, [9_000, 9_000]);
    });

    if (kit.hasFiles) {
      it('goes on from the newest commit where the machine’s clock is behind it', async () => {
        const now = Date.now();
        const partition = await on.begin({ clock: new VirtualClock(now + HOUR) });
        await partition.send(add, { id: 'a', by: 1 }, ann);
        await on.end();
        const clock = new SteadyClock({ wall: () => now, monotonic: () => 0 });
        const after = await on.begin({ clock });
        assert.equal(after.replica.read().now, now + HOUR);
        assert.equal(clock.aheadMs(), HOUR);
      });
    }
  });
}
