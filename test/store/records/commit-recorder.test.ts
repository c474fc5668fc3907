import assert from 'node:assert/strict';
import { SteadyClock } from '../../../src/shared/clock.js';
import { systemTime } from '../../../src/shared/time.js';
import type { Feed } from '../../../src/store/feed/feed.js';
import {
  CommitRecorder,
  type RecordedCommit,
  type UnknownCommits,
} from '../../../src/store/records/commit-recorder.js';
import { type PackedRows, rowsIn } from '../../../src/store/records/packed-rows.js';
import type { Reached, RecordRow } from '../../../src/store/records/record.js';
import { Store } from '../../../src/store/store.js';
import { eventually } from '../../support/eventually.js';
import { add, callerNamed, counters, testOperations } from '../../support/test-domain.js';

interface Row extends RecordRow {
  readonly revision: number;
  readonly type: string;
}

/** Records in memory that fail when they are told to. */
class Kept {
  readonly rows: Row[] = [];
  place: string | undefined;
  failures = 0;

  async write(_: string, rows: readonly RecordRow[], { place }: Reached, packed?: PackedRows): Promise<void> {
    if (this.failures-- > 0) throw new Error('the disk is full');
    const more = packed === undefined ? [] : rowsIn(packed.entry('p', 's').rows);
    this.rows.push(...[...rows, ...more].map((row) => ({ ...(row as Row), revision: Number((row as Row).revision) })));
    this.place = place;
  }

  async reached(): Promise<string | undefined> {
    return this.place;
  }
}

describe('records of commits', () => {
  const kept = new Kept();
  const ofTests = {
    records: kept,
    stream: 'audit',
    // It is tried again at once.
    time: { ...systemTime, after: (_: number, run: () => void) => systemTime.after(10, run) },
    packing: { fields: ['type', 'revision'], list: 'written' },
    addRow: ({ revision, at, type, userId }: RecordedCommit, rows: PackedRows) => {
      if (userId === 'ann') rows.begin(at).field(type).field(`${revision}`).end();
    },
    rowOfUnknown: ({ from, to, reason }: UnknownCommits) => ({ at: 0, type: reason, revision: to, from }),
  };
  let recorder = new CommitRecorder('test', ofTests);
  let trim = () => {};
  const noteTrim = (run: () => void) => {
    trim = run;
    return systemTime.after(0, () => {});
  };
  const store = new Store({
    folder: null,
    collections: [counters],
    operations: testOperations,
    evaluators: {},
    jobTypes: [],
    reactions: [],
    clock: new SteadyClock(),
    jobSlots: 1,
    callerOf: callerNamed,
    // Whichever is there now.
    followers: () => [
      {
        committed: (commit) => recorder.committed(commit),
        needless: () => recorder.needless(),
      },
    ],
    time: { ...systemTime, every: (ms, run) => (ms === 60_000 ? noteTrim(run) : systemTime.every(ms, run)) },
    kept: { feedMs: 0, feedEntries: 0, outcomesMs: 0 },
  });
  after(() => store.close(100));
  /** The log is shortened as far as nobody needs it. */
  const trimmed = async (feed: Feed, to: number) => {
    await eventually(`it is shortened to ${to}`, () => {
      trim();
      return feed.oldest() >= to;
    });
    assert.equal(feed.oldest(), to);
  };
  const revisions = () => kept.rows.map(({ revision }) => revision);

  it('are of each commit once, whoever stopped in between', async () => {
    const partition = await store.open('test', 'test');
    const made: number[] = [];
    const addAs = async (userId: string) => {
      const { revision } = await partition.send(add, { id: 'a', by: 1 }, { caller: callerNamed(userId) });
      if (userId === 'ann') made.push(revision);
    };
    await addAs('ann');
    recorder.begin(partition.replica.feed);
    await addAs('ann');
    await addAs('bob');
    await eventually('both are written', () => kept.rows.length === 2);
    assert.deepEqual(revisions(), made);
    // It goes without an end, as a process does that is killed; commits go on.
    recorder = new CommitRecorder('test', ofTests);
    for (let n = 0; n < 250; n++) await addAs(n % 2 === 0 ? 'ann' : 'bob');
    assert.ok(recorder.needless() < (made[2] as number), 'the log keeps what is not recorded');
    recorder = new CommitRecorder('test', ofTests);
    recorder.begin(partition.replica.feed);
    await addAs('ann');
    await eventually('all are written', () => kept.rows.length === made.length);
    assert.deepEqual(revisions(), made);
    await recorder.close();
  });

  it('are made again where the disk refused them', async () => {
    const partition = await store.open('test', 'test');
    const before = kept.rows.length;
    kept.failures = 1;
    recorder = new CommitRecorder('test', ofTests);
    recorder.begin(partition.replica.feed);
    const caller = callerNamed('ann');
    for (let n = 0; n < 3; n++) await partition.send(add, { id: 'a', by: 1 }, { caller });
    await eventually('all are written', () => kept.rows.length === before + 3);
    await recorder.close();
    assert.equal(recorder.needless(), partition.replica.feed.newest());
    assert.equal(new Set(revisions()).size, kept.rows.length);
  });

  it('have their commits kept while they cannot be written, and are all there in the end', async () => {
    const partition = await store.open('test', 'test');
    const { feed } = partition.replica;
    const caller = callerNamed('ann');
    recorder = new CommitRecorder('test', ofTests);
    recorder.begin(feed);
    await eventually('it follows', () => recorder.needless() === feed.newest());
    const [before, written] = [feed.newest(), kept.rows.length];
    await trimmed(feed, before);
    kept.failures = Number.POSITIVE_INFINITY;
    for (let n = 0; n < 300; n++) await partition.send(add, { id: 'a', by: 1 }, { caller });
    await eventually('it fails', () => recorder.failingMs() > 0);
    trim();
    await partition.send(add, { id: 'a', by: 1 }, { caller });
    assert.equal(feed.oldest(), before);
    kept.failures = 0;
    await eventually('all are written', () => kept.rows.length === written + 301, 5_000);
    assert.equal(new Set(revisions()).size, kept.rows.length);
    assert.equal(recorder.failingMs(), 0);
    await trimmed(feed, feed.newest());
    await recorder.close();
  });

  it('hold the log so far and no further, and tell what they lack', async () => {
    const partition = await store.open('test', 'test');
    const { feed } = partition.replica;
    const caller = callerNamed('ann');
    recorder = new CommitRecorder('test', { ...ofTests, heldMax: 50 });
    recorder.begin(feed);
    await eventually('it follows', () => recorder.needless() === feed.newest());
    const [before, written] = [feed.newest(), kept.rows.length];
    kept.failures = Number.POSITIVE_INFINITY;
    for (let n = 0; n < 200; n++) await partition.send(add, { id: 'a', by: 1 }, { caller });
    await eventually('it fails', () => recorder.failingMs() > 0);
    await trimmed(feed, before + 150);
    kept.failures = 0;
    await eventually('all are written that are there', () => kept.rows.length === written + 51, 5_000);
    const [lost, ...rows] = kept.rows.slice(written);
    assert.deepEqual(lost, { at: 0, type: 'gone', from: before + 1, revision: before + 150 });
    assert.deepEqual(
      rows.map(({ revision }) => revision),
      Array.from({ length: 50 }, (_, n) => before + 151 + n),
    );
    await recorder.close();
  });

  it('are written when it is closed', async () => {
    const partition = await store.open('test', 'test');
    recorder = new CommitRecorder('test', ofTests);
    recorder.begin(partition.replica.feed);
    const caller = callerNamed('ann');
    await eventually('it follows', () => recorder.needless() === partition.replica.feed.newest());
    const before = kept.rows.length;
    await partition.send(add, { id: 'a', by: 1 }, { caller });
    await recorder.close();
    assert.equal(kept.rows.length, before + 1);
  });
});
