import { equalData } from '../conversion/compare.js';
import { convert, requiredClass, tryConvert } from '../conversion/convert.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Expression } from '../exchange/language.js';
import { mapped } from '../exchange/stream.js';
import { setVariable } from '../exchange/variable.js';
import { withoutQuotes } from './arguments.js';
import { body, type FunctionCall, type FunctionMaker, withValues } from './function-call.js';

/** The collection and the change of it: the body's, where only the change is written. */
function changing(call: FunctionCall): readonly [Expression, Expression] {
  const found = call.list(`${call.name}(source,exp)`, 1, Number.POSITIVE_INFINITY, { trim: false });
  const source = found.length > 1 ? call.template(found.shift() ?? '') : body;
  return [source, call.template(found.join(','))];
}

/** Changes the very list. */
const listAdd: FunctionMaker = (call) => {
  const both = changing(call);
  return (exchange) =>
    withValues(both, exchange, ([source, value]) => {
      const found = source instanceof Set ? source : convert(source, 'java.util.List');
      if (value !== null && Array.isArray(found)) found.push(value);
      if (value !== null && found instanceof Set) found.add(value);
      return found;
    });
};

const listRemove: FunctionMaker = (call) => {
  const both = changing(call);
  return (exchange) =>
    withValues(both, exchange, ([source, value]) => {
      const found = convert(source, 'java.util.List');
      if (Array.isArray(found) && value !== null) remove(found, value);
      return found;
    });
};

/** The first item that is equal; without one, `last`, or the item at that place. */
function remove(list: unknown[], value: unknown): void {
  const equal = list.findIndex((it) => equalData(it, value));
  const other = value === 'last' ? list.length - 1 : tryConvert(value, 'Integer');
  const place = equal >= 0 ? equal : other;
  if (typeof place === 'number' && place >= 0 && place < list.length) list.splice(place, 1);
}

function put(found: unknown, key: string, value: unknown): unknown {
  if (found instanceof Map) return found.set(key, value);
  if (typeof found === 'object' && found !== null) {
    Object.defineProperty(found, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return found;
}

/** Changes the very map. */
const mapAdd: FunctionMaker = (call) => {
  const found = call.list('mapAdd(source,key,exp)', 2, Number.POSITIVE_INFINITY, { trim: false });
  const source = found.length > 2 ? call.template(found.shift() ?? '') : body;
  const [key = '', ...rest] = found;
  const value = call.template(rest.join(','));
  return (exchange) =>
    withValues([source, value], exchange, ([known, added]) => {
      const target = convert(known, 'java.util.Map');
      return target === null || added === null ? target : put(target, key, added);
    });
};

const mapRemove: FunctionMaker = (call) => {
  const found = call.list('mapRemove(source,key)', 1, 2, { trim: false });
  const key = found.pop() ?? '';
  const source = found[0] === undefined ? body : call.template(found[0]);
  return (exchange) =>
    mapped(source(exchange), (known) => {
      const target = convert(known, 'java.util.Map');
      if (target instanceof Map) target.delete(key);
      else if (typeof target === 'object' && target !== null) Reflect.deleteProperty(target, key);
      return target;
    });
};

/** `name(key,exp)` or `name(key,type,exp)`: sets something, and gives null. */
const setting =
  (set: (exchange: Exchange, name: string, value: unknown) => void): FunctionMaker =>
  (call) => {
    const [name = '', ...rest] = call.list(`${call.name}(name,type,exp)`, 2, 3, { trim: false });
    const type = rest.length === 2 ? withoutQuotes(rest[0] ?? '') : undefined;
    const value = call.template(rest.at(-1) ?? '');
    return (exchange) =>
      mapped(
        mapped(value(exchange), (known) => (type === undefined ? known : convert(known, requiredClass(type)))),
        (known) => {
          set(exchange, name, known);
          return null;
        },
      );
  };

/** Functions that change what they are given, or the exchange. */
export const CHANGING_FUNCTIONS: Readonly<Record<string, FunctionMaker>> = {
  listAdd,
  listRemove,
  mapAdd,
  mapRemove,
  setHeader: setting((exchange, name, value) => {
    if (value === null) exchange.headers.delete(name);
    else exchange.headers.set(name, value);
  }),
  setVariable: setting(setVariable),
};
