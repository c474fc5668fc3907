import type { ExchangeRecord } from './exchange-record.js';
import type { ExchangeSummary } from './packed-records.js';

/** Where exchanges show as files, in folders by the hour in which they began (UTC), and by their route. */
export const HISTORY_ROOT = '/var/eip/history';

const HOUR_MS = 3_600_000;

/** An exchange as a path below the root names it: by hour, route and id. */
export interface ExchangePlace {
  /** The beginning of the hour, ms. */
  readonly hour: number;
  readonly routeId: string;
  readonly exchangeId: string;
}

/** Folder of the hour in which something began. */
export function hourFolder(createdAt: number): string {
  const [year = '', month = '', day = '', hour = ''] = new Date(createdAt).toISOString().split(/[-T:]/);
  return `${HISTORY_ROOT}/${year}/${month}/${day}/${hour}`;
}

/** Path of the file that the exchange shows as. */
export const exchangePath = ({
  createdAt,
  routeId,
  exchangeId,
}: Pick<ExchangeSummary, 'createdAt' | 'routeId' | 'exchangeId'>): string =>
  `${hourFolder(createdAt)}/${named(routeId)}/${named(exchangeId)}.json`;

/** The id as the name of a node: what no such name has is escaped. */
export const named = (id: string): string =>
  id.replace(/[%/:[\]|*]|^\.{1,2}$|^\s|\s$/g, (found) =>
    Array.from(Buffer.from(found), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );

/** The id that is the name of a node. A name that is none stands for itself. */
export function unnamed(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export const isBelowHistory = (path: string): boolean => path.startsWith(`${HISTORY_ROOT}/`);

const FILE = /^\/(\d{4})\/(\d\d)\/(\d\d)\/(\d\d)\/([^/]+)\/([^/]+)\.json$/;

/** The exchange that a path below the root names; undefined: none shows there. */
export function placeOf(path: string): ExchangePlace | undefined {
  const parts = FILE.exec(path.slice(HISTORY_ROOT.length));
  if (!path.startsWith(HISTORY_ROOT) || parts === null) return undefined;
  const [, year, month, day, hour, route = '', exchange = ''] = parts;
  const start = Date.parse(`${year}-${month}-${day}T${hour}:00:00Z`);
  if (Number.isNaN(start)) return undefined;
  return { hour: start, routeId: unnamed(route), exchangeId: unnamed(exchange) };
}

/** Whether the exchange was created in the hour of the path. */
export const isOf = ({ hour }: ExchangePlace, { createdAt }: Pick<ExchangeSummary, 'createdAt'>): boolean =>
  createdAt >= hour && createdAt < hour + HOUR_MS;

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
