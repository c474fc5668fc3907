import { incidentMachine, incidents, operation, step } from '../../store/index.js';
import { unknownIncident } from '../errors.js';
import { bounded } from '../rule/bounded-text.js';
import { requireSupervisor } from '../rule/rights.js';
import { Changes } from '../run/changes.js';
import { incidentEvent } from '../run/incident-changes.js';

/** Input of `setIncidentAnnotation`. */
export interface SetIncidentAnnotation {
  readonly id: string;
  /** null or empty: no note. */
  readonly annotation?: string | null;
}

/** Writes a note to an open incident; answers its id. Allowed to supervisors and administrators. @throws FORBIDDEN, BAD_REQUEST (no such incident) */
export const setIncidentAnnotation = operation<SetIncidentAnnotation, string>(
  'setIncidentAnnotation',
  (state, { id, annotation }, { caller }) => {
    requireSupervisor(caller, 'annotate incidents');
    const incident = state.get(incidents, id);
    const event = { type: 'annotate', annotation: bounded('annotation', annotation, 'annotation') || null } as const;
    const actor = incident && step(incidentMachine, incident.actor, event);
    if (incident === undefined || actor === undefined) throw unknownIncident(id);
    const changes = new Changes();
    const annotated = { ...incident, actor };
    changes.put(incidents, annotated);
    changes.event(incidentEvent('updated', annotated));
    return changes.decision(id);
  },
);
