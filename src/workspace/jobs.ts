import { messageOf, ServiceError } from '../shared/errors.js';
import {
  begunLongJob,
  type LongJobContext,
  type LongJobPrepared,
  type LongJobRef,
  type LongJobStart,
  type LongJobType,
  type Operation,
  operation,
  type State,
} from '../store/index.js';
import type { WorkspaceEvent } from './machine.js';
import { createdWorkspace, forgetWorkspace, managedWorkspace, moveWorkspace } from './operations.js';
import { refusal } from './refusal.js';
import { type Workspace, workspaces } from './workspace.js';

/** Partitions of workspaces, as far as they come and go. Each of these may be asked again, and then goes on or does nothing. */
export interface WorkspacePartitions {
  /** Opens it, with what a new one begins with; it takes calls from then on. `isKnown`: it was open before. */
  open(workspace: Pick<Workspace, 'id' | 'name'>, isKnown: boolean): Promise<void>;
  /** Closes it: whoever uses it is refused from then on. */
  close(workspace: Pick<Workspace, 'id' | 'name'>): Promise<void>;
  /** Removes all that is kept of a closed one. */
  remove(workspace: Pick<Workspace, 'id' | 'name'>): Promise<void>;
}

const VERBS = ['create', 'start', 'stop', 'restart', 'delete'] as const;
type Verb = (typeof VERBS)[number];

/** Operations that begin a job about a workspace, by their names: sent to `system`, from whichever workspace the caller works in. */
export type WorkspaceJobApi = Readonly<Record<`${Verb}Workspace`, Operation<{ readonly name: string }, LongJobRef>>>;

/** @throws ACCESS_DENIED, INVALID_INPUT, ALREADY_EXISTS, NOT_FOUND */
export const workspaceJobApi = (types: readonly LongJobType[]): WorkspaceJobApi => {
  const begin = ({ type }: Pick<LongJobType, 'type'>, name: string) =>
    operation(name, (state, input: { readonly name: string }, context) =>
      begunLongJob(state, types.find((one) => one.type === type) as LongJobType, input, context),
    );
  return Object.fromEntries(
    VERBS.map((verb) => [`${verb}Workspace`, begin({ type: `${verb}-workspace` }, `${verb}Workspace`)]),
  ) as unknown as WorkspaceJobApi;
};

interface Parameters {
  readonly workspaceId: string;
}

/** Long jobs of the partition `system` about a workspace that their parameters name. A run that was cut off begins again: each of its steps bears that. */
export function workspaceJobTypes(partitions: WorkspacePartitions): readonly LongJobType[] {
  const turns = new Map<string, Promise<unknown>>();
  return VERBS.map((verb) => ({
    type: `${verb}-workspace`,
    needsItems: false,
    resume: 'restart',
    throttle: { items: 1, ms: 0 },
    abortable: false,
    prepare: (state, start) => prepared(verb, state, start),
    run: async (context) => {
      const { workspaceId } = context.parameters as Parameters;
      // Of several jobs about a workspace one runs at a time, in the order in which they began.
      const before = turns.get(workspaceId) ?? Promise.resolve();
      const run = before.catch(() => {}).then(() => new WorkspaceRun(partitions, context, workspaceId).run(verb));
      turns.set(workspaceId, run);
      try {
        await run;
      } finally {
        if (turns.get(workspaceId) === run) turns.delete(workspaceId);
      }
      return undefined;
    },
  }));
}

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

const PHASE: Readonly<Record<Verb, string>> = {
  create: 'creating',
  start: 'starting',
  stop: 'stopping',
  restart: 'stopping',
  delete: 'stopping',
};

class WorkspaceRun {
  readonly #partitions: WorkspacePartitions;
  readonly #context: LongJobContext;
  readonly #id: string;

  constructor(partitions: WorkspacePartitions, context: LongJobContext, id: string) {
    this.#partitions = partitions;
    this.#context = context;
    this.#id = id;
  }

  async run(verb: Verb): Promise<void> {
    const workspace = this.#now();
    if (workspace === undefined) {
      // A deletion that was cut off behind its end; or another one was quicker.
      if (verb === 'delete') return;
      throw refusal('NOT_FOUND', 'expected a workspace, but it was deleted before the job began');
    }
    if (verb === 'stop' || verb === 'restart') await this.#stop(workspace);
    if (verb === 'delete') await this.#delete(workspace);
    else if (verb !== 'stop') await this.#start();
  }

  async #start(): Promise<void> {
    const before = this.#now();
    if (before === undefined || before.actor.value === 'ONLINE') return;
    const { progress, job } = this.#context;
    const workspace = await this.#move({ type: 'start' });
    if (job.type !== 'create-workspace') progress({ phase: 'starting' });
    try {
      await this.#partitions.open(workspace, before.actor.value === 'STOPPED');
    } catch (thrown) {
      const message = thrown instanceof ServiceError ? messageOf(thrown) : 'Internal error';
      await this.#move({ type: 'fail', message });
      throw thrown;
    }
    progress({ phase: 'starting' });
    await this.#move({ type: 'opened' });
  }

  async #stop(workspace: Workspace): Promise<void> {
    this.#context.progress({ phase: 'stopping' });
    await this.#partitions.close(workspace);
    if (workspace.actor.value !== 'DELETED') await this.#move({ type: 'stop' });
  }

  async #delete(workspace: Workspace): Promise<void> {
    await this.#stop(workspace);
    await this.#move({ type: 'delete' });
    this.#context.progress({ phase: 'deleting' });
    await this.#partitions.remove(workspace);
    await this.#context.partition.sendAsSystem(forgetWorkspace, { id: this.#id });
  }

  #now(): Workspace | undefined {
    return this.#context.partition.replica.read().get(workspaces, this.#id);
  }

  #move(event: WorkspaceEvent): Promise<Workspace> {
    return this.#context.partition.sendAsSystem(moveWorkspace, { id: this.#id, event });
  }
}
