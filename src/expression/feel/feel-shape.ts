import type { FeelShape } from './feel-syntax.js';

/** Whether a text may mention a name with spaces or signs in it: only then the reader has to be told of names. */
export const mayNeedShape = (text: string): boolean => UNUSUAL.test(text);

const UNUSUAL = /[\p{L}\p{N}_]\s*[\s.\-'+*/]\s*[\p{L}\p{N}_]/u;

/** Plain names need not be told to the reader. */
const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const SHAPE_DEPTH_MAX = 4;

/** Names of the values that the text may mention and the reader has to know. */
export function shapeOf(values: Readonly<Record<string, unknown>>, text: string, depth = 0): FeelShape {
  const shape: Record<string, FeelShape | 0> = {};
  for (const [name, value] of Object.entries(values)) {
    const inner = depth < SHAPE_DEPTH_MAX ? shapeWithin(value, text, depth + 1) : {};
    const known = Object.keys(inner).length > 0;
    if (known || (!PLAIN_NAME.test(name) && mayBeMentioned(name, text))) shape[name] = known ? inner : 0;
  }
  return shape;
}

function shapeWithin(value: unknown, text: string, depth: number): FeelShape {
  const one = Array.isArray(value) ? value[0] : value;
  return typeof one === 'object' && one !== null && Object.getPrototypeOf(one) === Object.prototype
    ? shapeOf(one as Readonly<Record<string, unknown>>, text, depth)
    : {};
}

/** Whether the text may mention a value of that name. */
export const mayBeMentioned = (name: string, text: string): boolean => text.includes(firstWord(name));

const firstWord = (name: string): string => /[\p{L}\p{N}_]+/u.exec(name)?.[0] ?? name;
