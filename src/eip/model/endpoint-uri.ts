import { ExchangeFailure } from '../../expression/index.js';

/** An endpoint's URI, taken apart: `timer:tick?period=1000`. */
export interface EndpointUri {
  readonly scheme: string;
  /** What stands between scheme and options, decoded, without the two slashes that may lead it: `x:a`, `x://a` have `a`, `x:/a` has `/a`. */
  readonly path: string;
  /** Decoded. An option that is there several times has a list. */
  readonly options: EndpointOptions;
}

export type EndpointOptions = Readonly<Record<string, string | readonly string[]>>;

/**
 * Takes a URI apart, with Camel's rules: `+` is a space, `%20` is decoded, once, and where it is no code it is a per cent sign; `RAW(…)` and `RAW{…}` are taken as they stand,
 * signs of the syntax in them too. Placeholders are resolved before.
 * @throws ExchangeFailure ResolveEndpointFailedException
 */
export function parseEndpointUri(text: string): EndpointUri {
  const { scheme, path, query } = splitUri(text);
  const options: Record<string, string | string[]> = {};
  for (const [name, value] of optionsOf(text, query)) addOption(options, name, rawValue(value) ?? decoded(value));
  return { scheme, path: withoutSlashes(percentDecoded(path)), options };
}

/** The scheme of a URI: what stands before its first colon, or all of it. */
export const schemeOf = (text: string): string => /^[^:?]*/.exec(text)?.[0] ?? '';

/** The URI as Camel names endpoints: `timer://tick?period=1000`, its options in their alphabetical order, encoded so that reading it gives the same. */
export function writeEndpointUri({ scheme, path, options }: EndpointUri): string {
  const names = Object.keys(options).sort();
  const pairs = names.flatMap((name) =>
    [options[name] ?? ''].flat().map((value) => `${encoded(name)}=${shown(value)}`),
  );
  const address = `${scheme}://${path.replace(UNSAFE_IN_PATH, encodeURIComponent)}`;
  return pairs.length === 0 ? address : `${address}?${pairs.join('&')}`;
}

/**
 * Adds the `parameters` of a step to its URI. Those that `syntax` names are put in the path, as Camel does where the URI is a scheme alone: `timerName` of `timer`.
 * `syntax`: the component's, without its scheme: `timerName`, `templateId/routeId`. The text is that of a definition: placeholders stay.
 */
export function withParameters(uri: string, parameters: Readonly<Record<string, unknown>>, syntax?: string): string {
  const left = { ...parameters };
  let text = uri;
  if (syntax !== undefined && /^[^:?/]+$/.test(uri)) text = `${uri}:${pathBySyntax(syntax, left)}`;
  const pairs = Object.entries(left).flatMap(([name, value]) =>
    [value].flat().map((one) => `${encoded(name)}=${written(textOf(one))}`),
  );
  if (pairs.length === 0) return text;
  return `${text}${text.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/** The URI as people may see it: secrets and user info are `***`. Takes what is no URI, too. `secrets`: further options that are. */
export function maskedUri(text: string, secrets: readonly string[] = []): string {
  const at = text.indexOf('?');
  const address = (at < 0 ? text : text.slice(0, at)).replace(USER_INFO, '$1***@');
  if (at < 0) return address;
  const pairs = splitQuery(text.slice(at + 1)).map((pair) => {
    const [name = ''] = pair.split('=', 1);
    const isMasked = isSecret(decoded(name)) || secrets.includes(decoded(name));
    return name.length < pair.length && isMasked ? `${name}=***` : pair;
  });
  return `${address}?${pairs.join('&')}`;
}

/** Names of options of a URI whose values are, or hold, a placeholder that is called as a secret is: `key={{api.token}}`. */
export function secretOptions(uri: string): readonly string[] {
  const at = uri.indexOf('?');
  if (at < 0 || !uri.includes('{{')) return [];
  const ofSecret = splitQuery(uri.slice(at + 1)).filter((pair) =>
    [...pair.matchAll(/\{\{[?!]?([^{}]*?)(?::[^{}:]*)?\}\}/g)].some(([, key = '']) => isSecret(key)),
  );
  return ofSecret.map((pair) => decoded(pair.split('=', 1)[0] ?? ''));
}

/** Whether an option or header of this name is a secret: its last word is one. */
const isSecret = (name: string): boolean => SECRET.test(name);

const SECRET = /(password|passphrase|secret|secret-?key|access-?key|(access)?-?token|api-?key)$|^(sas|sig)$/i;
/** Behind scheme and slashes, up to the last at sign before the path: a host has none, a name and password may. */
const USER_INFO = /^([^:?]*:(?:\/\/)?)[^/?]*@/;
const UNSAFE_IN_PATH = /[ "<>#%{}|\\^`[\]?]/g;

function splitUri(text: string): { scheme: string; path: string; query: string } {
  const scheme = schemeOf(text);
  if (!/^[a-zA-Z][\w.+-]*$/.test(scheme)) throw unresolved(text, 'expected a scheme before the first colon');
  const at = text.indexOf('?');
  const query = at < 0 ? '' : text.slice(at + 1);
  const path = text.slice(scheme.length + 1, at < 0 ? text.length : at);
  if (path === '' && text.length > scheme.length && at < 0) throw unresolved(text, `expected a path after ${scheme}:`);
  if (at < 0 && /&[\w.]+=/.test(path)) throw unresolved(text, 'expected ? before the first option, but found &');
  return { scheme, path, query };
}

function* optionsOf(text: string, query: string): Generator<[name: string, value: string]> {
  if (query === '') return;
  for (const pair of splitQuery(query)) {
    if (pair === '') throw unresolved(text, 'expected an option between two &, and none at its end');
    const at = pair.indexOf('=');
    const name = at < 0 ? pair : pair.slice(0, at);
    if (name === '') throw unresolved(text, `expected the name of an option before ${pair}`);
    yield [decoded(name), at < 0 ? '' : pair.slice(at + 1)];
  }
}

/** The pairs of a query: those with a RAW value keep the `&` in it. */
function splitQuery(query: string): string[] {
  const pairs: string[] = [];
  let from = 0;
  while (from <= query.length) {
    const end = pairEnd(query, from);
    pairs.push(query.slice(from, end));
    from = end + 1;
  }
  return pairs;
}

const RAW_START = /[^=&]*=RAW([({])/y;

function pairEnd(query: string, from: number): number {
  const next = (at: number) => {
    const found = query.indexOf('&', at);
    return found < 0 ? query.length : found;
  };
  RAW_START.lastIndex = from;
  const raw = RAW_START.exec(query);
  if (raw === null) return next(from);
  const close = raw[1] === '(' ? ')' : '}';
  // It ends where an option may end: one that does not is an ordinary value.
  for (let at = query.indexOf(close, RAW_START.lastIndex); at >= 0; at = query.indexOf(close, at + 1))
    if (at + 1 === query.length || query[at + 1] === '&') return at + 1;
  return next(from);
}

const rawValue = (value: string): string | undefined => /^RAW(?:\((.*)\)|\{(.*)\})$/s.exec(value)?.slice(1).join('');

function addOption(options: Record<string, string | string[]>, name: string, value: string): void {
  const there = Object.hasOwn(options, name) ? options[name] : undefined;
  const next = there === undefined ? value : [...[there].flat(), value];
  // Whatever its name is: `__proto__` is one like others.
  Object.defineProperty(options, name, { value: next, enumerable: true, writable: true, configurable: true });
}

const withoutSlashes = (path: string) => (path.startsWith('//') ? path.slice(2) : path);

const decoded = (text: string): string => percentDecoded(text.includes('+') ? text.replaceAll('+', ' ') : text);

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[\da-fA-F]{2})+/g, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
}

const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');

/** Only what must be encoded, and what only looks like the beginning of a RAW value. */
const shown = (value: string): string => {
  const text = encoded(value).replace(/%(?:2F|3A|40|3D|3F|3B|2C)/g, decodeURIComponent);
  return text.startsWith('RAW(') ? text.replace('(', '%28') : text;
};

/** A value in a definition: as it stands, where that reads the same; placeholders are never encoded. */
function written(value: string): string {
  if (rawValue(value) !== undefined) return value;
  return value
    .split(/(\{\{.*?\}\})/s)
    .map((piece, at) => (at % 2 === 1 ? piece : piece.replace(/[%+&#]/g, encodeURIComponent).replaceAll(' ', '+')))
    .join('');
}

/** The path that a component's syntax gives; parameters that are put there are taken out. */
function pathBySyntax(syntax: string, parameters: Record<string, unknown>): string {
  let path = '';
  for (const [, separator = '', name = ''] of syntax.matchAll(/([^\w]*)(\w+)/g)) {
    const value = parameters[name];
    if (value === undefined) continue;
    delete parameters[name];
    path += path === '' ? textOf(value) : `${separator}${textOf(value)}`;
  }
  return path;
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

const unresolved = (uri: string, why: string) =>
  new ExchangeFailure(
    'org.apache.camel.ResolveEndpointFailedException',
    `Failed to resolve endpoint: ${maskedUri(uri)} due to: ${why}`,
  );
