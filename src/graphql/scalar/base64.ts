import { GraphQLError } from 'graphql';
import { type ScalarCoercion, stringLiteral } from './scalar-coercion.js';

/** Base64: text. Whether it is well formed is for the field that decodes it. */
export const base64: ScalarCoercion = {
  serialize(value) {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    if (typeof value !== 'string') throw new TypeError(`expected bytes or text for a Base64, but got ${typeof value}`);
    return value;
  },
  parseValue(value) {
    if (typeof value !== 'string')
      throw new GraphQLError(`expected a Base64 as a string, but got ${JSON.stringify(value)}`);
    return value;
  },
  parseLiteral: (node) => stringLiteral(node, 'Base64'),
};
