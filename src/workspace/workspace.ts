import type { Caller } from '../shared/caller.js';
import { type ActorOf, collection, type State } from '../store/index.js';
import type { workspaceMachine } from './machine.js';

/** A workspace as `system` knows it. Its partition is named by its id, never by its name. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly displayName: string | null;
  /** ms */
  readonly created: number;
  /** Whether it is started with the server. */
  readonly autoStart: boolean;
  /** Whether its processes run, from its next start on. */
  readonly bpmEnabled: boolean;
  /** Whether its routes run, from its next start on. */
  readonly eipEnabled: boolean;
  /** Whether the samples were deployed into it; once they were, they are the users' to keep or to delete. */
  readonly hasSamples: boolean;
  /** Whether its partition was open before: then nothing is begun in silence where that is gone. */
  readonly wasOpened: boolean;
  readonly actor: ActorOf<typeof workspaceMachine>;
}

/** The fields of a workspace that `updateWorkspace` writes. */
export type WorkspaceSettings = Pick<Workspace, 'displayName' | 'autoStart' | 'bpmEnabled' | 'eipEnabled'>;

export const workspaces = collection<Workspace>({
  name: 'workspace',
  columns: { name: ({ name }) => name },
  indexes: { name: { columns: ['name'], unique: true } },
  // Those of before had neither settings nor states: all of them were open.
  implied: {
    displayName: () => null,
    autoStart: () => true,
    bpmEnabled: () => true,
    eipEnabled: () => true,
    wasOpened: ({ name, hasSamples }) => name !== 'web' || hasSamples,
    actor: () => ({ value: 'ONLINE', context: { message: null } }),
  },
  copy: (workspace) => ({
    id: workspace.id,
    name: workspace.name,
    displayName: workspace.displayName,
    created: workspace.created,
    autoStart: workspace.autoStart,
    bpmEnabled: workspace.bpmEnabled,
    eipEnabled: workspace.eipEnabled,
    hasSamples: workspace.hasSamples,
    wasOpened: workspace.wasOpened,
    actor: workspace.actor,
  }),
  // One that is being removed only keeps its name from being taken.
  visible: (_caller: Caller, { actor }) => actor.value !== 'DELETED',
});

/** The workspace that knows all others; its partition has the same name. It is always there. */
export const SYSTEM_WORKSPACE = 'system';

/** The type of the event that every change of a workspace makes; its ids are `{ workspace }`, the name. */
export const WORKSPACE_CHANGED = 'workspace.changed';

/** The workspace of the name, one that is being removed among them. */
export const workspaceNamed = (state: State, name: string): Workspace | undefined =>
  state.find(workspaces, 'name', [name])[0];

/** How many workspaces one read gives. */
const READ_WORKSPACES = 1_000;

/** All of them by name, those that are being removed among them. */
export function allWorkspaces(state: State): readonly Workspace[] {
  const all: Workspace[] = [];
  for (let from: string | undefined = ''; from !== undefined; ) {
    const found: readonly Workspace[] = state.range(workspaces, 'name', [from], READ_WORKSPACES);
    all.push(...found);
    // Names are unique: behind the last one comes whatever is longer.
    from = found.length < READ_WORKSPACES ? undefined : `${found.at(-1)?.name} `;
  }
  return all;
}
