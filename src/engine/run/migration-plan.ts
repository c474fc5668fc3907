import { ServiceError, unavailable } from '../../shared/errors.js';
import type { State } from '../../store/index.js';
import { instanceParts, type ProcessDefinition, type ProcessInstance, partId } from '../collections.js';
import { isCancelling } from '../element/hollow.js';
import type { EngineServices } from '../engine-services.js';
import { problemsIn } from '../migration/check-instance.js';
import { isToFollowFirst } from '../migration/check-large.js';
import type { LargeScope } from '../migration/lead-resting.js';
import type { InstanceProblem } from '../migration/mapping.js';
import { elementsOf, type GivenInstruction, type Plan, type PlanRequest, planOf } from '../migration/plan.js';
import type { VariableInput } from '../rule/given-value.js';
import { hasHollow } from './following.js';
import { requireAccepted } from './instance-changes.js';
import { definitionOf } from './instance-operation.js';
import { requireFollowing } from './large-instance-jobs.js';

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
export function planFor(
  services: Pick<EngineServices, 'programs'>,
  state: State,
  request: MigrationRequest,
): DefinitionPlan {
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
  instructions
    .filter(({ unsaid }) => unsaid === undefined)
    .map(({ source: from, target: to, renews }) => ({
      sourceActivityIds: [source.elements[from]?.id ?? ''],
      targetActivityIds: [target.elements[to]?.id ?? ''],
      updateEventTrigger: renews,
    })) satisfies GivenInstruction[];

/** All that hinders the instance, which is of the source. */
function hindrances(state: State, { plan }: Pick<DefinitionPlan, 'plan'>, instance: ProcessInstance) {
  const ways = { source: plan.source, target: plan.target, elements: elementsOf(plan) };
  return problemsIn(ways, instance.state, instance.away, () => largeWithin(state, instance));
}

/** Of a large instance the last migration is to reach all that rests before another one changes scopes, and a cancellation, before one of them may be empty by it. @throws UNAVAILABLE: it is to be sent again */
export function requireFollowed(state: State, instance: ProcessInstance, { plan }: DefinitionPlan): void {
  const ways = { source: plan.source, target: plan.target, elements: elementsOf(plan) };
  const isUnsure = hasHollow(instance) || (isCancelling(instance.state) && largeWithin(state, instance).length > 0);
  if (!isUnsure && !isToFollowFirst(ways, instance.state, instance.away)) return;
  const { id } = instance;
  const expected = `expected all of process instance '${id}' to have followed its last migration before the scopes in it change`;
  requireFollowing(state, id, expected);
  throw unavailable(`${expected}, which it does by itself`, { reason: 'migration_under_way', resourceId: id });
}

/** Scopes that are looked at: of each there is one part at hand. Where there are more they are of the same kinds. */
const SCOPES_MAX = 500;

/** The large scopes within what rests in those of the instance, each kind once. */
function largeWithin(state: Pick<State, 'get' | 'range'>, { id, state: here }: ProcessInstance): LargeScope[] {
  const outer = new Set(here.scopes.map((scope) => scope.id));
  const found = new Map<string, LargeScope>();
  for (let after = 0, n = 0; n < SCOPES_MAX; n++) {
    const [part] = state.range(instanceParts, 'instance', [id, after], 1);
    if (part?.instanceId !== id) break;
    after = part.scope + 1;
    if (outer.has(part.scope)) continue;
    const around = part.within.at(-2)?.[1];
    const holder = around === undefined ? undefined : state.get(instanceParts, partId(id, around));
    const scope = holder?.scopes.find((each) => each.id === part.scope);
    if (scope === undefined) continue;
    const large = { element: scope.element, isBody: scope.repeats !== undefined };
    found.set(`${large.element} ${large.isBody}`, large);
  }
  return [...found.values()];
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

/** @throws CONFLICT (it has ended, is of another definition, or is where the plan does not lead on: all of that in one report) */
export function requireMovable(state: State, instance: ProcessInstance, made: DefinitionPlan): void {
  requireAccepted(instance, { type: 'migrate' });
  if (instance.definitionId !== made.source.id) throw elsewhere(instance, made.source.id);
  const found = hindrances(state, made, instance);
  if (found.length > 0) throw hindered(instance, found);
}

/** A plan as it is shown. */
export interface ShownPlan {
  readonly sourceProcessDefinitionId: string;
  readonly targetProcessDefinitionId: string;
  readonly instructions: readonly ShownInstruction[];
}

interface ShownInstruction {
  readonly sourceActivityIds: readonly string[];
  readonly targetActivityIds: readonly string[];
  readonly updateEventTrigger: boolean;
}

/** The plan that a request led to. */
export const shownPlan = (
  plan: Plan,
  { sourceProcessDefinitionId, targetProcessDefinitionId }: MigrationRequest,
): ShownPlan => ({ sourceProcessDefinitionId, targetProcessDefinitionId, instructions: shownInstructions(plan) });
