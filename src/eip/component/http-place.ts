import { ExchangeFailure } from '../../expression/index.js';
import { type EndpointOptions, parseEndpointUri } from '../model/endpoint-uri.js';
import type { HttpPlace } from './http-front.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT'];

type Place = Omit<HttpPlace, 'routeId'>;

/** The place that an endpoint serves: `platform-http:/orders?httpMethodRestrict=GET`, `rest:get:/orders:/{id}`. @throws ExchangeFailure where its methods are none */
export function placeOf(scheme: string, path: string, options: Readonly<Record<string, unknown>>): Place {
  const isOpen = String(options.authentication ?? '').toLowerCase() === 'none';
  if (scheme === 'rest') {
    const [method = '', base = '', template = ''] = path.split(':');
    return { path: joined(base, template), methods: methodsOf(method), isOpen };
  }
  const isPrefix = String(options.matchOnUriPrefix ?? '').toLowerCase() === 'true' && !path.endsWith('*');
  return { path: joined(path, isPrefix ? '*' : ''), methods: methodsOf(options.httpMethodRestrict), isOpen };
}

/** The place that the endpoint of a route serves; undefined: it serves none over HTTP, or its URI is wrong. */
export function placeOfUri(uri: string, routeId: string): HttpPlace | undefined {
  if (!/^(platform-http|rest):/.test(uri)) return undefined;
  try {
    const { scheme, path, options } = parseEndpointUri(uri);
    return { ...placeOf(scheme, path, flat(options)), routeId };
  } catch {
    return undefined;
  }
}

const flat = (options: EndpointOptions) =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, [value].flat().at(-1)]));

/** One path of several, which begins with a slash and ends with none. */
export const joined = (...paths: readonly string[]): string =>
  `/${paths
    .flatMap((path) => path.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;

function methodsOf(given: unknown): string[] {
  const methods = listOf(given).map((method) => method.toUpperCase());
  const unknown = methods.find((method) => !METHODS.includes(method));
  if (unknown === undefined) return methods;
  throw new ExchangeFailure(
    'java.lang.IllegalArgumentException',
    `expected methods to be of ${METHODS.join(', ')}, got ${unknown}`,
  );
}

/** The items of a list with commas, trimmed; empty ones are left out. */
export const listOf = (value: unknown): string[] =>
  String(value ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
