import { type Exchange, ExchangeFailure } from '../../expression/index.js';

/** The value as text, as Camel converts it to a String; `undefined` for null. */
export function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'object') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (Array.isArray(value)) return `[${value.map(within).join(', ')}]`;
  if (value instanceof Map) return entriesText(value);
  return Object.getPrototypeOf(value) === Object.prototype ? entriesText(Object.entries(value)) : String(value);
}

const within = (value: unknown) => textOf(value) ?? 'null';

const entriesText = (entries: Iterable<[unknown, unknown]>) =>
  `{${[...entries].map(([key, value]) => `${within(key)}=${within(value)}`).join(', ')}}`;

/** The value as a number, as Camel converts it to Long. @throws `NoTypeConversionAvailableException` */
export function integerOf(value: unknown): number {
  const number = typeof value === 'number' ? value : Number(textOf(value)?.trim() || Number.NaN);
  if (Number.isInteger(number)) return number;
  if (Number.isFinite(number) && typeof value === 'number') return Math.trunc(number);
  throw new ExchangeFailure(
    'org.apache.camel.NoTypeConversionAvailableException',
    `No type converter available to convert to the required type: java.lang.Long with value ${textOf(value) ?? 'null'}`,
  );
}

/** Whether a value counts as true where a predicate is asked for: not null, and not false; an empty list is false. */
export function truthOf(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return false;
  if (typeof value === 'string') return value.toLowerCase() !== 'false';
  return !(Array.isArray(value) && value.length === 0);
}

/** What fails for an exchange as such, with Camel's wording. */
export function camelExchangeFailure(what: string, exchange: Exchange, cause?: unknown): ExchangeFailure {
  const type = cause instanceof ExchangeFailure ? cause.type : 'java.lang.RuntimeException';
  const text = cause instanceof Error ? cause.message : String(cause);
  const because = cause === undefined ? '' : `. Caused by: [${type} - ${text}]`;
  return new ExchangeFailure(
    'org.apache.camel.CamelExchangeException',
    `${what}. Exchange[${exchange.id}]${because}`,
    cause === undefined ? {} : { cause },
  );
}
