import { type Exchange, ExchangeFailure, textOf as text } from '../../expression/routes.js';

/** The value as text, as Camel converts it to a String; `undefined` for null. */
export const textOf = (value: unknown): string | undefined =>
  value === null || value === undefined ? undefined : text(value);

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
