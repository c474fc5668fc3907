import { type FeelValue, feelin, fromFeel, isOfType } from '../../expression/index.js';
import type { TypedValue } from '../element/instance-state.js';
import { textOf, typed } from '../element/native.js';
import type { ItemType, WholeType } from './decision-model.js';
import type { Evaluation } from './evaluation.js';

/** A value is not of the type that the model says. */
export class TypeMismatch extends Error {
  constructor(value: FeelValue, type: string) {
    const shown = textOf(fromFeel(value)) ?? 'null';
    super(`expected a value of type '${type}', but found '${shown.length > 80 ? `${shown.slice(0, 80)}…` : shown}'`);
  }
}

const WHOLE = /^[+-]?\d{1,18}$/;
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/;

/**
 * A value as Camunda makes it one of the type: texts become numbers and dates, and everything becomes a text; other types leave it as it is. Null is of
 * every type. @throws TypeMismatch
 */
export function transformed(given: FeelValue, type: string | null): FeelValue {
  if (given === null || type === null) return given;
  const value = SINGLE.has(type) ? onlyOf(given) : given;
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : textOf(fromFeel(value));
    case 'boolean':
      return booleanOf(value) ?? mismatch(value, type);
    case 'integer':
    case 'long':
      return wholeOf(value) ?? mismatch(value, type);
    case 'double':
      return numberOf(value, DECIMAL) ?? mismatch(value, type);
    case 'date':
      return dateOf(value) ?? mismatch(value, type);
    default:
      return value;
  }
}

const SINGLE = new Set(['string', 'boolean', 'integer', 'long', 'double', 'date', 'number']);

/** A list of one is what it holds, where no list is expected. */
const onlyOf = (value: FeelValue): FeelValue =>
  Array.isArray(value) && value.length === 1 ? (value[0] as FeelValue) : value;

function mismatch(value: FeelValue, type: string): never {
  throw new TypeMismatch(value, type);
}

function booleanOf(value: FeelValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  const text = value.toLowerCase();
  return text === 'true' || (text === 'false' ? false : undefined);
}

function wholeOf(value: FeelValue): number | undefined {
  const number = numberOf(value, WHOLE);
  return Number.isInteger(number) ? number : undefined;
}

function numberOf(value: FeelValue, pattern: RegExp): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && pattern.test(value.trim()) ? Number(value) : undefined;
}

/** A date, or a date and time, also as text. */
function dateOf(value: FeelValue): FeelValue | undefined {
  const { FeelDate, FeelDateTime, date, dateAndTime } = feelin();
  if (value instanceof FeelDate || value instanceof FeelDateTime) return value;
  if (typeof value !== 'string') return undefined;
  try {
    return /^\d{4,}-\d\d-\d\d$/.test(value) ? date(value) : dateAndTime(value);
  } catch {
    return undefined;
  }
}

/** A value as a variable has it, with the type that the model says; `whole`: that of a whole number where it says none. */
export function typedAs(value: FeelValue, type: string | null, whole: WholeType): TypedValue {
  if (value !== null && typeof value === 'number') {
    if (type === 'double') return { type: 'Double', value };
    if (type === 'long') return { type: 'Long', value };
    if (whole !== 'Integer' && type !== 'integer' && Number.isSafeInteger(value)) return { type: whole, value };
  }
  const { FeelDate } = feelin();
  if (type === 'date' && value instanceof FeelDate) return typed(new Date(`${value.toString()}T00:00:00Z`));
  return typed(fromFeel(value));
}

/** Whether what a context leaves out counts as null. */
interface Leaving {
  readonly out: boolean;
}

/**
 * Whether a value is of a type that the model defines: its kind, its components, and what it allows. Null is of every type. An input may leave out what is
 * null.
 */
export function isAllowed(
  evaluation: Evaluation,
  value: FeelValue,
  type: ItemType,
  leaving: Leaving = { out: evaluation.model.exact !== true },
): boolean {
  if (value === null) return true;
  if (!type.list) return isOne(evaluation, value, type, leaving);
  const items = Array.isArray(value) ? (value as FeelValue[]) : [value];
  return items.every((item) => isOne(evaluation, item, type, leaving));
}

function isOne(evaluation: Evaluation, value: FeelValue, type: ItemType, leaving: Leaving): boolean {
  if (value === null) return true;
  if (type.components.length > 0) {
    const context = value as Readonly<Record<string, FeelValue>>;
    const isContext = typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;
    const isThere = ({ name }: ItemType) => leaving.out || Object.hasOwn(context, name);
    const isPart = (each: ItemType) => isAllowed(evaluation, context[each.name] ?? null, each, leaving);
    return isContext && type.components.every((each) => isThere(each) && isPart(each));
  }
  if (!isOfKind(evaluation, value, type.type, leaving)) return false;
  const place = `the values of type '${type.name}'`;
  return type.allowed === null || evaluation.evaluate(type.allowed, evaluation.names, place, { input: value }) === true;
}

function isOfKind(evaluation: Evaluation, value: FeelValue, type: string | null, leaving: Leaving): boolean {
  if (type === null) return true;
  const defined = evaluation.model.types.find(({ name }) => name === type);
  if (defined !== undefined) return isAllowed(evaluation, value, defined, leaving);
  return KINDS.has(type) ? isOfType(value, type) : true;
}

/** FEEL's own types; Camunda has others for numbers. */
const KINDS: ReadonlySet<string> = new Set([
  ...['string', 'number', 'boolean', 'date', 'time', 'date and time'],
  ...['days and time duration', 'years and months duration'],
]);

/** A type that the model defines, or one of FEEL's own; undefined: one of Camunda's, any, or none. */
function typeNamed(evaluation: Evaluation, name: string | null): ItemType | undefined {
  if (name === null) return undefined;
  const defined = evaluation.model.types.find((each) => each.name === name);
  return defined ?? (KINDS.has(name) ? { name, type: name, list: false, components: [], allowed: null } : undefined);
}

/** What a value is converted to. */
function shapesOf(value: FeelValue, isList: boolean): readonly FeelValue[] {
  if (!Array.isArray(value)) return [isList ? [value] : value];
  const [only] = value as FeelValue[];
  return !isList && value.length === 1 && only !== undefined ? [only, value] : [value];
}

/**
 * A value of a type that the model defines, or of FEEL's own: a list of one is what it holds, and one thing a list, where that fits. What does not is null,
 * with a note that begins with `what`.
 */
export function conformed(evaluation: Evaluation, value: FeelValue, type: string | null, what: string): FeelValue {
  const known = typeNamed(evaluation, type);
  if (value === null || known === undefined) return value;
  const fitting = shapesOf(value, known.list).find((each) => isAllowed(evaluation, each, known));
  if (fitting !== undefined) return fitting;
  evaluation.notes.push(`${what}: expected a value of type '${known.name}'`);
  return null;
}

interface Parameter {
  readonly name: string;
  readonly type: string | null;
}

/** Arguments of a function by the names of its parameters; null, with a note, where something is not of its type: then the call is null. */
export function taken(
  evaluation: Evaluation,
  given: readonly (FeelValue | undefined)[],
  parameters: readonly Parameter[],
  place: string,
): ReadonlyMap<string, FeelValue> | null {
  const values = new Map<string, FeelValue>();
  for (const [at, { name, type }] of parameters.entries()) {
    const value = given[at] ?? null;
    const fitting = conformed(evaluation, value, type, `parameter '${name}' of ${place}`);
    if (fitting === null && value !== null) return null;
    values.set(name, fitting);
  }
  return values;
}

/** Whether a value is an instance of a type that FEEL names, or the model defines: by its kind and parts, whatever values it allows. */
export const isInstance = ({ model }: Evaluation, value: FeelValue, type: string): boolean => {
  const isOf = (one: FeelValue, defined: ItemType): boolean => {
    if (defined.list)
      return Array.isArray(one) && (one as FeelValue[]).every((item) => isOf(item, { ...defined, list: false }));
    if (defined.components.length === 0) return defined.type === null || isInstanceOf(one, defined.type);
    const context = (one ?? {}) as Readonly<Record<string, FeelValue>>;
    return defined.components.every((part) => {
      const held = Object.hasOwn(context, part.name) ? context[part.name] : undefined;
      return held === null || (held !== undefined && isOf(held, part));
    });
  };
  const isInstanceOf = (one: FeelValue, name: string): boolean =>
    isOfType(one, name, (inner, each) => {
      const defined = model.types.find((known) => known.name === inner);
      return defined === undefined ? undefined : isOf(each, defined);
    });
  return isInstanceOf(value, type);
};
