import { ExchangeFailure } from '../../expression/index.js';
import { nearest } from '../../shared/nearest.js';
import type { Component, ComponentContext, Endpoint, OptionKind } from '../component/component.js';
import { parseCamelDuration } from '../model/camel-duration.js';
import type { Options } from '../model/route-model.js';

/** The endpoint of a URI: one for each URI of a context. @throws ExchangeFailure `ResolveEndpointFailedException` where scheme, path or an option is wrong */
export function resolveEndpoint(
  uri: string,
  parameters: Options | undefined,
  components: readonly Component[],
  known: Map<string, Endpoint>,
  context: ComponentContext,
): Endpoint {
  const { scheme, path, query } = parse(uri);
  const texts = { ...query, ...textsOf(parameters) };
  const key = `${scheme}:${path}?${JSON.stringify(Object.entries(texts).sort())}`;
  const present = known.get(key);
  if (present !== undefined) return present;
  const component = components.find(({ schemes }) => schemes.includes(scheme));
  if (component === undefined) throw unresolved(uri, `there is no component ${scheme}`);
  const endpoint = component.endpoint({ uri, scheme, path, options: optionsOf(uri, texts, component) }, context);
  known.set(key, endpoint);
  return endpoint;
}

function parse(uri: string) {
  const [, scheme, path = '', query = ''] = /^([a-z][\w+.-]*):(?:\/\/)?([^?]*)(?:\?(.*))?$/is.exec(uri) ?? [];
  if (scheme === undefined) throw unresolved(uri, 'expected scheme:path');
  return { scheme, path, query: Object.fromEntries(new URLSearchParams(query)) };
}

const textsOf = (parameters: Options = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]));

function optionsOf(uri: string, texts: Record<string, string>, { options, isLenient }: Component) {
  const read: Record<string, string | number | boolean> = {};
  for (const [name, text] of Object.entries(texts)) {
    const kind = options[name] ?? kindByBeginning(name, options);
    if (kind === undefined && isLenient !== true) throw unresolved(uri, unknownOption(name, Object.keys(options)));
    read[name] = readOption(uri, name, text.trim(), kind ?? 'text');
  }
  return read;
}

const kindByBeginning = (name: string, options: Component['options']): OptionKind | undefined =>
  Object.entries(options).find(([known]) => known.endsWith('*') && name.startsWith(known.slice(0, -1)))?.[1];

function unknownOption(name: string, known: readonly string[]): string {
  const meant = nearest(name, known, 3);
  return `unknown option ${name}${meant === undefined ? '' : `; the nearest is ${meant}`}`;
}

function readOption(uri: string, name: string, text: string, kind: OptionKind): string | number | boolean {
  if (kind === 'refused') throw unresolved(uri, `the option ${name} is not supported`);
  const expected = (what: string) => unresolved(uri, `expected ${name} to be ${what}, got '${text}'`);
  if (typeof kind === 'object') return wordOf(text, kind, expected);
  if (kind === 'boolean') return wordOf(text, ['true', 'false'], expected) === 'true';
  if (kind === 'duration') return numberOf(parseCamelDuration(text), 'a time such as 500, 5s or 1m30s', expected);
  if (kind === 'number') return numberOf(text === '' ? undefined : Number(text), 'a number', expected);
  return text;
}

function wordOf(text: string, words: readonly string[], expected: (what: string) => ExchangeFailure): string {
  const word = words.find((it) => it.toLowerCase() === text.toLowerCase());
  if (word === undefined) throw expected(`one of ${words.join(', ')}`);
  return word;
}

function numberOf(number: number | undefined, what: string, expected: (what: string) => ExchangeFailure): number {
  if (number === undefined || Number.isNaN(number)) throw expected(what);
  return number;
}

const unresolved = (uri: string, why: string) =>
  new ExchangeFailure(
    'org.apache.camel.ResolveEndpointFailedException',
    `Failed to resolve endpoint: ${uri} due to: ${why}`,
  );
