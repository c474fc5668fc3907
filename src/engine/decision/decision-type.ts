import { type FeelValue, feelin, fromFeel } from '../../expression/index.js';
import type { TypedValue } from '../element/instance-state.js';
import { textOf, typed } from '../element/native.js';
import type { ItemType } from './decision-model.js';
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

/** A value as a variable has it, with the type that the model says. */
export function typedAs(value: FeelValue, type: string | null): TypedValue {
  if (value !== null && typeof value === 'number') {
    if (type === 'double') return { type: 'Double', value };
    if (type === 'long') return { type: 'Long', value };
  }
  const { FeelDate } = feelin();
  if (type === 'date' && value instanceof FeelDate) return typed(new Date(`${value.toString()}T00:00:00Z`));
  return typed(fromFeel(value));
}

/** Whether a value is of a type that the model defines: its kind, its components, and what it allows. Null is of every type. */
export function isAllowed(evaluation: Evaluation, value: FeelValue, type: ItemType): boolean {
  if (value === null) return true;
  if (!type.list) return isOne(evaluation, value, type);
  const items = Array.isArray(value) ? (value as FeelValue[]) : [value];
  return items.every((item) => isOne(evaluation, item, type));
}

function isOne(evaluation: Evaluation, value: FeelValue, type: ItemType): boolean {
  if (value === null) return true;
  if (type.components.length > 0) {
    const context = value as Readonly<Record<string, FeelValue>>;
    const isContext = typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;
    return isContext && type.components.every((each) => isAllowed(evaluation, context[each.name] ?? null, each));
  }
  if (!isOfKind(evaluation, value, type.type)) return false;
  const place = `the values of type '${type.name}'`;
  return type.allowed === null || evaluation.evaluate(type.allowed, evaluation.names, place, { input: value }) === true;
}

function isOfKind(evaluation: Evaluation, value: FeelValue, type: string | null): boolean {
  if (type === null) return true;
  const defined = evaluation.model.types.find(({ name }) => name === type);
  if (defined !== undefined) return isAllowed(evaluation, value, defined);
  return type === 'number' || type === 'string' || type === 'boolean' ? typeof value === type : true;
}
