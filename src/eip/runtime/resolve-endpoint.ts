import { ExchangeFailure, parseCamelDuration } from '../../expression/routes.js';
import { nearest } from '../../shared/nearest.js';
import type { Component, ComponentContext, Endpoint, OptionKind } from '../component/component.js';
import {
  type EndpointOptions,
  type EndpointUri,
  maskedUri,
  parseEndpointUri,
  writeEndpointUri,
} from '../model/endpoint-uri.js';

/** The endpoint of a URI, its placeholders resolved: one for each URI of a context. `secrets`: options that are shown as secrets are. @throws ExchangeFailure `NoSuchEndpointException` where the scheme, `ResolveEndpointFailedException` where path or an option is wrong */
export function resolveEndpoint(
  text: string,
  components: readonly Component[],
  known: Map<string, Endpoint>,
  context: ComponentContext,
  secrets: readonly string[] = [],
): Endpoint {
  const present = known.get(text);
  if (present !== undefined) return present;
  const parsed = parseEndpointUri(text);
  const written = writeEndpointUri(parsed);
  const endpoint = known.get(written) ?? made(parsed, maskedUri(written, secrets), components, context);
  known.set(written, endpoint);
  known.set(text, endpoint);
  return endpoint;
}

/** The component of a scheme. `undefined`: there is none. */
export const componentOf = (scheme: string, components: readonly Component[]): Component | undefined =>
  components.find(({ schemes }) => schemes.includes(scheme));

function made(
  { scheme, path, options }: EndpointUri,
  uri: string,
  components: readonly Component[],
  context: ComponentContext,
): Endpoint {
  const component = componentOf(scheme, components);
  if (component === undefined)
    throw new ExchangeFailure(
      'org.apache.camel.NoSuchEndpointException',
      `No endpoint could be found for: ${uri}: there is no component ${scheme}`,
    );
  const read = { options: optionsOf(uri, options, component), passedOn: passedOnOf(options, component) };
  return component.endpoint({ uri, scheme, path, ...read }, context);
}

const passedOnOf = (given: EndpointOptions, { options }: Component) =>
  Object.entries(given)
    .filter(([name]) => kindOf(name, options) === undefined)
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const));

function optionsOf(uri: string, given: EndpointOptions, { options, isLenient }: Component) {
  const read: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(given)) {
    const kind = kindOf(name, options);
    if (kind === undefined && isLenient !== true) throw unresolved(uri, unknownOption(name, Object.keys(options)));
    const text = [value].flat().at(-1) ?? '';
    read[name] = readOption(uri, name, kind === undefined || kind === 'text' ? text : text.trim(), kind ?? 'text');
  }
  return read;
}

const kindOf = (name: string, options: Component['options']): OptionKind | undefined =>
  Object.hasOwn(options, name) ? options[name] : kindByBeginning(name, options);

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
