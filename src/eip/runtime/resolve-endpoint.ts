import { ExchangeFailure } from '../../expression/index.js';
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
    const kind = options[name];
    if (kind === undefined && isLenient !== true) throw unresolved(uri, `unknown option ${name}`);
    read[name] = readOption(uri, name, text, kind ?? 'text');
  }
  return read;
}

function readOption(uri: string, name: string, text: string, kind: OptionKind): string | number | boolean {
  if (kind === 'text' || kind === 'secret') return text;
  if (kind === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  const number = kind === 'duration' ? parseCamelDuration(text) : Number(text);
  if (kind === 'boolean' || number === undefined || Number.isNaN(number))
    throw unresolved(uri, `expected ${name} to be a ${kind}, got '${text}'`);
  return number;
}

const unresolved = (uri: string, why: string) =>
  new ExchangeFailure(
    'org.apache.camel.ResolveEndpointFailedException',
    `Failed to resolve endpoint: ${uri} due to: ${why}`,
  );
