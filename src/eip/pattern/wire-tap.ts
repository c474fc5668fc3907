import { Exchange } from '../../expression/routes.js';
import { keepOriginal } from '../error/original-message.js';
import type { Step } from '../flow/outcome.js';
import type { Options, StepModel } from '../model/route-model.js';
import { copyApart } from './branch.js';
import { recipientOptions, sendingTo, uriExpression } from './dynamic-endpoint.js';
import { booleanOption, uriOption } from './options.js';
import type { Kept, Pattern, RouteCompiler } from './pattern.js';
import { preparation } from './process.js';
import { withVariables } from './variable.js';

/** Sends a copy to an endpoint and goes on at once. What becomes of the copy is nobody's business: a failure is logged. */
export const wireTap: Pattern = (step, route) => {
  const send = withVariables(route, step, tapped(step, route));
  const prepare = preparation(route, step);
  const isCopied = booleanOption(route, step, 'copy', true);
  const { flow, context } = route;
  const taps = new Taps();
  route.keep(taps);
  return (exchange) => {
    const copy = isCopied ? copyApart(exchange) : new Exchange(exchange.context, exchange.origin);
    copy.pattern = 'InOnly';
    if (copy.original !== undefined) keepOriginal(copy);
    copy.routeId = exchange.routeId;
    copy.stepId = exchange.stepId;
    prepare?.(copy);
    taps.began();
    flow.start(copy, send, (thrown) => {
      taps.ended();
      if (thrown === undefined) return;
      const text = thrown instanceof Error ? thrown.message : String(thrown);
      context.log('ERROR', route.model.id, `Error occurred during processing ${step.id}: ${text}`, copy);
    });
    return undefined;
  };
};

/** Computed for each exchange, unless `dynamicUri` says no. */
function tapped(step: StepModel, route: RouteCompiler): Step {
  if (!booleanOption(route, step, 'dynamicUri', true))
    return route.producer(uriOption(step), step.options.parameters as Options | undefined);
  return sendingTo(uriExpression(route, step), recipientOptions(route, step, 'ignoreInvalidEndpoint'));
}

/** Copies that are under way: a route that stops waits for them. */
class Taps implements Kept {
  drained?: () => void;
  pending = 0;

  began(): void {
    this.pending++;
  }

  ended(): void {
    if (--this.pending === 0) this.drained?.();
  }

  stop(): void {}

  end(): void {}
}
