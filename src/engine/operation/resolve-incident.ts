import { incidents, operation } from '../../store/index.js';
import { badArgument, unknownIncident } from '../errors.js';
import { requireSupervisor } from '../rule/rights.js';
import { Changes } from '../run/changes.js';
import { countIncidents, moveIncident } from '../run/incident-changes.js';

/** Input of `resolveIncident`. */
export interface ResolveIncident {
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
    if (incident.jobId !== null) throw badArgument('id', 'a custom incident', incident.type);
    const changes = new Changes();
    moveIncident(changes, incident, { type: 'resolve' });
    countIncidents(changes, state, incident.instanceId, -1);
    return changes.decision(true);
  },
  (state, { id }) => state.get(incidents, id)?.instanceId ?? undefined,
);
