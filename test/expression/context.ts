import { type Bean, type BeanFunction, dateBean, type ExpressionContext } from '../../src/expression/routes.js';

export const NOW = Date.parse('2026-01-31T08:30:00.000Z');

/** A context of these variables and beans, with `now()` and `dateTime()` at {@link NOW}. */
export function contextOf(
  variables: Readonly<Record<string, unknown>> = {},
  beans: Readonly<Record<string, Bean | BeanFunction>> = {},
): ExpressionContext {
  const all: Record<string, Bean | BeanFunction> = {
    now: () => dateBean(NOW),
    dateTime: () => dateBean(NOW),
    currentUser: () => 'anna',
    ...beans,
  };
  return {
    variable: (name) => (Object.hasOwn(variables, name) ? { value: variables[name] } : undefined),
    bean: (name) => (Object.hasOwn(all, name) ? all[name] : undefined),
  };
}
