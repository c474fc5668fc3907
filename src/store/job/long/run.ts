import type { Caller, Cause } from '../../../shared/caller.js';
import { ServiceError } from '../../../shared/errors.js';
import { log as serverLog } from '../../../shared/log.js';
import { type Time, turn } from '../../../shared/time.js';
import { continued, inSpan, markFailed, SpanKind } from '../../../shared/trace.js';
import type { Operation } from '../../decision.js';
import type { PartitionPort } from '../../partition/partition.js';
import type { AttemptOperations } from '../attempt-operations.js';
import { untilAnswered } from '../attempts.js';
import type { JobAttempt } from '../outcome.js';
import type { LongJobChanges } from './figures.js';
import { type LongJob, longJobPieces, longJobs, pieceId } from './long-job.js';
import type { LongJobContext, LongJobOutcome, LongJobType } from './long-job-type.js';
import type { LongJobRunOperations } from './operations.js';
import { ProgressThrottle } from './throttle.js';

const INTERNAL_ERROR = 'Internal error';
/** Of a job that nothing runs any more: its end alone is told. */
const NO_THROTTLE = { items: 1, ms: 0 };

interface RunParts {
  readonly partition: PartitionPort;
  /** As the commit that began this run left it. */
  readonly job: LongJob;
  /** Undefined: nothing runs jobs of its type any more. */
  readonly type: LongJobType | undefined;
  readonly operations: LongJobRunOperations & Pick<AttemptOperations, 'release'>;
  readonly callerOf: (userId: string, workspace: string, cause: Cause) => Caller;
  /** The domain clock's time, ms. */
  readonly now: number;
  readonly time: Time;
}

type Ending = { readonly outcome: LongJobOutcome } | { readonly thrown: unknown };

/** One run of a long job on this server, from its begin to the commit of its end. */
export class Run {
  /** Resolves when nothing of it runs any more and its end is stored, or is another's to tell. Never rejects. */
  readonly done: Promise<void>;
  readonly #parts: RunParts;
  readonly #control = new AbortController();
  readonly #throttle: ProgressThrottle;
  #stop: 'abort' | 'drain' | undefined;
  #isGivenUp = false;

  constructor(parts: RunParts) {
    this.#parts = parts;
    const throttle = parts.type?.throttle ?? NO_THROTTLE;
    this.#throttle = new ProgressThrottle({
      ...throttle,
      time: parts.time,
      store: (changes) => this.#progress(changes),
    });
    this.done = this.#perform();
  }

  /** Asks the run to end. */
  stop(why: 'abort' | 'drain'): void {
    if (this.#stop !== 'abort') this.#stop = why;
    this.#control.abort();
  }

  /** The server cannot wait any longer, and what it comes to is nobody's business. Gives what was not told yet. */
  giveUp(): Promise<LongJobChanges> {
    this.#isGivenUp = true;
    return this.#throttle.close();
  }

  get #id(): JobAttempt {
    const { id, actor } = this.#parts.job;
    return { jobId: id, attempt: actor.context.attempt };
  }

  async #perform(): Promise<void> {
    const ending = await this.#traced();
    if (this.#isGivenUp) return;
    const changes = await this.#throttle.close();
    try {
      await this.#end(ending, changes);
    } catch (thrown) {
      if (isCode(thrown, 'CONFLICT')) serverLog.debug({ ...this.#id }, 'a long job was not ours any more');
      else await this.#endBadly(thrown);
    }
  }

  #traced(): Promise<Ending> {
    const { job, partition, now } = this.#parts;
    const { traceparent, traceStart = job.created } = job.cause;
    const attributes = { 'app.workspace': partition.workspace, 'app.job.id': job.id };
    const start = { ...continued(traceparent, now - traceStart), kind: SpanKind.CONSUMER, attributes };
    return inSpan(`process ${job.type}`, start, async (span) => {
      const ending = await this.#work();
      if ('thrown' in ending && this.#stop === undefined) markFailed(span, ending.thrown);
      return ending;
    });
  }

  async #work(): Promise<Ending> {
    const { type, job } = this.#parts;
    // Runs begin where a commit is told of: what they do at first must not hold up its caller.
    await Promise.resolve();
    try {
      if (type === undefined) throw new ServiceError('UNAVAILABLE', `Nothing runs jobs of type '${job.type}'.`);
      return { outcome: (await type.run(this.#context())) ?? {} };
    } catch (thrown) {
      return { thrown };
    }
  }

  #context(): LongJobContext {
    const parts = this.#parts;
    const { job, partition, callerOf } = parts;
    const throttle = this.#throttle;
    const cause = { ...job.cause, jobId: job.id };
    return {
      job,
      parameters: job.parameters,
      items: { [Symbol.asyncIterator]: () => itemsOf(parts) },
      add: (items, changes) => this.#add(items, changes),
      get caller() {
        // The user may be gone since the run began, and another one have the name.
        const { userId } = partition.replica.read().get(longJobs, job.id) ?? job;
        return callerOf(userId, partition.workspace, cause);
      },
      partition,
      signal: this.#control.signal,
      progress: (changes) => throttle.tell(changes),
    };
  }

  #end(ending: Ending, changes: LongJobChanges): Promise<void> {
    const { operations } = this.#parts;
    if ('outcome' in ending) return this.#commit(operations.completeLongJob, { ...this.#id, ...ending, changes });
    if (this.#stop === 'abort') return this.#commit(operations.stopLongJob, { jobId: this.#id.jobId, changes });
    if (this.#stop === 'drain') {
      const { jobId: id, attempt } = this.#id;
      return this.#commit(operations.release, { jobs: [{ id, attempt, told: changes }] });
    }
    return this.#commit(operations.failLongJob, { ...this.#id, message: this.#toldOf(ending.thrown), changes });
  }

  /** The run's result could not be stored, whatever the reason: then at least that it is over. */
  async #endBadly(thrown: unknown): Promise<void> {
    try {
      await this.#commit(this.#parts.operations.failLongJob, { ...this.#id, message: this.#toldOf(thrown) });
    } catch (again) {
      if (this.#isGivenUp || isCode(again, 'CONFLICT')) return;
      serverLog.error({ err: again, ...this.#id }, 'the end of a long job could not be stored');
    }
  }

  #toldOf(thrown: unknown): string {
    if (thrown instanceof ServiceError) return thrown.message;
    serverLog.error({ err: thrown, type: this.#parts.job.type, ...this.#id }, 'a long job failed');
    return INTERNAL_ERROR;
  }

  #add(items: readonly string[], changes: LongJobChanges): Promise<void> {
    const { partition, job, operations } = this.#parts;
    const behind = partition.replica.read().get(longJobs, job.id)?.items ?? 0;
    return this.#commit(operations.fillLongJob, { ...this.#id, behind, items, changes });
  }

  /** Whether it needs not be told again. */
  async #progress(changes: LongJobChanges): Promise<boolean> {
    try {
      const { partition, operations } = this.#parts;
      await partition.sendAsSystem(operations.progressLongJob, { ...this.#id, changes });
    } catch (thrown) {
      if (isCode(thrown, 'UNAVAILABLE')) return false;
      // Another run, or nobody, owns the job by now: this one works in vain.
      if (isCode(thrown, 'CONFLICT')) this.#control.abort();
      else serverLog.warn({ err: thrown, ...this.#id }, 'the progress of a long job could not be stored');
    }
    return true;
  }

  #commit<I>(operation: Operation<I, unknown>, input: I): Promise<void> {
    const goesOn = () => !this.#isGivenUp;
    return untilAnswered(this.#parts.time, goesOn, () => this.#parts.partition.sendAsSystem(operation, input));
  }
}

/** Reads one piece after the other: all of them may be large, and reading them all takes its time. */
async function* itemsOf({ partition, job, time }: RunParts): AsyncGenerator<string> {
  const { id } = job;
  const { pieces } = partition.replica.read().get(longJobs, id) ?? job;
  for (const n of Array(pieces).keys()) {
    await turn(time);
    yield* partition.replica.read().get(longJobPieces, pieceId(id, n))?.items ?? [];
  }
}

const isCode = (thrown: unknown, code: ServiceError['code']): boolean =>
  thrown instanceof ServiceError && thrown.code === code;
