import { ExchangeFailure } from '../../../expression/routes.js';
import { PRODUCER_OPTIONS } from '../common-options.js';
import type { EndpointAddress, OptionKind } from '../component.js';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PATCH'] as const;

/** Objects of Java, proxies, cookies and sign-in by other systems: Camel has options for them, and there is no use for these here. */
const REFUSED = [
  ...['clientBuilder', 'clientConnectionManager', 'cookieHandler', 'cookieStore', 'headerFilterStrategy'],
  ...['httpActivityListener', 'httpBinding', 'httpClient', 'httpClientConfigurer', 'httpContext', 'logHttpActivity'],
  ...['multipartUpload', 'multipartUploadName', 'transferException', 'useSystemProperties', 'sslContextParameters'],
  ...['x509HostnameVerifier', 'hostnameVerificationPolicy', 'authDomain', 'nonProxyHosts', 'proxyHost', 'proxyPort'],
  ...['proxyAuth*', 'oauth2*', 'httpClient.*', 'httpConnection.*'],
];

export const HTTP_OPTIONS: Readonly<Record<string, OptionKind>> = {
  ...PRODUCER_OPTIONS,
  ...Object.fromEntries(REFUSED.map((name) => [name, 'refused'] as const)),
  authBearerToken: 'secret',
  authHost: 'text',
  authMethod: ['Basic', 'Bearer'],
  authPassword: 'secret',
  authUsername: 'secret',
  authenticationPreemptive: 'boolean',
  bridgeEndpoint: 'boolean',
  clearExpiredCookies: 'boolean',
  connectTimeout: 'duration',
  connectionClose: 'boolean',
  connectionRequestTimeout: 'duration',
  connectionsPerRoute: 'number',
  contentTypeCharsetEnabled: 'boolean',
  copyHeaders: 'boolean',
  customHostHeader: 'text',
  deleteWithBody: 'boolean',
  disableStreamCache: 'boolean',
  followRedirects: 'boolean',
  getWithBody: 'boolean',
  'httpClient.connectTimeout': 'duration',
  'httpClient.connectionRequestTimeout': 'duration',
  'httpClient.responseTimeout': 'duration',
  'httpConnection.connectTimeout': 'duration',
  'httpConnection.soTimeout': 'duration',
  httpMethod: METHODS,
  ignoreResponseBody: 'boolean',
  maxTotalConnections: 'number',
  okStatusCodeRange: 'text',
  preserveHostHeader: 'boolean',
  responseTimeout: 'duration',
  skipControlHeaders: 'boolean',
  skipRequestHeaders: 'boolean',
  skipResponseHeaders: 'boolean',
  soTimeout: 'duration',
  throwExceptionOnFailure: 'boolean',
  userAgent: 'text',
};

/** The options of an endpoint, with Camel's defaults. Times are in ms; 0: without end. */
export interface HttpOptions {
  readonly method: string | undefined;
  readonly isBridge: boolean;
  readonly skipsControl: boolean;
  readonly skipsRequestHeaders: boolean;
  readonly skipsResponseHeaders: boolean;
  readonly copiesHeaders: boolean;
  readonly throwsOnFailure: boolean;
  readonly isOk: (status: number) => boolean;
  readonly ignoresBody: boolean;
  readonly isStreamed: boolean;
  readonly getsWithBody: boolean;
  readonly deletesWithBody: boolean;
  readonly followsRedirects: boolean;
  readonly addsCharset: boolean;
  readonly closes: boolean;
  readonly host: string | undefined;
  readonly preservesHost: boolean;
  readonly userAgent: string;
  readonly credentials: Credentials | undefined;
  readonly connectMs: number;
  readonly connectionMs: number;
  readonly answerMs: number;
  readonly silenceMs: number;
  readonly connectionsPerHost: number;
}

/** Credentials of a request: sent when a host asks for them, or at once (preemptive). */
export interface Credentials {
  /** Of the header `Authorization`. */
  readonly value: string;
  readonly isPreemptive: boolean;
  /** The one host that is shown them. Undefined: any that an exchange is sent to. */
  readonly host: string | undefined;
}

const MINUTES_3 = 180_000;

/** @throws ExchangeFailure where options do not go together */
export function httpOptions({ options }: EndpointAddress): HttpOptions {
  const is = (name: string, otherwise = false) => (options[name] ?? otherwise) === true;
  const text = (name: string) => (options[name] === undefined ? undefined : String(options[name]));
  const number = (otherwise: number, ...names: string[]) =>
    Number(names.map((name) => options[name]).find((value) => value !== undefined) ?? otherwise);
  const silenceMs = number(MINUTES_3, 'soTimeout', 'httpConnection.soTimeout');
  return {
    method: text('httpMethod'),
    isBridge: is('bridgeEndpoint'),
    skipsControl: is('skipControlHeaders'),
    skipsRequestHeaders: is('skipRequestHeaders'),
    skipsResponseHeaders: is('skipResponseHeaders'),
    copiesHeaders: is('copyHeaders', true),
    throwsOnFailure: is('throwExceptionOnFailure', true),
    isOk: statusCodes(text('okStatusCodeRange') ?? '200-299'),
    ignoresBody: is('ignoreResponseBody'),
    isStreamed: is('disableStreamCache'),
    getsWithBody: is('getWithBody'),
    deletesWithBody: is('deleteWithBody'),
    followsRedirects: is('followRedirects'),
    addsCharset: is('contentTypeCharsetEnabled', true),
    closes: is('connectionClose'),
    host: text('customHostHeader'),
    preservesHost: is('preserveHostHeader'),
    userAgent: text('userAgent') ?? 'Millrace',
    credentials: credentialsOf(text, is('authenticationPreemptive')),
    connectMs: number(MINUTES_3, 'connectTimeout', 'httpClient.connectTimeout', 'httpConnection.connectTimeout'),
    connectionMs: number(MINUTES_3, 'connectionRequestTimeout', 'httpClient.connectionRequestTimeout'),
    answerMs: number(0, 'responseTimeout', 'httpClient.responseTimeout') || silenceMs,
    silenceMs,
    connectionsPerHost: Math.min(Math.max(1, number(20, 'connectionsPerRoute')), 200),
  };
}

function credentialsOf(text: (name: string) => string | undefined, isPreemptive: boolean): Credentials | undefined {
  const [token, user, password] = [text('authBearerToken'), text('authUsername'), text('authPassword')];
  const method = text('authMethod') ?? (user === undefined ? undefined : 'Basic');
  const host = text('authHost');
  if (method === undefined) return undefined;
  if (method === 'Bearer') {
    if (token === undefined) throw wrong('expected authBearerToken beside authMethod=Bearer');
    return { value: `Bearer ${token}`, isPreemptive: true, host };
  }
  if (user === undefined || password === undefined) throw wrong('expected both authUsername and authPassword');
  return { value: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`, isPreemptive, host };
}

/** `200-299,404`: whether a status is one of these. */
function statusCodes(text: string): HttpOptions['isOk'] {
  const ranges = text.split(',').map((part) => {
    const [, from, to = from] = /^\s*(\d{3})\s*(?:-\s*(\d{3})\s*)?$/.exec(part) ?? [];
    if (from === undefined) throw wrong(`expected okStatusCodeRange to be such as 200-299,404, got '${text}'`);
    return { from: Number(from), to: Number(to) };
  });
  return (status) => ranges.some(({ from, to }) => status >= from && status <= to);
}

const wrong = (why: string) => new ExchangeFailure('java.lang.IllegalArgumentException', why);
