import { base64 } from './base64.js';
import { dateTime } from './date-time.js';
import { json } from './json.js';
import { long } from './long.js';
import type { ScalarCoercion } from './scalar-coercion.js';

/** The scalars of `schema/base.graphql`, by name: part of every set of resolvers. */
export const scalars: Readonly<Record<string, ScalarCoercion>> = {
  DateTime: dateTime,
  Long: long,
  JSON: json,
  Base64: base64,
};
