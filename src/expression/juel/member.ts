import { described, toDouble, toInteger, toLong, toText } from './coerce.js';
import { LIST_METHODS, MAP_METHODS } from './collection-methods.js';
import { Failure, type Work } from './failure.js';
import { greater, less } from './operator.js';
import { isForbiddenName } from './parser.js';
import { TEXT_METHODS } from './text-methods.js';
import { Double, double, fromHost, isBean, isMap, kindOf, type Methods, toHost } from './value.js';

/** §1.6: `base.key` and `base[key]`. Nothing of null is null; a map has null for a key it lacks, a list beyond its end. */
export function readMember(base: unknown, key: unknown): unknown {
  if (base === null || key === null) return null;
  if (Array.isArray(base)) return fromHost(base[toInteger(key)]);
  const name = allowedName(toText(key));
  if (isBean(base)) {
    const found = base.property?.(name);
    if (found === undefined) throw new Failure(`expected a property '${name}' of ${described(base)}, but it has none`);
    return fromHost(found);
  }
  if (typeof base === 'string' && name === 'empty') return base === '';
  if (!isMap(base)) {
    throw new Failure(`expected something with a property '${name}', but found ${described(base)}`);
  }
  return Object.hasOwn(base, name) ? fromHost(Reflect.get(base, name)) : null;
}

/** Calls a method of a bean, or one that is on the list for its kind of value. */
export function callMethod(base: unknown, method: string, args: readonly unknown[], work: Work): unknown {
  if (base === null) throw new Failure(`expected something to call ${allowedName(method)}() on, but found null`);
  const result = dispatch(base, allowedName(method), args, work);
  if (result === undefined) {
    throw new Failure(
      `expected a method that may be called on ${described(base)}, but found ${method}(${counted(args)})`,
    );
  }
  return fromHost(result);
}

function dispatch(base: unknown, method: string, args: readonly unknown[], work: Work): unknown {
  if (isBean(base)) return base.call?.(method, args.map(toHost));
  const signature = `${method}/${args.length}`;
  if (typeof base === 'string') return TEXT_METHODS.get(signature)?.(base, args, work);
  if (Array.isArray(base)) return LIST_METHODS.get(signature)?.(base, args, work);
  if (isMap(base)) return MAP_METHODS.get(signature)?.(base, args, work);
  return SCALAR_METHODS.get(signature)?.(base, args, work);
}

function allowedName(name: string): string {
  if (isForbiddenName(name)) throw new Failure(`expected a name that may be used, but found '${name}'`);
  return name;
}

const counted = (args: readonly unknown[]): string =>
  args.length === 0 ? '' : `${args.length} argument${args.length === 1 ? '' : 's'}`;

const onNumber =
  (method: (value: unknown, args: readonly unknown[]) => unknown) => (value: unknown, args: readonly unknown[]) =>
    kindOf(value) === 'Boolean' ? undefined : method(value, args);

/** Methods of a number or boolean. */
const SCALAR_METHODS: Methods<unknown> = new Map(
  Object.entries<(value: unknown, args: readonly unknown[]) => unknown>({
    'intValue/0': onNumber(toLong),
    'longValue/0': onNumber(toLong),
    'doubleValue/0': onNumber((value) => double(toDouble(value))),
    'floatValue/0': onNumber((value) => double(toDouble(value))),
    'compareTo/1': (value, [other]) => Number(greater(value, other)) - Number(less(value, other)),
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
