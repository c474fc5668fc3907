import {
  begunLongJob,
  type LongJobPrepared,
  type LongJobRef,
  type LongJobStart,
  type LongJobType,
  type Operation,
  operation,
  type State,
} from '../store/index.js';
import type { Phase, WorkspaceLifecycle } from './lifecycle.js';
import { createdWorkspace, managedWorkspace } from './operations.js';

const VERBS = ['create', 'start', 'stop', 'restart', 'delete'] as const;
type Verb = (typeof VERBS)[number];

/** Operations that begin a job about a workspace, by their names: sent to `system`, from whichever workspace the caller works in. */
export type WorkspaceJobApi = Readonly<Record<`${Verb}Workspace`, Operation<{ readonly name: string }, LongJobRef>>>;

/** @throws ACCESS_DENIED, INVALID_INPUT, ALREADY_EXISTS, NOT_FOUND */
export const workspaceJobApi = (types: readonly LongJobType[]): WorkspaceJobApi => {
  const begin = ({ type }: Pick<LongJobType, 'type'>, name: string) =>
    operation(name, (state, input: { readonly name: string }, context) =>
      begunLongJob(state, types.find((one) => one.type === type) as LongJobType, { parameters: input }, context),
    );
  return Object.fromEntries(
    VERBS.map((verb) => [`${verb}Workspace`, begin({ type: `${verb}-workspace` }, `${verb}Workspace`)]),
  ) as unknown as WorkspaceJobApi;
};

const STEPS = {
  create: ['start'],
  start: ['start'],
  stop: ['stop'],
  restart: ['stop', 'start'],
  delete: ['delete'],
} as const satisfies Readonly<Record<Verb, readonly string[]>>;

interface Parameters {
  readonly workspaceId: string;
}

/** Long jobs of the partition `system` about a workspace that their parameters name. A run that was cut off begins again: each of its steps bears that. */
export const workspaceJobTypes = (lifecycle: WorkspaceLifecycle): readonly LongJobType[] =>
  VERBS.map((verb) => ({
    type: `${verb}-workspace`,
    needsItems: false,
    resume: 'restart',
    throttle: { items: 1, ms: 0 },
    abortable: false,
    prepare: (state, start) => prepared(verb, state, start),
    run: async ({ parameters, partition, progress }) => {
      const { workspaceId } = parameters as Parameters;
      const told = (phase: Phase) => progress({ phase });
      const steps = lifecycle.of(partition, workspaceId);
      await lifecycle.inTurn(workspaceId, async () => {
        for (const step of STEPS[verb]) await steps[step](told);
      });
      return undefined;
    },
  }));

/** @throws ACCESS_DENIED, INVALID_INPUT, ALREADY_EXISTS, NOT_FOUND */
function prepared(verb: Verb, state: State, { parameters, caller }: LongJobStart): LongJobPrepared {
  const { name } = parameters as { readonly name: string };
  const { workspace, ...made } =
    verb === 'create'
      ? createdWorkspace(state, name, caller)
      : { workspace: managedWorkspace(state, name, { caller, verb }) };
  const phase = PHASE[verb];
  return {
    parameters: { workspaceId: workspace.id },
    about: workspace.id,
    figures: { targetWorkspace: name, phase },
    ...made,
  };
}

const PHASE: Readonly<Record<Verb, Phase>> = {
  create: 'creating',
  start: 'starting',
  stop: 'stopping',
  restart: 'stopping',
  delete: 'stopping',
};
