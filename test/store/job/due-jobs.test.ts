import assert from 'node:assert/strict';
import { jobs, put, remove } from '../../../src/store/index.js';
import { DueJobs, type Offered } from '../../../src/store/job/due-jobs.js';
import { noSubject } from '../../../src/store/job/job.js';
import { jobOf } from '../../../src/store/job/transition.js';
import { MemoryDocuments, MemoryState } from '../../support/memory-state.js';
import { callerNamed } from '../../support/test-domain.js';

/** How many are read at a time, and kept before no more are read. */
const [READ, KEPT_MAX] = [256, 5_000];

describe('the jobs of a queue that are due', () => {
  let documents: MemoryDocuments;
  let due: DueJobs;
  beforeEach(() => {
    documents = new MemoryDocuments();
    due = new DueJobs('timed', () => new MemoryState(documents, 'seed', 0, 1, 10_000));
  });

  const jobDue = (id: string, dueAt: number, immediate = false) =>
    jobOf(
      { id, type: 'count', dueAt, immediate, input: null },
      { caller: callerNamed('ann'), cause: {}, id: 'c1' },
      0,
      noSubject,
    );
  const stored = (id: string, dueAt: number, immediate = false) => {
    const job = jobDue(id, dueAt, immediate);
    documents.apply([put(jobs, job)]);
    return job;
  };
  /** Ids of those that are offered, in order; `answer`: by the id. */
  const offeredAt = (now: number, answer: (id: string) => Offered = () => 'gone') => {
    const ids: string[] = [];
    let isOver = false;
    const isLeft = due.offer(now, ({ id }) => {
      assert.equal(isOver, false, 'nothing is offered behind the one that ended the look');
      const became = answer(id);
      isOver = became === 'stop';
      if (became !== 'stop') ids.push(id);
      if (became === 'gone') documents.apply([remove(jobs, id)]);
      return became;
    });
    return { ids, isLeft };
  };
  const nothing = { ids: [], isLeft: false };

  it('come by their priority where several are due, and by their time where that is the same', () => {
    const ranked = { ...jobDue('c', 7), priority: 20 };
    stored('a', 5);
    documents.apply([
      put(jobs, ranked),
      put(jobs, { ...jobDue('b', 6), priority: -1 }),
      put(jobs, { ...jobDue('e', 9), priority: 20 }),
    ]);
    stored('d', 8);
    assert.deepEqual(offeredAt(8, (id) => (id === 'c' ? 'gone' : 'stay')).ids, ['c', 'a', 'd', 'b']);
    assert.deepEqual(offeredAt(9).ids, ['e', 'a', 'd', 'b']);
    assert.deepEqual(offeredAt(9), nothing);
  });

  it('are offered once, oldest first, none of them early and none of another queue', () => {
    for (const [id, dueAt] of [
      ['d', 11],
      ['c', 10],
      ['b', 0],
      ['a', 10],
    ] as const)
      stored(id, dueAt);
    stored('immediate', 0, true);
    assert.deepEqual(offeredAt(10), { ids: ['b', 'a', 'c'], isLeft: false });
    assert.deepEqual(offeredAt(10), nothing);
    assert.deepEqual(offeredAt(11), { ids: ['d'], isLeft: false });
    assert.equal(due.at, 11);
  });

  it('are offered again when they had to stay, or nothing more could begin', () => {
    for (const id of ['a', 'b', 'c']) stored(id, 5);
    assert.deepEqual(
      offeredAt(9, (id) => (id === 'a' ? 'stay' : 'stop')),
      { ids: ['a'], isLeft: true },
    );
    assert.deepEqual(
      offeredAt(10, (id) => (id === 'a' ? 'stay' : 'gone')),
      { ids: ['a', 'b', 'c'], isLeft: true },
    );
    assert.deepEqual(offeredAt(10), { ids: ['a'], isLeft: false });
  });

  it('are those, too, that are told of behind the look at their time', () => {
    offeredAt(10);
    due.add(stored('now', 10));
    due.add(stored('soon', 11));
    assert.deepEqual(offeredAt(10), { ids: ['now'], isLeft: false });
    assert.deepEqual(offeredAt(11), { ids: ['soon'], isLeft: false });
  });

  it('are read anew when nobody told of them', () => {
    offeredAt(10);
    stored('untold', 10);
    assert.deepEqual(offeredAt(10), nothing);
    due.renew();
    assert.deepEqual(offeredAt(10), { ids: ['untold'], isLeft: false });
  });

  for (const count of [READ - 1, READ, READ + 1, 2 * READ])
    it(`are all offered where ${count} are due at once, also when the look ends early`, () => {
      const ids = Array.from({ length: count }, (_, n) => `j${String(n).padStart(4, '0')}`);
      for (const id of ids) stored(id, 0);
      stored('last', 1);
      let left = 100;
      const first = offeredAt(5, () => (left-- > 0 ? 'gone' : 'stop'));
      assert.deepEqual(first, { ids: ids.slice(0, 100), isLeft: true });
      assert.deepEqual(offeredAt(6), { ids: [...ids.slice(100), 'last'], isLeft: false });
    });

  it('are no more than 5,000 at a time that cannot begin; the next are read when those are gone', () => {
    offeredAt(10);
    for (let n = 0; n <= KEPT_MAX; n++) due.add(jobDue(`j${n}`, 10));
    stored('read', 10);
    const { ids, isLeft } = offeredAt(10, () => 'stay');
    assert.deepEqual([ids.length, ids.at(-1), isLeft], [KEPT_MAX, `j${KEPT_MAX - 1}`, true]);
    assert.equal(offeredAt(10).ids.at(-1), 'read');
  });
});
