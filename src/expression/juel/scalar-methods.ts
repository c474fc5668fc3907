import { toDouble, toLong, toText } from './coerce.js';
import type { Methods } from './methods.js';
import { greater, less } from './operator.js';
import { Double, double, kindOf, toHost } from './value.js';

const onNumber =
  (method: (value: unknown, args: readonly unknown[]) => unknown) => (value: unknown, args: readonly unknown[]) =>
    kindOf(value) === 'Boolean' ? undefined : method(value, args);

/** What may be called on a number or boolean. */
export const SCALAR_METHODS: Methods<unknown> = new Map(
  Object.entries<(value: unknown, args: readonly unknown[]) => unknown>({
    'intValue/0': onNumber(toLong),
    'longValue/0': onNumber(toLong),
    'doubleValue/0': onNumber((value) => double(toDouble(value))),
    'floatValue/0': onNumber((value) => double(toDouble(value))),
    'compareTo/1': onNumber((value, [other]) => Number(greater(value, other)) - Number(less(value, other))),
    'equals/1': (value, [other]) => kindOf(value) === kindOf(other) && toHost(value) === toHost(other),
    'toString/0': (value) => toText(value),
    'booleanValue/0': (value) => (typeof value === 'boolean' ? value : undefined),
    // Camunda Spin's methods of a JSON value.
    'numberValue/0': onNumber((value) => value),
    'boolValue/0': (value) => (typeof value === 'boolean' ? value : undefined),
    'value/0': (value) => value,
    'isNumber/0': (value) => value instanceof Double || typeof value === 'number' || typeof value === 'bigint',
    'isBoolean/0': (value) => typeof value === 'boolean',
  }),
);
