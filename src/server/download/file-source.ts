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
  /** Another one whenever the bytes are other ones. */
  readonly etag: string;
  /** Whether guests may read it. */
  readonly isPublic: boolean;
  /** The bytes, ends included; fails as the stream does. Called at most once. */
  open(range: ByteRange): Readable;
}

/** The value of its header `Last-Modified` (RFC 9110 §8.8.2): whole seconds. */
export const lastModifiedDate = ({ lastModified }: Pick<FileSource, 'lastModified'>): string =>
  new Date(lastModified).toUTCString();
