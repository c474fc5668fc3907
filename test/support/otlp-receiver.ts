import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it came over the wire (OTLP/HTTP with JSON). */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly kind: number;
  /** ms since 1970 */
  readonly startTime: number;
  readonly endTime: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A collector of telemetry that keeps what it is sent. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Names of the metrics that came. */
  readonly metrics: ReadonlySet<string>;
  /** What a process must be given so that it sends here. */
  readonly env: Readonly<Record<string, string>>;
  /** Resolves when `enough` is true of the spans so far. */
  until(enough: (spans: readonly ReceivedSpan[]) => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Starts a collector on a free port. `answers`: false makes it take requests and never answer. */
export async function otlpReceiver({ answers = true } = {}): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const metrics = new Set<string>();
  const waiting = new Set<() => void>();
  const server = createServer((req, res) => {
    bodyOf(req).then((text) => {
      if (req.url === '/v1/traces') spans.push(...spansOf(JSON.parse(text) as TraceRequest));
      if (req.url === '/v1/metrics') for (const name of metricsOf(JSON.parse(text) as MetricRequest)) metrics.add(name);
      for (const look of waiting) look();
      if (answers) res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    }, req.destroy);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    spans,
    metrics,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRICS_EXPORTER: 'otlp',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_METRIC_EXPORT_INTERVAL: '200',
      OTEL_METRIC_EXPORT_TIMEOUT: '200',
    },
    until: (enough) =>
      new Promise((resolve) => {
        const look = () => {
          if (!enough(spans)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface TraceRequest {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly KeyValue[] };
    readonly scopeSpans?: readonly { readonly spans?: readonly WireSpan[] }[];
  }[];
}

type Reshaped = 'attributes' | 'links' | 'resource' | 'parentSpanId' | 'startTime' | 'endTime';

interface WireSpan extends Omit<ReceivedSpan, Reshaped> {
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly KeyValue[];
  readonly links?: ReceivedSpan['links'];
}

interface MetricRequest {
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics?: readonly { readonly metrics?: readonly { readonly name: string }[] }[];
  }[];
}

const spansOf = ({ resourceSpans = [] }: TraceRequest): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans = [] }) =>
    scopeSpans.flatMap(({ spans = [] }) =>
      spans.map(({ name, traceId, spanId, parentSpanId = '', kind, attributes, links = [], ...times }) => ({
        name,
        traceId,
        spanId,
        parentSpanId,
        kind,
        startTime: Number(times.startTimeUnixNano) / 1e6,
        endTime: Number(times.endTimeUnixNano) / 1e6,
        attributes: recordOf(attributes),
        links,
        resource: recordOf(resource?.attributes),
      })),
    ),
  );

const metricsOf = ({ resourceMetrics = [] }: MetricRequest): string[] =>
  resourceMetrics.flatMap(({ scopeMetrics = [] }) =>
    scopeMetrics.flatMap(({ metrics = [] }) => metrics.map(({ name }) => name)),
  );

/** `{ stringValue: 'x' }` is `'x'`, and so on; 64-bit integers come as numbers or as text. */
const recordOf = (attributes: readonly KeyValue[] = []): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, 'intValue' in value ? Number(value.intValue) : Object.values(value)[0]]),
  );
