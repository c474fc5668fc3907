import assert from 'node:assert/strict';
import { systemTime, type Time, turn } from '../../../src/shared/time.js';
import { Feed } from '../../../src/store/feed/feed.js';
import { LandedCommits } from '../../../src/store/feed/landed-commits.js';
import { COMMIT_END } from '../../../src/store/feed/position.js';
import type { OpenedLog } from '../../../src/store/log/logs.js';
import { MemoryLogs } from '../../../src/store/log/memory-logs.js';
import { shapeOf } from '../../../src/store/log/schema.js';
import { counters } from '../../support/test-domain.js';

describe('a feed among others that have work', () => {
  let opened: OpenedLog;
  let feed: Feed;
  /** How often others were given their turn. */
  let turns: number;
  const time: Time = {
    ...systemTime,
    soon: (run) => {
      turns++;
      systemTime.soon(run);
    },
  };
  beforeEach(async () => {
    opened = await new MemoryLogs().open('p', [shapeOf(counters)]);
    feed = new Feed('p', opened.replica, time);
    turns = 0;
  });

  /** A commit of so many events, that wrote so many documents. */
  const append = async (revision: number, events: number, documents = 0) => {
    const told = Array.from({ length: events }, (_, data) => ({ type: 'noted', ids: {}, data }));
    const docs = Array.from({ length: documents }, (_, n) => ['counter', `c${n}`]);
    const body = JSON.stringify({ type: 't', userId: 'ann', events: told, docs });
    const record = { revision, id: `c${revision}`, at: 0, events, body, outcome: null, documents: [] };
    await opened.log.append([record]);
    const command = { id: 'c', type: 't', cause: {}, caller: { userId: 'ann' } };
    return { record, command, events: told, writes: [] };
  };
  const place = (revision: number, index = COMMIT_END) => ({ partition: 'p', epoch: feed.epoch, revision, index });

  for (const [followers, expected] of [
    [1, 0],
    [250, 0],
    [251, 1],
    [750, 2],
  ] as const)
    it(`wakes ${followers} followers in ${expected + 1} turns`, async () => {
      const next = () => feed.follow(place(0), new AbortController().signal).next();
      const woken = Array.from({ length: followers }, next);
      await turn(systemTime);
      feed.committed(await append(1, 1));
      assert.deepEqual(new Set((await Promise.all(woken)).map(({ value }) => value?.revision)), new Set([1]));
      for (let n = 0; n < 3; n++) await turn(systemTime);
      assert.equal(turns, expected);
    });

  for (const [events, expected] of [
    [199, 0],
    [200, 1],
    [401, 2],
  ] as const)
    it(`gives ${events} events of one commit with ${expected} pauses`, async () => {
      feed.committed(await append(1, events));
      let given = 0;
      for await (const _ of feed.follow(place(0), new AbortController().signal, { toEnd: true })) given++;
      assert.deepEqual([given, turns], [events, expected]);
    });

  for (const [documents, expected] of [
    [199, 0],
    [200, 1],
    [401, 2],
  ] as const)
    it(`is told of a commit of ${documents} documents that is read back with ${expected} pauses`, async () => {
      const { replica } = opened;
      const commits = new LandedCommits({ replica, collections: [counters], time });
      let written = 0;
      commits.follow({ committed: ({ writes }) => (written = writes.length) });
      await append(1, 0, documents);
      await commits.catchUp(new Map());
      assert.deepEqual([written, turns], [documents, expected]);
    });

  it('gives nothing behind a place within a commit that has no events', async () => {
    await append(1, 0);
    feed.committed(await append(2, 2));
    const given: string[] = [];
    for await (const { revision, index } of feed.follow(place(1, 0), new AbortController().signal, { toEnd: true }))
      given.push(`${revision}.${index}`);
    assert.deepEqual(given, ['2.0', '2.1'], 'of that commit: each event of the next one comes once');
  });
});
