import { type Exchange, ExchangeFailure, textOf } from '../../../expression/routes.js';

/** Target of an HTTP request: origin and path of its URL. */
export interface HttpTarget {
  /** `https://api.example.com:8443`, normalised: what looks like a number is an address. */
  readonly origin: string;
  /** As a URL has it; an address of IPv6 in brackets. */
  readonly hostname: string;
  readonly port: string;
  /** With the query. */
  readonly path: string;
}

/** @throws ExchangeFailure `java.lang.IllegalArgumentException` where it is no address of HTTP */
export function targetOf(url: string, endpointUri: string): HttpTarget {
  const [, scheme = '', authority = '', rest = ''] = /^(https?):\/\/([^/?#\\]+)([^#]*)/i.exec(url) ?? [];
  const base = `${scheme}://${authority}`;
  if (authority.includes('@'))
    throw new ExchangeFailure(
      'org.apache.hc.client5.http.ClientProtocolException',
      'Request URI authority contains deprecated userinfo component',
    );
  if (authority === '' || !URL.canParse(base))
    throw new ExchangeFailure(
      'java.lang.IllegalArgumentException',
      `Invalid url: ${url}. If you are forwarding/bridging http endpoints, then enable the bridgeEndpoint option on the endpoint: ${endpointUri}`,
    );
  const { origin, hostname, protocol, port } = new URL(base);
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return { origin, hostname, port: port === '' ? (protocol === 'https:' ? '443' : '80') : port, path };
}

/** Sources of a request's address: the endpoint's own, and headers of the exchange. */
interface UrlParts {
  /** The endpoint's own address, without its query. */
  readonly base: string;
  /** The endpoint's own query, encoded. Undefined: none. */
  readonly query: string | undefined;
  readonly isBridge: boolean;
  /** Headers say nothing of it. */
  readonly isFixed: boolean;
}

/** The address that an exchange is sent to. What only `rest:` says is taken out of its headers. */
export function urlOf({ headers }: Exchange, { base, query, isBridge, isFixed }: UrlParts): string {
  const own = query === undefined ? base : `${base}?${query}`;
  if (isFixed) return own;
  const text = (name: string) => textHeader(headers.get(name));
  const restUri = text('CamelRestHttpUri');
  headers.delete('CamelRestHttpUri');
  const restQuery = text('CamelRestHttpQuery');
  headers.delete('CamelRestHttpQuery');
  const given = restUri ?? (isBridge ? undefined : text('CamelHttpUri'));
  const [address = '', , givenQuery] = splitUrl(given ?? base);
  const asked = restQuery ?? text('CamelHttpRawQuery') ?? text('CamelHttpQuery') ?? query ?? givenQuery;
  const path = withPath(address, text('CamelHttpPath') ?? '');
  return asked === undefined ? encodedUrl(path) : encodedUrl(`${path}${path.includes('?') ? '&' : '?'}${asked}`);
}

const splitUrl = (url: string): [address: string, mark: string, query: string | undefined] => {
  const at = url.indexOf('?');
  return at < 0 ? [url, '', undefined] : [url.slice(0, at), '?', url.slice(at + 1)];
};

function withPath(address: string, given: string): string {
  const path = given.replace(/^\/{1,2}/, '');
  if (path === '') return address;
  return `${address}${address.endsWith('/') ? '' : '/'}${path}`;
}

/** The query that an exchange asks with, as far as it decides on the method. */
export function askedQuery({ headers }: Exchange, { query, isFixed }: Pick<UrlParts, 'query' | 'isFixed'>) {
  if (isFixed) return query;
  const uri = textHeader(headers.get('CamelHttpUri'));
  const asked = uri === undefined ? textHeader(headers.get('CamelHttpQuery')) : splitUrl(uri)[2];
  return asked ?? query;
}

const textHeader = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : textOf(value);

/** A URL with what may not stand in one encoded; codes that are there stay. */
export const encodedUrl = (url: string): string =>
  url.replace(/%(?![\da-fA-F]{2})|[^\w\-.~:/?[\]@!$&'()*+,;=%]+/g, (given) => codes(given));

/** Pairs of a query as a form has them, in the order of their names, as Camel sorts them. */
export function formQuery(pairs: readonly (readonly [name: string, value: string])[]): string | undefined {
  if (pairs.length === 0) return undefined;
  const sorted = [...pairs].sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
  return sorted.map(([name, value]) => `${formCode(name)}=${formCode(value)}`).join('&');
}

const formCode = (text: string): string =>
  codes(text)
    .replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

/** As `encodeURIComponent`; half a character, which no encoding has, is U+FFFD. */
const codes = (text: string): string => encodeURIComponent(Buffer.from(text).toString());
