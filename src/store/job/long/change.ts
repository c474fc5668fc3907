import { type Action, can, type Performers, perform, step } from '../../actor.js';
import { type FeedEvent, put, type Write } from '../../decision.js';
import type { LongJobFigures } from './figures.js';
import { type LongJob, type LongJobStatus, longJobs } from './long-job.js';
import { type LongJobAction, type LongJobEvent, longJobMachine } from './machine.js';

/** A snapshot of a long job: what its event carries, and what whoever follows it sees. */
export interface LongJobProgress extends LongJobFigures {
  readonly jobId: string;
  readonly status: LongJobStatus;
  /** Counts the stored changes of the job. */
  readonly version: number;
  /** When this was so: ms, domain clock. */
  readonly timestamp: number;
}

/** The type of the event that every stored change of a long job makes; its ids are `{ jobId, userId, type }`, its data {@link LongJobProgress}. */
export const LONG_JOB_PROGRESSED = 'longJob.progressed';

/** The job as those see it who follow it. */
export const progressOf = ({ id, actor, figures, version, updated }: LongJob): LongJobProgress => ({
  jobId: id,
  status: actor.value,
  ...figures,
  version,
  timestamp: updated,
});

/** The job after an event, and what the transition causes. @throws what `refused` gives, where its state does not accept it; default: it is known to */
export function moved(job: LongJob, event: LongJobEvent, refused?: () => Error): MovedLongJob {
  const [actor, actions] = step(longJobMachine, job.actor, event, refused);
  return [{ ...job, actor }, actions];
}

/** A long job on its way: whoever moved it may still say more of it before it is {@link settled}. */
export type MovedLongJob = readonly [job: LongJob, actions: readonly Action[]];

/** Whether the job's state accepts the event. */
export const mayMove = (job: LongJob, event: LongJobEvent): boolean => can(longJobMachine, job.actor, event);

/** A long job after a move, with its write and its event. */
export interface SettledLongJob {
  readonly job: LongJob;
  readonly write: readonly Write[];
  readonly events: readonly FeedEvent[];
}

/** Turns what a transition causes into the document, as it is then, and its event. */
export function settled([job, actions]: MovedLongJob, now: number): SettledLongJob {
  const scene: LongJobScene = { job, now, write: [], events: [] };
  perform(longJobPerformers, actions, scene);
  return scene;
}

/** A new long job, as its first commit has it. */
export const opened = (job: LongJob, now: number): SettledLongJob =>
  settled([job, [{ type: 'store' }, { type: 'tell' }]], now);

interface LongJobScene {
  job: LongJob;
  readonly now: number;
  readonly write: Write[];
  readonly events: FeedEvent[];
}

/** One performer for each action that the long job's machine names. */
export const longJobPerformers: Performers<LongJobAction, LongJobScene> = {
  end: (scene) => {
    scene.job = { ...scene.job, ended: scene.job.ended ?? scene.now };
  },
  store: (scene) => {
    scene.job = { ...scene.job, version: scene.job.version + 1, updated: scene.now };
    scene.write.push(put(longJobs, scene.job));
  },
  tell: ({ job, events }) => {
    const { id: jobId, userId, type } = job;
    events.push({ type: LONG_JOB_PROGRESSED, ids: { jobId, userId, type }, data: progressOf(job) });
  },
};
