import { toInteger, toText } from './coerce.js';
import { Failure, type Work } from './failure.js';
import { equalData, isEmpty } from './operator.js';
import { isForbiddenName } from './parser.js';
import type { Methods } from './value.js';

type List = readonly unknown[];

/** Methods of a list: the methods of java.util.List that do not change it. */
export const LIST_METHODS: Methods<List> = new Map(
  Object.entries<(list: List, args: List, work: Work) => unknown>({
    'size/0': (list) => list.length,
    'isEmpty/0': (list) => list.length === 0,
    'get/1': (list, [at]) => list[within(list, toInteger(at), list.length - 1)] ?? null,
    'contains/1': (list, [value], work) => indexIn(list, value, work) >= 0,
    'containsAll/1': (list, [values], work) => asList(values).every((value) => indexIn(list, value, work) >= 0),
    'indexOf/1': (list, [value], work) => indexIn(list, value, work),
    'lastIndexOf/1': (list, [value], work) => {
      work.charge(list.length);
      return list.findLastIndex((entry) => equalData(entry, value, work));
    },
    'subList/2': (list, [from, to], work) => {
      const end = within(list, toInteger(to), list.length);
      work.charge(list.length);
      return list.slice(within(list, toInteger(from), end), end);
    },
    'equals/1': (list, [other], work) => equalData(list, other, work),
    'toString/0': (list) => toText(list),
    'elements/0': (list) => list,
    'value/0': (list) => list,
    'isArray/0': () => true,
  }),
);

/** Methods of a map: the methods of java.util.Map that do not change it, and Camunda Spin's `prop` and `hasProp`. */
export const MAP_METHODS: Methods<object> = new Map(
  Object.entries<(map: object, args: List, work: Work) => unknown>({
    'size/0': (map, _args, work) => keysOf(map, work).length,
    'isEmpty/0': (map) => isEmpty(map),
    'get/1': (map, [key]) => valueAt(map, key) ?? null,
    'getOrDefault/2': (map, [key, otherwise]) => valueAt(map, key) ?? otherwise,
    'containsKey/1': (map, [key]) => valueAt(map, key) !== undefined,
    'containsValue/1': (map, [value], work) => indexIn(valuesOf(map, work), value, work) >= 0,
    'keySet/0': (map, _args, work) => keysOf(map, work),
    'values/0': (map, _args, work) => valuesOf(map, work),
    'entrySet/0': (map, _args, work) => keysOf(map, work).map((key) => ({ key, value: Reflect.get(map, key) })),
    'equals/1': (map, [other], work) => equalData(map, other, work),
    'toString/0': (map) => toText(map),
    'hasProp/1': (map, [key]) => valueAt(map, key) !== undefined,
    'prop/1': (map, [key]) => {
      const value = valueAt(map, key);
      if (value === undefined) throw new Failure(`expected a property '${toText(key)}', but the map has none`);
      return value;
    },
    'value/0': (map) => map,
    'fieldNames/0': (map, _args, work) => keysOf(map, work),
    'isObject/0': () => true,
  }),
);

function keysOf(map: object, work: Work): string[] {
  const keys = Object.keys(map);
  work.charge(keys.length);
  return keys;
}

function valuesOf(map: object, work: Work): unknown[] {
  return keysOf(map, work).map((key) => Reflect.get(map, key));
}

/** undefined: no such key. */
function valueAt(map: object, key: unknown): unknown {
  const name = allowed(key);
  return Object.hasOwn(map, name) ? (Reflect.get(map, name) ?? null) : undefined;
}

function indexIn(list: List, value: unknown, work: Work): number {
  work.charge(list.length);
  return list.findIndex((entry) => equalData(entry, value, work));
}

function asList(value: unknown): List {
  if (Array.isArray(value)) return value;
  throw new Failure('expected a list of values');
}

function within(list: List, index: number, max: number): number {
  if (index >= 0 && index <= max) return index;
  throw new Failure(`expected an index from 0 to ${max} of a list of ${list.length}, but found ${index}`);
}

function allowed(key: unknown): string {
  const name = toText(key);
  if (isForbiddenName(name)) throw new Failure(`expected a key that may be used, but found '${name}'`);
  return name;
}
