import assert from 'node:assert/strict';
import { SteadyClock } from '../../../src/shared/clock.js';
import { CommitRecorder } from '../../../src/store/records/commit-recorder.js';
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

  async write(_: string, rows: readonly RecordRow[], { place }: Reached): Promise<void> {
    if (this.failures-- > 0) throw new Error('the disk is full');
    this.rows.push(...(rows as Row[]));
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
    rowOf: (commit: { at: number; type: string; userId: string } | null, revision: number) =>
      commit?.userId === 'ann' ? { at: commit.at, type: commit.type, revision } : undefined,
  };
  let recorder = new CommitRecorder('test', ofTests);
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
  });
  after(() => store.close(100));
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
