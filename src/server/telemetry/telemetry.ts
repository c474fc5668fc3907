import { DiagLogLevel, diag } from '@opentelemetry/api';
import { messageOf } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { spanIds } from '../../shared/trace.js';

/** The exporter of spans and metrics. */
interface Telemetry {
  /** Where they go; undefined: nowhere, and nothing is collected. */
  readonly endpoint: string | undefined;
  /** Sends what is left, for at most `timeoutMs`, and stops. Never rejects: a collector that is away must not keep a server. */
  shutdown(timeoutMs?: number): Promise<void>;
}

/**
 * Starts the OpenTelemetry SDK when `OTEL_EXPORTER_OTLP_ENDPOINT` (or that of a signal) is set and `OTEL_SDK_DISABLED` is not true. All else is
 * OpenTelemetry's own environment. To be called before anything is traced.
 */
export async function startTelemetry(env: NodeJS.ProcessEnv): Promise<Telemetry> {
  const endpoint = endpointOf(env);
  if (endpoint === undefined) return { endpoint, shutdown: async () => {} };
  env.OTEL_SERVICE_NAME ||= 'millrace';
  // Left to itself the SDK would also look for collectors of the signals that nobody asked for.
  env.OTEL_LOGS_EXPORTER ||= 'none';
  diag.setLogger(complaints(), DiagLogLevel.WARN);
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const sdk = new NodeSDK({ instrumentations: [], idGenerator: spanIds });
  sdk.start();
  return {
    endpoint,
    shutdown: async (timeoutMs = 2000) => {
      const stopped = sdk.shutdown().then(
        () => undefined,
        (thrown: unknown) => messageOf(thrown),
      );
      const failure = await Promise.race([stopped, pause(timeoutMs).then(() => 'the collector does not take it')]);
      if (failure !== undefined) log.warn(`the last of the telemetry is lost: ${failure}`);
    },
  };
}

/** The time between two complaints of the SDK in the log, in ms. */
const COMPLAINT_PAUSE_MS = 60_000;

/** The SDK says with every failed export that a collector is away; once a minute is enough. */
function complaints() {
  let next = 0;
  const complain = (message: string) => {
    if (performance.now() < next) return;
    next = performance.now() + COMPLAINT_PAUSE_MS;
    log.warn(`telemetry: ${sentenceOf(message)}`);
  };
  const ignore = () => {};
  return { error: complain, warn: complain, info: ignore, debug: ignore, verbose: ignore };
}

/** Errors come as JSON with their stack. */
function sentenceOf(message: string): string {
  try {
    const { message: sentence, code } = JSON.parse(message) as { message?: unknown; code?: unknown };
    return String(sentence || code || message);
  } catch {
    return message;
  }
}

function endpointOf(env: NodeJS.ProcessEnv): string | undefined {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return undefined;
  const names = [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
  ];
  return names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
