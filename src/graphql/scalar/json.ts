import { GraphQLError, valueFromASTUntyped } from 'graphql';
import type { ScalarCoercion } from './scalar-coercion.js';

/** JSON: passed through. Depth and own `__proto__` keys of variables are refused before a document is executed, those of literals when it is validated. */
export const json: ScalarCoercion = {
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => plain(valueFromASTUntyped(node, variables)),
};

/** Literals arrive as objects without prototype, variables as plain ones; resolvers get the same from both. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.hasOwn(value, '__proto__'))
    throw new GraphQLError("expected no key '__proto__' in JSON, but there is one");
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}
