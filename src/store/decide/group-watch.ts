import { isMeasuring, storeGroupSize, storeOperationDuration } from '../../shared/metrics.js';
import type { Time } from '../../shared/time.js';
import { errorType, isTracing, recordSpan, SpanKind } from '../../shared/trace.js';
import type { Unreleased } from './accepted.js';

/** What is told of a group of commits on its way to the log. */
export interface HandedOver {
  readonly group: readonly Unreleased[];
  /** How many of them are commits. */
  readonly size: number;
  /** Their text, in UTF-16 units. */
  readonly bytes: number;
  /** What the log stores in: `sqlite`. */
  readonly system: string;
}

/** Measures how long a group takes from here until it is durable, or has failed; each commit's span is a child of its command's. */
export function watchGroup(handed: HandedOver, time: Time): (error?: unknown) => void {
  if (handed.size === 0 || !(isTracing() || isMeasuring())) return () => {};
  const startTime = time.now();
  const from = time.monotonic();
  return (error) => {
    const tookMs = time.monotonic() - from;
    const system = { 'db.system.name': handed.system };
    const failure = error === undefined ? {} : { 'error.type': errorType(error) };
    storeOperationDuration.record(tookMs / 1000, { ...system, 'db.operation.name': 'commit', ...failure });
    storeGroupSize.record(handed.size, system);
    if (isTracing()) recordCommits(handed, { startTime, endTime: startTime + tookMs, error });
  };
}

function recordCommits(
  { group, size, bytes, system }: HandedOver,
  times: { readonly startTime: number; readonly endTime: number; readonly error: unknown },
): void {
  const common = {
    'db.system.name': system,
    'db.operation.name': 'commit',
    'db.operation.batch.size': size,
    'app.commit.group.bytes': bytes,
  };
  for (const { accepted, commit } of group) {
    if (commit === null) continue;
    const { traceparent } = accepted.command.cause;
    const own = { 'app.revision': commit.record.revision, 'app.commit.documents': commit.record.documents.length };
    recordSpan('commit', { ...times, kind: SpanKind.CLIENT, traceparent, attributes: { ...common, ...own } });
  }
}
