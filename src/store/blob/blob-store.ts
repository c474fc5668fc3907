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

/** Sum of a sweep: how many blobs it removed, and their bytes. */
export interface Swept {
  readonly blobs: number;
  readonly bytes: number;
}

/**
 * Bytes that gather to become a blob: piece by piece, over days and restarts of the server. Calls are done one after the other. How much of it
 * counts is for whoever stages to remember: what a crash left behind that is cut off.
 */
export interface StagedBytes {
  /**
   * Writes the piece at `offset` (bytes); whatever was behind `offset` is gone. Durable when it resolves; repeating it is harmless. `sha256`: of
   * the piece, where it is known: a blob of this one piece need not be hashed again. @throws CONFLICT fewer than `offset` bytes are there
   */
  write(offset: number, piece: Uint8Array, sha256?: string): Promise<void>;
  /** Whether the piece is there, at `offset`. */
  holds(offset: number, piece: Uint8Array): Promise<boolean>;
  /**
   * Makes the first `size` bytes a blob; what is behind them is gone. Durable when it resolves, so a commit may name it. The staged bytes stay,
   * so that it can be repeated. @throws CONFLICT fewer than `size` bytes are there
   */
  complete(size: number): Promise<Blob>;
  /** Removes them. False: there were none, or they stay for now, as somebody copies them. */
  discard(): Promise<boolean>;
}

/**
 * Large binary values, named by their content. Nothing counts who holds a blob: documents name it, and a sweep removes what none of them names.
 * A name that is not a SHA-256 is BAD_REQUEST everywhere, what the disk does not do is UNAVAILABLE.
 */
export interface BlobStore {
  /**
   * Stores the bytes. When it resolves they survive a power cut, so a commit may name them; repeating it is harmless.
   * @throws LIMIT_EXCEEDED more than `sizeMax`; whatever the source throws. Nothing is left behind then.
   */
  write(source: AsyncIterable<Uint8Array> | Uint8Array, options?: WriteOptions): Promise<Blob>;
  /**
   * The bytes as they are read. The stream fails with DATA_DAMAGED when the blob is missing, has another size, or is known to hold other bytes
   * than were written: of one of up to 1 MiB that is found out before the first byte.
   */
  open(blob: Blob, range?: ByteRange): Readable;
  has(sha256: string): Promise<boolean>;
  /** In bytes. @throws NOT_FOUND */
  size(sha256: string): Promise<number>;
  /** The whole blob as UTF-8. @throws DATA_DAMAGED as `open`; LIMIT_EXCEEDED when it is larger than 16 MB */
  readText(blob: Blob): Promise<string>;
  /** Makes it count as written now, as one must before another document names a blob that only others held so far. False: there is none. */
  touch(sha256: string): Promise<boolean>;
  /** Staged bytes by the id of a partition, and an id of their own: letters, digits and `-`. @throws BAD_REQUEST for other ids */
  stage(partition: string, id: string): StagedBytes;
  /** The ids of a partition's staged bytes. */
  staged(partition: string): Promise<string[]>;
  /** False: there was none. */
  remove(sha256: string): Promise<boolean>;
  /** Removes what is not `held` and was not written (again) for `olderThanMs`. */
  sweep(held: (sha256: string) => boolean, olderThanMs: number): Promise<Swept>;
}
