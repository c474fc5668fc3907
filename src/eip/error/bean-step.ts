import { evaluated, type Step } from '../flow/outcome.js';
import type { ElementModel } from '../model/route-model.js';
import { refused, textOption } from '../pattern/options.js';
import type { RouteCompiler } from '../pattern/pattern.js';
import { processOf } from '../pattern/process.js';

/** The bean that an option names, as a step: a function of the exchange, or something with the method `process`. `undefined`: the option was not written. */
export function beanStep(route: RouteCompiler, element: ElementModel, option: string): Step | undefined {
  const name = textOption(route, element, option);
  if (name === undefined) return undefined;
  const call = processOf(route.context.bean(name));
  if (call === undefined) throw refused(element, `${option}: there is no bean ${name} that can process an exchange`);
  return (exchange) => evaluated(call(exchange), () => undefined);
}
