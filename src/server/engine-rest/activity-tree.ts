import { activitiesIn, findDefinition, type RunningActivity } from '../../engine/index.js';
import { type Incident, incidents } from '../../store/index.js';
import { seenInstance } from './process-dto.js';
import { type Json, notThere, type RestAnswer, type RestCall, type RestRoute } from './rest-call.js';

/** How many incidents of an instance are told of. */
const INCIDENTS_MAX = 1_000;

/** Camunda's ActivityInstanceDto of a running instance: what goes on in it, as a tree. */
function activityTree(call: RestCall): RestAnswer {
  const { state, services } = call;
  const instance = seenInstance(call, call.param('id'));
  if (instance.endTime !== null) throw notThere('running process instance', instance.id);
  const { id, definitionId } = instance;
  const failed = state
    .find(incidents, 'instance', [id], { limit: INCIDENTS_MAX })
    .filter((incident) => incidents.visible?.(call.caller, incident) ?? true);
  const tree = new Tree(
    { processInstanceId: id, processDefinitionId: definitionId },
    activitiesIn(state, instance, services.programs.of(state, definitionId)),
    failed,
  );
  const name = findDefinition(state, { id: definitionId })?.name ?? null;
  const own = { id, activityId: definitionId, activityType: 'processDefinition', activityName: name, name };
  return { json: { parentActivityInstanceId: null, ...own, executionIds: [id], ...tree.within(id, null) } };
}

class Tree {
  readonly #place: Json;
  readonly #held: ReadonlyMap<string | null, readonly RunningActivity[]>;
  readonly #failed: ReadonlyMap<string | null, readonly Incident[]>;

  constructor(place: Json, running: readonly RunningActivity[], failed: readonly Incident[]) {
    this.#place = place;
    this.#held = grouped(running, ({ parentId }) => parentId);
    this.#failed = grouped(failed, ({ executionId }) => executionId);
  }

  /** What is told of an activity beside itself. `parentId`: how those within name it. */
  within(id: string, parentId: string | null, executionId: string | null = null): Json {
    const held = this.#held.get(parentId) ?? [];
    const shown = (isTransition: boolean) =>
      held.filter((each) => each.isTransition === isTransition).map((each) => this.#shown(each, id));
    return {
      ...this.#place,
      childActivityInstances: shown(false),
      childTransitionInstances: shown(true),
      ...this.#incidentsOf(executionId),
    };
  }

  #shown({ id, activityId, activityName, activityType, executionId, isTransition }: RunningActivity, parent: string) {
    const own = { id, parentActivityInstanceId: parent, activityId, activityName, activityType };
    if (isTransition) return { ...own, ...this.#place, executionId, ...this.#incidentsOf(executionId) };
    return { ...own, name: activityName, executionIds: [executionId], ...this.within(id, id, executionId) };
  }

  #incidentsOf(executionId: string | null): Json {
    const found = executionId === null ? [] : (this.#failed.get(executionId) ?? []);
    return {
      incidentIds: found.map(({ id }) => id),
      incidents: found.map(({ id, activityId }) => ({ id, activityId })),
    };
  }
}

function grouped<T>(all: readonly T[], by: (one: T) => string | null): ReadonlyMap<string | null, readonly T[]> {
  const groups = new Map<string | null, T[]>();
  for (const one of all) {
    const group = groups.get(by(one));
    if (group === undefined) groups.set(by(one), [one]);
    else group.push(one);
  }
  return groups;
}

/** Routes of Camunda's activity instances: the tree of a process instance. */
export const activityTrees: readonly RestRoute[] = [
  { method: 'GET', path: 'process-instance/:id/activity-instances', answer: activityTree },
];
