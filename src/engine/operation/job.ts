import { shifted } from '../../expression/index.js';
import {
  type Incident,
  incidentMachine,
  incidents,
  type MovedJob,
  moveJob,
  operation,
  type State,
  step,
} from '../../store/index.js';
import { type Job, jobSubject, jobs } from '../collections.js';
import type { Path } from '../element/large-scope.js';
import { badArgument, jobNotFound, jobNotWaiting, unknownIncident } from '../errors.js';
import { requireSupervisor } from '../rule/rights.js';
import { Changes } from '../run/changes.js';
import { changeIncident, changeJob, countIncidents, presentInstance } from '../run/instance-changes.js';
import type { TimerStartInput } from '../run/publish-definition.js';

/** Input of `setJobRetries`. */
interface SetJobRetries {
  readonly incidentId: string;
  /** From 0 to 1,000. */
  readonly retries: number;
  /** Whether the note is taken from the incident as it is answered. Default false. */
  readonly clearAnnotation?: boolean | null;
}

/**
 * Gives a failed job new retries: it is due at once, and its incident is resolved; with 0 all stays as it is. Answers the incident's id. Allowed
 * to supervisors and administrators.
 * @throws FORBIDDEN, BAD_REQUEST (retries below 0 or above 1,000; no such incident, or not of a failed job), NOT_FOUND (the job is gone)
 */
export const setJobRetries = operation<SetJobRetries, string>(
  'setJobRetries',
  (state, { incidentId, retries, clearAnnotation }, { caller }) => {
    requireSupervisor(caller, 'set retries of jobs');
    requireRetries(retries);
    const incident = failedJobOf(state, incidentId);
    const job = state.get(jobs, incident.jobId ?? '');
    if (job === undefined) throw jobNotFound(incident.jobId ?? '');
    if (retries === 0) return { answer: incidentId };
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

/** Input of `setRetriesOfJob`. */
interface SetRetriesOfJob {
  readonly id: string;
  /** From 0 to 1,000. */
  readonly retries: number;
  /** When it is due then, ms; with 0 retries it does not count. Default: as it is, of a dead one at once. */
  readonly due?: number | null;
}

/**
 * Says how often a job may still fail. One that waits keeps its due time; a dead one is due at once, and its incident is resolved. With 0 it is
 * dead: it is not run, and an incident tells of it. Answers the job's id. Allowed to supervisors and administrators. @throws FORBIDDEN, BAD_REQUEST (retries), NOT_FOUND, CONFLICT (it runs)
 */
export const setRetriesOfJob = operation<SetRetriesOfJob, string>(
  'setRetriesOfJob',
  (state, { id, retries, due = null }, { caller }) => {
    requireSupervisor(caller, 'set retries of jobs');
    requireRetries(retries);
    const job = state.get(jobs, id);
    if (job === undefined) throw jobNotFound(id);
    const isDead = job.actor.value === 'dead';
    if (isDead && retries === 0) return { answer: id };
    const changes = new Changes();
    if (isDead) reviveJob(state, changes, job, { retries, incident: incidentOfJob(state, id), clear: false });
    else changeJob({ changes, state }, { ...job, retries }, { type: 'setRetries', retries });
    if (retries === 0) countIncidents(changes, state, job.instanceId, 1);
    else if (due !== null)
      changeJob({ changes, state }, dueAt(state, changes.current(state, jobs, id) ?? job, due), RESCHEDULE);
    return changes.decision(id);
  },
  mailboxOf,
);

/** Input of `executeJob`. */
interface ExecuteJob {
  readonly id: string;
}

/**
 * Makes a job due now: it runs as soon as there is a slot, also on a clock that stands still. A dead one is tried once more, and its incident is
 * resolved. Answers true. Allowed to supervisors and administrators. @throws FORBIDDEN, NOT_FOUND, CONFLICT (it runs, or is suspended)
 */
export const executeJob = operation<ExecuteJob, boolean>(
  'executeJob',
  (state, { id }, { caller }) => {
    requireSupervisor(caller, 'execute jobs');
    const job = state.get(jobs, id);
    if (job === undefined) throw jobNotFound(id);
    if (job.suspended) throw jobNotWaiting(id, 'suspended');
    if (job.actor.value === 'dead') {
      const changes = new Changes();
      reviveJob(state, changes, job, { retries: 1, incident: incidentOfJob(state, id), clear: false });
      return changes.decision(true);
    }
    return { ...rescheduled(state, { ...job, dueAt: Math.min(job.dueAt, state.now), immediate: true }), answer: true };
  },
  mailboxOf,
);

/** Input of `setJobDueDate`. */
interface SetJobDueDate {
  readonly id: string;
  /** ms */
  readonly due: number;
  /** Whether the later times of a timer's cycle move by as much. Default false. */
  readonly cascade?: boolean | null;
}

/**
 * Says when a waiting job may run, also one whose instance is suspended. A time that has passed makes it due now. Answers the job's id. Allowed
 * to supervisors and administrators. @throws FORBIDDEN, NOT_FOUND, CONFLICT (it runs, or is dead)
 */
export const setJobDueDate = operation<SetJobDueDate, string>(
  'setJobDueDate',
  (state, { id, due, cascade }, { caller }) => {
    requireSupervisor(caller, 'set due dates of jobs');
    const job = state.get(jobs, id);
    if (job === undefined) throw jobNotFound(id);
    const input = cascade === true ? withShift(job, due) : job.input;
    return { ...rescheduled(state, { ...dueAt(state, job, due), input }), answer: id };
  },
  mailboxOf,
);

/** What is due later waits for the clock, whatever it was before. */
const dueAt = (state: State, job: Job, due: number): Job => ({
  ...job,
  dueAt: due,
  immediate: job.immediate && due <= state.now,
});

/** Input of the job of a timer that an instance waits for. */
export interface TimerInput {
  readonly within?: Path;
  /** Whether it is one of a cycle. Absent: it is not, or a former version wrote it. */
  readonly cycle?: true;
  /** By how much the later times of its cycle are moved, ms. Absent: not at all. */
  readonly shift?: number;
}

/** The shift of the later times of a timer's cycle, from the input of its job. */
export const shiftOf = (input: unknown): Pick<TimerInput, 'shift'> => {
  const { shift } = input as TimerInput;
  return shift === undefined ? {} : { shift };
};

/** What a timer is told so that the later times of its cycle move as it does. */
function withShift({ type, dueAt, input }: Job, due: number): unknown {
  const ms = due - dueAt;
  if (type === 'timer') {
    const { shift = 0 } = input as TimerInput;
    return { ...(input as TimerInput), shift: shift + ms };
  }
  if (type !== 'timerStart') return input;
  const start = input as TimerStartInput;
  return start.repeat === null ? start : { ...start, repeat: shifted(start.repeat, ms) };
}

/** A waiting job with another time. @throws CONFLICT (it runs, or is dead) */
function rescheduled(state: State, job: Job): Pick<MovedJob, 'write' | 'events'> {
  const refused = () => jobNotWaiting(job.id, job.actor.value);
  const { write, events } = moveJob(state, job, RESCHEDULE, jobSubject, { refused });
  return { write, events };
}

const RESCHEDULE = { type: 'reschedule' } as const;
const RETRIES_MAX = 1_000;

/** @throws BAD_REQUEST */
export function requireRetries(retries: number): void {
  if (Number.isInteger(retries) && retries >= 0 && retries <= RETRIES_MAX) return;
  throw badArgument('retries', `a whole number from 0 to ${RETRIES_MAX}`, retries);
}

/** Gives a dead job new retries: it is due at once, and its incident is resolved. */
function reviveJob(state: State, changes: Changes, job: Job, { retries, incident, clear }: Revival): void {
  const suspended = job.instanceId !== null && presentInstance(state, job.instanceId)?.actor.value === 'suspended';
  const revived = () => {
    if (incident === undefined) return;
    changeIncident(changes, incident, { type: 'resolve', clear });
    countIncidents(changes, state, incident.instanceId, -1);
  };
  changeJob({ changes, state }, { ...job, retries, suspended }, { type: 'setRetries', retries }, { revived });
}

interface Revival {
  readonly retries: number;
  /** The one that told of its death. */
  readonly incident: Incident | undefined;
  /** Whether its note is taken from it as it is told. */
  readonly clear: boolean;
}

/** The open incident of a dead job. */
const incidentOfJob = (state: State, jobId: string): Incident | undefined =>
  state.find(incidents, 'job', [jobId]).find(({ type }) => type === 'failedJob');

/** The mailbox of a job's instance. */
function mailboxOf(state: State, { id }: { readonly id: string }): string | undefined {
  return state.get(jobs, id)?.instanceId ?? undefined;
}
