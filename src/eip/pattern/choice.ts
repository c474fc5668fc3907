import type { Exchange } from '../../expression/index.js';
import { evaluated, type Outcome } from '../flow/outcome.js';
import type { Pattern } from './pattern.js';

/** The block of the first `when` whose predicate holds, else that of `otherwise` (Content-Based Router). */
export const choice: Pattern = (step, route) => {
  const branches = (step.parts.when ?? []).map((when) => ({
    holds: route.predicate(when),
    block: route.block(when.steps),
  }));
  const otherwise = step.parts.otherwise?.[0];
  const last = otherwise === undefined ? undefined : route.block(otherwise.steps);
  const from = (exchange: Exchange, first: number): Outcome => {
    for (let at = first; at < branches.length; at++) {
      const branch = branches[at];
      const holds = branch?.holds(exchange);
      if (typeof holds === 'object')
        return evaluated(holds, (value) => (value === true ? branch?.block(exchange) : from(exchange, at + 1)));
      if (holds === true) return branch?.block(exchange);
    }
    return last?.(exchange);
  };
  return (exchange) => from(exchange, 0);
};
