import { createHash } from 'node:crypto';
import { close, createReadStream, fstat, open as openFile, read } from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { ServiceError } from '../../shared/errors.js';
import type { Blob, ByteRange } from './blob-store.js';
import { diskTrouble } from './disk-trouble.js';

/** Blobs up to this size are compared with their name before the first byte goes out. Bytes. */
export const SMALL_BYTES = 1024 * 1024;

/** A blob that is not what its name says, or is again. */
export interface BlobDamage {
  readonly sha256: string;
  /** `is missing`, `has 3 bytes of 5`. Null: it was written anew, and is whole. */
  readonly problem: string | null;
}

/** The way out of all blobs: none leaves that is known not to be what was written. */
export class BlobReader {
  readonly #tell: (damage: BlobDamage) => void;
  /** What is wrong with those that a look through them found bad. */
  readonly #bad = new Map<string, string>();

  /** `tell` is called each time that damage is met with. */
  constructor(tell: (damage: BlobDamage) => void) {
    this.#tell = tell;
  }

  /** The bytes of the file; the stream fails with DATA_DAMAGED, UNAVAILABLE. */
  open(path: string, blob: Blob, { start, end = Number.POSITIVE_INFINITY }: ByteRange): Readable {
    const last = Math.min(end, blob.size - 1);
    if (start > last || blob.size <= SMALL_BYTES) return this.#part(path, blob, [start, last + 1]);
    const refused = (error: NodeJS.ErrnoException) => this.#refusal(blob, error);
    return createReadStream(path, {
      start,
      end: last,
      fs: {
        open: (name: string, flags: string, mode: number, done: OpenDone) =>
          openFile(name, flags, mode, (error, file) => {
            if (error !== null) return done(refused(error));
            fstat(file, (failed, stats) => {
              const problem = this.#bad.get(blob.sha256) ?? wrongSize(blob, stats?.size);
              if (failed === null && problem === undefined) return done(null, file);
              close(file, () => done(problem === undefined ? refused(failed as Error) : this.#damaged(blob, problem)));
            });
          }),
        read: (file: number, into: Buffer, offset: number, length: number, position: number, done: ReadDone) =>
          read(file, into, offset, length, position, (error, bytes, buffer) => {
            if (error !== null) return done(refused(error));
            // It was cut while it was read: whoever waits for the rest must not wait for ever.
            if (bytes === 0) return done(this.#damaged(blob, 'was cut'));
            done(null, bytes, buffer);
          }),
        close,
      },
    });
  }

  /** All of the file. @throws DATA_DAMAGED, UNAVAILABLE */
  async whole(path: string, blob: Blob): Promise<Buffer> {
    const found = await readWhole(path, blob.size).catch((thrown: unknown) => {
      throw this.#refusal(blob, thrown);
    });
    const problem = this.#bad.get(blob.sha256) ?? wrongSize(blob, found.size) ?? wrongHash(blob, found.bytes);
    if (problem !== undefined) throw this.#damaged(blob, problem);
    return found.bytes;
  }

  /** A blob was found bad: it is not given out any more. */
  found(sha256: string, problem: string): void {
    this.#bad.set(sha256, problem);
    this.#tell({ sha256, problem });
  }

  /** It was written anew. */
  mended(sha256: string): void {
    this.#bad.delete(sha256);
    this.#tell({ sha256, problem: null });
  }

  isBad(sha256: string): boolean {
    return this.#bad.has(sha256);
  }

  #part(path: string, blob: Blob, [from, to]: readonly [number, number]): Readable {
    const stream = new Readable({
      read: () =>
        void this.whole(path, blob).then(
          (bytes) => {
            if (from < to) stream.push(bytes.subarray(from, to));
            stream.push(null);
          },
          (thrown: Error) => stream.destroy(thrown),
        ),
    });
    return stream;
  }

  #refusal(blob: Blob, thrown: unknown): Error {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return this.#damaged(blob, 'is missing');
    return diskTrouble(thrown) ?? (thrown as Error);
  }

  #damaged({ sha256 }: Blob, problem: string): ServiceError {
    this.#tell({ sha256, problem });
    return new ServiceError('DATA_DAMAGED', `blob '${sha256}' ${problem}`, {
      reason: problem === 'is missing' ? 'blob_missing' : 'blob_damaged',
      resourceId: sha256,
      details: { what: 'blob' },
    });
  }
}

type OpenDone = (error: Error | null, file?: number) => void;
type ReadDone = (error: Error | null, bytes?: number, buffer?: Buffer) => void;

const wrongHash = ({ sha256, size }: Blob, bytes: Uint8Array): string | undefined =>
  size > SMALL_BYTES || createHash('sha256').update(bytes).digest('hex') === sha256 ? undefined : OTHER_BYTES;

/** The finding about a blob whose bytes have another hash than its name. */
export const OTHER_BYTES = 'holds other bytes than were written';

const wrongSize = (blob: Blob, found: number | undefined): string | undefined =>
  found === undefined || found === blob.size ? undefined : `has ${found} bytes of ${blob.size}`;

/** The file's size, and its bytes if that is the one wanted. */
async function readWhole(path: string, wanted: number): Promise<{ readonly size: number; readonly bytes: Buffer }> {
  const file = await opened(path, 'r');
  try {
    const { size } = await statsOf(file);
    if (size !== wanted) return { size, bytes: Buffer.alloc(0) };
    const bytes = Buffer.allocUnsafe(wanted);
    for (let at = 0; at < wanted; ) {
      const { bytesRead } = await readInto(file, bytes, at, wanted - at, at);
      if (bytesRead === 0) return { size: at, bytes: bytes.subarray(0, at) };
      at += bytesRead;
    }
    return { size, bytes };
  } finally {
    await closed(file);
  }
}

// They take less time than file handles do.
const opened = promisify(openFile);
const statsOf = promisify(fstat);
const readInto = promisify(read);
const closed = promisify(close);
