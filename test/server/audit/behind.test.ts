import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Audit } from '../../../src/server/audit/audit.js';
import { SteadyClock } from '../../../src/shared/clock.js';
import { systemTime } from '../../../src/shared/time.js';
import { Records } from '../../../src/store/index.js';
import { Store } from '../../../src/store/store.js';
import { dataFolder } from '../../support/data-folder.js';
import { eventually } from '../../support/eventually.js';
import { add, callerNamed, counters } from '../../support/test-domain.js';

describe('an audit log that cannot be written', () => {
  const folder = dataFolder();
  const clock = new SteadyClock();
  let ms = 0;
  // What waits is tried at once; how long it has been so is said by `ms`.
  const time = { ...systemTime, monotonic: () => ms, after: (_: number, run: () => void) => systemTime.after(10, run) };
  const audit = new Audit(new Records({ dataFolder: folder.path, retention: {} }), clock, time);
  const store = new Store({
    folder: null,
    collections: [counters],
    operations: [add],
    evaluators: {},
    jobTypes: [],
    reactions: [],
    clock,
    jobSlots: 1,
    callerOf: callerNamed,
    opening: (partition) => audit.begin(partition),
    followers: (partition) => [audit.follower(partition)],
    closed: (partition) => audit.end(partition),
  });
  after(async () => {
    await store.close(100);
    await audit.close();
    folder.remove();
  });

  it('is a problem of the server before long, until it can, and lacks nothing then', async () => {
    const partition = await store.open('p', 'p');
    const caller = callerNamed('ann');
    await partition.send(add, { id: 'a', by: 1 }, { caller });
    await partition.send(add, { id: 'a', by: 1 }, { caller });
    assert.equal(audit.problems.length, 0);
    await eventually('it is known', () => {
      ms += 10_000;
      return audit.problems.length > 0;
    });
    assert.equal(audit.problems[0]?.reason, 'audit_behind');
    // Where its file could not be made for want of a folder.
    mkdirSync(join(folder.path, 'p'));
    await eventually('it is over', () => audit.problems.length === 0);
    const read = async () =>
      (await audit.read('p', {}, { limit: 10 })).map(({ row: { userId, type } }) => [userId, type]);
    await eventually('all are there', async () => (await read()).length === 2);
    assert.deepEqual(await read(), [
      ['ann', 'add'],
      ['ann', 'add'],
    ]);
  });

  it('has the last commits of a partition that is closed', async () => {
    const partition = store.find('p');
    await partition.send(add, { id: 'a', by: 1 }, { caller: callerNamed('bob') });
    await store.closePartition('p', 100);
    assert.equal((await audit.read('p', { userId: 'bob' }, { limit: 10 })).length, 1);
  });
});
