import { Failure } from './failure.js';
import { isBean, toHost } from './value.js';
import type { Work } from './work.js';

const NESTING_MAX = 200;

/** Whether two values are the same data, lists and maps by their content. Numbers are equal when their values are. */
export function equalData(a: unknown, b: unknown, work: Work, depth = 0): boolean {
  const [x, y] = [toHost(a), toHost(b)];
  if (x === y) return true;
  if (typeof x !== 'object' || typeof y !== 'object' || x === null || y === null) return false;
  if (depth > NESTING_MAX) throw new Failure(`expected data of at most ${NESTING_MAX} levels in a comparison`);
  if (x instanceof Date || y instanceof Date) {
    return x instanceof Date && y instanceof Date && x.getTime() === y.getTime();
  }
  if (isBean(x) || isBean(y) || Array.isArray(x) !== Array.isArray(y)) return false;
  const keys = Object.keys(x);
  work.charge(keys.length + 1);
  if (keys.length !== Object.keys(y).length) return false;
  return keys.every(
    (key) => Object.hasOwn(y, key) && equalData(Reflect.get(x, key), Reflect.get(y, key), work, depth + 1),
  );
}
