import { hash } from 'node:crypto';
import { contentDisposition } from './content-disposition.js';
import { contentType } from './content-type.js';
import { type FileSource, lastModifiedDate } from './file-source.js';

/** How a file is shown. */
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
export interface FileHeaders {
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
