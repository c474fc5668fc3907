import { hash } from 'node:crypto';
import { type FileSource, lastModifiedDate } from './file-access.js';

/** Headers of an answer with a file that follow from the route, not from the file. */
export interface Showing {
  /** The header `Cache-Control`. */
  readonly cacheControl: string;
  /** Default: the file's own. */
  readonly mimeType?: string;
  /** Default: no header `Content-Disposition`. */
  readonly disposition?: 'inline' | 'attachment';
  /** The header `Content-Security-Policy`. Default: the server's own. */
  readonly contentSecurityPolicy?: string | undefined;
  /** Whether pages of every site, and those without an origin, may read it. Default: false. */
  readonly isShared?: boolean;
}

/** Headers of an answer, by their names. */
export type Headers = Readonly<Record<string, string | number>>;

/** The headers that say what a file is and what may be done with it, and its entity tag, in quotes. */
interface FileHeaders {
  readonly headers: Headers;
  readonly etag: string;
}

/**
 * All that is said of a file, whatever status its answer has: browsers replace what they keep of a page by the headers of a 304 (RFC 9111
 * §3.2), so those must be the ones of its 200 (RFC 9110 §15.4.5). As some of them keep a few of the old headers, the entity tag names the
 * headers, too: what is shown in another way than before is sent anew.
 */
export function fileHeaders(file: FileSource, showing: Showing): FileHeaders {
  const { cacheControl, mimeType = file.mimeType, disposition, contentSecurityPolicy, isShared = false } = showing;
  const headers = {
    'Cache-Control': cacheControl,
    'Last-Modified': lastModifiedDate(file),
    'Content-Type': contentType(mimeType, file.encoding),
    'Accept-Ranges': 'bytes',
    'X-Content-Type-Options': 'nosniff',
    ...(disposition && { 'Content-Disposition': contentDisposition(disposition, file.name) }),
    ...(contentSecurityPolicy !== undefined && { 'Content-Security-Policy': contentSecurityPolicy }),
    ...(isShared && SHARED),
  };
  const fingerprint = hash('sha256', JSON.stringify([file.etag, headers]), 'hex').slice(0, 16);
  const etag = `"${file.lastModified}-${fingerprint}"`;
  return { headers: { ETag: etag, ...headers }, etag };
}

/** Without credentials: what is shown so is what anybody may read. */
export const SHARED: Headers = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };

/**
 * The header `Content-Disposition` (RFC 6266): the name in UTF-8 (RFC 8187), and an ASCII one for those who do not know that. Both parts are
 * free of whatever could end them, so that no name can add a header or a parameter.
 */
export function contentDisposition(type: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%/]/gu, '_');
  return `${type}; filename="${ascii}"; filename*=UTF-8''${extendedValue(name)}`;
}

const ATTRIBUTE_CHARACTER = /[A-Za-z0-9!#$&+.^_`|~-]/;

/** RFC 8187 §3.2.1; what is no character becomes U+FFFD. */
function extendedValue(text: string): string {
  let value = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const character = String.fromCharCode(byte);
    value += ATTRIBUTE_CHARACTER.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return value;
}

/** What documents may do that lie in the tree: values of the header `Content-Security-Policy`. */

/** On the server's own origin, and harmless or trusted: only others' pages may not frame it. */
export const OWN_PAGE = "frame-ancestors 'self'";

/**
 * Whoever may write it must not act for whoever looks at it: it may run, but in an origin that nobody else has, from which it reaches neither
 * what the browser keeps of the server's origin nor the API. Never `allow-same-origin`: that would undo it.
 */
export const SANDBOXED_PAGE = `sandbox allow-scripts allow-forms allow-popups allow-downloads; ${OWN_PAGE}`;

/** The policy of a file that is only looked at: nothing of it runs. */
export const SHOWN_FILE = 'sandbox';

/** On the origin of content, where there is nothing to take: pages of the server's own origin may frame it, too. */
export const contentOriginPage = (baseUrl: string): string => `${OWN_PAGE} ${baseUrl}`;

const TOKEN = "[\\w!#$&^.+'*`|~-]+";
const MIME_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})\\s*((?:;\\s*${TOKEN}=(?:${TOKEN}|"[^"\\\\\\r\\n]*")\\s*)*)$`);
const CHARSET = /^[A-Za-z][\w.:+-]{0,39}$/;

/** The header `Content-Type` of a stored MIME type: text has a charset. What is no MIME type is sent as bytes without meaning. */
export function contentType(mimeType: string, encoding: string | null): string {
  const [, type, parameters = ''] = MIME_TYPE.exec(mimeType.trim()) ?? [];
  if (type === undefined) return 'application/octet-stream';
  if (!/^text\//i.test(type) || /;\s*charset=/i.test(parameters)) return `${type}${parameters}`;
  const charset = encoding !== null && CHARSET.test(encoding) ? encoding : 'UTF-8';
  return `${type}${parameters}; charset=${charset}`;
}

/** What browsers show without running anything of it in the page's origin. They have readers of their own for PDF. */
const INERT = new RegExp(
  `^(?:${[
    'text/(?:plain|css|csv|javascript|markdown|tab-separated-values|vtt)',
    'image/(?:apng|avif|bmp|gif|heic|heif|jpeg|jxl|png|tiff|webp|x-icon|vnd\\.microsoft\\.icon)',
    '(?:audio|video|font)/[\\w.-]+',
    'application/(?:json|[\\w.-]+\\+json|javascript|ogg|pdf|wasm|font-woff|vnd\\.apple\\.mpegurl)',
  ].join('|')})\\s*(?:;\\s*[\\w-]+=[\\w.:+-]+\\s*)*$`,
  'i',
);

/**
 * Whether browsers may run what a document of this `Content-Type` brings: HTML, SVG, XML, which may hold either, several documents in one
 * (`multipart/…`), and whatever else is not known to be harmless.
 */
export const isActive = (type: string): boolean => !INERT.test(type);
