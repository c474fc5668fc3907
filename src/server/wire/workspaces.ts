import { join } from 'node:path';
import { log } from '../../shared/log.js';
import { type PartitionPort, partitionsIn, type Store } from '../../store/index.js';
import {
  allWorkspaces,
  ensureWorkspaces,
  moveWorkspace,
  noteSamples,
  SYSTEM_WORKSPACE,
  type Workspace,
  type WorkspaceLifecycle,
  type WorkspacePartitions,
  workspaces,
} from '../../workspace/index.js';
import type { Warning } from '../http/readiness.js';

/** The partition of the workspace `system`, which holds the other workspaces. */
export const SYSTEM_PARTITION = SYSTEM_WORKSPACE;

/** The open workspaces of a server, by name. */
export type Workspaces = ReadonlyMap<string, PartitionPort>;

/** The workspace that the samples are in. */
const SAMPLES_WORKSPACE = 'web';

/** Opens `system`, then the workspaces that are started with the server. The first start makes `web`. `open`: filled with them. */
export async function openWorkspaces(
  store: Store,
  dataFolder: string,
  lifecycle: WorkspaceLifecycle,
  open: Map<string, PartitionPort>,
): Promise<Workspaces> {
  const system = await store.open(SYSTEM_PARTITION, SYSTEM_WORKSPACE, hasWorkspaces(dataFolder));
  await system.sendAsSystem(ensureWorkspaces, { names: [SYSTEM_WORKSPACE, SAMPLES_WORKSPACE] });
  if (system.replica.read().get(workspaces, SYSTEM_PARTITION)?.actor.value !== 'ONLINE')
    await system.sendAsSystem(moveWorkspace, { id: SYSTEM_PARTITION, event: { type: 'opened' } });
  tellUnknown(dataFolder, knownPartitions(store));
  open.set(SYSTEM_WORKSPACE, system);
  await lifecycle.begin(system);
  return open;
}

interface PartitionParts {
  readonly store: () => Store;
  /** The workspaces that take calls, by name. */
  readonly open: Map<string, PartitionPort>;
  readonly addSamples: (partition: PartitionPort) => Promise<void>;
  /** Ends what calls and streams are under way in a workspace that takes no more of them. */
  readonly leave: (workspace: string) => Promise<void>;
  readonly drainMs: number;
}

/** Partitions of workspaces as they come and go while the server runs. */
export const workspacePartitions = ({
  store,
  open,
  addSamples,
  leave,
  drainMs,
}: PartitionParts): WorkspacePartitions => ({
  open: async ({ id, name, wasOpened, hasSamples }) => {
    const partition = await store().open(id, name, wasOpened);
    try {
      if (name === SAMPLES_WORKSPACE && !hasSamples) {
        await addSamples(partition);
        await store().find(SYSTEM_PARTITION).sendAsSystem(noteSamples, { id });
      }
    } catch (thrown) {
      await store().closePartition(id, 0);
      throw thrown;
    }
    open.set(name, partition);
  },
  close: async ({ id, name }) => {
    open.delete(name);
    await leave(name);
    await store().closePartition(id, drainMs);
  },
  remove: ({ id }) => store().removePartition(id),
});

/** The partitions of all workspaces that there are, open or not. */
export const knownPartitions = (store: Pick<Store, 'find'>): readonly string[] =>
  allWorkspaces(store.find(SYSTEM_PARTITION).replica.read()).map(({ id }) => id);

/** The workspaces that could not be opened. */
export const failedWorkspaces = (store: Pick<Store, 'find'>): readonly Workspace[] =>
  allWorkspaces(store.find(SYSTEM_PARTITION).replica.read()).filter(({ actor }) => actor.value === 'FAILED');

/** As the operator is told of them. */
export const failedWarnings = ({ length: count }: readonly Workspace[]): readonly Warning[] =>
  count === 0
    ? []
    : [
        {
          reason: 'workspace_failed',
          message: `${count} ${count === 1 ? 'workspace' : 'workspaces'} could not be opened; the others are served`,
        },
      ];

/** Whether the data folder holds logs of workspaces beside `system`, which knows of all of them. */
const hasWorkspaces = (dataFolder: string): boolean =>
  partitionsIn(dataFolder).some((partition) => partition !== SYSTEM_PARTITION);

/** A log that `system` does not know, as its own was lost, is nobody's: it stays where it is, and that is said at every start. */
function tellUnknown(dataFolder: string, known: readonly string[]): void {
  for (const partition of partitionsIn(dataFolder)) {
    if (known.includes(partition)) continue;
    log.error(
      { partition, folder: join(dataFolder, partition) },
      'a folder holds the log of no workspace that is known: nothing of it is shown',
    );
  }
}
