import { Asked, type Exchange, type RouteExpression } from '../../../expression/index.js';

/** The text of an expression that names a file. */
export async function pathText(expression: RouteExpression, exchange: Exchange): Promise<string> {
  const value = expression(exchange);
  return String((value instanceof Asked ? await value.answer : value) ?? '');
}
