import type { Caller } from '../../shared/caller.js';
import { ServiceError } from '../../shared/errors.js';
import type { State } from '../../store/index.js';
import { type ProcessInstance, processInstances } from '../collections.js';
import { instanceNotFound } from '../errors.js';
import { diffOf } from '../migration/diff.js';
import type { InstanceProblem } from '../migration/mapping.js';
import type { PlanProblem } from '../migration/plan.js';
import type { ProgramStore } from '../program-store.js';
import { requireSupervisor } from '../rule/rights.js';
import { presentInstance } from '../run/instance-changes.js';
import { definitionOf } from '../run/instance-operation.js';
import {
  type DefinitionPlan,
  type MigrationRequest,
  planFor,
  requireMovable,
  type ShownPlan,
  shownPlan,
} from '../run/migration-plan.js';

/** Which instances are meant. */
interface MigrationSubjects {
  readonly processInstanceIds?: readonly string[] | null;
  /** Whether all active ones of the definition are, too; suspended ones are not. */
  readonly allActiveInstances?: boolean | null;
}

/** What a migration would come to. */
export interface MigrationReport {
  readonly plan: ShownPlan;
  readonly problems: readonly PlanProblem[];
  /** How many instances were looked at: none while the plan has problems. */
  readonly instancesChecked: number;
  /** Those that cannot migrate, and why. */
  readonly hindered: readonly HinderedInstance[];
}

interface HinderedInstance {
  readonly processInstanceId: string;
  readonly message: string;
  readonly problems: readonly InstanceProblem[];
}

/** How many instances a report looks at. */
const CHECKED_MAX = 1_000;

interface ReportScene {
  readonly programs: ProgramStore;
  readonly state: State;
  readonly caller: Caller;
}

/** What the migration would come to, as everything is now; nothing moves. @throws FORBIDDEN, NOT_FOUND (a definition) */
export function migrationReport(
  { programs, state, caller }: ReportScene,
  request: MigrationRequest & MigrationSubjects,
): MigrationReport {
  requireSupervisor(caller, 'plan migrations');
  const made = planFor({ programs }, state, request);
  const { plan } = made;
  const shown = { plan: shownPlan(plan, request), problems: plan.problems };
  if (plan.problems.length > 0) return { ...shown, instancesChecked: 0, hindered: [] };
  const ids = subjectsOf(state, request).slice(0, CHECKED_MAX);
  const hindered = ids.flatMap((id): HinderedInstance[] => {
    const instance = presentInstance(state, id);
    const refusal = instance === undefined ? instanceNotFound(id) : refusalOf(state, instance, made);
    if (refusal === null) return [];
    const { problems = [] } = (refusal.info.details ?? {}) as { problems?: readonly InstanceProblem[] };
    return [{ processInstanceId: id, message: refusal.message, problems }];
  });
  return { ...shown, instancesChecked: ids.length, hindered };
}

function subjectsOf(state: State, request: MigrationRequest & MigrationSubjects): string[] {
  const { sourceProcessDefinitionId: source, processInstanceIds, allActiveInstances } = request;
  const running = allActiveInstances ? state.range(processInstances, 'running', [source], CHECKED_MAX) : [];
  const active = running.filter(({ id, definitionId }) => definitionId === source && isActive(state, id));
  return [...new Set([...(processInstanceIds ?? []), ...active.map(({ id }) => id)])];
}

const isActive = (state: State, id: string): boolean => presentInstance(state, id)?.actor.value === 'active';

function refusalOf(state: State, instance: ProcessInstance, made: DefinitionPlan): ServiceError | null {
  try {
    requireMovable(state, instance, made);
    return null;
  } catch (thrown) {
    if (thrown instanceof ServiceError) return thrown;
    throw thrown;
  }
}

/** Differences of two process definitions. @throws NOT_FOUND */
export function definitionDiff(programs: ProgramStore, state: State, sourceId: string, targetId: string) {
  const source = definitionOf(state, sourceId);
  const target = definitionOf(state, targetId);
  return { source, target, ...diffOf(programs.of(state, source.id), programs.of(state, target.id)) };
}
