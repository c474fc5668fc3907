import assert from 'node:assert/strict';
import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import fc from 'fast-check';
import { ServiceError } from '../../src/shared/errors.js';
import { jobBacklog, jobRetries, taskAge } from '../../src/shared/metrics.js';
import {
  activeTraceIds,
  activeTraceparent,
  continued,
  inSpan,
  isTracing,
  recordSpan,
  TRACE_AGE_MAX_MS,
} from '../../src/shared/trace.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('without a telemetry SDK', () => {
  it('work is done as if there were no spans', async () => {
    assert.equal(
      inSpan('a', {}, () => 1),
      1,
    );
    assert.equal(await inSpan('a', {}, async () => 2), 2);
    assert.throws(() => inSpan('a', {}, () => assert.fail('thrown')), /thrown/);
    assert.equal(activeTraceparent(), undefined);
    assert.deepEqual(activeTraceIds(), {});
  });

  it('nothing is told of what is over', () => {
    assert.equal(isTracing(), false);
    assert.equal(recordSpan('a', { startTime: 1 }), undefined);
  });

  it('measuring does nothing', () => {
    taskAge.record(1);
    jobRetries.add(1);
    let asked = 0;
    const end = jobBacklog.observe(() => asked++);
    end();
    assert.equal(asked, 0);
  });
});

describe('a span', () => {
  const exporter = new InMemorySpanExporter();
  before(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  });
  beforeEach(() => exporter.reset());
  after(() => {
    trace.disable();
    context.disable();
  });
  const finished = () => exporter.getFinishedSpans();

  it('ends with its work, be it at once or later', async () => {
    inSpan('now', {}, () => assert.equal(finished().length, 0));
    await inSpan('later', {}, async () => {
      await new Promise(setImmediate);
      assert.equal(finished().length, 1);
    });
    assert.deepEqual(
      finished().map(({ name }) => name),
      ['now', 'later'],
    );
  });

  it('is the parent of what begins within it, also after waiting', async () => {
    await inSpan('outer', {}, async () => {
      await new Promise(setImmediate);
      inSpan('inner', {}, () => {});
    });
    const [inner, outer] = finished();
    assert.equal(inner?.parentSpanContext?.spanId, outer?.spanContext().spanId);
  });

  it('continues what was kept as traceparent, and gives one to keep', () => {
    const kept = inSpan('first', {}, activeTraceparent);
    assert.match(kept ?? '', /^00-[\da-f]{32}-[\da-f]{16}-01$/);
    inSpan('second', { traceparent: kept }, () => {});
    const [first, second] = finished();
    assert.equal(second?.spanContext().traceId, first?.spanContext().traceId);
    assert.equal(second?.parentSpanContext?.spanId, first?.spanContext().spanId);
  });

  it('may begin a trace of its own that is linked to what came before', () => {
    inSpan('outer', {}, () =>
      inSpan('woken', { root: true, links: [`00-${TRACE}-${SPAN}-01`, undefined, 'nonsense'] }, () => {}),
    );
    const [woken, outer] = finished();
    assert.notEqual(woken?.spanContext().traceId, outer?.spanContext().traceId);
    assert.deepEqual(
      woken?.links.map((link) => [link.context.traceId, link.context.spanId]),
      [[TRACE, SPAN]],
    );
  });

  it('keeps a decision not to sample', () => {
    inSpan('unsampled', { traceparent: `00-${TRACE}-${SPAN}-00` }, () => {
      assert.match(activeTraceparent() ?? '', new RegExp(`^00-${TRACE}-[\\da-f]{16}-00$`));
    });
    assert.equal(finished().length, 0);
  });

  it('begins a trace of its own where the kept one cannot be read', () => {
    const unreadable = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '',
        '00',
        `ff-${TRACE}-${SPAN}-01`,
        `00-${'0'.repeat(32)}-${SPAN}-01`,
        `00-${TRACE}-${SPAN}`,
        `00-${TRACE}-${SPAN}-0g`,
      ),
    );
    fc.assert(
      fc.property(unreadable, (traceparent) => {
        exporter.reset();
        inSpan('any', { traceparent }, () => {});
        assert.equal(finished()[0]?.parentSpanContext, undefined);
      }),
    );
  });

  it('is named by what is logged within it', () => {
    inSpan('logged', {}, () => {
      const [, trace_id, span_id] = activeTraceparent()?.split('-') ?? [];
      assert.deepEqual(activeTraceIds(), { trace_id, span_id });
    });
  });

  it('may tell of what is over, and be continued by more of it', () => {
    const at = Date.UTC(2026, 0, 1);
    const kept = recordSpan('first', { startTime: at, endTime: at + 500, error: new Error('late') });
    recordSpan('second', { traceparent: kept, startTime: at, endTime: at - 1 });
    const [first, second] = finished();
    assert.deepEqual(first?.startTime, [at / 1_000, 0]);
    assert.deepEqual([first?.endTime, first?.status.code], [[at / 1_000, 500_000_000], 2]);
    assert.deepEqual(second?.endTime, second?.startTime);
    assert.equal(second?.parentSpanContext?.spanId, first?.spanContext().spanId);
  });

  it('continues a trace as long as that is young', () => {
    const kept = `00-${TRACE}-${SPAN}-01`;
    assert.deepEqual(continued(kept, TRACE_AGE_MAX_MS), { traceparent: kept });
    assert.deepEqual(continued(kept, TRACE_AGE_MAX_MS + 1), { root: true, links: [kept] });
    assert.equal(continued(undefined, 0).root, true);
  });

  it('says which error it failed with, and lets it through', async () => {
    const refusal = new ServiceError('NOT_FOUND', 'expected task t1, but there is none');
    assert.throws(
      () =>
        inSpan('refused', {}, () => {
          throw refusal;
        }),
      refusal,
    );
    await assert.rejects(
      inSpan('broken', {}, () => Promise.reject(new Error('a bug'))),
      /a bug/,
    );
    const [refused, broken] = finished();
    assert.deepEqual([refused?.attributes['error.type'], refused?.status.code], ['NOT_FOUND', 2]);
    assert.deepEqual([broken?.attributes['error.type'], broken?.status.message], ['INTERNAL_ERROR', 'a bug']);
  });
});

describe('a metric', () => {
  it('is measured as soon as there is a provider, even if it was used before', async () => {
    jobRetries.add(5);
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 });
    const provider = new MeterProvider({ readers: [reader] });
    metrics.setGlobalMeterProvider(provider);
    jobRetries.add(2, { 'messaging.destination.name': 'charge' });
    jobRetries.add(1, { 'messaging.destination.name': 'charge' });
    taskAge.record(12.5);
    const stop = jobBacklog.observe((report) => report(7));
    await provider.forceFlush();
    stop();
    const found = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    const values = Object.fromEntries(
      found.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints[0]?.value]),
    );
    assert.equal(values['bpm.job.retries'], 3);
    assert.equal(values['bpm.job.backlog'], 7);
    assert.equal((values['bpm.task.age'] as { sum?: number }).sum, 12.5);
    assert.equal(found.find(({ descriptor }) => descriptor.name === 'bpm.task.age')?.descriptor.unit, 's');
    await provider.shutdown();
    metrics.disable();
  });
});
