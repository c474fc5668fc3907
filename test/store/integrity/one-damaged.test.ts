import assert from 'node:assert/strict';
import { VirtualClock } from '../../../src/shared/clock.js';
import { decodePosition } from '../../../src/store/feed/position.js';
import { type Job, operation, put, takeOutcome } from '../../../src/store/index.js';
import { openDatabase } from '../../../src/store/sqlite.js';
import { add, counters } from '../../support/test-domain.js';
import { ann, storedCounters } from './stored-counters.js';

describe('one thing that is damaged', () => {
  const stored = storedCounters();
  const change = (sql: string) => {
    const database = openDatabase(stored.path());
    database.exec(sql);
    database.close();
  };

  it('as a document is refused to whoever decides on it, and to nobody else', async () => {
    const truth = await stored.fill();
    change(`UPDATE d_counter SET body = replace(body, '"value":4', '"value":5') WHERE id = 'c3'`);
    const { partition, store } = await stored.begin();
    const keyed = { ...ann, commandId: 'once' };
    await assert.rejects(partition.send(add, { id: 'c3', by: 1 }, keyed), {
      code: 'DATA_DAMAGED',
      message: "counter 'c3' is damaged: log.db holds something else than was written",
    });
    await assert.rejects(partition.send(add, { id: 'c3', by: 1 }, keyed), { code: 'DATA_DAMAGED' });
    assert.equal((await partition.send(add, { id: 'c4', by: 1 }, ann)).answer, (truth.get('c4')?.value ?? 0) + 1);
    assert.throws(() => partition.replica.read().find(counters, 'group', ['g0']), { code: 'DATA_DAMAGED' });
    assert.equal(
      partition.replica.read().range(counters, 'value', [0], 100, { skipDamaged: true }).length,
      truth.size - 1,
    );
    assert.equal(partition.replica.read().range(counters, 'value', [0], 5, { skipDamaged: true }).length, 5);
    assert.deepEqual(
      store.integrity.findings.map(({ file, what, id }) => [file, what, id]),
      [['test/log.db', 'counter', 'c3']],
    );
    assert.equal(store.warnings[0]?.reason, 'data_damaged');
  });

  it('as a job keeps no other job waiting', async () => {
    const work = operation('work', (_state, { dueAt }: { dueAt: number }) => ({
      jobs: ['a', 'b', 'c'].map((id) => ({ id, type: 'count', dueAt, input: null })),
      answer: null,
    }));
    const counted = operation('counted', (state, input: { jobId: string; attempt: number }) => ({
      write: [takeOutcome(state, input).done, put(counters, { id: input.jobId, group: 'done', value: 0, tags: [] })],
      answer: null,
    }));
    const ran: string[] = [];
    const count = {
      type: 'count',
      run: async ({ id, actor }: Job) => {
        ran.push(id);
        return { operation: counted, input: { jobId: id, attempt: actor.context.attempt } };
      },
    };
    const parts = { operations: [work, counted], jobTypes: [count] };
    const first = await stored.begin(undefined, parts);
    await first.partition.send(work, { dueAt: Date.now() + 60_000 }, ann);
    await stored.end();
    change(`UPDATE d_job SET c_dueAt = 1 WHERE id = 'a'`);
    change(`UPDATE d_job SET body = replace(body, '"count"', '"cound"') WHERE id = 'a'`);
    const { partition, store } = await stored.begin(undefined, {
      ...parts,
      clock: new VirtualClock(Date.now() + 120_000),
    });
    for (let taken = 1; taken > 0; taken = await partition.decider.jobs.takeDue());
    await partition.decider.jobs.quiet();
    assert.deepEqual(ran.sort(), ['b', 'c']);
    assert.deepEqual(
      store.integrity.findings.map(({ what, id }) => [what, id]),
      [['job', 'a']],
    );
  });

  it('as a commit is passed over by nobody who wants its events: they are to read anew', async () => {
    await stored.fill();
    change(`UPDATE commits SET body = replace(body, 'counter.changed', 'counter.chanped') WHERE revision = 70`);
    const { partition, store } = await stored.begin();
    const follow = async (revision: number, { passDamaged = false, more = {} } = {}) => {
      const [place] = decodePosition(partition.replica.feed.position(revision));
      assert.ok(place);
      const seen: number[] = [];
      const { signal } = new AbortController();
      for await (const entry of partition.replica.feed.follow({ ...place, ...more }, signal, {
        toEnd: true,
        passDamaged,
      }))
        seen.push(entry.revision);
      return seen;
    };
    const behind = [71, 72, 73, 74, 75, 76, 77, 78, 79, 80];
    assert.deepEqual(await follow(70), behind);
    const anew = {
      code: 'RESYNC_REQUIRED',
      message: 'a commit behind the position is damaged: read anew',
      info: { reason: 'commit_damaged' },
    };
    await assert.rejects(follow(65), anew);
    const within = { more: { index: 0 } };
    await assert.rejects(follow(70, within), anew, 'within the commit, too');
    assert.deepEqual(await follow(68, { passDamaged: true }), [69, ...behind], 'who passes it misses nothing else');
    assert.deepEqual(await follow(70, { ...within, passDamaged: true }), behind);
    assert.deepEqual(
      store.integrity.findings.map(({ what, id }) => [what, id]),
      [['commit', '70']],
    );
  });

  it('as an outcome is told to who asks with its key', async () => {
    await stored.fill();
    change(`UPDATE outcome SET body = replace(body, 'null', 'true') WHERE id = 'key-10'`);
    const { partition } = await stored.begin();
    await assert.rejects(partition.send(add, { id: 'x', by: 1 }, { ...ann, commandId: 'key-10' }), {
      code: 'DATA_DAMAGED',
      info: { reason: 'outcome_damaged', resourceId: 'key-10', details: { what: 'outcome', file: 'log.db' } },
    });
  });

  it('as a fact about the file is told anew, and begins another history where it names that', async () => {
    await stored.fill();
    const epoch = (await stored.begin()).partition.replica.feed.epoch;
    await stored.end();
    for (const key of ['trimmed', 'base', 'format', 'epoch']) {
      change(`UPDATE meta SET value = value || '0' WHERE key = '${key}'`);
      const { partition } = await stored.begin();
      assert.equal(partition.replica.feed.epoch === epoch, key !== 'epoch', key);
      assert.equal(partition.replica.read().get(counters, 'c1')?.id, 'c1');
      await stored.end();
      assert.deepEqual(stored.check(), [], key);
    }
  });
});
