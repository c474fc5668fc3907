import type { Caller } from '../../src/shared/caller.js';
import type {
  LongJob,
  LongJobContext,
  LongJobOutcome,
  LongJobProgress,
  LongJobStatus,
  LongJobType,
  Partition,
  Store,
} from '../../src/store/index.js';
import { hasEnded, LONG_JOB_PROGRESSED, longJobs } from '../../src/store/index.js';
import { callerNamed } from './test-domain.js';

/** A type whose runs are in the test's hand: each waits until it is told how it ends. */
export class HeldType implements LongJobType {
  readonly type: string;
  readonly needsItems: boolean;
  readonly resume: 'restart' | 'fail';
  readonly throttle: { readonly items: number; readonly ms: number };
  /** The ids of jobs in the order in which they began to run. */
  readonly begun: string[] = [];
  readonly runs = new Map<string, HeldRun>();
  #waiting: (() => void)[] = [];

  constructor(more: Partial<Pick<LongJobType, 'type' | 'needsItems' | 'resume' | 'throttle'>> = {}) {
    this.type = more.type ?? 'held';
    this.needsItems = more.needsItems ?? false;
    this.resume = more.resume ?? 'restart';
    this.throttle = more.throttle ?? { items: 1, ms: 60_000 };
  }

  run(context: LongJobContext): Promise<LongJobOutcome | undefined> {
    return new Promise((resolve, reject) => {
      this.begun.push(context.job.id);
      this.runs.set(context.job.id, { context, end: resolve, fail: reject });
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  /** The job's run, once it has begun. */
  async running(jobId: string): Promise<HeldRun> {
    for (;;) {
      const run = this.runs.get(jobId);
      if (run !== undefined) return run;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

export interface HeldRun {
  readonly context: LongJobContext;
  end(outcome?: LongJobOutcome): void;
  fail(error: unknown): void;
}

/** Makes and starts a job of a type without items; gives its id. */
export async function startedJob(
  { partition, store, caller = callerNamed('ann') }: { partition: Partition; store: Store; caller?: Caller },
  { type = 'held', priority = 0, parameters = null as unknown } = {},
): Promise<string> {
  const { initLongJob, startLongJob } = store.longJobs.operations;
  const { answer } = await partition.send(initLongJob, { type, priority }, { caller });
  await partition.send(startLongJob, { jobId: answer.jobId, type, parameters }, { caller });
  return answer.jobId;
}

/** Everything that was told of a job, from its first event to that with which `isLast` holds. */
export async function toldUntil(
  partition: Partition,
  jobId: string,
  isLast: (progress: LongJobProgress) => boolean = ({ status }) => hasEnded(status),
): Promise<LongJobProgress[]> {
  const { id, epoch } = { id: partition.id, epoch: partition.replica.feed.epoch };
  const told: LongJobProgress[] = [];
  const stop = new AbortController();
  for await (const { event } of partition.replica.feed.follow(
    { partition: id, epoch, revision: 0, index: 1_000_000 },
    stop.signal,
  )) {
    if (event.type !== LONG_JOB_PROGRESSED || event.ids.jobId !== jobId) continue;
    told.push(event.data as LongJobProgress);
    if (isLast(event.data as LongJobProgress)) break;
  }
  return told;
}

/** Resolves when the job has come to a status; gives it as it is stored by then. */
export async function jobIn(partition: Partition, jobId: string, status: LongJobStatus): Promise<LongJob> {
  await toldUntil(partition, jobId, (progress) => progress.status === status);
  const job = partition.replica.read().get(longJobs, jobId);
  if (job === undefined) throw new Error(`job '${jobId}' is gone`);
  return job;
}
