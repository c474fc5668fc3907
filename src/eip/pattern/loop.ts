import type { Exchange, RouteExpression } from '../../expression/routes.js';
import { repeated } from '../flow/flow.js';
import { after, evaluated, type Outcome, type Step } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import { taken, takeResult } from './branch.js';
import { booleanOption } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';
import { preparation } from './process.js';
import { integerOf } from './value.js';

/** Its block so many times, or (`doWhile`) while the predicate holds; each time with a copy of the exchange as it was before the loop, where `copy` says so. */
export const loop: Pattern = (step, route) => {
  const block = eachRound(step, route);
  return booleanOption(route, step, 'doWhile', false) ? whilst(step, route, block) : times(step, route, block);
};

type Round = (exchange: Exchange, index: number, before: Exchange | undefined) => Outcome;
/** A copy of the exchange before the loop, where rounds begin anew with it. */
type Begin = (exchange: Exchange) => Exchange | undefined;

function eachRound(step: StepModel, route: RouteCompiler): { round: Round; begin: Begin } {
  const block = route.block(step.steps);
  const prepare = preparation(route, step);
  const isCopied = booleanOption(route, step, 'copy', false);
  const work: Step = (exchange) => {
    prepare?.(exchange);
    return block(exchange);
  };
  const round: Round = (exchange, index, before) => {
    if (before !== undefined) {
      const copy = before.copy();
      copy.properties.set('CamelLoopIndex', index);
      return after(taken(copy, work), () => takeResult(exchange, copy));
    }
    exchange.properties.set('CamelLoopIndex', index);
    return work(exchange);
  };
  return { round, begin: (exchange) => (isCopied ? exchange.copy() : undefined) };
}

function times(step: StepModel, route: RouteCompiler, { round, begin }: ReturnType<typeof eachRound>): Step {
  const count: RouteExpression = route.expression(step);
  return (exchange) =>
    evaluated(count(exchange), (value) => {
      const size = integerOf(value, 'java.lang.Integer');
      exchange.properties.set('CamelLoopSize', size);
      const before = begin(exchange);
      let index = 0;
      const once: Step = (it) => round(it, index++, before);
      return repeated(exchange, once, () => index < size, route.flow);
    });
}

function whilst(step: StepModel, route: RouteCompiler, { round, begin }: ReturnType<typeof eachRound>): Step {
  const holds = route.predicate(step);
  return (exchange) => {
    const before = begin(exchange);
    let index = 0;
    let isOver = false;
    const once: Step = (it) =>
      evaluated(holds(it), (value) => {
        isOver = value !== true;
        return isOver ? undefined : round(it, index++, before);
      });
    return repeated(exchange, once, () => !isOver, route.flow);
  };
}
