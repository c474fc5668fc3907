import { join } from 'node:path';
import { systemCaller } from '../../shared/caller.js';
import { log } from '../../shared/log.js';
import {
  collection,
  type Domain,
  operation,
  type PartitionPort,
  partitionsIn,
  put,
  type Store,
} from '../../store/index.js';

/** A workspace as `system` knows it. Its partition is named by its id, never by its name. */
interface Workspace {
  readonly id: string;
  readonly name: string;
  /** ms */
  readonly created: number;
  /** Whether the samples were deployed into it; once they were, they are the users' to keep or to delete. */
  readonly hasSamples: boolean;
}

const workspaces = collection<Workspace>({
  name: 'workspace',
  columns: { name: (workspace) => workspace.name },
  indexes: { name: { columns: ['name'], unique: true } },
});

/** The partition of the workspace `system`, which holds the other workspaces. */
export const SYSTEM_PARTITION = 'system';

const ensureWorkspace = operation('ensureWorkspace', (state, { name }: { name: string }) => {
  const [known] = state.find(workspaces, 'name', [name]);
  if (known !== undefined) return { answer: known };
  const id = name === 'system' ? SYSTEM_PARTITION : state.ids.next();
  const made: Workspace = { id, name, created: state.now, hasSamples: false };
  return { write: [put(workspaces, made)], answer: made };
});

const noteSamples = operation('noteSamples', (state, { id }: { id: string }) => {
  const workspace = state.get(workspaces, id);
  return { write: workspace === undefined ? [] : [put(workspaces, { ...workspace, hasSamples: true })], answer: null };
});

/** The domain of the workspaces, which `system` knows. */
export const workspaceDomain: Domain = { collections: [workspaces], operations: [ensureWorkspace, noteSamples] };

const system = { caller: systemCaller('system') };

/** The open workspaces of a server, by name. */
export type Workspaces = ReadonlyMap<string, PartitionPort>;

/** Opens `system` and `web`, making them on the first start; `addSamples` is run once for a new `web`. */
export async function openWorkspaces(
  store: Store,
  dataFolder: string,
  addSamples: (partition: PartitionPort) => Promise<void>,
): Promise<Workspaces> {
  const home = await store.open(SYSTEM_PARTITION, 'system', hasWorkspaces(dataFolder));
  await home.send(ensureWorkspace, { name: 'system' }, system);
  const { answer: web } = await home.send(ensureWorkspace, { name: 'web' }, system);
  tellUnknown(dataFolder, [SYSTEM_PARTITION, web.id]);
  const partition = await store.open(web.id, 'web', web.hasSamples);
  if (!web.hasSamples) {
    await addSamples(partition);
    await home.send(noteSamples, { id: web.id }, system);
  }
  return new Map([
    ['system', home],
    ['web', partition],
  ]);
}

/** How many workspaces one read gives. */
const READ_WORKSPACES = 1_000;

/** The partitions of all workspaces that there are, open or not. */
export function knownPartitions(store: Pick<Store, 'find'>): readonly string[] {
  const state = store.find(SYSTEM_PARTITION).replica.read();
  const known: string[] = [];
  for (let name: string | undefined = ''; name !== undefined; ) {
    const found: readonly Workspace[] = state.range(workspaces, 'name', [name], READ_WORKSPACES);
    known.push(...found.map(({ id }) => id));
    // Names are unique: behind the last one comes whatever is longer.
    name = found.length < READ_WORKSPACES ? undefined : `${found.at(-1)?.name}\u0000`;
  }
  return known;
}

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
