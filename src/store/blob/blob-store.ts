import type { Readable } from 'node:stream';

/** Bytes of a blob, ends included, as in HTTP's Range (RFC 9110 §14.1.2). */
export interface ByteRange {
  readonly start: number;
  /** Default: the last byte. */
  readonly end?: number;
}

export interface Blob {
  /** SHA-256 of its bytes, 64 lower-case hex digits: its name. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

export interface WriteOptions {
  /** Default: no limit. */
  readonly sizeMax?: number;
}

/** What a sweep removed. */
export interface Swept {
  readonly blobs: number;
  readonly bytes: number;
}

/**
 * Large binary values, named by their content. Nothing counts who holds a blob: documents name it, and a sweep removes what none of them names.
 * A name that is not a SHA-256 is BAD_REQUEST everywhere.
 */
export interface BlobStore {
  /**
   * Stores the bytes. When it resolves they survive a power cut, so a commit may name them; repeating it is harmless.
   * @throws LIMIT_EXCEEDED more than `sizeMax`; whatever the source throws. Nothing is left behind then.
   */
  write(source: AsyncIterable<Uint8Array> | Uint8Array, options?: WriteOptions): Promise<Blob>;
  /** The bytes as they are read; the stream fails with NOT_FOUND when there is no such blob. */
  open(sha256: string, range?: ByteRange): Readable;
  has(sha256: string): Promise<boolean>;
  /** In bytes. @throws NOT_FOUND */
  size(sha256: string): Promise<number>;
  /** The whole blob as UTF-8. @throws NOT_FOUND; LIMIT_EXCEEDED when it is larger than 16 MB */
  readText(sha256: string): Promise<string>;
  /** False: there was none. */
  remove(sha256: string): Promise<boolean>;
  /** Removes what is not `held` and was not written (again) for `olderThanMs`. */
  sweep(held: (sha256: string) => boolean, olderThanMs: number): Promise<Swept>;
}
