import { Asked, type Exchange } from '../../expression/routes.js';
import type { LogLevel } from '../component/component.js';
import { evaluated } from '../flow/outcome.js';
import { oneOf, requiredText, textOption } from './options.js';
import type { Pattern } from './pattern.js';
import { textOf } from './value.js';

const LEVELS: readonly LogLevel[] = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'OFF'];

/** Writes a message to the log: a text of `simple`, or of `logLanguage`. The logger is `logName`, else the route's id. */
export const log: Pattern = (step, route) => {
  const message = requiredText(route, step, 'message');
  const expression = route.textExpression(message, step, textOption(route, step, 'logLanguage'));
  const level = oneOf(route, step, 'loggingLevel', LEVELS) ?? 'INFO';
  const logger = textOption(route, step, 'logName') ?? route.model.id;
  const marker = textOption(route, step, 'marker');
  const { context } = route;
  const write = (exchange: Exchange, value: unknown) => {
    context.log(level, logger, textOf(value) ?? '', exchange, marker);
    return undefined;
  };
  if (level === 'OFF') return () => undefined;
  return (exchange) => {
    const value = expression(exchange);
    return value instanceof Asked ? evaluated(value, (it) => write(exchange, it)) : write(exchange, value);
  };
};
