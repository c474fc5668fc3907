import { DateBean } from './date-bean.js';
import { Failure, type Work } from './failure.js';

/**
 * Something an expression may talk to: `execution`, `task`. undefined means that there is no such property or method, which is an error; what
 * gives nothing back answers null.
 */
export interface Bean {
  property?(name: string): unknown;
  call?(method: string, args: readonly unknown[]): unknown;
}

/**
 * A Java Double whose value is integral. Within expressions a safe integer is a Long, as is a bigint beyond ±2^53; every other number is a
 * Double. So 4 / 2 is the Double 2.0 and stays one.
 */
export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

export const double = (value: number): number | Double => (Number.isSafeInteger(value) ? new Double(value) : value);

const LONG_MAX = 2n ** 63n - 1n;
const LONG_MIN = -(2n ** 63n);
const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** A Long of this value. Unlike Java, which wraps around in silence, it refuses what needs more than 64 bits. */
export function long(value: bigint): number | bigint {
  if (value > LONG_MAX || value < LONG_MIN) throw new Failure(`expected a Long of 64 bits, but the value is ${value}`);
  return value <= SAFE_MAX && value >= -SAFE_MAX ? Number(value) : value;
}

/** Name of a value's kind in error messages. */
type ValueKind = 'null' | 'Boolean' | 'Long' | 'Double' | 'String' | 'Date' | 'List' | 'Map' | 'bean';

export function kindOf(value: unknown): ValueKind {
  switch (typeof value) {
    case 'string':
      return 'String';
    case 'boolean':
      return 'Boolean';
    case 'number':
      return Number.isSafeInteger(value) ? 'Long' : 'Double';
    case 'bigint':
      return 'Long';
    default:
      return kindOfObject(value);
  }
}

function kindOfObject(value: unknown): ValueKind {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Double) return 'Double';
  if (Array.isArray(value)) return 'List';
  if (value instanceof DateBean) return 'Date';
  return isBean(value) ? 'bean' : 'Map';
}

/** Data of names and values: no list, no date, nothing that calculates. */
export const isMap = (value: unknown): value is object => kindOf(value) === 'Map';

/** Data is JSON and holds no functions, so what has a function `property` or `call` is a bean. */
export const isBean = (value: unknown): value is Bean =>
  typeof value === 'object' &&
  value !== null &&
  (typeof Reflect.get(value, 'property') === 'function' || typeof Reflect.get(value, 'call') === 'function');

/** A value of the caller's as expressions calculate with it. `type`: of a typed variable (`Double`, `Date`, `Long` …). */
export function fromHost(value: unknown, type?: string): unknown {
  switch (typeof value) {
    case 'string':
      return type === undefined ? value : fromText(value, type);
    case 'number':
      return type === 'Double' ? double(value) : value;
    case 'boolean':
      return value;
    case 'bigint':
      return value <= SAFE_MAX && value >= -SAFE_MAX ? Number(value) : value;
    case 'object':
      return value instanceof Date ? new DateBean(value.getTime()) : value;
    default:
      return null;
  }
}

function fromText(value: string, type: string): unknown {
  if (type === 'Date') {
    const ms = Date.parse(value);
    return Number.isNaN(ms) ? value : new DateBean(ms);
  }
  if (type === 'Double' && /^(NaN|-?Infinity)$/.test(value)) return Number(value);
  if (type === 'Long' && /^-?\d{1,19}$/.test(value)) return long(BigInt(value));
  return value;
}

/** The value as plain JavaScript: a Double is a number, a date a Date, a Long beyond ±2^53 a bigint. */
export function toHost(value: unknown): unknown {
  if (value instanceof Double) return value.value;
  if (value instanceof DateBean) return new Date(value.ms);
  return value;
}

/** Methods by name and number of arguments: `substring/2`. What is not in the table cannot be called. */
export type Methods<T> = ReadonlyMap<string, (self: T, args: readonly unknown[], work: Work) => unknown>;
