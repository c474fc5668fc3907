import { type ExchangeParts, Headers, StreamCache } from '../../../expression/routes.js';
import { comesIn } from '../http/header-filter.js';
import type { HttpRequest } from '../http-front.js';

/** The header that names the user who asks; no client can set it. */
const USER_ID = 'mi:userId';

export interface IntakeRules {
  /** Fields of a form become the body, as a map. */
  readonly isFormBody: boolean;
  /** How much of a body is read into memory where the whole of it is asked for. */
  readonly bodyMax: number;
}

/** The parts of the exchange of a request (headers, body, properties): at once, but for a form that is long. @throws ExchangeFailure where a form is too long for memory */
export function requestParts(
  request: HttpRequest,
  rules: IntakeRules,
): Partial<ExchangeParts> | Promise<Partial<ExchangeParts>> {
  const headers = new Headers();
  for (const [name, value] of request.headers) addHeader(headers, name, value);
  if (request.query !== null)
    for (const [name, value] of new URLSearchParams(request.query)) addHeader(headers, name, value);
  for (const name of Object.keys(request.parameters)) addHeader(headers, name, request.parameters[name] ?? '');
  const type = String(headers.get('Content-Type') ?? '');
  const charset = type === '' ? undefined : charsetOf(type);
  const body = bodyOf(request, charset, rules.bodyMax);
  const properties = new Map<string, unknown>();
  if (charset !== undefined) {
    properties.set('CamelCharsetName', charset);
    headers.set('CamelHttpCharacterEncoding', charset);
  }
  addFacts(headers, request);
  const parts: Partial<ExchangeParts> = { pattern: 'InOut', headers, properties, body };
  if (body === null || !FORM.test(type)) return parts;
  return body.bytes === undefined
    ? body.read().then((bytes) => withFields(parts, bytes, rules))
    : withFields(parts, body.bytes, rules);
}

const FORM = /^\s*application\/x-www-form-urlencoded\b/i;

/** What comes several times is a list. */
function addHeader(headers: Headers, name: string, value: string): void {
  if (!comesIn(name)) return;
  const known = headers.get(name);
  headers.set(name, known === undefined ? value : [known, value].flat());
}

function addFacts(headers: Headers, { method, path, query, url, userId, remoteAddress }: HttpRequest): void {
  headers.set('CamelHttpMethod', method);
  headers.set('CamelHttpPath', path);
  headers.set('CamelHttpUri', query === null ? path : `${path}?${query}`);
  headers.set('CamelHttpUrl', url);
  headers.set('CamelVertxPlatformHttpRemoteAddress', remoteAddress);
  if (query !== null) {
    headers.set('CamelHttpQuery', query);
    headers.set('CamelHttpRawQuery', query);
  }
  if (userId !== null) headers.set(USER_ID, userId);
}

function bodyOf({ body }: HttpRequest, charset: string | undefined, bytesMax: number): StreamCache | null {
  if (body === null) return null;
  const options = { charset: decoderOf(charset), bytesMax };
  return body instanceof Uint8Array ? StreamCache.of(body, options) : new StreamCache(body, options);
}

const charsetOf = (type: string): string | undefined => /charset\s*=\s*"?([^;"\s]+)/i.exec(type)?.[1];

/** The name by which text is decoded; undefined: as UTF-8, also where nobody knows that charset. */
function decoderOf(charset: string | undefined): string | undefined {
  if (charset === undefined || /^utf-?8$/i.test(charset)) return undefined;
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return undefined;
  }
}

/** The fields of a form are headers, too. */
function withFields(parts: Partial<ExchangeParts>, bytes: Buffer, rules: IntakeRules): Partial<ExchangeParts> {
  const { headers = new Headers() } = parts;
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(bytes.toString())) {
    if (!comesIn(name)) continue;
    const known = fields.get(name);
    fields.set(name, known === undefined ? value : [known, value].flat());
    addHeader(headers, name, value);
  }
  return rules.isFormBody && fields.size > 0 ? { ...parts, body: fields } : parts;
}
