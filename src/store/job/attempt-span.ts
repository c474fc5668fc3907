import { jobDuration, jobRetries, jobWaitDuration } from '../../shared/metrics.js';
import type { Time } from '../../shared/time.js';
import {
  type Attributes,
  continued,
  errorType,
  inSpan,
  isTracing,
  markFailed,
  SpanKind,
  type SpanStart,
} from '../../shared/trace.js';
import type { AnyJobSubject, Job } from './job.js';

/** An attempt of a job on its way. */
export interface Attempt {
  /** The job as what it causes is to name it: with the start of the trace that the attempt is part of. */
  readonly job: Job;
  /** The attempt came to nothing. */
  failed(thrown: unknown): void;
}

/** An attempt of a job, as telemetry names it. */
interface AttemptFacts {
  /** Subject of the store's jobs. */
  readonly subject: AnyJobSubject;
  /** Receiver of the job: few different ones. */
  readonly destination: string;
  /** ms, domain clock */
  readonly now: number;
  readonly time: Time;
}

/**
 * Runs an attempt within a span of its own, and measures it. The span continues the trace of what made the job, or, when that has become
 * old, begins one that is linked to it.
 */
export async function inAttempt(
  job: Job,
  { subject, destination, now, time }: AttemptFacts,
  work: (attempt: Attempt) => Promise<void>,
): Promise<void> {
  const from = time.monotonic();
  const named = { 'messaging.destination.name': destination };
  let measured: Attributes = named;
  jobWaitDuration.record(Math.max(0, now - job.dueAt) / 1000, named);
  const attributes = () => ({ ...named, ...subject.spanAttributes(job) });
  const traced = isTracing() ? tracedAttempt(job, attributes(), now) : { start: {}, job };
  await inSpan(`process ${job.type} ${subject.spanName(job)}`.trimEnd(), traced.start, (span) =>
    work({
      job: traced.job,
      failed: (thrown) => {
        measured = { ...named, 'error.type': errorType(thrown) };
        markFailed(span, thrown);
        if (job.actor.context.retries > 1) jobRetries.add(1, named);
      },
    }),
  );
  jobDuration.record((time.monotonic() - from) / 1000, measured);
}

function tracedAttempt(
  job: Job,
  attributes: Attributes,
  now: number,
): { readonly start: SpanStart; readonly job: Job } {
  const { traceparent, traceStart = job.created } = job.cause;
  const place = continued(traceparent, now - traceStart);
  return {
    start: { ...place, kind: SpanKind.CONSUMER, attributes },
    job: place.root === true ? { ...job, cause: { ...job.cause, traceStart: now } } : job,
  };
}
