import { Asked, type Exchange } from '../../expression/routes.js';
import { evaluated, type Outcome } from '../flow/outcome.js';
import { booleanOption } from './options.js';
import type { Pattern } from './pattern.js';

/**
 * The block of the first `when` whose predicate holds, else that of `otherwise` (Content-Based Router). With `precondition` that is decided once, when the route is
 * loaded, by an exchange without content: predicates ask for properties of the context.
 */
export const choice: Pattern = (step, route) => {
  const branches = (step.parts.when ?? []).map((when) => ({ when, holds: route.predicate(when) }));
  const otherwise = step.parts.otherwise?.[0];
  if (booleanOption(route, step, 'precondition', false)) {
    const empty = route.emptyExchange();
    const chosen = branches.find(({ holds }) => holds(empty) === true)?.when ?? otherwise;
    return chosen === undefined ? () => undefined : route.block(chosen.steps);
  }
  const predicates = branches.map(({ holds }) => holds);
  const blocks = branches.map(({ when }) => route.block(when.steps));
  const last = otherwise === undefined ? undefined : route.block(otherwise.steps);
  const from = (exchange: Exchange, first: number): Outcome => {
    for (let at = first; at < predicates.length; at++) {
      const holds = predicates[at]?.(exchange);
      if (holds === true) return blocks[at]?.(exchange);
      if (holds instanceof Asked) return later(holds, exchange, at);
    }
    return last?.(exchange);
  };
  const later = (asked: Asked, exchange: Exchange, at: number) =>
    evaluated(asked, (value) => (value === true ? blocks[at]?.(exchange) : from(exchange, at + 1)));
  return (exchange) => from(exchange, 0);
};
