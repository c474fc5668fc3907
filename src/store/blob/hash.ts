import { createHash, webcrypto } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Thread, workerThread } from '../../shared/thread.js';
import type { ThreadService } from '../../shared/thread-service.js';

/** Bytes up to this many are hashed where they are asked for: to hand them to a thread takes as long. */
const BYTES_HERE_MAX = 65_536;

/** SHA-256 of the bytes, 64 lower-case hex digits. Many of them are hashed by a thread of Node's, as the main one would stand still for 1 ms per MB. */
export async function hashBytes(bytes: Uint8Array): Promise<string> {
  if (bytes.byteLength <= BYTES_HERE_MAX) return createHash('sha256').update(bytes).digest('hex');
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

/** Files up to this size are hashed where they are asked for: a thread takes longer to begin. Bytes. */
const FILE_HERE_MAX = 4 * 1024 * 1024;
/** Threads that hash at once; more files wait. */
const THREADS_MAX = 2;
/** How many bytes are read and hashed at a time, here and in a thread. */
const PIECE_HERE_BYTES = 64 * 1024;
const PIECE_BYTES = 1024 * 1024;

interface HashedFile {
  readonly path: string;
  /** As many bytes as it has, or fewer. */
  readonly size: number;
}

/** Hashes files without holding them, or the main thread. */
export class FileHasher {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** SHA-256 of the first `size` bytes of the file, 64 lower-case hex digits. `size`: as many as it has, or fewer. */
  async hash(path: string, size: number): Promise<string> {
    if (size === 0) return createHash('sha256').digest('hex');
    if (size <= FILE_HERE_MAX) return hashFile({ path, size }, PIECE_HERE_BYTES);
    while (this.#running >= THREADS_MAX) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    try {
      return await hashInThread({ path, size });
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }
}

async function hashInThread(file: HashedFile): Promise<string> {
  const thread = new Thread<HashedFile, string>(workerThread(new URL(import.meta.url)));
  try {
    return await thread.ask(file);
  } finally {
    thread.end();
  }
}

/** The thread that hashes one file. */
export const inThread = (): ThreadService<HashedFile, string> => ({
  answer: (file) => hashFile(file, PIECE_BYTES),
});

async function hashFile({ path, size }: HashedFile, highWaterMark: number): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { end: size - 1, highWaterMark }), hash);
  return hash.digest('hex');
}
