import { can, step } from '../../actor.js';
import { type FeedEvent, put, type Write } from '../../decision.js';
import type { LongJobFigures } from './figures.js';
import { hasEnded, type LongJob, type LongJobStatus, longJobs } from './long-job.js';
import { type LongJobEvent, longJobMachine } from './machine.js';

/** A snapshot of a long job: what its event carries, and what whoever follows it sees. */
export interface LongJobProgress extends LongJobFigures {
  readonly jobId: string;
  readonly status: LongJobStatus;
  /** Counts the stored changes of the job. */
  readonly version: number;
  /** When this was so: ms, domain clock. */
  readonly timestamp: number;
}

/** The type of the event that every stored change of a long job makes; its ids are `{ jobId }`, its data {@link LongJobProgress}. */
export const LONG_JOB_PROGRESSED = 'longJob.progressed';

/** The job as those see it who follow it. */
export const progressOf = ({ id, actor, figures, version, updated }: LongJob): LongJobProgress => ({
  jobId: id,
  status: actor.value,
  ...figures,
  version,
  timestamp: updated,
});

/** The job after an event. @throws what `refused` gives, where its state does not accept it; default: it is known to */
export const moved = (job: LongJob, event: LongJobEvent, refused?: () => Error): LongJob => ({
  ...job,
  actor: step(longJobMachine, job.actor, event, refused)[0],
});

/** Whether the job's state accepts the event. */
export const mayMove = (job: LongJob, event: LongJobEvent): boolean => can(longJobMachine, job.actor, event);

/** What every change of a long job writes: the document, and its event. */
export function changeOf(changed: LongJob, now: number): { job: LongJob; write: Write[]; events: FeedEvent[] } {
  const ended = hasEnded(changed.actor.value) ? (changed.ended ?? now) : null;
  const job = { ...changed, version: changed.version + 1, updated: now, ended };
  const event = { type: LONG_JOB_PROGRESSED, ids: { jobId: job.id }, data: progressOf(job) };
  return { job, write: [put(longJobs, job)], events: [event] };
}
