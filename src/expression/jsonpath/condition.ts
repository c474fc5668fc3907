import type { Question } from './function.js';
import { isMap, member, namesOf, numberOf, textOf } from './model.js';
import type { Filter, Operand, Operator } from './path.js';

/** Whether an item passes a filter. What an operator is not made for does not pass. */
export function holds(filter: Filter, item: Question): boolean {
  switch (filter.kind) {
    case 'or':
      return filter.parts.some((part) => holds(part, item));
    case 'and':
      return filter.parts.every((part) => holds(part, item));
    case 'not':
      return !holds(filter.inner, item);
    case 'exists':
      return item.exists(filter.path);
    case 'compare':
      return compared(filter, item);
  }
}

function compared({ operator, left, right }: Filter & { kind: 'compare' }, item: Question): boolean {
  if (operator === '=~') return matched(left, right, item);
  return COMPARE[operator](operandValue(left, item), operandValue(right, item));
}

/** `undefined`: there is nothing at the path. */
function operandValue(operand: Operand, item: Question): unknown {
  if (operand.kind === 'value') return operand.value;
  return operand.kind === 'path' ? item.at(operand.path) : undefined;
}

/** A whole text, number or boolean, or any item of a list. */
function matched(left: Operand, right: Operand, item: Question): boolean {
  const [pattern, other] = left.kind === 'pattern' ? [left, right] : [right, left];
  if (pattern.kind !== 'pattern' || other.kind === 'pattern') return false;
  const value = operandValue(other, item);
  return Array.isArray(value) ? value.some((one) => pattern.matches(inputOf(one))) : pattern.matches(inputOf(value));
}

const inputOf = (value: unknown): string =>
  value === null || value === undefined || Array.isArray(value) || isMap(value) ? '' : textOf(value);

/** The kind of a value, as filters tell them apart. */
function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (numberOf(value) !== undefined) return 'number';
  return typeof value;
}

function equal(left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return false;
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a !== undefined && b !== undefined) return sameNumber(a, b);
  if (a !== undefined) return typeof right === 'string' && right.trim() !== '' && sameNumber(Number(right), a);
  if (b !== undefined) return typeof left === 'string' && left === textOf(right);
  if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null) return left === right;
  return alike(left, right);
}

/** `7n` is 7. */
const sameNumber = (a: number | bigint | undefined, b: number | bigint): boolean =>
  a === b || (a !== undefined && !(a < b) && !(a > b) && !Number.isNaN(a));

function alike(left: object, right: object): boolean {
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, at) => sameValue(item, right[at]));
  }
  const names = namesOf(left);
  return (
    names.length === namesOf(right).length && names.every((name) => sameValue(member(left, name), member(right, name)))
  );
}

const sameValue = (left: unknown, right: unknown): boolean => kindOf(left) === kindOf(right) && equal(left, right);

/** Numbers with numbers, texts with texts; nothing else has an order. */
function ordered(left: unknown, right: unknown, fits: (order: number) => boolean): boolean {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a !== undefined && b !== undefined) return fits(a < b ? -1 : a > b ? 1 : 0);
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  return fits(left < right ? -1 : left > right ? 1 : 0);
}

const among = (value: unknown, list: readonly unknown[]) => list.some((one) => equal(value, one));
const both = (left: unknown, right: unknown, test: (a: readonly unknown[], b: readonly unknown[]) => boolean) =>
  Array.isArray(left) && Array.isArray(right) && test(left, right);

const COMPARE: Readonly<Record<Exclude<Operator, '=~'>, (left: unknown, right: unknown) => boolean>> = {
  '==': equal,
  '!=': (left, right) => !equal(left, right),
  '===': (left, right) => kindOf(left) === kindOf(right) && equal(left, right),
  '!==': (left, right) => !(kindOf(left) === kindOf(right) && equal(left, right)),
  '<': (left, right) => ordered(left, right, (order) => order < 0),
  '<=': (left, right) => ordered(left, right, (order) => order <= 0),
  '>': (left, right) => ordered(left, right, (order) => order > 0),
  '>=': (left, right) => ordered(left, right, (order) => order >= 0),
  IN: (left, right) => Array.isArray(right) && among(left, right),
  NIN: (left, right) => Array.isArray(right) && !among(left, right),
  CONTAINS: (left, right) => {
    if (typeof left === 'string') return typeof right === 'string' && left.includes(right);
    return Array.isArray(left) && among(right, left);
  },
  // Never true there, whatever is given.
  ALL: () => false,
  SIZE: (left, right) => (typeof left === 'string' || Array.isArray(left)) && sameNumber(numberOf(right), left.length),
  EMPTY: (left, right) => {
    if (typeof left !== 'string' && !Array.isArray(left) && !isMap(left)) return false;
    const length = isMap(left) ? namesOf(left).length : left.length;
    return (length === 0) === right;
  },
  SUBSETOF: (left, right) => both(left, right, (a, b) => a.every((one) => among(one, b))),
  ANYOF: (left, right) => both(left, right, (a, b) => a.some((one) => among(one, b))),
  NONEOF: (left, right) => both(left, right, (a, b) => !a.some((one) => among(one, b))),
};
