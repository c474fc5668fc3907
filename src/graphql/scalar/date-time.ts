import { GraphQLError } from 'graphql';
import { type ScalarCoercion, stringLiteral } from './scalar-coercion.js';

/**
 * DateTime: resolvers give ms since 1970, a Date, or ISO text; clients get ISO 8601 UTC with exactly three fraction digits.
 * Input is ISO text with an explicit offset and becomes ms since 1970.
 */
export const dateTime: ScalarCoercion = {
  serialize(value) {
    const ms = typeof value === 'string' ? Date.parse(value) : Number(value);
    if (value === null || Number.isNaN(ms) || Math.abs(ms) > MS_MAX) {
      throw new TypeError(`expected a point in time for a DateTime, but got ${String(value)}`);
    }
    return new Date(ms).toISOString();
  },
  parseValue: (value) => parseDateTime(value),
  parseLiteral: (node) => parseDateTime(stringLiteral(node, 'DateTime')),
};

/** ECMA-262: a time value is at most 8.64e15 ms away from 1970. */
const MS_MAX = 8.64e15;
const ISO = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i;

function parseDateTime(value: unknown): number {
  const parts = typeof value === 'string' ? ISO.exec(value) : null;
  if (parts === null) throw invalid(value);
  const ms = Date.parse(normalized(parts[0]));
  if (Number.isNaN(ms) || !isDayOfMonth(Number(parts[1]), Number(parts[2]), Number(parts[3]))) throw invalid(value);
  return ms;
}

/** V8 takes a dot, at most three fraction digits for certain, and an offset with a colon. */
function normalized(text: string): string {
  return text
    .toUpperCase()
    .replace(',', '.')
    .replace(/(\.\d{3})\d+/, '$1')
    .replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
}

/** V8 turns 30 February into 2 March; the client meant neither. */
function isDayOfMonth(year: number, month: number, day: number): boolean {
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

const invalid = (value: unknown) =>
  new GraphQLError(
    `expected a DateTime as ISO 8601 text with an offset, such as "2030-01-31T12:00:00.000Z", but got ${JSON.stringify(value)}`,
  );
