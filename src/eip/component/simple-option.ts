import { answered, type Exchange } from '../../expression/routes.js';
import type { ComponentContext, EndpointAddress } from './component.js';

const AT = { line: 1, column: 1 };

/** The value of an option for an exchange; undefined: it has none. */
export type OptionValue = (exchange: Exchange) => Promise<unknown>;

/** An option whose value is an expression in Simple. */
export function simpleOption(context: ComponentContext, text: unknown): OptionValue {
  if (text === undefined || text === '') return () => Promise.resolve(undefined);
  const expression = context
    .language('simple')
    .expression({ language: 'simple', text: String(text), options: {}, at: AT });
  return (exchange) => answered(expression(exchange));
}

/** Options that begin so, by what follows: `property.*`. */
export const simpleOptions = (
  context: ComponentContext,
  { options }: EndpointAddress,
  beginning: string,
): readonly (readonly [string, OptionValue])[] =>
  Object.entries(options)
    .filter(([name]) => name.startsWith(beginning))
    .map(([name, text]) => [name.slice(beginning.length), simpleOption(context, text)]);

/** The values of them for an exchange, by name. */
export async function valuesOf(
  given: readonly (readonly [string, OptionValue])[],
  exchange: Exchange,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of given) values[name] = await value(exchange);
  return values;
}
