import { answered, type Exchange, type RouteExpression } from '../../../expression/routes.js';

/** The text of an expression that names a file. */
export async function pathText(expression: RouteExpression, exchange: Exchange): Promise<string> {
  return String((await answered(expression(exchange))) ?? '');
}
