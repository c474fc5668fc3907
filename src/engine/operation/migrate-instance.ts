import type { JobAttempt, Operation, State } from '../../store/index.js';
import {
  type Away,
  departureId,
  departures,
  type InstancePart,
  instanceParts,
  type ProcessDefinition,
  type ProcessInstance,
  processInstances,
} from '../collections.js';
import { missed, rootOf } from '../element/large-scope.js';
import type { FollowInput, MigrateInput } from '../element/move.js';
import type { EngineServices } from '../engine-services.js';
import { instanceNotFound } from '../errors.js';
import { elementsOf } from '../migration/plan.js';
import { typedVariables } from '../rule/given-value.js';
import { requireSupervisor } from '../rule/rights.js';
import { presentInstance } from '../run/instance-changes.js';
import { instanceOperation, sceneOf } from '../run/instance-operation.js';
import { instanceWork, type JobResult } from '../run/job-operation.js';
import { followingJob, followingMoveJob } from '../run/large-instance-jobs.js';
import { moveIncidents } from '../run/migrated-documents.js';
import {
  type DefinitionPlan,
  type MigrationRequest,
  requireFollowed,
  requireMovable,
  shownInstructions,
  soundPlanFor,
} from '../run/migration-plan.js';
import { jobOfInstance } from '../run/new-job.js';
import { type RunEnd, runInstance } from '../run/run-instance.js';
import type { RunScene } from '../run/told-context.js';

/** Input of the command of one instance. */
interface MigrateInstance extends MigrationRequest {
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
      requireMovable(state, instance, made);
      requireFollowed(state, instance, made);
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
    ...(instance.away && { resting: placesOf(instance.away) }),
  };
  const moved: ProcessInstance = {
    ...instance,
    definitionId: target.id,
    definitionKey: target.key,
    sweep: target.sweep?.id ?? null,
    migrated: instance.runs + 1,
  };
  const end = runInstance(scene, { command: 'migrateProcessInstance', instance: moved, event: 'migrate', input });
  if ('ask' in end) return end;
  const ids = new Map(
    shownInstructions(plan).map(({ sourceActivityIds: [from = ''], targetActivityIds: [to = ''] }) => [from, to]),
  );
  moveIncidents({ ...scene, instance: end.instance }, (id) => ids.get(id));
  const left = { definitionId: source.id, instanceId: instance.id };
  scene.changes.put(departures, { id: departureId(source.id, instance.id), ...left });
  takeSweepAlong(scene, end.instance, source);
  const newest = end.instance.state.moves?.at(-1);
  if (newest !== undefined)
    scene.changes.job(followingMoveJob(scene.state, end.instance, { until: newest.n, after: null }));
  return end;
}

const placesOf = (away: Away): NonNullable<MigrateInput['resting']> =>
  Object.fromEntries(Object.entries(away).map(([scope, counts]) => [scope, Object.keys(counts).map(Number)]));

/** A sweep over the former definition that has not reached the instance yet is written to what hangs on it all the same. */
function takeSweepAlong({ state, changes }: RunScene, instance: ProcessInstance, source: ProcessDefinition): void {
  const { sweep } = source;
  if (sweep === null || state.get(processInstances, instance.id)?.sweep === sweep.id) return;
  changes.job({ ...jobOfInstance(state, instance), type: 'suspension', input: { sweepId: sweep.id } });
}

/** Tokens that one decision brings to the instance's definition, with what they wait for. */
const FOLLOWED_MAX = 50;

/** Input of the job that takes a migration to what rests in large scopes. */
interface FollowingMove {
  /** The migration that is followed. */
  readonly until: number;
  /** The scope and the id of the last part that was looked at; null: none was. */
  readonly after: readonly [number, string] | null;
}

/** The next tokens that rest in large scopes take the migrations and cancellations of their instance that they have missed. Sent by the job. */
export const followMigration = (services: EngineServices): Operation<JobAttempt, JobResult> =>
  instanceWork(services, 'followMigration', (scene, job, attempt) => {
    const instance = presentInstance(scene.state, job.instanceId ?? '');
    const following = job.input as FollowingMove;
    return instance?.endTime === null && isUnderWay(instance, following.until)
      ? followNext(scene, instance, following, attempt > 1)
      : 'gone';
  });

function followNext(
  scene: RunScene,
  instance: ProcessInstance,
  { until, after }: FollowingMove,
  silent: boolean,
): RunEnd | JobResult {
  const { state, changes } = scene;
  const { last, within } = nextBehind(state, instance, after);
  const goOn = (at: InstancePart) =>
    changes.job(followingMoveJob(state, instance, { until, after: [at.scope, at.id] }));
  if (last !== undefined && within.length === 0) {
    goOn(last);
    return 'done';
  }
  const input = followInput({ isLast: last === undefined, until, silent });
  const migrated = { ...instance, migrated: instance.runs + 1 };
  const end = runInstance(scene, { command: 'followMigration', instance: migrated, event: 'follow', input, within });
  if ('ask' in end) return end;
  if (last !== undefined) goOn(last);
  else wakeWaiting(scene, end.instance);
  return end;
}

/** Jobs of what may be empty or gone have waited until all have followed. */
function wakeWaiting({ state, changes }: RunScene, instance: ProcessInstance): void {
  if (instance.endTime === null) changes.job(followingJob(state, instance, { of: 'jobs', after: null }));
}

const followInput = (how: {
  readonly isLast: boolean;
  readonly until: number;
  readonly silent: boolean;
}): FollowInput => ({
  type: 'follow',
  ...(how.isLast && { until: how.until }),
  ...(how.silent && { silent: true }),
});

const isUnderWay = ({ state: { moves = [] } }: ProcessInstance, until: number) => moves.some(({ n }) => n === until);

/** The next parts that are looked at: the last of them, and where those are that have missed something. */
function nextBehind(state: State, instance: ProcessInstance, after: FollowingMove['after']) {
  const found = state
    .range(instanceParts, 'instance', [instance.id, ...(after ?? [])], FOLLOWED_MAX)
    .filter((part) => part.instanceId === instance.id && part.id !== after?.[1]);
  const isBehind = (part: InstancePart) => {
    const root = rootOf(part);
    return root !== undefined && missed(instance.state, root).length > 0;
  };
  return { last: found.at(-1), within: found.filter(isBehind).map((part) => part.within) };
}
