import assert from 'node:assert/strict';
import { Trimmer } from '../../../src/store/feed/trimmer.js';
import type { CommitRecord } from '../../../src/store/log/log.js';
import type { OpenedLog } from '../../../src/store/log/logs.js';
import type { LogKit } from '../log-kit.js';
import { logFixture } from '../support/log-fixture.js';

const MINUTE = 60_000;

function feedOf({ log, replica }: OpenedLog, slowest: () => number) {
  const kept = { feedMs: 10 * MINUTE, feedEntries: 20, outcomesMs: 60 * MINUTE };
  let [revision, told] = [0, 0];
  const trimmer = new Trimmer({ log, replica, told: () => ({ revision, events: told }), slowest, kept });
  const commit = async (at: number, events: number) => {
    revision++;
    const outcome = { id: `k${revision}`, body: '{}' };
    const record: CommitRecord = {
      revision,
      id: `c${revision}`,
      at,
      events,
      body: '{"events":[]}',
      outcome,
      documents: [],
    };
    await log.append([record]);
    told += events;
  };
  const revisions = () => replica.commitsAfter(0, 1_000).map((row) => row.revision);
  const look = (now: number) => trimmer.look(now, now);
  return { look, commit, revisions, replica };
}

/** The feed is kept as long as it must be, and outcomes for their time. */
export function trimmerContract(kit: LogKit): void {
  describe('the trimmer', () => {
    const open = logFixture(kit);
    const feed = async (slowest: () => number) => feedOf(await open(), slowest);

    it('keeps the feed for its time, and for its number of entries', async () => {
      const { look, commit, revisions } = await feed(() => Number.MAX_SAFE_INTEGER);
      for (let i = 0; i < 5; i++) await commit(0, 5);
      await look(0);
      for (let i = 0; i < 3; i++) await commit(MINUTE, 5);
      await look(11 * MINUTE);
      assert.equal(revisions().length, 8, 'only 15 entries came after those that are old enough');
      await commit(12 * MINUTE, 5);
      assert.equal(await look(12 * MINUTE), 5);
      assert.deepEqual(revisions(), [6, 7, 8, 9]);
    });

    it('asks nothing of the log where nothing goes on', async () => {
      const { log, replica } = await open();
      const asked: number[] = [];
      const counting = { ...log, trim: async (revision: number) => void asked.push(revision) };
      const kept = { feedMs: MINUTE, feedEntries: 1, outcomesMs: MINUTE };
      const told = { revision: 0, events: 0 };
      const trimmer = new Trimmer({ log: counting, replica, told: () => told, slowest: () => 1_000, kept });
      for (let n = 0; n < 5; n++) assert.equal(await trimmer.look(n * MINUTE, n * MINUTE), 0);
      assert.deepEqual(asked, []);
    });

    it('keeps the feed for ten minutes after it was looked at, not longer', async () => {
      const { look, commit } = await feed(() => Number.MAX_SAFE_INTEGER);
      await commit(0, 50);
      await look(0);
      await commit(0, 50);
      assert.equal(await look(10 * MINUTE - 1), 0);
      assert.equal(await look(10 * MINUTE), 1);
    });

    it('shortens what it kept for a reaction as soon as that has gone on', async () => {
      let slowest = 2;
      const { look, commit, revisions } = await feed(() => slowest);
      for (let i = 0; i < 5; i++) await commit(0, 50);
      await look(0);
      await commit(MINUTE, 50);
      assert.equal(await look(20 * MINUTE), 2);
      slowest = 4;
      assert.equal(await look(20 * MINUTE), 4);
      assert.deepEqual(revisions(), [5, 6]);
    });

    it('keeps the feed as far as its slowest reaction', async () => {
      const { look, commit, revisions } = await feed(() => 2);
      for (let i = 0; i < 5; i++) await commit(0, 50);
      await look(0);
      await commit(MINUTE, 50);
      await look(20 * MINUTE);
      assert.deepEqual(revisions(), [3, 4, 5, 6]);
    });

    it('forgets outcomes after their time', async () => {
      const { look, commit, replica } = await feed(() => 0);
      await commit(0, 0);
      await commit(30 * MINUTE, 0);
      await look(61 * MINUTE);
      assert.equal(replica.outcome('k1'), undefined);
      assert.notEqual(replica.outcome('k2'), undefined);
    });

    it('never removes the newest commit: it tells the revision after a start', async () => {
      const { look, commit, replica } = await feed(() => Number.MAX_SAFE_INTEGER);
      await commit(0, 50);
      await look(0);
      await commit(0, 50);
      await look(0);
      await look(60 * MINUTE);
      assert.equal(replica.revision(), 2);
    });
  });
}
