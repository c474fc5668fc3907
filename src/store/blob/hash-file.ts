import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { workerThread } from '../../shared/thread.js';
import type { HashMessage } from './hash-thread.js';

/** Files up to this size are hashed where they are asked for: a thread takes longer to begin. Bytes. */
const HERE_MAX = 4 * 1024 * 1024;
/** Threads that hash at once; more files wait. */
const THREADS_MAX = 2;

/** Hashes files without holding them, or the main thread. */
export class FileHasher {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** SHA-256 of the first `size` bytes of the file, 64 lower-case hex digits. `size`: as many as it has, or fewer. */
  async hash(path: string, size: number): Promise<string> {
    if (size <= HERE_MAX) return hashHere(path, size);
    while (this.#running >= THREADS_MAX) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    try {
      return await hashInThread(path, size);
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }
}

async function hashHere(path: string, size: number): Promise<string> {
  const hash = createHash('sha256');
  if (size > 0) for await (const piece of createReadStream(path, { end: size - 1 })) hash.update(piece);
  return hash.digest('hex');
}

function hashInThread(path: string, size: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const thread = workerThread(new URL('./hash-thread.js', import.meta.url), { workerData: { path, size } });
    thread.onMessage((said) => {
      const message = said as HashMessage;
      if ('sha256' in message) resolve(message.sha256);
      else reject(new Error(message.failure));
    });
    thread.onExit(reject);
  });
}
