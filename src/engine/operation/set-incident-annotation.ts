import { incidents, operation } from '../../store/index.js';
import { unknownIncident } from '../errors.js';
import { bounded } from '../rule/bounded-text.js';
import { requireSupervisor } from '../rule/rights.js';
import { Changes } from '../run/changes.js';
import { moveIncident } from '../run/incident-changes.js';

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
    if (incident === undefined) throw unknownIncident(id);
    const note = bounded('annotation', annotation, 'annotation') || null;
    const changes = new Changes();
    moveIncident(changes, incident, { type: 'annotate', annotation: note });
    return changes.decision(id);
  },
);
