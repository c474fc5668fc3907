import type { Caller } from '../shared/caller.js';
import { ServiceError } from '../shared/errors.js';
import { mayAdminister } from '../shared/rights/roles.js';
import {
  accepts,
  type Decision,
  type FeedEvent,
  operation,
  type Performers,
  perform,
  put,
  remove,
  type State,
  start,
  step,
  type Write,
} from '../store/index.js';
import { type WorkspaceAction, type WorkspaceEvent, workspaceMachine } from './machine.js';
import { refusal } from './refusal.js';
import {
  SYSTEM_WORKSPACE,
  WORKSPACE_CHANGED,
  type Workspace,
  type WorkspaceSettings,
  workspaceNamed,
  workspaces,
} from './workspace.js';

const NAME = /^[a-z][a-z0-9_-]{0,63}$/;

/** Makes the workspaces of a first start, `system` among them; where that is there nothing is made, and what was deleted stays so. */
export const ensureWorkspaces = operation('ensureWorkspaces', (state, { names }: { names: readonly string[] }) => {
  if (workspaceNamed(state, SYSTEM_WORKSPACE) !== undefined) return { answer: null };
  const all = names.map((name) => made(state, name));
  return {
    write: all.flatMap(({ write = [] }) => write),
    events: all.flatMap(({ events = [] }) => events),
    answer: null,
  };
});

/** A new workspace, `STARTING`, and what makes it: from now on its name is taken. @throws ACCESS_DENIED, INVALID_INPUT, ALREADY_EXISTS */
export function createdWorkspace(state: State, name: string, caller: Caller) {
  requireAdministrator(caller, 'create a workspace');
  requireSystem(state);
  if (!NAME.test(name)) {
    const rule = 'at most 64 characters a-z, 0-9, _ and -, of which the first is a letter';
    throw refusal('INVALID_INPUT', `expected the name of a workspace to be ${rule}, but it is '${name.slice(0, 100)}'`);
  }
  if (workspaceNamed(state, name) !== undefined)
    throw refusal('ALREADY_EXISTS', `expected a name that no workspace has, but there is one named '${name}'`);
  const { write = [], events = [], answer: workspace } = made(state, name);
  return { workspace, write, events };
}

/** The workspace that an administrator is to start, stop or delete; one whose deletion was cut off may be deleted again. @throws ACCESS_DENIED, INVALID_INPUT, NOT_FOUND */
export function managedWorkspace(
  state: State,
  name: string,
  { caller, verb }: { readonly caller: Caller; readonly verb: string },
): Workspace {
  requireAdministrator(caller, `${verb} a workspace`);
  requireSystem(state);
  if (name === SYSTEM_WORKSPACE && verb !== 'start') throw isSystem();
  // Its caller could never be told what became of it.
  if (name === caller.workspace && verb !== 'start')
    throw refusal('INVALID_INPUT', `expected to ${verb} another workspace than '${name}', in which the caller works`);
  const known = workspaceNamed(state, name);
  return verb === 'delete' && known !== undefined ? known : knownWorkspace(state, name);
}

/** Of what people call a workspace, in characters. */
const DISPLAY_NAME_MAX = 255;

/** Settings as they are given; what is left out stays. @throws ACCESS_DENIED, INVALID_INPUT, NOT_FOUND */
export const updateWorkspace = operation(
  'updateWorkspace',
  (state, { name, ...given }: { name: string } & Partial<WorkspaceSettings>, { caller }) => {
    requireAdministrator(caller, 'change a workspace');
    const known = knownWorkspace(state, name);
    if ((given.displayName?.length ?? 0) > DISPLAY_NAME_MAX) {
      const expected = `expected at most ${DISPLAY_NAME_MAX} characters, but found ${given.displayName?.length}`;
      throw refusal('INVALID_INPUT', expected, 'displayName');
    }
    // The system starts whenever the server does.
    const settings = name === SYSTEM_WORKSPACE ? { ...given, autoStart: true } : given;
    if (Object.keys(given).length === 0) return { answer: known };
    const changed = { ...known, ...settings };
    return { write: [put(workspaces, changed)], events: [changedEvent(name)], answer: changed };
  },
);

/** Takes the workspace through an event, behind what it tells of; one that is there already stays as it is. @throws CONFLICT its state accepts no such event */
export const moveWorkspace = operation(
  'moveWorkspace',
  (state, { id, event }: { id: string; event: WorkspaceEvent }): Decision<Workspace> => {
    const known = state.get(workspaces, id);
    if (known === undefined) throw refusal('NOT_FOUND', `expected a workspace of id '${id}', but there is none`);
    if (known.name === SYSTEM_WORKSPACE && (event.type === 'stop' || event.type === 'delete')) throw isSystem();
    if (known.actor.value === RESULT[event.type] && event.type !== 'fail') return { answer: known };
    const [actor, actions] = step(workspaceMachine, known.actor, event, () => notIn(known, event));
    const wasOpened = known.wasOpened || event.type === 'opened';
    const scene: WorkspaceScene = { workspace: { ...known, wasOpened, actor }, write: [], events: [] };
    perform(performers, actions, scene);
    return { write: scene.write, events: scene.events, answer: scene.workspace };
  },
);

/** Nothing is left of the workspace: its name may be taken again. @throws CONFLICT it was not deleted */
export const forgetWorkspace = operation('forgetWorkspace', (state, { id }: { id: string }) => {
  const known = state.get(workspaces, id);
  if (known === undefined) return { answer: null };
  if (known.actor.value !== 'DELETED') throw notIn(known, { type: 'delete' });
  return { write: [remove(workspaces, id)], answer: null };
});

/** The samples were deployed into it. */
export const noteSamples = operation('noteSamples', (state, { id }: { id: string }) => {
  const known = state.get(workspaces, id);
  const noted = known && { ...known, hasSamples: true, wasOpened: true };
  return { write: noted === undefined ? [] : [put(workspaces, noted)], answer: null };
});

/** The operations that a workspace accepts in its present state; for `system`, none. */
export const workspaceOperations = ({ name, actor }: Workspace): WorkspaceOperation[] =>
  name === SYSTEM_WORKSPACE
    ? []
    : [...new Set(accepts(workspaceMachine, actor).flatMap((type) => OFFERED[type] ?? []))];

type WorkspaceOperation = 'start' | 'stop' | 'restart' | 'delete';

/** What is offered where its actor accepts the event. */
const OFFERED: Readonly<Record<string, readonly WorkspaceOperation[]>> = {
  start: ['start'],
  stop: ['stop', 'restart', 'delete'],
  delete: ['delete'],
};

/** What it is after an event. */
const RESULT = { start: 'STARTING', opened: 'ONLINE', fail: 'FAILED', stop: 'STOPPED', delete: 'DELETED' } as const;

interface WorkspaceScene {
  readonly workspace: Workspace;
  readonly write: Write[];
  readonly events: FeedEvent[];
}

/** One performer for each action that the workspace's machine names. */
const performers: Performers<WorkspaceAction, WorkspaceScene> = {
  store: ({ workspace, write }) => {
    write.push(put(workspaces, workspace));
  },
  tell: ({ workspace, events }) => {
    events.push(changedEvent(workspace.name));
  },
};

const changedEvent = (name: string): FeedEvent => ({ type: WORKSPACE_CHANGED, ids: { workspace: name }, data: null });

/** @throws NOT_FOUND */
function knownWorkspace(state: State, name: string): Workspace {
  const known = workspaceNamed(state, name);
  if (known !== undefined && known.actor.value !== 'DELETED') return known;
  throw refusal('NOT_FOUND', `expected the name of a workspace, but '${name.slice(0, 100)}' is none`);
}

function made(state: State, name: string): Decision<Workspace> {
  const workspace: Workspace = {
    id: name === SYSTEM_WORKSPACE ? SYSTEM_WORKSPACE : state.ids.next(),
    name,
    displayName: null,
    created: state.now,
    autoStart: true,
    bpmEnabled: true,
    eipEnabled: true,
    hasSamples: false,
    wasOpened: false,
    actor: start(workspaceMachine, { message: null }),
  };
  return { write: [put(workspaces, workspace)], events: [changedEvent(name)], answer: workspace };
}

const isSystem = () =>
  refusal('INVALID_INPUT', `expected another workspace than '${SYSTEM_WORKSPACE}', which is always there`);

/** Elsewhere nothing is known of workspaces. @throws INVALID_INPUT */
function requireSystem(state: State): void {
  if (workspaceNamed(state, SYSTEM_WORKSPACE) !== undefined) return;
  throw refusal('INVALID_INPUT', `expected a job of the workspace '${SYSTEM_WORKSPACE}', which knows the others`, null);
}

/** @throws ACCESS_DENIED */
function requireAdministrator(caller: Caller, what: string): void {
  if (mayAdminister(caller)) return;
  throw refusal('ACCESS_DENIED', `expected an administrator to ${what}, but '${caller.userId}' is none`, null);
}

const notIn = ({ id, name, actor }: Workspace, { type }: Pick<WorkspaceEvent, 'type'>): ServiceError =>
  new ServiceError('CONFLICT', `expected workspace '${name}' to accept '${type}', but it is ${actor.value}`, {
    reason: 'workspace_state',
    resourceId: id,
    details: { state: actor.value },
  });
