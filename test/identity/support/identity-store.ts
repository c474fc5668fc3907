import { contentNames } from '../../../src/content/change-names.js';
import { contentCollections } from '../../../src/content/repository.js';
import { ensureStandardTree } from '../../../src/content/tree/standard-tree.js';
import type { NamingPartitions } from '../../../src/identity/change-job.js';
import { takenNames } from '../../../src/identity/collections.js';
import { identityApi, identityDomain } from '../../../src/identity/identity.js';
import { catchUp, principalChanges, resumeChanges } from '../../../src/identity/index.js';
import { ensurePrincipals } from '../../../src/identity/operation/ensure-principals.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { SteadyClock } from '../../../src/shared/clock.js';
import { type AnyOperation, collection, longJobs, operation, type Partition, put } from '../../../src/store/index.js';
import { LocalLogs } from '../../../src/store/log/local-logs.js';
import type { NameChanger } from '../../../src/store/principal/change-name.js';
import { Store } from '../../../src/store/store.js';
import { Changes } from '../../support/changes.js';
import { dataFolder } from '../../support/data-folder.js';

/** A document that names somebody. */
export interface Note {
  readonly id: string;
  readonly owner: string;
}

export const notes = collection<Note>({
  name: 'note',
  columns: { owner: ({ owner }) => owner },
  indexes: { owner: { columns: ['owner'] } },
  principals: { owner: 'owner' },
});

export const writeNotes = operation('writeNotes', (_state, some: readonly Note[]) => ({
  write: some.map((one) => put(notes, one)),
  answer: null,
}));

/** Identity in a store of its own, on disk, with the workspaces `system`, `web` and `shop`, whose names are their ids. */
export class IdentityStore {
  readonly #data = dataFolder();
  readonly changes = new Changes();
  readonly store: Store;
  /** Ids of the workspaces that there are, open or not. */
  known = ['system', 'web', 'shop'];
  /** What is waited for before a job changes anything. */
  requestsOver: () => Promise<void> = async () => {};

  /** Lets a job wait once; resolves when it does, to what lets it go on. */
  held(): Promise<() => void> {
    return new Promise((reached) => {
      this.requestsOver = () => {
        this.requestsOver = async () => {};
        return new Promise((resolve) => reached(resolve));
      };
    });
  }

  /** `noteNames`: how notes are changed. Default: as declared. `operations`: more of them. */
  constructor(noteNames?: NameChanger, operations: readonly AnyOperation[] = []) {
    const domain = identityDomain(() => this.#naming);
    this.store = new Store({
      folder: null,
      logs: new LocalLogs(this.#data.path),
      collections: [...contentCollections, ...domain.collections, notes],
      operations: [ensureStandardTree, writeNotes, ...domain.operations, ...operations],
      nameChangers: [...contentNames, ...(domain.nameChangers ?? []), ...(noteNames === undefined ? [] : [noteNames])],
      longJobs: { types: domain.longJobTypes ?? [] },
      evaluators: {},
      jobTypes: [],
      reactions: [],
      clock: new SteadyClock(),
      jobSlots: 1,
      callerOf: (userId, workspace) => ({ ...systemCaller(workspace), userId }),
      followers: () => [{ committed: this.changes.tell }],
      prepare: async (partition) => {
        if (partition.id !== 'system') await catchUp(this.system, partition, this.#naming);
      },
    });
  }

  get #naming(): NamingPartitions {
    return {
      known: () => this.known,
      find: (id) => this.store.partitions.find((one) => one.id === id),
      changeName: this.store.changeName,
      requestsOver: () => this.requestsOver(),
    };
  }

  get system(): Partition {
    return this.store.find('system');
  }

  async close(): Promise<void> {
    await this.store.close(100);
    this.#data.remove();
  }

  /** As it is done again and again. */
  resume(): Promise<void> {
    return resumeChanges(this.system, this.#naming);
  }

  /** Opens all that is known. */
  async open(): Promise<void> {
    for (const id of this.known) {
      const partition = await this.store.open(id, id);
      await partition.sendAsSystem(ensureStandardTree, null);
      if (id === 'system') await partition.sendAsSystem(ensurePrincipals, { users: [], adminPassword: 'x' });
    }
  }

  /** Makes a user. */
  async user(username: string): Promise<void> {
    await this.system.sendAsSystem(identityApi.createUser, { username, password: 'x' });
  }

  /** Removes a user; gives the job that takes its name out of all documents. */
  async deleteUser(username: string): Promise<string> {
    const { jobId } = await this.system.sendAsSystem(identityApi.deleteUser, { username });
    return jobId;
  }

  /** How the job has ended. */
  async ended(jobId: string): Promise<string | undefined> {
    const job = () => this.system.replica.read().get(longJobs, jobId);
    await this.changes.until(() => typeof job()?.ended === 'number');
    return job()?.actor.value;
  }

  /** The job that keeps the name from being taken. */
  leaving(name: string): string | undefined {
    return this.system.replica.read().get(takenNames, name)?.leaving;
  }

  /** Of each change that is to be made somewhere: from, to, and where. */
  left(): unknown[] {
    const all = this.system.replica.read().range(principalChanges, 'order', [''], 100);
    return all.map(({ from, to, workspaces }) => [from, to, workspaces]);
  }

  async write(workspace: string, ...some: readonly Note[]): Promise<void> {
    await this.store.find(workspace).sendAsSystem(writeNotes, some);
  }

  owner(workspace: string, id = 'n'): string | undefined {
    return this.store.find(workspace).replica.read().get(notes, id)?.owner;
  }
}
