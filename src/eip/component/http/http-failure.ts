import { ExchangeFailure } from '../../../expression/routes.js';
import { messageOf } from '../../../shared/errors.js';
import { maskedUri } from '../../model/endpoint-uri.js';
import type { HttpTarget } from './http-url.js';

/** A failure on the way to a host and back, as the exception that Camel's client throws. */
export function httpFailure(thrown: unknown, { origin, hostname, port }: HttpTarget): unknown {
  if (thrown instanceof ExchangeFailure) return thrown;
  const { code = '', cause, errors } = thrown as { code?: string; cause?: unknown; errors?: readonly unknown[] };
  // Several addresses were tried: the last one stands for all.
  const last = errors?.at(-1) ?? (cause instanceof ExchangeFailure ? cause : undefined);
  if (last !== undefined) return httpFailure(last, { origin, hostname, port, path: '' });
  const [, type, message] = KINDS.find(([codes]) => codes.test(code)) ?? [null, 'java.io.IOException', undefined];
  const told = message?.({ code, origin, host: hostname, port, told: messageOf(thrown) }) ?? messageOf(thrown);
  return new ExchangeFailure(type, told, { cause: thrown });
}

interface Facts {
  readonly code: string;
  readonly origin: string;
  readonly host: string;
  readonly port: string;
  /** What was thrown, in its own words. */
  readonly told: string;
}

const CONNECTING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused',
  EHOSTUNREACH: 'No route to host',
  ENETUNREACH: 'Network is unreachable',
  EADDRNOTAVAIL: 'Cannot assign requested address',
};

/** Kinds of failures by the codes of Node and undici. Without a text of its own one says what was thrown. */
const KINDS: readonly (readonly [codes: RegExp, type: string, message?: (facts: Facts) => string])[] = [
  [
    /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    'org.apache.hc.client5.http.ConnectTimeoutException',
    ({ origin }) => `Connect to ${origin} failed: Connect timed out`,
  ],
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
    'org.apache.hc.client5.http.HttpHostConnectException',
    ({ code, origin }) => `Connect to ${origin} failed: ${CONNECTING[code] ?? code}`,
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'java.net.UnknownHostException', ({ host }) => `${host}: Name or service not known`],
  [/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/, 'java.net.SocketTimeoutException', () => 'Read timed out'],
  [
    /^(UND_ERR_SOCKET|EPIPE)$/,
    'org.apache.hc.core5.http.NoHttpResponseException',
    ({ host, port }) => `${host}:${port} failed to respond`,
  ],
  [/^ECONNRESET$/, 'java.net.SocketException', () => 'Connection reset'],
  [
    /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/,
    'javax.net.ssl.SSLHandshakeException',
    ({ origin, told }) =>
      `${told}: expected the certificate of ${origin} to be of an authority that is trusted: those that Node knows, and those of NODE_EXTRA_CA_CERTS`,
  ],
  [
    /^(ERR_TLS_CERT|CERT_)/,
    'javax.net.ssl.SSLHandshakeException',
    ({ origin, told }) => `${told}: expected the certificate of ${origin} to be one of that host that is valid now`,
  ],
  [
    /^(ERR_TLS|ERR_SSL|EPROTO)/,
    'javax.net.ssl.SSLHandshakeException',
    ({ origin, told }) => `${told.trim()}: expected ${origin} to speak TLS as this server does`,
  ],
  [/^UND_ERR_(INVALID_ARG|NOT_SUPPORTED)$/, 'java.lang.IllegalArgumentException'],
];

/** A failure while the body of an answer came, as the exception that Camel's client throws. */
export function bodyFailure(thrown: unknown): unknown {
  if (thrown instanceof ExchangeFailure) return thrown;
  const { code } = thrown as { code?: string };
  if (code === 'UND_ERR_BODY_TIMEOUT')
    return new ExchangeFailure('java.net.SocketTimeoutException', 'Read timed out', { cause: thrown });
  if (code !== undefined && /^(Z_|ERR_)/.test(code))
    return new ExchangeFailure('java.util.zip.ZipException', messageOf(thrown), { cause: thrown });
  const message = `Premature end of message body: ${messageOf(thrown)}`;
  return new ExchangeFailure('org.apache.hc.core5.http.ConnectionClosedException', message, { cause: thrown });
}

/** An answer with another status than `okStatusCodeRange` allows, as data of its exception. */
export interface Unwanted {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly location: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Secrets of the address are `***`. */
export function operationFailure({ url, status, statusText, location, headers, body }: Unwanted): ExchangeFailure {
  const uri = maskedUri(url);
  const to = location === null ? '' : `, redirectLocation: ${location}`;
  return new ExchangeFailure(
    'org.apache.camel.http.base.HttpOperationFailedException',
    `HTTP operation failed invoking ${uri} with statusCode: ${status}${to}`,
    {
      members: {
        ...{
          uri,
          statusCode: status,
          statusText,
          redirectLocation: location,
          responseHeaders: headers,
          responseBody: body,
        },
        ...{ httpResponseCode: status, httpResponseStatus: statusText },
        ...{ isRedirectError: status >= 300 && status < 400, hasRedirectLocation: (location ?? '') !== '' },
      },
    },
  );
}
