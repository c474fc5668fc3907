import assert from 'node:assert/strict';
import { SteadyClock } from '../../src/shared/clock.js';
import { longJobs, type Partition, partitionsIn } from '../../src/store/index.js';
import { LocalLogs } from '../../src/store/log/local-logs.js';
import { Store } from '../../src/store/store.js';
import {
  WorkspaceLifecycle,
  type WorkspacePartitions,
  workspaceDomain,
  workspaces,
} from '../../src/workspace/index.js';
import { ensureWorkspaces } from '../../src/workspace/operations.js';
import { Changes } from '../support/changes.js';
import { temporaryFolder } from '../support/temporary.js';
import { callerNamed } from '../support/test-domain.js';

const admin = { ...callerNamed('admin'), roles: ['administrator'] };
const never = new Promise<never>(() => {});

/** One life of a server; `cut`: the step at which its jobs stand still, before it is done or behind it. */
class Life {
  readonly changes = new Changes();
  readonly cutOff: Promise<void>;
  readonly store: Store;
  system!: Partition;

  constructor(folder: string, cut?: { readonly step: keyof WorkspacePartitions; readonly isDone: boolean }) {
    let told = () => {};
    this.cutOff = new Promise((resolve) => {
      told = resolve;
    });
    const at = async (step: keyof WorkspacePartitions, work: () => Promise<unknown>): Promise<void> => {
      if (cut?.step !== step || cut.isDone) await work();
      if (cut?.step !== step) return;
      told();
      await never;
    };
    const domain = workspaceDomain(
      new WorkspaceLifecycle({
        open: ({ id, name, wasOpened }) => at('open', () => this.store.open(id, name, wasOpened)),
        close: ({ id }) => at('close', () => this.store.closePartition(id, 100)),
        remove: ({ id }) => at('remove', () => this.store.removePartition(id)),
      }),
    );
    this.store = new Store({
      folder,
      logs: new LocalLogs(folder),
      collections: domain.collections,
      operations: domain.operations ?? [],
      longJobs: { types: domain.longJobTypes ?? [] },
      evaluators: {},
      jobTypes: [],
      reactions: [],
      clock: new SteadyClock(),
      jobSlots: 1,
      callerOf: callerNamed,
      followers: () => [{ committed: this.changes.tell }],
    });
  }

  async begin(): Promise<this> {
    this.system = await this.store.open('system', 'system');
    await this.system.sendAsSystem(ensureWorkspaces, { names: ['system'] });
    return this;
  }

  async start(type: string): Promise<string> {
    const { initLongJob, startLongJob } = this.store.longJobs.operations;
    const { jobId } = (await this.system.send(initLongJob, { type }, { caller: admin })).answer;
    await this.system.send(startLongJob, { jobId, type, parameters: { name: 'shop' } }, { caller: admin });
    return jobId;
  }

  async ended(id: string): Promise<string | undefined> {
    const job = () => this.system.replica.read().get(longJobs, id);
    await this.changes.until(() => job()?.ended !== null);
    return job()?.actor.value;
  }

  shop() {
    return this.system.replica.read().find(workspaces, 'name', ['shop'])[0];
  }
}

describe('a job of a workspace that the server’s end cuts off', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let life: Life;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await life.store.close(0);
    folder.remove();
  });

  const cuts = [
    ['create', 'open', 'ONLINE'],
    ['start', 'open', 'ONLINE'],
    ['stop', 'close', 'STOPPED'],
    ['restart', 'close', 'ONLINE'],
    ['restart', 'open', 'ONLINE'],
    ['delete', 'close', undefined],
    ['delete', 'remove', undefined],
  ] as const;
  for (const [verb, step, state] of cuts)
    for (const isDone of [false, true])
      it(`goes on: ${verb}, ${isDone ? 'behind' : 'before'} its step ${step}`, async () => {
        if (verb !== 'create') {
          life = await new Life(folder.path).begin();
          assert.equal(await life.ended(await life.start('create-workspace')), 'completed');
          if (verb === 'start') assert.equal(await life.ended(await life.start('stop-workspace')), 'completed');
          await life.store.close(100);
        }
        life = await new Life(folder.path, { step, isDone }).begin();
        const job = await life.start(`${verb}-workspace`);
        await life.cutOff;
        await life.store.close(0);
        life = await new Life(folder.path).begin();
        assert.equal(await life.ended(job), 'completed');
        assert.equal(life.shop()?.actor.value, state);
        assert.equal(life.store.partitions.length, state === 'ONLINE' ? 2 : 1);
        assert.equal(partitionsIn(folder.path).length, state === undefined ? 1 : 2, 'no half of it is left');
      });
});
