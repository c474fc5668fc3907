import { beanCall, ExchangeFailure } from '../../expression/routes.js';
import { evaluated } from '../flow/outcome.js';
import { requiredText, textOption } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';

/** One instance of a class for the step. */
function classBean(route: RouteCompiler, type: string): () => unknown {
  const made = route.context.bean(`#class:${type.replace(/^#class:/, '')}`);
  return () => made;
}

/** Calls a method of a bean of the registry. What it gives is the body; where it gives nothing, the message stays. @throws `NoSuchBeanException` where there is none */
export const bean: Pattern = (step, route) => {
  const type = textOption(route, step, 'beanType');
  const name = type ?? requiredText(route, step, 'ref');
  if (type === undefined && route.context.bean(name) === undefined)
    throw new ExchangeFailure(
      'org.apache.camel.NoSuchBeanException',
      `No bean could be found in the registry for: ${name}`,
      { at: step.at },
    );
  const method = textOption(route, step, 'method');
  const model = { language: 'method', text: name, options: {}, at: step.at };
  const target = { name, method, ...(type !== undefined && { find: classBean(route, type) }) };
  const call = beanCall(target, model, route.context.language('simple'));
  return (exchange) =>
    evaluated(call(exchange), (value) => {
      if (value !== undefined) exchange.body = value;
      return undefined;
    });
};
