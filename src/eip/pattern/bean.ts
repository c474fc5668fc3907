import { beanCall } from '../../expression/routes.js';
import { beanOrInstance } from '../bean/named-bean.js';
import { evaluated } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import { requiredText, textOption } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';

/** One instance of a class for the step. */
function classBean(route: RouteCompiler, type: string): () => unknown {
  const made = route.context.bean(`#class:${type.replace(/^#class:/, '')}`);
  return () => made;
}

/** What the name gives: the bean that has it whenever it is called, or one instance for the step of the class that it names. @throws ExchangeFailure there is neither now */
function namedBean(route: RouteCompiler, name: string, at: StepModel['at']): (() => unknown) | undefined {
  const isBean = route.context.bean(name) !== undefined;
  const made = beanOrInstance(route.context, name, at);
  return isBean ? undefined : () => made;
}

/** Calls a method of a bean of the registry, or of an instance of the class that is named so. What it gives is the body; where it gives nothing, the message stays. */
export const bean: Pattern = (step, route) => {
  const type = textOption(route, step, 'beanType');
  const name = type ?? requiredText(route, step, 'ref');
  const method = textOption(route, step, 'method');
  const model = { language: 'method', text: name, options: {}, at: step.at };
  const find = type === undefined ? namedBean(route, name, step.at) : classBean(route, type);
  const target = { name, method, ...(find !== undefined && { find }) };
  const call = beanCall(target, model, route.context.language('simple'));
  return (exchange) =>
    evaluated(call(exchange), (value) => {
      if (value !== undefined) exchange.body = value;
      return undefined;
    });
};
