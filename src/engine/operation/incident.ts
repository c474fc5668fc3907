import { limitExceeded } from '../../shared/errors.js';
import { incidents, newIncident, operation, type State } from '../../store/index.js';
import type { ProcessInstance } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { badArgument, instanceNotFound, instanceNotIn, missingArgument, unknownIncident } from '../errors.js';
import { bounded } from '../rule/given-value.js';
import { requireSupervisor } from '../rule/rights.js';
import { Changes } from '../run/changes.js';
import { changeIncident, countIncidents, presentInstance, reportIncident } from '../run/instance-changes.js';

/** Input of `createIncident`. */
interface CreateIncident {
  readonly processInstanceId: string;
  readonly activityId?: string | null;
  /** What kind of incident; not `failedJob`, which jobs make. */
  readonly type: string;
  readonly message?: string | null;
  readonly configuration?: string | null;
}

/**
 * Reports a failure that needs an operator, in a running instance; answers the incident's id. Allowed to supervisors and administrators.
 * @throws FORBIDDEN, BAD_REQUEST (no type, or one of the engine's own; no such activity), NOT_FOUND, CONFLICT (the instance has ended),
 * LIMIT_EXCEEDED (it has 1,000 open incidents)
 */
export const createIncident = ({ programs }: EngineServices) =>
  operation<CreateIncident, string>(
    'createIncident',
    (state, input, { caller }) => {
      requireSupervisor(caller, 'create incidents');
      const type = bounded('type', input.type, 'name')?.trim() ?? '';
      if (type === '') throw missingArgument('type', 'what kind of incident it is');
      if (type === 'failedJob' || type === 'failedExternalTask') throw badArgument('type', 'a type of your own', type);
      const instance = runningInstance(state, input.processInstanceId);
      const activityId = bounded('activityId', input.activityId, 'name');
      const { elements } = programs.of(state, instance.definitionId);
      if (activityId !== null && !elements.some((element) => element.id === activityId)) {
        throw badArgument('activityId', `an element of process '${instance.definitionKey}'`, activityId);
      }
      const id = state.ids.next();
      const incident = newIncident(state, {
        id,
        type,
        message: bounded('message', input.message, 'message'),
        activityId,
        executionId: instance.id,
        instanceId: instance.id,
        definitionId: instance.definitionId,
        definitionKey: instance.definitionKey,
        causeIncidentId: id,
        rootCauseIncidentId: id,
        configuration: bounded('configuration', input.configuration, 'message'),
      });
      const changes = new Changes();
      reportIncident(changes, incident);
      countIncidents(changes, state, instance.id, 1);
      return changes.decision(id);
    },
    (_, { processInstanceId }) => processInstanceId,
  );

/** The instance, which has room for one more incident. @throws NOT_FOUND, CONFLICT, LIMIT_EXCEEDED */
function runningInstance(state: State, id: string): ProcessInstance {
  const instance = presentInstance(state, id);
  if (instance === undefined) throw instanceNotFound(id);
  if (instance.endTime !== null) throw instanceNotIn(instance, 'create an incident in');
  if (instance.incidentCount >= INCIDENTS_MAX) throw tooManyIncidents(id);
  return instance;
}

/** They are closed with their instance, in one decision. */
const INCIDENTS_MAX = 1_000;

const tooManyIncidents = (instanceId: string) =>
  limitExceeded(`expected at most ${INCIDENTS_MAX} open incidents of process instance '${instanceId}'`, {
    reason: 'too_many_incidents',
    resourceId: instanceId,
  });

/** Input of `resolveIncident`. */
interface ResolveIncident {
  readonly id: string;
}

/**
 * Resolves an incident that somebody made; one of a failed job resolves with new retries. Answers true. Allowed to supervisors and
 * administrators. @throws FORBIDDEN, BAD_REQUEST (no such incident, or of a failed job)
 */
export const resolveIncident = operation<ResolveIncident, boolean>(
  'resolveIncident',
  (state, { id }, { caller }) => {
    requireSupervisor(caller, 'resolve incidents');
    const incident = state.get(incidents, id);
    if (incident === undefined) throw unknownIncident(id);
    if (incident.jobId !== null || incident.type === 'failedExternalTask')
      throw badArgument('id', 'a custom incident', incident.type);
    const changes = new Changes();
    changeIncident(changes, incident, { type: 'resolve' });
    countIncidents(changes, state, incident.instanceId, -1);
    return changes.decision(true);
  },
  (state, { id }) => state.get(incidents, id)?.instanceId ?? undefined,
);

/** Input of `setIncidentAnnotation`. */
interface SetIncidentAnnotation {
  readonly id: string;
  /** null or empty: no note. */
  readonly annotation?: string | null;
}

/** Writes a note to an open incident; answers its id. Allowed to supervisors and administrators. @throws FORBIDDEN, BAD_REQUEST (no such incident) */
export const setIncidentAnnotation = operation<SetIncidentAnnotation, string>(
  'setIncidentAnnotation',
  (state, { id, annotation }, { caller }) => {
    requireSupervisor(caller, 'annotate incidents');
    const note = bounded('annotation', annotation, 'annotation') || null;
    const incident = state.get(incidents, id);
    if (incident === undefined) throw unknownIncident(id);
    const changes = new Changes();
    changeIncident(changes, incident, { type: 'annotate', annotation: note });
    return changes.decision(id);
  },
);
