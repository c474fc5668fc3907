import assert from 'node:assert/strict';
import type { Caller } from '../../src/shared/caller.js';
import { SteadyClock } from '../../src/shared/clock.js';
import { ServiceError } from '../../src/shared/errors.js';
import { longJobs, type Partition } from '../../src/store/index.js';
import { MemoryLogs } from '../../src/store/log/memory-logs.js';
import { Store } from '../../src/store/store.js';
import { allWorkspaces, WorkspaceLifecycle, workspaceDomain, workspaces } from '../../src/workspace/index.js';
import { ensureWorkspaces, updateWorkspace } from '../../src/workspace/operations.js';
import { Changes } from '../support/changes.js';
import { callerNamed } from '../support/test-domain.js';

const admin: Caller = { ...callerNamed('admin'), roles: ['administrator'] };

const ensureMany = { ...ensureWorkspaces, name: 'ensureMany', limits: { reads: 10, writes: 2_000 } };

describe('jobs of workspaces', () => {
  let store: Store;
  let system: Partition;
  let failing: Error | undefined;
  let changes: Changes;
  beforeEach(async () => {
    failing = undefined;
    changes = new Changes();
    const domain = workspaceDomain(
      new WorkspaceLifecycle({
        open: async ({ id, name, wasOpened }) => {
          if (failing !== undefined) throw failing;
          await store.open(id, name, wasOpened);
        },
        close: ({ id }) => store.closePartition(id, 100),
        remove: ({ id }) => store.removePartition(id),
      }),
    );
    store = new Store({
      folder: null,
      logs: new MemoryLogs(),
      collections: domain.collections,
      operations: [...(domain.operations ?? []), ensureMany],
      longJobs: { types: domain.longJobTypes ?? [] },
      evaluators: {},
      jobTypes: [],
      reactions: [],
      clock: new SteadyClock(),
      jobSlots: 1,
      callerOf: callerNamed,
      followers: () => [{ committed: changes.tell }],
    });
    system = await store.open('system', 'system');
    await system.sendAsSystem(ensureWorkspaces, { names: ['system'] });
  });
  afterEach(() => store.close(100));

  const job = (id: string) => system.replica.read().get(longJobs, id);
  const started = async (type: string, name: string, caller = admin): Promise<string> => {
    const { initLongJob, startLongJob } = store.longJobs.operations;
    const { jobId } = (await system.send(initLongJob, { type }, { caller })).answer;
    await system.send(startLongJob, { jobId, type, parameters: { name } }, { caller });
    return jobId;
  };
  const ended = async (id: string): Promise<string | undefined> => {
    await changes.until(() => job(id)?.ended !== null);
    return job(id)?.actor.value;
  };
  const done = async (type: string, name: string) => ended(await started(type, name));
  const known = (name: string) => system.replica.read().find(workspaces, 'name', [name])[0];

  it('find all workspaces, however many there are', async () => {
    const other = await store.open('other', 'other');
    const names = ['system', ...Array.from({ length: 1_100 }, (_, i) => `w${i}`)];
    await other.sendAsSystem(ensureMany, { names });
    const found = allWorkspaces(other.replica.read({ readMax: 10_000 })).map(({ name }) => name);
    assert.deepEqual(found, [...names].sort());
  });

  it('create a workspace, stop it, start it and delete it', async () => {
    const id = await started('create-workspace', 'shop');
    assert.equal(known('shop')?.actor.value, 'STARTING', 'the name is taken with the start of the job');
    assert.equal(await ended(id), 'completed');
    assert.deepEqual([job(id)?.figures.phase, job(id)?.figures.targetWorkspace], ['starting', 'shop']);
    const shop = known('shop');
    assert.ok(shop);
    assert.equal(shop.actor.value, 'ONLINE');
    const partition = store.find(shop.id);
    assert.equal(await done('stop-workspace', 'shop'), 'completed');
    assert.equal(known('shop')?.actor.value, 'STOPPED');
    assert.throws(() => partition.replica.read(), { code: 'UNAVAILABLE' });
    assert.equal(await done('start-workspace', 'shop'), 'completed');
    assert.equal(await done('restart-workspace', 'shop'), 'completed');
    assert.equal(store.find(shop.id).isOpen, true);
    assert.equal(await done('delete-workspace', 'shop'), 'completed');
    assert.equal(known('shop'), undefined);
    assert.throws(() => store.find(shop.id), { code: 'UNAVAILABLE' });
    assert.equal(await done('create-workspace', 'shop'), 'completed');
    assert.notEqual(known('shop')?.id, shop.id);
  });

  it('tell why one cannot be opened, and try again', async () => {
    failing = Object.assign(new Error('a bug'), {});
    assert.equal(await done('create-workspace', 'shop'), 'failed');
    assert.deepEqual(known('shop')?.actor, { value: 'FAILED', context: { message: 'Internal error' } });
    failing = undefined;
    assert.equal(await done('start-workspace', 'shop'), 'completed');
    assert.deepEqual(known('shop')?.actor, { value: 'ONLINE', context: { message: null } });
  });

  it('are in turn with what opens the workspaces of a server that starts, of which one fails and the others do not', async () => {
    for (const name of ['one', 'two', 'three', 'stopped']) await done('create-workspace', name);
    await done('stop-workspace', 'stopped');
    await system.send(updateWorkspace, { name: 'three', autoStart: false }, { caller: admin });
    const [one, two, three] = ['one', 'two', 'three'].map((name) => known(name)?.id ?? '');
    assert.ok(one !== undefined && two !== undefined && three !== undefined);
    for (const id of [one, two, three]) await store.closePartition(id, 0);
    const broken = new WorkspaceLifecycle({
      open: async ({ id, name, wasOpened }) => {
        assert.equal(wasOpened, true, 'nothing is made anew in silence');
        if (id === two) throw new ServiceError('CONFLICT', 'its log is gone');
        await store.open(id, name, wasOpened);
      },
      close: () => assert.fail('nothing is closed'),
      remove: () => assert.fail('nothing is removed'),
    });
    await broken.begin(system);
    const states = ['one', 'two', 'three', 'stopped'].map((name) => known(name)?.actor);
    assert.deepEqual(states, [
      { value: 'ONLINE', context: { message: null } },
      { value: 'FAILED', context: { message: 'its log is gone' } },
      { value: 'STOPPED', context: { message: null } },
      { value: 'STOPPED', context: { message: null } },
    ]);
    assert.deepEqual(
      store.partitions.map(({ id }) => id),
      ['system', one],
    );
    assert.equal(await done('start-workspace', 'two'), 'completed');
    assert.deepEqual(known('two')?.actor, { value: 'ONLINE', context: { message: null } });
  });

  it('come one after the other where they are about one workspace', async () => {
    await done('create-workspace', 'shop');
    const ids = await Promise.all(
      ['restart-workspace', 'stop-workspace', 'restart-workspace', 'delete-workspace'].map((type) =>
        started(type, 'shop'),
      ),
    );
    assert.deepEqual(await Promise.all(ids.map(ended)), Array(4).fill('completed'));
    assert.equal(known('shop'), undefined);
  });

  it('are refused at their start', async () => {
    await done('create-workspace', 'shop');
    const reason = (wanted: string) => (thrown: { info?: { reason?: string } }) => thrown.info?.reason === wanted;
    await assert.rejects(started('create-workspace', 'shop'), reason('already_exists'));
    await assert.rejects(started('create-workspace', 'Shop'), reason('invalid_input'));
    await assert.rejects(started('stop-workspace', 'nothing'), reason('not_found'));
    for (const verb of ['stop', 'restart', 'delete'])
      await assert.rejects(started(`${verb}-workspace`, 'system'), reason('invalid_input'));
    await assert.rejects(started('delete-workspace', 'shop', callerNamed('ann')), reason('access_denied'));
  });
});
