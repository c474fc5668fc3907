import { ServiceError } from '../shared/errors.js';
import { pause, systemTime } from '../shared/time.js';
import type { LongJobContext, LongJobType, NameChange, Operation, PartitionPort } from '../store/index.js';
import type { PrincipalChange } from './collections.js';
import {
  CHANGE_PRINCIPALS,
  endPrincipalChanges,
  listPrincipalChanges,
  notePrincipalChange,
  principalChangesBehind,
  resumePrincipalChanges,
} from './operation/principal-changes.js';
import { removeWorkspaceHome } from './operation/workspace-home.js';

/** The partitions in which principals are named. */
export interface NamingPartitions {
  /** Ids of the workspaces that there are, open or not. */
  known(): readonly string[];
  /** Undefined: it is not open. */
  find(id: string): PartitionPort | undefined;
  readonly changeName: Operation<NameChange, number>;
  /** Resolves when every request is over that goes on now: each was begun by somebody with the names of then. */
  requestsOver(): Promise<void>;
}

/** The long job that takes names out of all open workspaces, or changes them there. A run that was cut off begins again: each of its steps bears that. */
export const changePrincipalsJob = (partitions: () => NamingPartitions): LongJobType => ({
  type: CHANGE_PRINCIPALS,
  needsItems: false,
  resume: 'restart',
  throttle: { items: 1_000, ms: 500 },
  abortable: false,
  run: async (context) => {
    await new ChangeRun(partitions(), context).run();
    return undefined;
  },
});

/** How long the log may be away before it is tried again, ms. */
const AGAIN_MS = 200;

class ChangeRun {
  readonly #partitions: NamingPartitions;
  readonly #context: LongJobContext;
  #changed = 0;

  constructor(partitions: NamingPartitions, context: LongJobContext) {
    this.#partitions = partitions;
    this.#context = context;
  }

  async run(): Promise<void> {
    const { job, partition: system } = this.#context;
    const about = { jobId: job.id };
    const listed = { ...about, workspaces: this.#partitions.known() };
    const changes = await this.#send(system, listPrincipalChanges, listed);
    // What was begun by somebody with the names of before is over first. What copied the former names meanwhile is over then, too, and is changed behind that.
    const failed: unknown[] = [];
    for (const isLast of [false, true]) {
      await this.#partitions.requestsOver();
      failed.push(...(await this.#everywhere(changes, isLast)));
    }
    if (failed.length > 0) throw failed[0];
    await this.#send(system, endPrincipalChanges, { ...about, workspaces: this.#partitions.known() });
  }

  /** Gives what kept it from being done in a workspace; the others are done. */
  async #everywhere(changes: readonly PrincipalChange[], isLast: boolean): Promise<unknown[]> {
    const failed: unknown[] = [];
    for (const workspace of new Set(changes.flatMap(({ workspaces }) => workspaces ?? []))) {
      this.#context.signal.throwIfAborted();
      await this.#changeAll(workspace, changes, isLast).catch((thrown: unknown) => {
        if (!isStopped(thrown)) failed.push(thrown);
      });
    }
    this.#context.signal.throwIfAborted();
    return failed;
  }

  /** One that is not open is left: it is done when it starts. */
  async #changeAll(workspace: string, changes: readonly PrincipalChange[], isLast: boolean): Promise<void> {
    const { partition: system, progress } = this.#context;
    const partition = this.#partitions.find(workspace);
    if (partition === undefined) return;
    for (const change of changes) {
      if (!change.workspaces?.includes(workspace)) continue;
      await changeIn(change, {
        changeName: this.#partitions.changeName,
        send: (operation, input) => this.#send(partition, operation, input),
        told: (count) => {
          this.#changed += count;
          progress({ itemsProcessed: this.#changed, targetWorkspace: partition.workspace });
        },
      });
      if (isLast) await this.#send(system, notePrincipalChange, { id: change.id, workspace });
    }
  }

  async #send<I, A>(partition: PartitionPort, operation: Operation<I, A>, input: I): Promise<A> {
    for (;;) {
      this.#context.signal.throwIfAborted();
      try {
        return await partition.sendAsSystem(operation, input);
      } catch (thrown) {
        const isAway = thrown instanceof ServiceError && thrown.code === 'UNAVAILABLE' && !isStopped(thrown);
        if (!isAway) throw thrown;
        await pause(systemTime, AGAIN_MS);
      }
    }
  }
}

const isStopped = (thrown: unknown): boolean =>
  thrown instanceof ServiceError && thrown.info.reason === 'workspace_stopped';

/**
 * Makes in a partition, before anybody is answered there, what was to be made of principals while it was not open.
 * @throws what keeps it from being made: the partition is not to be opened
 */
export async function catchUp(
  system: PartitionPort,
  partition: PartitionPort,
  { changeName }: Pick<NamingPartitions, 'changeName'>,
): Promise<void> {
  const send = <I, A>(operation: Operation<I, A>, input: I) => partition.sendAsSystem(operation, input);
  const after = (id: string) => principalChangesBehind(system.replica.read(), id);
  for (let some = after(''); some.length > 0; some = after(some.at(-1)?.id ?? '')) {
    for (const change of some) {
      if (change.workspaces !== null && !change.workspaces.includes(partition.id)) continue;
      await changeIn(change, { changeName, send, told: () => {} });
      await system.sendAsSystem(notePrincipalChange, { id: change.id, workspace: partition.id });
    }
  }
}

/** Has begun anew what jobs have failed at. */
export async function resumeChanges(system: PartitionPort, { known }: Pick<NamingPartitions, 'known'>): Promise<void> {
  for (let after: string | null = ''; after !== null; )
    after = await system.sendAsSystem(resumePrincipalChanges, { workspaces: known(), after });
}

interface Where {
  readonly changeName: NamingPartitions['changeName'];
  readonly send: <I, A>(operation: Operation<I, A>, input: I) => Promise<A>;
  /** Told of how many documents were changed. */
  readonly told: (count: number) => void;
}

/** Makes the change in one workspace, in commits of a bounded size. Where that is done already, nothing happens. */
async function changeIn({ kind, from, to }: PrincipalChange, { changeName, send, told }: Where): Promise<void> {
  for (;;) {
    const count = await send(changeName, { from, to });
    if (count === 0) break;
    told(count);
  }
  // In `system` it went with the user: there is none left.
  if (kind === 'user') await send(removeWorkspaceHome, { username: from });
}
