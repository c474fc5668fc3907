import type { ExchangeRecord } from './exchange-record.js';
import { exchangePath } from './history-path.js';

/** The file that an exchange shows as: its JSON, with the fields that the API has of it. */
export function exchangeFile(record: ExchangeRecord): Buffer {
  const { exchangeId, routeId, status, elapsed, createdAt, completedAt, headers, steps } = record;
  const { exceptionType, exceptionMessage, stackTrace, businessKey, bodyType, bodySize } = record;
  const told = {
    ...{ path: exchangePath(record), exchangeId, routeId, status, elapsed: inMs(elapsed) },
    ...{ createdAt: isoText(createdAt), completedAt: isoText(completedAt) },
    ...{ exceptionType, exceptionMessage, stackTrace, businessKey, bodyType, bodySize },
    headers: headers === null ? null : (JSON.parse(headers) as unknown),
    steps: steps.map((step, order) => ({
      ...{ id: step.stepId, routeId: step.routeId, endpointUri: step.endpointUri },
      timeTaken: step.taken === null ? null : inMs(step.taken),
      timeTakenMicros: step.taken,
      offsetFromStart: step.taken === null ? null : inMs(step.entered + step.taken),
      order,
    })),
  };
  return Buffer.from(`${JSON.stringify(told, null, 2)}\n`);
}

const inMs = (micros: number): number => Math.floor(micros / 1000);
const isoText = (ms: number): string => new Date(ms).toISOString();
