import { evaluated } from '../flow/outcome.js';
import type { ElementModel, OptionValue, StepModel } from '../model/route-model.js';
import { BatchResequencer } from './batch-resequencer.js';
import { booleanOption, durationOption, numberOption, refused } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';
import { comparatorOption } from './sort.js';
import { StreamResequencer } from './stream-resequencer.js';

/** Puts exchanges into the order of its expression: batch by batch, or as a stream with gaps that are waited for. They go through its block by themselves. */
export const resequence: Pattern = (step, route) => {
  const expression = route.expression(step);
  const resequencer =
    step.options.streamConfig === undefined
      ? batch(step, route, elementOf(step, 'batchConfig'))
      : stream(step, route, elementOf(step, 'streamConfig'));
  route.keep(resequencer);
  return (exchange) => evaluated(expression(exchange), (key) => resequencer.take(exchange, key));
};

function elementOf(step: StepModel, kind: string): ElementModel {
  const written: OptionValue = step.options[kind] ?? {};
  const isMap = typeof written === 'object' && written !== null && !Array.isArray(written);
  return { kind, at: step.at, options: isMap ? (written as ElementModel['options']) : {}, expressions: {} };
}

function batch(step: StepModel, route: RouteCompiler, element: ElementModel): BatchResequencer {
  return new BatchResequencer(route, step, {
    size: numberOption(route, element, 'batchSize') ?? 100,
    timeout: durationOption(route, element, 'batchTimeout') ?? 1000,
    allowsDuplicates: booleanOption(route, element, 'allowDuplicates', false),
    isReversed: booleanOption(route, element, 'reverse', false),
    ignoresInvalid: booleanOption(route, element, 'ignoreInvalidExchanges', false),
  });
}

function stream(step: StepModel, route: RouteCompiler, element: ElementModel): StreamResequencer {
  const capacity = numberOption(route, element, 'capacity') ?? 1000;
  if (capacity < 1) throw refused(step, `expected capacity to be above 0, got ${capacity}`);
  return new StreamResequencer(route, step, {
    capacity,
    timeout: durationOption(route, element, 'timeout') ?? 1000,
    ignoresInvalid: booleanOption(route, element, 'ignoreInvalidExchanges', false),
    rejectsOld: booleanOption(route, element, 'rejectOld', false),
    comparator: comparatorOption(route, element),
  });
}
