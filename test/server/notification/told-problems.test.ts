import assert from 'node:assert/strict';
import { NOTIFIED, type Notified } from '../../../src/identity/index.js';
import { DiskRoom } from '../../../src/server/maintenance/disk-room.js';
import { problemNotifications, tellProblems, toldProblems } from '../../../src/server/notification/told-problems.js';
import { SteadyClock } from '../../../src/shared/clock.js';
import type { PartitionPort } from '../../../src/store/index.js';
import { Store } from '../../../src/store/store.js';
import { ensureWorkspaces, moveWorkspace, workspaceNamed, workspaces } from '../../../src/workspace/index.js';
import { eventually } from '../../support/eventually.js';
import { callerNamed } from '../../support/test-domain.js';

describe('notifications of problems', () => {
  const store = new Store({
    folder: null,
    collections: [workspaces, ...problemNotifications.collections],
    operations: [ensureWorkspaces, moveWorkspace, ...problemNotifications.operations],
    reactions: problemNotifications.reactions,
    evaluators: {},
    jobTypes: [],
    clock: new SteadyClock(),
    jobSlots: 1,
    callerOf: callerNamed,
  });
  let system: PartitionPort;
  before(async () => {
    system = await store.open('system', 'system');
  });
  after(() => store.close(100));

  const told = () =>
    system.replica.feed
      .keptCommits(0, 1_000)
      .flatMap(({ commit }) => commit?.events ?? [])
      .filter(({ type }) => type === NOTIFIED)
      .map(({ data }) => data as Notified);
  const titles = () => told().map(({ notification: { title, severity } }) => `${severity} ${title}`);

  it('come once for each problem of the server, until it is over', async () => {
    let reasons: string[] = [];
    const look = () =>
      tellProblems(
        () => system,
        async () => reasons.map((reason) => ({ reason, message: 'm' })),
      ).work(() => false);
    const revision = system.replica.feed.newest();
    await look();
    assert.equal(system.replica.feed.newest(), revision, 'nothing is written where nothing is wrong');
    reasons = ['disk_low'];
    for (let n = 0; n < 3; n++) await look();
    reasons = ['disk_low', 'data_damaged'];
    await look();
    reasons = ['data_damaged'];
    await look();
    reasons = ['disk_low', 'data_damaged', 'another'];
    await look();
    assert.deepEqual(titles(), [
      'HIGH The disk is nearly full',
      'CRITICAL Stored data is damaged',
      'HIGH The disk is nearly full',
      'HIGH The server has a problem',
    ]);
    assert.deepEqual(
      new Set(told().map(({ roles, users, groups }) => JSON.stringify([roles, users, groups]))),
      new Set(['[["administrator"],null,null]']),
    );
  });

  it('come once for each failure of a workspace', async () => {
    const before = titles().length;
    await system.sendAsSystem(ensureWorkspaces, { names: ['system', 'web'] });
    const id = workspaceNamed(system.replica.read(), 'web')?.id ?? '';
    const move = async (event: Parameters<typeof moveWorkspace.decide>[1]['event']) => {
      await system.sendAsSystem(moveWorkspace, { id, event });
    };
    await move({ type: 'opened' });
    await move({ type: 'fail', message: 'its log is gone' });
    await move({ type: 'fail', message: 'its log is gone' });
    await eventually('it is told', () => titles().length > before);
    await move({ type: 'start' });
    await move({ type: 'opened' });
    await eventually('it is forgotten', () => system.replica.read().get(toldProblems, id) === undefined);
    await move({ type: 'fail', message: 'its log is gone again' });
    await eventually('it is told again', () => titles().length > before + 1);
    assert.deepEqual(
      told()
        .slice(before)
        .map(({ notification: { title, message, data } }) => [title, message, data]),
      ['its log is gone', 'its log is gone again'].map((message) => [
        ...["Workspace 'web' failed", message],
        { kind: 'workspace', workspace: 'web' },
      ]),
    );
  });
});

describe('the room on the disk', () => {
  it('is low, and lower, below its thresholds, and well again with some more than these', async () => {
    let free = 0;
    const disk = new DiskRoom(async () => free, { lowBytes: 1_000_000_000, criticalBytes: 100_000_000 });
    const found = async (bytes: number) => {
      free = bytes;
      await disk.look();
      return disk.problems.map(({ reason }) => reason);
    };
    assert.deepEqual(await found(1_000_000_000), []);
    assert.deepEqual(await found(999_999_999), ['disk_low']);
    assert.deepEqual(await found(1_249_999_999), ['disk_low']);
    assert.deepEqual(await found(99_999_999), ['disk_low', 'disk_critical']);
    assert.deepEqual(
      disk.problems[0]?.message,
      'less than 1,000 MB are free on the disk of the data folder; without room no change can be made',
    );
    assert.deepEqual(await found(124_999_999), ['disk_low', 'disk_critical']);
    assert.deepEqual(await found(125_000_000), ['disk_low']);
    assert.deepEqual(await found(1_250_000_000), []);
    assert.deepEqual(await found(1_000_000_000), []);
  });
});
