import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** Telemetry of this process, kept in memory. */
export interface SpanRecorder {
  /** Spans that have ended, in the order of their ends. */
  readonly spans: () => readonly ReadableSpan[];
  /** The only span of this name. @throws when there is none, or another */
  span(name: string): ReadableSpan;
  /** The sum or count of what was measured, by its attributes as JSON. */
  measured(name: string): Promise<Readonly<Record<string, number>>>;
  /** As if there had never been an SDK. */
  stop(): Promise<void>;
}

/** Registers an SDK that keeps spans and metrics. One at a time per process. */
export function recordSpans(): SpanRecorder {
  const exporter = new InMemorySpanExporter();
  const measurements = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: measurements, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  metrics.setGlobalMeterProvider(meters);
  return {
    spans: () => exporter.getFinishedSpans(),
    span: (name) => {
      const found = exporter.getFinishedSpans().filter((span) => span.name === name);
      if (found.length === 1 && found[0] !== undefined) return found[0];
      const names = exporter.getFinishedSpans().map((span) => span.name);
      throw new Error(`expected one span '${name}', but there are ${found.length} among ${names.join(', ')}`);
    },
    measured: async (name) => {
      measurements.reset();
      await meters.forceFlush();
      const all = measurements
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
      const points = all
        .filter(({ descriptor }) => descriptor.name === name)
        .flatMap(({ dataPoints }): readonly Point[] => dataPoints);
      return Object.fromEntries(points.map(({ attributes, value }) => [JSON.stringify(attributes), amountOf(value)]));
    },
    stop: async () => {
      trace.disable();
      context.disable();
      metrics.disable();
      await meters.shutdown();
    },
  };
}

interface Point {
  readonly attributes: object;
  readonly value: unknown;
}

/** Of a histogram how often it was measured: how long something takes is nothing to test. */
const amountOf = (value: unknown): number => (typeof value === 'number' ? value : (value as { count: number }).count);
