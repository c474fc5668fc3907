import { Asked, type Exchange, ExchangeFailure, settled } from '../../expression/routes.js';
import { evaluated, type Outcome, type Step } from '../flow/outcome.js';
import type { ElementModel } from '../model/route-model.js';
import { assigned } from './assignment.js';
import { requiredText, textOption } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';

/** A bean that is a processor: a function of the exchange, or something with a method `process`. */
export const process: Pattern = (step, route) => processorOf(route, step, requiredText(route, step, 'ref'));

/** Evaluates an expression for what it does; its value is not used. */
export const script: Pattern = (step, route) => assigned(route.expression(step), () => {});

/** @throws `NoSuchBeanException` where there is no such processor */
function processorOf(route: RouteCompiler, element: ElementModel, name: string): Step {
  const work = processOf(route.context.bean(name));
  if (work === undefined)
    throw new ExchangeFailure(
      'org.apache.camel.NoSuchBeanException',
      `No bean could be found in the registry for: ${name} of type: org.apache.camel.Processor`,
      { at: element.at },
    );
  return (exchange) => done(work(exchange));
}

const done = (answer: unknown): Outcome => (answer instanceof Asked ? evaluated(answer, () => undefined) : undefined);

/** A bean as what processes an exchange: a function, or something with the method `process`. `undefined`: it is none. */
export function processOf(bean: unknown): ((exchange: Exchange) => unknown) | undefined {
  const work = typeof bean === 'function' ? bean : (bean as { process?: unknown } | null | undefined)?.process;
  return typeof work === 'function' ? (exchange) => settled(work.call(bean, exchange)) : undefined;
}

/** The processor that `onPrepare` names: changes the copy of an exchange before it is sent, at once. */
export function preparation(route: RouteCompiler, step: ElementModel): ((branch: Exchange) => void) | undefined {
  const name = textOption(route, step, 'onPrepare');
  if (name === undefined) return undefined;
  const prepare = processorOf(route, step, name);
  return (branch) => {
    if (prepare(branch) !== undefined)
      throw new ExchangeFailure('java.lang.IllegalStateException', `onPrepare ${name} may not wait`);
  };
}
