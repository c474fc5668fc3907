import { ServiceError } from '../../shared/errors.js';
import { mayAdminister } from '../../shared/rights/roles.js';
import { longJobs, type State } from '../../store/index.js';
import {
  allWorkspaces,
  SYSTEM_WORKSPACE,
  WORKSPACE_CHANGED,
  type Workspace,
  workspaceNamed,
  workspaceOperations,
} from '../../workspace/index.js';
import type { ApiContext } from '../api-context.js';
import type { ApiEngine } from '../execution/engine-guard.js';
import { follow } from '../feed-iterator.js';
import type {
  LongJobResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  WorkspaceResolvers,
} from '../generated/schema.js';
import { connectionOf, equal, keysetConnection, listQuery } from '../list-field.js';
import { memoryPage } from '../memory-page.js';

/** What `system` knows, whichever workspace is asked. */
const systemState = ({ services }: ApiContext): State => services.system().replica.read();

/** Those that are there: one that is being removed is not. */
const isThere = ({ actor }: Workspace): boolean => actor.value !== 'DELETED';

/** `system`, then the others by name. */
function inOrder(context: ApiContext): Workspace[] {
  const all = allWorkspaces(systemState(context)).filter(isThere);
  return [
    ...all.filter(({ name }) => name === SYSTEM_WORKSPACE),
    ...all.filter(({ name }) => name !== SYSTEM_WORKSPACE),
  ];
}

export const workspaceQueries: Required<
  Pick<QueryResolvers, 'workspaces' | 'workspaceList' | 'workspace' | 'cluster'>
> = {
  workspaces: async (_, page, context) => {
    const list = {
      ...{ name: 'workspaces', all: inOrder(context), isWanted: () => true, descending: false },
      value: ({ name }: Workspace) => (name === SYSTEM_WORKSPACE ? null : name),
      id: ({ id }: Workspace) => id,
    };
    return keysetConnection(await memoryPage(list, page, 100));
  },
  workspaceList: (_, __, context) => inOrder(context),
  workspace: (_, { name }, context) => {
    const found = workspaceNamed(systemState(context), name ?? context.caller.workspace);
    return found !== undefined && isThere(found) ? found : null;
  },
  cluster: (_, __, { caller, services }) => {
    if (mayAdminister(caller)) return services.cluster();
    throw new ServiceError(
      'FORBIDDEN',
      `expected an administrator to ask for the servers, but '${caller.userId}' is none`,
    );
  },
};

/** Events of `system`, whichever workspace is asked. */
export const workspaceSubscriptions: Required<Pick<SubscriptionResolvers, 'workspaceChanged'>> = {
  workspaceChanged: {
    subscribe: (_, { after }, context) =>
      follow(
        context,
        'workspaceChanged',
        after,
        ({ type, ids }, at) =>
          type === WORKSPACE_CHANGED ? { workspace: ids.workspace ?? '', timestamp: at } : undefined,
        { replica: context.services.system().replica },
      ),
  },
};

/** One that is being opened is not running yet. */
const isRunning = ({ id, actor }: Workspace, engine: ApiEngine, { services }: ApiContext): boolean =>
  actor.value === 'ONLINE' && services.isRunning(id, engine);

export const workspaceResolvers: WorkspaceResolvers = {
  current: ({ name }, _, { caller }) => name === caller.workspace,
  system: ({ name }) => name === SYSTEM_WORKSPACE,
  state: ({ actor }) => (actor.value === 'DELETED' ? 'STOPPED' : actor.value),
  stateMessage: ({ actor }, _, { caller }) => (mayAdminister(caller) ? actor.context.message : null),
  availableOperations: (workspace) => workspaceOperations(workspace),
  processEngine: (workspace, _, context) => ({
    enabled: workspace.bpmEnabled,
    running: isRunning(workspace, 'bpm', context),
  }),
  integrationEngine: (workspace, _, context) => ({
    enabled: workspace.eipEnabled,
    running: isRunning(workspace, 'eip', context),
  }),
  async jobs({ id }, page, context, info) {
    const { caller } = context;
    const list = {
      collection: longJobs,
      where: [...equal('about', id), ...(mayAdminister(caller) ? [] : equal('userId', caller.userId))],
      order: [{ column: 'created', descending: true }] as const,
      first: 20,
    };
    const found = await context.listInSystem(listQuery(list, page, info));
    return connectionOf(longJobs, found, (job) => job);
  },
};

export const longJobNodeResolvers: LongJobResolvers = {
  jobId: ({ id }) => id,
  status: ({ actor }) => actor.value,
  phase: ({ figures }) => figures.phase,
  targetWorkspace: ({ figures }) => figures.targetWorkspace,
  errorMessage: ({ figures }) => figures.errorMessage,
};
