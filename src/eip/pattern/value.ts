import { convertMandatory, type Exchange, ExchangeFailure, textOf as text } from '../../expression/routes.js';

/** The value as text, as Camel converts it to a String; `undefined` for null. */
export const textOf = (value: unknown): string | undefined =>
  value === null || value === undefined ? undefined : text(value);

/** The value as a number, as Camel converts it to Long, or to what else `type` says. @throws `NoTypeConversionAvailableException`, `TypeConversionException` */
export const integerOf = (value: unknown, type: 'java.lang.Long' | 'java.lang.Integer' = 'java.lang.Long'): number =>
  typeof value === 'number' && Number.isInteger(value) ? value : Number(convertMandatory(value, type));

/** A failure of the exchange as such, with Camel's wording. `as`: its Java class. */
export function camelExchangeFailure(
  what: string,
  exchange: Exchange,
  cause?: unknown,
  as = 'org.apache.camel.CamelExchangeException',
): ExchangeFailure {
  const type = cause instanceof ExchangeFailure ? cause.type : 'java.lang.RuntimeException';
  const text = cause instanceof Error ? cause.message : String(cause);
  const because = cause === undefined ? '' : `. Caused by: [${type} - ${text}]`;
  return new ExchangeFailure(as, `${what}. Exchange[${exchange.id}]${because}`, cause === undefined ? {} : { cause });
}
