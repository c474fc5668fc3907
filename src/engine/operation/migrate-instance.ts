import { ServiceError } from '../../shared/errors.js';
import type { JobAttempt, Operation, State } from '../../store/index.js';
import { definitionModels, instanceParts, type ProcessDefinition, type ProcessInstance } from '../collections.js';
import type { MigrateInput } from '../element/move.js';
import type { EngineServices } from '../engine-services.js';
import { instanceNotFound } from '../errors.js';
import { type InstanceProblem, problemsIn } from '../migration/check-instance.js';
import { elementsOf, type GivenInstruction, type Plan, type PlanRequest, planOf } from '../migration/plan.js';
import { typedVariables, type VariableInput } from '../rule/given-value.js';
import { requireSupervisor } from '../rule/rights.js';
import { presentInstance, requireAccepted } from '../run/instance-changes.js';
import { definitionOf, instanceOperation, sceneOf } from '../run/instance-operation.js';
import { awayMoved } from '../run/instance-parts.js';
import { instanceWork, type JobResult } from '../run/job-operation.js';
import { followingMoveJob } from '../run/large-instance-jobs.js';
import { moveIncidents } from '../run/migrated-documents.js';
import { type RunScene, runInstance } from '../run/run-instance.js';

/** A migration as it is asked for. */
export interface MigrationRequest extends PlanRequest {
  readonly sourceProcessDefinitionId: string;
  readonly targetProcessDefinitionId: string;
  /** Set on the process before anything moves. Default: none. */
  readonly variables?: readonly VariableInput[] | null;
  /** Whether execution listeners of scopes that are taken away or added are passed over. Default false. */
  readonly skipCustomListeners?: boolean | null;
  /** Whether their inputs and outputs are not mapped. Default false. */
  readonly skipIoMappings?: boolean | null;
}

/** What a plan says of a migration between two definitions. */
export interface DefinitionPlan {
  readonly plan: Plan;
  readonly source: ProcessDefinition;
  readonly target: ProcessDefinition;
}

/** The plan for a request, with all of its problems. @throws NOT_FOUND (a definition) */
export function planFor(services: EngineServices, state: State, request: MigrationRequest): DefinitionPlan {
  const source = definitionOf(state, request.sourceProcessDefinitionId);
  const target = definitionOf(state, request.targetProcessDefinitionId);
  const programs = [services.programs.of(state, source.id), services.programs.of(state, target.id)] as const;
  return { plan: planOf(...programs, request), source, target };
}

/** The plan for a request. @throws NOT_FOUND (a definition), BAD_REQUEST (all that is wrong with it) */
export function soundPlanFor(services: EngineServices, state: State, request: MigrationRequest): DefinitionPlan {
  const found = planFor(services, state, request);
  const { problems } = found.plan;
  const [first] = problems;
  if (first === undefined) return found;
  const more = problems.length === 1 ? '' : `, and ${problems.length - 1} more`;
  throw new ServiceError('BAD_REQUEST', `expected a migration plan without problems, but ${first.message}${more}`, {
    reason: 'migration_plan_invalid',
    details: { problems },
  });
}

/** The instructions of a plan, as they are shown and given. */
export const shownInstructions = ({ source, target, instructions }: Plan) =>
  instructions.map(({ source: from, target: to, renews }) => ({
    sourceActivityIds: [source.elements[from]?.id ?? ''],
    targetActivityIds: [target.elements[to]?.id ?? ''],
    updateEventTrigger: renews,
  })) satisfies GivenInstruction[];

/** All that hinders the instance. */
export const hindrances = ({ plan }: Pick<DefinitionPlan, 'plan'>, { state, away }: ProcessInstance) =>
  problemsIn({ source: plan.source, target: plan.target, elements: elementsOf(plan) }, state, away);

/** Input of the command of one instance. */
export interface MigrateInstance extends MigrationRequest {
  readonly processInstanceId: string;
}

/**
 * The instance goes on by another definition, with all that it waits for; what rests in its large scopes follows by a job. Answers its id. Allowed to supervisors
 * and administrators. @throws NOT_FOUND, FORBIDDEN, BAD_REQUEST (the plan), CONFLICT (it has ended, is of another definition, or is where the plan
 * does not lead on: all of that in one report)
 */
export const migrateInstance = (services: EngineServices): Operation<MigrateInstance, string> =>
  instanceOperation<MigrateInstance, string>(
    'migrateInstance',
    (state, request, context) => {
      requireSupervisor(context.caller, 'migrate process instances');
      const made = soundPlanFor(services, state, request);
      const instance = presentInstance(state, request.processInstanceId);
      if (instance === undefined) throw instanceNotFound(request.processInstanceId);
      requireAccepted(instance, { type: 'migrate' });
      if (instance.definitionId !== made.source.id) throw elsewhere(instance, made.source.id);
      const found = hindrances(made, instance);
      if (found.length > 0) throw hindered(instance, found);
      const scene = sceneOf(services, state, context);
      const end = move(scene, instance, made, request);
      return 'ask' in end ? end : scene.changes.decision(instance.id);
    },
    (_, { processInstanceId }) => processInstanceId,
  );

function move(
  scene: RunScene,
  instance: ProcessInstance,
  { plan, source, target }: DefinitionPlan,
  request: MigrationRequest,
) {
  const input: MigrateInput = {
    type: 'migrate',
    from: source.id,
    elements: elementsOf(plan),
    renewed: plan.instructions.flatMap(({ target: to, renews }) => (renews ? [to] : [])),
    ...(request.skipCustomListeners && { silent: true }),
    ...(request.skipIoMappings && { unmapped: true }),
    variables: typedVariables(request.variables),
  };
  const moved: ProcessInstance = {
    ...instance,
    definitionId: target.id,
    definitionKey: target.key,
    sweep: target.sweep?.id ?? null,
    migrated: instance.runs + 1,
    ...(instance.away && { away: awayMoved(instance.away, input) }),
  };
  const end = runInstance(scene, { command: 'migrateProcessInstance', instance: moved, event: 'migrate', input });
  if ('ask' in end) return end;
  const ids = new Map(
    shownInstructions(plan).map(({ sourceActivityIds: [from = ''], targetActivityIds: [to = ''] }) => [from, to]),
  );
  moveIncidents({ ...scene, instance: end.instance, program: plan.target }, (id) => ids.get(id));
  keepModel(scene, source.id);
  const newest = end.instance.state.moves?.at(-1);
  if (newest !== undefined)
    scene.changes.job(followingMoveJob(scene.state, end.instance, { until: newest.n, after: null }));
  return end;
}

/** The history of the instance is told by the program that it has left, too. */
function keepModel({ state, changes }: RunScene, definitionId: string): void {
  const model = state.get(definitionModels, definitionId);
  if (model !== undefined && !model.left) changes.put(definitionModels, { ...model, left: true });
}

const elsewhere = ({ id, definitionId }: ProcessInstance, wanted: string) =>
  new ServiceError(
    'CONFLICT',
    `expected process instance '${id}' to be of process definition '${wanted}', but it is of '${definitionId}'`,
    { reason: 'process_instance_of_other_definition', resourceId: id, details: { definitionId } },
  );

function hindered({ id }: ProcessInstance, problems: readonly InstanceProblem[]): ServiceError {
  const sentences = problems.map(({ message }) => message).join('; ');
  return new ServiceError('CONFLICT', `expected to migrate process instance '${id}', but ${sentences}`, {
    reason: 'migration_hindered',
    resourceId: id,
    details: { problems },
  });
}

/** Tokens that one decision brings to the instance's definition, with what they wait for. */
const FOLLOWED_MAX = 50;

/** Input of the job that takes a migration to what rests in large scopes. */
export interface FollowingMove {
  /** The migration that is followed. */
  readonly until: number;
  /** The scope and the id of the last part that was looked at; null: none was. */
  readonly after: readonly [number, string] | null;
}

/** The next tokens that rest in large scopes take the migrations of their instance that they have missed. Sent by the job. */
export const followMigration = (services: EngineServices): Operation<JobAttempt, JobResult> =>
  instanceWork(services, 'followMigration', (scene, job) => {
    const { state, changes } = scene;
    const instance = presentInstance(state, job.instanceId ?? '');
    if (instance?.endTime !== null) return 'gone';
    const { until, after } = job.input as FollowingMove;
    if (instance.state.moves?.some(({ n }) => n === until) !== true) return 'gone';
    const found = state
      .range(instanceParts, 'instance', [instance.id, ...(after ?? [])], FOLLOWED_MAX)
      .filter((part) => part.instanceId === instance.id && part.id !== after?.[1]);
    const last = found.at(-1);
    const input = { type: 'follow', ...(last === undefined && { until }) } as const;
    const within = found.map((part) => part.within);
    const migrated = { ...instance, migrated: instance.runs + 1 };
    const end = runInstance(scene, { command: 'followMigration', instance: migrated, event: 'follow', input, within });
    if (!('ask' in end) && last !== undefined)
      changes.job(followingMoveJob(state, end.instance, { until, after: [last.scope, last.id] }));
    return end;
  });
