import { ServiceError } from '../../shared/errors.js';
import { type Performers, perform, start, step } from '../actor.js';
import { type Command, type FeedEvent, put, remove, type Write } from '../decision.js';
import { incidentOf, openIncident } from '../incident/transition.js';
import type { State } from '../state.js';
import { type AnyJobSubject, type Job, type JobSubject, jobs, type NewJob } from './job.js';
import type { JobChanges, JobType } from './job-type.js';
import { type JobAction, type JobEvent, jobMachine } from './machine.js';

const RETRIES_DEFAULT = 3;

/** A new job as it is stored: waiting, or dead where it must not run. */
export function jobOf<A extends object>(
  job: NewJob,
  { cause, caller, id }: Pick<Command, 'cause' | 'caller' | 'id'>,
  now: number,
  subject: JobSubject<A>,
): Job & A {
  // What it says beside a job's own fields is the domain's to read.
  const about = subject.of(job as NewJob & Partial<A>);
  const retries = job.retries ?? RETRIES_DEFAULT;
  return {
    id: job.id,
    type: job.type,
    dueAt: job.dueAt,
    immediate: job.immediate ?? false,
    ...(job.isBehind && { isBehind: true }),
    exclusive: job.exclusive ?? null,
    retries,
    retryCycle: job.retryCycle ?? null,
    ...(job.priority && { priority: job.priority }),
    ...about,
    input: job.input,
    created: now,
    userId: caller.userId,
    cause: { ...cause, ...subject.cause(about), ...job.cause, commandId: cause.commandId ?? id },
    suspended: job.suspended ?? false,
    deaths: 0,
    ...bornAs(job, retries, now),
  };
}

function bornAs({ failure }: NewJob, retries: number, now: number): Pick<Job, 'failure' | 'actor'> {
  const waiting = start(jobMachine, { attempt: 0, retries });
  if (!failure) return { failure: null, actor: waiting };
  const [dead] = step(jobMachine, waiting, { type: 'bury' });
  return { failure: { stack: null, ...failure, at: now }, actor: dead };
}

/** The domain's part in what becomes of a job. */
export interface JobDomain extends Pick<JobType, 'retryAt' | 'dead'> {
  /** Resolves the incident of a dead job that gets new retries. */
  readonly revived?: () => void;
  /** Refusal of a state that does not accept the event. Default: CONFLICT, in the machine's words. */
  readonly refused?: () => Error;
}

/** A job after a transition, with all that this has caused. */
export interface MovedJob {
  readonly job: Job;
  readonly write: readonly Write[];
  readonly events: readonly FeedEvent[];
}

/** The job after an event. `subject`: what the store's jobs are about. @throws CONFLICT (its state does not accept it) */
export function moveJob(
  state: State,
  job: Job,
  event: JobEvent,
  subject: AnyJobSubject,
  domain: JobDomain = {},
): MovedJob {
  const [actor, actions] = step(jobMachine, job.actor, event, domain.refused ?? (() => jobNotIn(job, event)));
  const scene: JobScene = { state, subject, domain, job: { ...job, actor }, write: [], events: [] };
  perform(jobPerformers, actions, scene);
  return scene;
}

/** A waiting job as its next attempt runs. @throws CONFLICT (it does not wait) */
export function begun<J extends Job>(job: J): J {
  const [actor] = step(jobMachine, job.actor, TAKE, () => jobNotIn(job, TAKE));
  return { ...job, actor };
}

const TAKE = { type: 'take' } as const;

const jobNotIn = ({ id, actor }: Job, { type }: JobEvent) =>
  new ServiceError('CONFLICT', `expected job '${id}' to accept ${type}, but it is ${actor.value}`, {
    reason: `job_${actor.value}`,
    resourceId: id,
    details: { state: actor.value },
  });

interface JobScene {
  readonly state: State;
  readonly subject: AnyJobSubject;
  readonly domain: JobDomain;
  /** As it is by now. */
  job: Job;
  readonly write: Write[];
  readonly events: FeedEvent[];
}

/** One performer for each action that the job's machine names. */
export const jobPerformers: Performers<JobAction, JobScene> = {
  store: ({ write, subject, job }) => write.push(put(subject.jobs, job)),
  remove: ({ write, job }) => write.push(remove(jobs, job.id)),
  retryLater: (scene) => {
    const { job, state, domain } = scene;
    scene.job = { ...job, dueAt: domain.retryAt?.(job, state.now) ?? state.now, immediate: false };
  },
  retryNow: (scene) => {
    scene.job = { ...scene.job, deaths: 0, dueAt: scene.state.now, immediate: true };
  },
  openIncident: (scene) => {
    const { state, subject, domain, job } = scene;
    const incident = incidentOf(state, job, subject.incident(job));
    add(scene, openIncident(incident));
    add(scene, domain.dead?.(state, job, incident));
  },
  resolveIncident: ({ domain }) => domain.revived?.(),
};

function add(scene: JobScene, { write = [], events = [] }: JobChanges = {}): void {
  scene.write.push(...write);
  scene.events.push(...events);
}
