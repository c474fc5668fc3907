import { integer, list, optional, text } from './settings.js';

/** The addresses of the server, and whose pages may use it. */
export const addressSettings = {
  port: integer('PORT', 8080, [0, 65_535], 'The port that the server listens on; 0 takes a free one.'),
  host: text(
    'HOST',
    '127.0.0.1',
    'an address or a host name',
    'The address that the server listens on; `0.0.0.0` is all of them.',
  ),
  baseUrl: optional({
    name: 'MILLRACE_BASE_URL',
    expected: 'an http or https URL without path, query and fragment',
    description:
      'How clients reach the server, when it is behind a proxy. With https, cookies are `Secure`. Unset: host and port.',
    parse: (given) => originOf(given),
  }),
  contentOrigin: optional({
    name: 'MILLRACE_CONTENT_ORIGIN',
    expected: 'an http or https URL without path, query and fragment',
    description:
      'A second address of the server, with another host name, at which there is nothing but what lies below `/content`, for guests. There its pages may do what pages may do. Unset: none. See docs/websites.md.',
    parse: (given) => originOf(given),
  }),
  allowedOrigins: list({
    name: 'MILLRACE_ALLOWED_ORIGINS',
    expected: 'http or https URLs without path, query and fragment, with commas between them',
    description:
      "Origins of other sites whose pages may use the API, sign-in and downloads as the server's own pages do, such as `http://localhost:5173,https://sandbox.embed.apollographql.com`. Cookies reach the server from pages of its own site alone (another port, another host of its domain); others send HTTP Basic. Unset: none.",
    parse: (given) => originOf(given),
  }),
  proxyHops: integer(
    'MILLRACE_PROXY_HOPS',
    0,
    [0, 16],
    "How many proxies stand before the server; with 1 or more, a client's address is read from `X-Forwarded-For`.",
  ),
};

/** The origin of a URL that says nothing else. */
function originOf(given: string): string | undefined {
  if (!URL.canParse(given)) return undefined;
  const url = new URL(given);
  const plain =
    url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  return plain && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
