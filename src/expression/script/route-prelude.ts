import { seedRandom, stopClock } from './prelude-functions.js';
import type { Packed } from './route-values.js';

/**
 * What runs inside the sandbox around a script of a route: Camel's `exchange`, `message`, `body`, `headers`, `properties` and `variables`. As `prelude.ts`, the functions
 * are handed to the interpreter as text: they may use JavaScript and each other, nothing else, and make scripts convenient, not safe.
 */

/** Message of the host. */
export interface RouteInput {
  readonly now: number;
  /** Four words of 32 bits. */
  readonly seed: readonly number[];
  readonly body: Packed;
  readonly headers: readonly (readonly [name: string, value: Packed])[];
  readonly properties: readonly (readonly [name: string, value: Packed])[];
  readonly variables: readonly (readonly [name: string, value: Packed])[];
  readonly facts: { readonly [name: string]: string | null };
}

/** Message to the host, as JSON text: what the last statement gave, and what has changed. */
export interface RouteOutcome {
  readonly result: Packed;
  /** Not there: the body is as it was. */
  readonly body?: readonly [Packed];
  readonly headers: MapChanges;
  readonly properties: MapChanges;
  readonly variables: MapChanges;
}

interface MapChanges {
  readonly set: readonly (readonly [name: string, value: Packed])[];
  readonly removed: readonly string[];
}

export const routePreludeSource = (): string =>
  `(() => { ${[beginInRoute, stopClock, seedRandom, javaMap, describeMessage, describeExchange, unpack, opaque, pack, packBytes, packEntries].map(String).join('\n')}\nreturn beginInRoute; })()`;

function beginInRoute(text: string): { finish(value: unknown): string; caught(): null } {
  const input: RouteInput = JSON.parse(text);
  stopClock(input.now);
  seedRandom(input.seed);
  const define = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  const nothing = () => undefined;
  define('print', nothing);
  define('console', { log: nothing, info: nothing, warn: nothing, error: nothing, debug: nothing, trace: nothing });
  const headers = javaMap(input.headers, true);
  const properties = javaMap(input.properties, false);
  const variables = javaMap(input.variables, false);
  const message = describeMessage(input, headers.map);
  define('headers', headers.map);
  define('properties', properties.map);
  define('variables', variables.map);
  define('variable', variables.map);
  define('message', message.message);
  define('exchangeId', input.facts.exchangeId);
  define('context', { getName: () => input.facts.contextName });
  define('exchange', describeExchange(input.facts, message.message, properties.map, variables.map));
  define('body', message.body());
  return {
    finish: (value) => {
      if (value instanceof Promise) throw new TypeError('the result of a script cannot be a promise');
      const changed = { headers: headers.changes(), properties: properties.changes(), variables: variables.changes() };
      return JSON.stringify({ result: pack(value), ...message.changes(), ...changed });
    },
    caught: () => null,
  };
}

type JavaMap = Record<string, (...args: unknown[]) => unknown>;

/** A map as scripts know Java's: `headers.get('a')`, `headers.put('a', 1)`, and as an object: `headers.a`. */
function javaMap(entries: readonly (readonly [string, Packed])[], anyCase: boolean) {
  const keyOf = (name: unknown) => (anyCase ? String(name).toLowerCase() : String(name));
  const values = new Map(entries.map(([name, value]) => [keyOf(name), { name, value: unpack(value) }]));
  const before = new Map(entries.map(([name, value]) => [keyOf(name), { name, text: JSON.stringify(value) }]));
  const get = (name: unknown) => values.get(keyOf(name))?.value ?? null;
  const put = (name: unknown, value: unknown) => {
    const previous = get(name);
    values.set(keyOf(name), { name: values.get(keyOf(name))?.name ?? String(name), value: value ?? null });
    return previous;
  };
  const remove = (name: unknown) => {
    const previous = get(name);
    values.delete(keyOf(name));
    return previous;
  };
  const names = () => [...values.values()].map(({ name }) => name);
  const all = () => [...values.values()].map(({ value }) => value);
  const methods: JavaMap = {
    get,
    put,
    remove,
    getOrDefault: (name, other) => (values.has(keyOf(name)) ? get(name) : other),
    putIfAbsent: (name, value) => (values.has(keyOf(name)) ? get(name) : put(name, value)),
    putAll: (others) => Object.entries(others as object).map(([name, value]) => put(name, value)) && undefined,
    containsKey: (name) => values.has(keyOf(name)),
    size: () => values.size,
    isEmpty: () => values.size === 0,
    clear: () => values.clear(),
    keySet: names,
    values: all,
    entrySet: () =>
      names().map((name) => ({ key: name, value: get(name), getKey: () => name, getValue: () => get(name) })),
    forEach: (action) => {
      for (const name of names()) (action as (name: string, value: unknown) => void)(name, get(name));
    },
    toString: () =>
      `{${names()
        .map((name) => `${name}=${get(name)}`)
        .join(', ')}}`,
    toJSON: () => Object.fromEntries(names().map((name) => [name, get(name)])),
  };
  const map = new Proxy(methods, {
    get: (_, name) => (typeof name !== 'string' ? undefined : (methods[name] ?? values.get(keyOf(name))?.value)),
    set: (_, name, value) => {
      put(name, value);
      return true;
    },
    has: (_, name) => values.has(keyOf(name)),
    deleteProperty: (_, name) => {
      remove(name);
      return true;
    },
    ownKeys: () => names(),
    getOwnPropertyDescriptor: (_, name) =>
      values.has(keyOf(name)) ? { value: get(name), enumerable: true, configurable: true, writable: true } : undefined,
  });
  const changes = () => {
    const packedNow = [...values].map(([key, { name, value }]) => ({ key, name, value: pack(value) }));
    const set = packedNow.filter(({ key, value }) => before.get(key)?.text !== JSON.stringify(value));
    const removed = [...before].filter(([key]) => !values.has(key)).map(([, { name }]) => name);
    return { set: set.map(({ name, value }) => [name, value]), removed };
  };
  return { map, changes };
}

function describeMessage(input: RouteInput, headers: JavaMap) {
  let body = unpack(input.body);
  const before = JSON.stringify(input.body);
  const message = {
    getBody: () => body,
    setBody: (value: unknown) => {
      body = value ?? null;
    },
    getHeader: (name: unknown, other: unknown = null) => headers.getOrDefault?.(name, other),
    setHeader: (name: unknown, value: unknown) => headers.put?.(name, value) && undefined,
    removeHeader: (name: unknown) => headers.remove?.(name),
    removeHeaders: (pattern: unknown) => {
      const start = String(pattern).toLowerCase().replace(/\*$/, '');
      const isPrefix = String(pattern).endsWith('*');
      for (const name of (headers.keySet?.() ?? []) as string[]) {
        const lower = name.toLowerCase();
        if (isPrefix ? lower.startsWith(start) : lower === start) headers.remove?.(name);
      }
      return true;
    },
    getHeaders: () => headers,
    hasHeaders: () => !headers.isEmpty?.(),
    getMessageId: () => input.facts.exchangeId,
  };
  const changes = () => {
    const value = pack(body);
    return JSON.stringify(value) === before ? {} : { body: [value] };
  };
  return { message, changes, body: () => body };
}

function describeExchange(facts: RouteInput['facts'], message: unknown, properties: JavaMap, variables: JavaMap) {
  const reader =
    (map: JavaMap) =>
    (name: unknown, other: unknown = null) =>
      map.getOrDefault?.(name, other);
  const writer = (map: JavaMap) => (name: unknown, value: unknown) => map.put?.(name, value) && undefined;
  return {
    getIn: () => message,
    getMessage: () => message,
    getProperty: reader(properties),
    setProperty: writer(properties),
    removeProperty: (name: unknown) => properties.remove?.(name),
    getProperties: () => properties,
    getAllProperties: () => properties,
    getVariable: reader(variables),
    setVariable: writer(variables),
    removeVariable: (name: unknown) => variables.remove?.(name),
    getVariables: () => variables,
    hasVariables: () => !variables.isEmpty?.(),
    getExchangeId: () => facts.exchangeId,
    getFromRouteId: () => facts.fromRouteId,
    getPattern: () => facts.pattern,
    getContext: () => ({ getName: () => facts.contextName }),
  };
}

/** A value from the host. */
function unpack(value: Packed): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(unpack);
  const tagged = (value as { '@'?: unknown[] })['@'];
  if (tagged === undefined) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unpack(inner)]));
  }
  const [tag, first, second] = tagged;
  if (tag === 'date') return new Date(first as number);
  if (tag === 'bigint') return BigInt(first as string);
  if (tag === 'number') return Number(first);
  if (tag === 'map') {
    const map = Object.fromEntries((first as [string, Packed][]).map(([name, inner]) => [name, unpack(inner)]));
    return Object.defineProperty(map, '@', { value: 'map' });
  }
  if (tag !== 'bytes') return opaque(tagged, String(tag === 'error' ? second : first));
  const text = first as string;
  const bytes = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
  const decoded = () => {
    try {
      return decodeURIComponent(
        text.replace(/[\s\S]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`),
      );
    } catch {
      return text;
    }
  };
  return Object.defineProperty(bytes, 'toString', { value: decoded });
}

/** Something of the host that a script can pass on, and read the text of. */
function opaque(tagged: unknown[], text: string): unknown {
  const value = { getMessage: () => text, toString: () => text };
  return Object.defineProperty(value, '@', { value: tagged });
}

function pack(value: unknown): Packed {
  if (value === undefined || value === null || typeof value === 'function' || typeof value === 'symbol') return null;
  if (typeof value === 'bigint') return { '@': ['bigint', String(value)] };
  if (typeof value === 'number') return Number.isFinite(value) ? value : { '@': ['number', String(value)] };
  if (typeof value !== 'object') return value;
  if (Array.isArray(value) || value instanceof Set) return [...value].map(pack);
  if (value instanceof Date) return { '@': ['date', value.getTime()] };
  if (value instanceof Uint8Array) return packBytes(value);
  if (value instanceof Error) return { '@': ['error', 'java.lang.RuntimeException', value.message] };
  return packEntries(value);
}

function packBytes(bytes: Uint8Array): Packed {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return { '@': ['bytes', text] };
}

/** Of maps and objects; what came from the host as a map, or as something that a script only passes on, goes back as that. */
function packEntries(value: object): Packed {
  const mark = Object.getOwnPropertyDescriptor(value, '@');
  if (Array.isArray(mark?.value) && !mark.enumerable) return { '@': mark.value };
  const all = value instanceof Map ? [...value] : Object.entries(value);
  const entries = all
    .filter(([, inner]) => typeof inner !== 'function')
    .map(([name, inner]) => [String(name), pack(inner)]);
  return value instanceof Map || mark !== undefined ? { '@': ['map', entries] } : Object.fromEntries(entries);
}
