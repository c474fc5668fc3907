import type { ExchangeSpan, PackedRecords } from '../../eip/index.js';
import { packedSummaries } from '../../eip/index.js';
import { log } from '../../shared/log.js';
import { messageDuration } from '../../shared/metrics.js';
import { isMeasuring, recordSpan, SpanKind } from '../../shared/trace.js';

/** Exchanges of a workspace that ended, and their spans. */
interface EndedBatch {
  readonly completed: PackedRecords | null;
  readonly failed: PackedRecords | null;
  readonly spans: readonly ExchangeSpan[];
}

/** Tells of exchanges of routes in spans and measurements. Never throws. Where nobody collects any of it, nothing is done. */
export function tellExchanges(workspace: string, { completed, failed, spans }: EndedBatch): void {
  try {
    for (const span of spans) tellSpan(workspace, span);
    if (!isMeasuring()) return;
    for (const packed of [completed, failed]) {
      if (packed === null) continue;
      const isFailed = packed === failed ? { 'error.type': '_OTHER' } : {};
      for (const { routeId, elapsed } of packedSummaries(packed))
        messageDuration.record(elapsed / 1e6, { 'eip.context': workspace, 'eip.route.id': routeId, ...isFailed });
    }
  } catch (thrown) {
    log.warn({ err: thrown, workspace }, 'the spans of exchanges could not be made');
  }
}

/** A span per exchange, with one for each message that it sent. */
function tellSpan(workspace: string, span: ExchangeSpan): void {
  const { routeId, exchangeId, endpoint, createdAt, elapsed, error, steps } = span;
  const context = { 'eip.context': workspace, 'eip.route.id': routeId, 'eip.exchange.id': exchangeId };
  recordSpan(`receive ${endpoint}`, {
    kind: SpanKind.CONSUMER,
    span: span.traceparent,
    ...(span.parent === null ? { root: true } : { traceparent: span.parent }),
    attributes: {
      'messaging.system': 'eip',
      'messaging.operation.name': 'receive',
      'messaging.operation.type': 'process',
      'messaging.destination.template': endpoint,
      ...context,
    },
    startTime: createdAt,
    endTime: createdAt + elapsed / 1000,
    ...(error !== null && { error: Object.assign(new Error(error), { code: error }) }),
  });
  for (const { routeId: ofRoute, stepId, endpointUri, entered, taken } of steps) {
    const target = endpointUri?.split('?', 1)[0];
    recordSpan(target === undefined ? `step ${stepId}` : `send ${target}`, {
      kind: target === undefined ? SpanKind.INTERNAL : SpanKind.PRODUCER,
      traceparent: span.traceparent,
      attributes: {
        ...(target !== undefined && {
          'messaging.system': 'eip',
          'messaging.operation.name': 'send',
          'messaging.operation.type': 'send',
          'messaging.destination.template': target,
        }),
        ...context,
        'eip.route.id': ofRoute,
        'eip.step.id': stepId,
      },
      startTime: createdAt + entered / 1000,
      endTime: createdAt + (entered + taken) / 1000,
    });
  }
}
