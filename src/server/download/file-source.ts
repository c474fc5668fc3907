import type { Readable } from 'node:stream';
import type { ByteRange } from '../../store/index.js';

/** A file as it can be sent. */
export interface FileSource {
  /** As it is saved under; any text. */
  readonly name: string;
  /** As stored; what is none is sent as `application/octet-stream`. */
  readonly mimeType: string;
  /** The charset of text. Null: UTF-8. */
  readonly encoding: string | null;
  /** bytes */
  readonly size: number;
  /** ms */
  readonly lastModified: number;
  /** Its entity tag without quotes, another one whenever the bytes are other ones. Default: `lastModified` in digits. */
  readonly etag?: string;
  /** Whether shared caches may keep it: guests may read it. Default: true where guests may ask at all. */
  readonly isPublic?: boolean;
  /** The bytes, ends included; fails as the stream does. Called at most once. */
  open(range: ByteRange): Readable;
}

/** The value of its header `ETag`: a strong validator (RFC 9110 §8.8.3). */
export const entityTag = ({ etag, lastModified }: Pick<FileSource, 'etag' | 'lastModified'>): string =>
  `"${etag ?? lastModified}"`;

/** The value of its header `Last-Modified` (RFC 9110 §8.8.2): whole seconds. */
export const lastModifiedDate = ({ lastModified }: Pick<FileSource, 'lastModified'>): string =>
  new Date(lastModified).toUTCString();
