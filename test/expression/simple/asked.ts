import {
  answered,
  Double,
  Exchange,
  type ExchangeContext,
  ExchangeFailure,
  StreamCache,
  textOf,
  typeName,
} from '../../../src/expression/routes.js';

/** A body (kind and value), a text, and what comes of it: the Java type and the text of a value, or ERROR and the Java class of what is thrown. */
export type Row = readonly [body: string, text: string, result: string];

const BEAN = {
  title: () => 'title',
  hello: (name: unknown) => `hello ${name}`,
  add: (a: unknown, b: unknown) => Number(a) + Number(b),
};

export const CONTEXT: ExchangeContext = {
  name: 'camel-1',
  now: () => 1_700_000_000_123,
  random: () => 0.5,
  newId: () => 'ID-1',
  property: (key) => ({ greeting: 'hi', 'sys:user.language': 'en' })[key],
  bean: (name) => (name === 'myBean' ? BEAN : undefined),
  globalVariables: new Map(),
  routeVariables: () => new Map(),
};

/** An exchange with the headers, properties and variables that the rows speak of. */
export function exchangeWith(body: unknown, context: ExchangeContext = CONTEXT): Exchange {
  const exchange = new Exchange(context, { routeId: '', endpointUri: 'direct:x' }, { id: 'ID' });
  exchange.body = body;
  const map = { k: 'v', n: 7, in: { deep: 'yes' } };
  const headers = {
    name: 'Camel',
    n: 5,
    s: '5',
    d: new Double(5),
    big: 3_000_000_000,
    t: true,
    f: 'false',
    empty: '',
    'a.b': 'dotted',
    list: ['x', 'y', 'z'],
    map,
    date: new Date(1_700_000_000_123),
    csv: 'a,b,c',
    bytes: Buffer.from('abc'),
    neg: -3,
    half: 2.5,
    key: 'n',
    nums: [3, 1, 2],
    CamelFileName: 'dir/sub/report.tar.gz',
    quoted: "'q'",
    lines: 'a\nb\r\nc',
  };
  for (const [name, value] of Object.entries(headers)) exchange.headers.set(name, value);
  exchange.properties.set('p', 'prop');
  exchange.properties.set('pm', map);
  exchange.variables.set('v', 'var');
  exchange.variables.set('vl', [10, 20]);
  return exchange;
}

const parts = (text: string): string[] => (text === '' ? [] : text.split(','));
const entry = (text: string): [string, unknown] => {
  const [key = '', value = ''] = text.split('=');
  return [key, /^\d+$/.test(value) ? Number(value) : value];
};

const BODIES: Readonly<Record<string, (text: string) => unknown>> = {
  s: (text) => text,
  i: Number,
  l: Number,
  d: (text) => (Number.isInteger(Number(text)) ? new Double(Number(text)) : Number(text)),
  b: (text) => text === 'true',
  by: (text) => Buffer.from(text),
  list: parts,
  arr: parts,
  ints: (text) => parts(text).map(Number),
  map: (text) => Object.fromEntries(parts(text).map(entry)),
  date: (text) => new Date(Number(text)),
  set: (text) => new Set(parts(text)),
  it: (text) => parts(text)[Symbol.iterator](),
  stream: (text) => streamOf(text),
};

export const streamOf = (text: string): StreamCache =>
  new StreamCache({
    async *[Symbol.asyncIterator]() {
      yield Buffer.from(text);
    },
  });

/** The body that a row means: `i:5`, `list:a,b`, `null`. */
export function bodyOf(written: string): unknown {
  const [, kind = '', text = ''] = /^(\w+):([\s\S]*)$/.exec(written) ?? [];
  return written === 'null' ? null : BODIES[kind]?.(text);
}

const isIterator = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && 'next' in value && typeof value.next === 'function';

/** What a row says of a value. */
function shown(value: unknown): string {
  if (typeof value === 'boolean') return `java.lang.Boolean ${value}`;
  if (value instanceof Uint8Array) return `[B bytes:${Buffer.from(value).toString()}`;
  if (isIterator(value)) return `iter[${[...value].map(textOf).join(', ')}]`;
  return `${typeName(value)} ${textOf(value)}`;
}

/** What comes of `ask`, in the words of a row. */
export async function answer(ask: () => unknown): Promise<string> {
  try {
    const value = ask();
    return shown(await answered(value));
  } catch (thrown) {
    if (thrown instanceof ExchangeFailure) return `ERROR ${thrown.type}`;
    throw thrown;
  }
}
