import {
  Asked,
  Exchange,
  type ExchangeContext,
  ExchangeFailure,
  type ExchangeParts,
  type ExpressionModel,
  Headers,
} from '../../src/expression/routes.js';

/** A context whose time stands still, with these beans. */
export function exchangeContext(beans: Readonly<Record<string, unknown>> = {}): ExchangeContext {
  const ofRoutes = new Map<string, Map<string, unknown>>();
  let ids = 0;
  return {
    name: 'test',
    now: () => 0,
    random: () => 0.5,
    newId: () => `id-${++ids}`,
    property: () => undefined,
    bean: (name) => beans[name],
    globalVariables: new Map(),
    routeVariables: (routeId) => {
      const variables = ofRoutes.get(routeId) ?? new Map();
      ofRoutes.set(routeId, variables);
      return variables;
    },
  };
}

export function exchangeOf(
  body: unknown,
  headers: Readonly<Record<string, unknown>> = {},
  parts: Partial<ExchangeParts> = {},
  context = exchangeContext(),
): Exchange {
  return new Exchange(
    context,
    { routeId: 'route1', endpointUri: 'direct:start' },
    { ...parts, body, headers: new Headers(Object.entries(headers)) },
  );
}

export const expressionModel = (
  language: string,
  text: string,
  options: Readonly<Record<string, unknown>> = {},
): ExpressionModel => ({ language, text, options, at: { line: 1, column: 1 } });

/** What an expression gives in the end. */
export const answerOf = async (value: unknown): Promise<unknown> =>
  value instanceof Asked ? value.taken(await value.answer) : value;

/** The classes of Java of a failure and its causes, the outermost first. */
export function failureTypes(thrown: unknown): string[] {
  if (!(thrown instanceof ExchangeFailure)) return [String(thrown)];
  return [thrown.type, ...(thrown.cause === undefined ? [] : failureTypes(thrown.cause))];
}

/** What `work` throws, now or later. */
export async function failureOf(work: () => unknown): Promise<unknown> {
  try {
    await answerOf(work());
  } catch (thrown) {
    return thrown;
  }
  throw new Error('expected a failure, but there was none');
}
