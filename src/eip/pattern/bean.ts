import { beanCall } from '../../expression/routes.js';
import { evaluated } from '../flow/outcome.js';
import { refused, requiredText, textOption } from './options.js';
import type { Pattern } from './pattern.js';

/** Calls a method of a bean of the registry. What it gives is the body; where it gives nothing, the message stays. */
export const bean: Pattern = (step, route) => {
  if (textOption(route, step, 'beanType') !== undefined)
    throw refused(
      step,
      'beanType names a class of Java, which does not exist here: register a bean, and name it as ref',
    );
  const name = requiredText(route, step, 'ref').replace(/^#(bean:)?/, '');
  const method = textOption(route, step, 'method');
  const model = { language: 'method', text: name, options: {}, at: step.at };
  const call = beanCall({ name, method }, model, route.context.language('simple'));
  return (exchange) =>
    evaluated(call(exchange), (value) => {
      if (value !== undefined) exchange.body = value;
      return undefined;
    });
};
