import { type Incident, incidentMachine, incidents, jobs, operation, type State, step } from '../../store/index.js';
import { badArgument, jobNotFound, unknownIncident } from '../errors.js';
import { requireSupervisor } from '../rule/rights.js';
import { Changes } from '../run/changes.js';
import { checkRetries, reviveJob } from './job.js';

/** Input of `setJobRetries`. */
export interface SetJobRetries {
  readonly incidentId: string;
  /** At least 1. */
  readonly retries: number;
  /** Whether the note is taken from the incident as it is answered. Default false. */
  readonly clearAnnotation?: boolean | null;
}

/**
 * Gives a failed job new retries: it is due at once, and its incident is resolved. Answers the incident's id. Allowed to supervisors and
 * administrators.
 * @throws FORBIDDEN, BAD_REQUEST (retries below 1 or above 1,000; no such incident, or not of a failed job), NOT_FOUND (the job is gone)
 */
export const setJobRetries = operation<SetJobRetries, string>(
  'setJobRetries',
  (state, { incidentId, retries, clearAnnotation }, { caller }) => {
    requireSupervisor(caller, 'set retries of jobs');
    checkRetries(retries);
    const incident = failedJobOf(state, incidentId);
    const job = state.get(jobs, incident.jobId ?? '');
    if (job === undefined) throw jobNotFound(incident.jobId ?? '');
    const changes = new Changes();
    reviveJob(state, changes, job, { retries, incident, clear: clearAnnotation ?? false });
    return changes.decision(incidentId);
  },
  (state, { incidentId }) => state.get(incidents, incidentId)?.instanceId ?? undefined,
);

/** The incident as it is answered when its note is cleared. */
export const withoutNote = (incident: Incident): Incident => ({
  ...incident,
  actor: step(incidentMachine, incident.actor, { type: 'annotate', annotation: null })[0],
});

function failedJobOf(state: State, id: string): Incident {
  const incident = state.get(incidents, id);
  if (incident === undefined) throw unknownIncident(id);
  if (incident.type === 'failedJob') return incident;
  throw badArgument('incidentId', 'an incident of type failedJob', incident.type);
}
