import { join } from 'node:path';
import { log } from '../../shared/log.js';
import { type PartitionPort, partitionsIn, type Store } from '../../store/index.js';
import {
  allWorkspaces,
  ensureWorkspace,
  moveWorkspace,
  noteSamples,
  SYSTEM_WORKSPACE,
  type Workspace,
  type WorkspacePartitions,
} from '../../workspace/index.js';

/** The partition of the workspace `system`, which holds the other workspaces. */
export const SYSTEM_PARTITION = SYSTEM_WORKSPACE;

/** The open workspaces of a server, by name. */
export type Workspaces = ReadonlyMap<string, PartitionPort>;

/** As they come and go. */
export class OpenWorkspaces extends Map<string, PartitionPort> {
  readonly #listeners = new Set<() => void>();

  /** Calls when one of them takes no calls any more; gives what ends that. */
  onClose(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  override delete(name: string): boolean {
    const wasOpen = super.delete(name);
    if (wasOpen) for (const listener of this.#listeners) listener();
    return wasOpen;
  }
}

/**
 * Opens the workspaces that are started with the server, `system` and `web` made on the first start; `addSamples` is run once for a new `web`. What was
 * stopped, or is being removed, stays closed. `open`: filled with them.
 */
export async function openWorkspaces(
  store: Store,
  dataFolder: string,
  open: Map<string, PartitionPort>,
  addSamples: (partition: PartitionPort) => Promise<void>,
): Promise<Workspaces> {
  const home = await store.open(SYSTEM_PARTITION, SYSTEM_WORKSPACE, hasWorkspaces(dataFolder));
  const own = await home.sendAsSystem(ensureWorkspace, { name: SYSTEM_WORKSPACE });
  const web = await home.sendAsSystem(ensureWorkspace, { name: 'web' });
  await opened(home, own);
  const known = allWorkspaces(home.replica.read());
  tellUnknown(
    dataFolder,
    known.map(({ id }) => id),
  );
  open.set(SYSTEM_WORKSPACE, home);
  for (const workspace of known) {
    if (workspace.id === SYSTEM_PARTITION || !(await isToStart(home, workspace))) continue;
    const partition = await store.open(workspace.id, workspace.name, wasOpened(workspace));
    if (workspace.id === web.id && !workspace.hasSamples) {
      await addSamples(partition);
      await home.sendAsSystem(noteSamples, { id: web.id });
    }
    await opened(home, workspace);
    open.set(workspace.name, partition);
  }
  return open;
}

/** Partitions of workspaces as they come and go while the server runs. `open`: the workspaces that take calls, by name. */
export const workspacePartitions = (
  store: () => Store,
  open: Map<string, PartitionPort>,
  drainMs: number,
): WorkspacePartitions => ({
  open: async ({ id, name }, isKnown) => {
    open.set(name, await store().open(id, name, isKnown));
  },
  close: async ({ id, name }) => {
    open.delete(name);
    await store().closePartition(id, drainMs);
  },
  remove: ({ id }) => store().removePartition(id),
});

/** Whether the workspace is started with the server. One that is not, and was online when the server ended, is stopped from now on. */
async function isToStart(home: PartitionPort, { id, autoStart, actor }: Workspace): Promise<boolean> {
  if (actor.value === 'STOPPED' || actor.value === 'DELETED') return false;
  if (!autoStart) await home.sendAsSystem(moveWorkspace, { id, event: { type: 'stop' } });
  return autoStart;
}

/** Whether its partition was open before; one of `web` that was stored before there were states is `ONLINE` from the beginning. */
const wasOpened = ({ name, hasSamples, actor }: Workspace): boolean =>
  hasSamples || (name !== 'web' && actor.value !== 'STARTING');

/** Its partition is open; where that is known already nothing is written. */
async function opened(home: PartitionPort, { id, actor }: Workspace): Promise<void> {
  if (actor.value !== 'ONLINE') await home.sendAsSystem(moveWorkspace, { id, event: { type: 'opened' } });
}

/** The partitions of all workspaces that there are, open or not. */
export const knownPartitions = (store: Pick<Store, 'find'>): readonly string[] =>
  allWorkspaces(store.find(SYSTEM_PARTITION).replica.read()).map(({ id }) => id);

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
