import type { StepModel } from '../model/route-model.js';
import { aggregateOptions } from './aggregate-options.js';
import { type AggregateControl, Aggregator } from './aggregator.js';
import { refused, textOption } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';

/**
 * Gathers exchanges with the same key until their group is complete; what the strategy made of them goes through its block, and each exchange goes on behind it as it
 * was (Aggregator). Groups are kept in memory: they do not outlive the route.
 */
export const aggregate: Pattern = (step, route) => {
  const aggregator = new Aggregator(aggregateOptions(step, route), route, step);
  route.keep(aggregator);
  control(step, route, aggregator);
  return aggregator.step;
};

function control(step: StepModel, route: RouteCompiler, aggregator: AggregateControl): void {
  const name = textOption(route, step, 'aggregateController');
  if (name === undefined) return;
  const bean = route.context.bean(name) as { onStart?: unknown } | undefined;
  if (typeof bean?.onStart !== 'function')
    throw refused(step, `aggregateController: there is no bean ${name} with a method onStart`);
  bean.onStart(aggregator);
}
