import { type Incident, incidents, type Job, type State } from '../../store/index.js';
import { badArgument } from '../errors.js';
import type { Changes } from '../run/changes.js';
import { countIncidents, moveIncident } from '../run/incident-changes.js';
import { changeJob } from '../run/job-changes.js';
import { presentInstance } from '../run/present-instance.js';

const RETRIES_MAX = 1_000;

/** @throws BAD_REQUEST */
export function checkRetries(retries: number): void {
  if (Number.isInteger(retries) && retries >= 1 && retries <= RETRIES_MAX) return;
  throw badArgument('retries', `a whole number from 1 to ${RETRIES_MAX}`, retries);
}

/** Gives a dead job new retries: it is due at once, and its incident is resolved. */
export function reviveJob(state: State, changes: Changes, job: Job, { retries, incident, clear }: Revival): void {
  const suspended = job.instanceId !== null && presentInstance(state, job.instanceId)?.actor.value === 'suspended';
  const revived = () => {
    if (incident === undefined) return;
    moveIncident(changes, incident, { type: 'resolve', clear });
    countIncidents(changes, state, incident.instanceId, -1);
  };
  changeJob({ changes, state }, { ...job, retries, suspended }, { type: 'setRetries', retries }, { revived });
}

export interface Revival {
  readonly retries: number;
  /** The one that told of its death. */
  readonly incident: Incident | undefined;
  /** Whether its note is taken from it as it is told. */
  readonly clear: boolean;
}

/** The open incident of a dead job. */
export const incidentOfJob = (state: State, jobId: string): Incident | undefined =>
  state.find(incidents, 'job', [jobId]).find(({ type }) => type === 'failedJob');
