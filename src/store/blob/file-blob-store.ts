import { createHash, randomUUID } from 'node:crypto';
import { close, constants, createReadStream, open as openFile, read } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { badRequest, limitExceeded, ServiceError } from '../../shared/errors.js';
import type { Blob, BlobStore, ByteRange, Swept, WriteOptions } from './blob-store.js';

const TEXT_BYTES_MAX = 16 * 1024 * 1024;
const SHA256 = /^[0-9a-f]{64}$/;
const TWO_DIGITS = /^[0-9a-f]{2}$/;

/** Blobs as files: `ab/cd/abcd…`, written to `temporary/` first. */
export class FileBlobStore implements BlobStore {
  readonly #folder: string;
  readonly #temporary: string;
  /** What is being put in its place, or swept, now: one after the other per blob. */
  readonly #turns = new Map<string, Promise<unknown>>();

  /** Opens the store in a folder of its own, which no other process may have open, and clears what a dead one left unfinished. */
  static async open(folder: string): Promise<FileBlobStore> {
    const store = new FileBlobStore(folder);
    await rm(store.#temporary, { recursive: true, force: true });
    await mkdir(store.#temporary, { recursive: true });
    await syncFolder(folder);
    return store;
  }

  private constructor(folder: string) {
    this.#folder = folder;
    this.#temporary = join(folder, 'temporary');
  }

  async write(source: AsyncIterable<Uint8Array> | Uint8Array, options: WriteOptions = {}): Promise<Blob> {
    const temporary = join(this.#temporary, randomUUID());
    const file = await open(temporary, 'wx');
    try {
      const blob = await copy(source, file, options.sizeMax ?? Number.POSITIVE_INFINITY);
      await file.close();
      await this.#inTurn(blob.sha256, () => this.#place(temporary, blob));
      return blob;
    } finally {
      await file.close().catch(() => {}); // closed already, or as good as that
      await rm(temporary, { force: true });
    }
  }

  open(sha256: string, range?: ByteRange): Readable {
    const { start = 0, end = Number.POSITIVE_INFINITY } = range ?? {};
    const isRange = Number.isSafeInteger(start) && start >= 0 && end >= start;
    if (!isRange) throw badRequest(`expected a range of bytes, but found ${start} to ${end}`);
    return createReadStream(this.#path(sha256), { start, end, fs: { open: openBlob(sha256), read, close } });
  }

  async has(sha256: string): Promise<boolean> {
    return (await sizeOf(this.#path(sha256))) !== undefined;
  }

  async size(sha256: string): Promise<number> {
    const size = await sizeOf(this.#path(sha256));
    if (size === undefined) throw noBlob(sha256);
    return size;
  }

  async readText(sha256: string): Promise<string> {
    const size = await this.size(sha256);
    if (size > TEXT_BYTES_MAX) {
      throw limitExceeded(`expected a text of at most ${TEXT_BYTES_MAX} bytes, but blob '${sha256}' has ${size}`);
    }
    return readFile(this.#path(sha256), 'utf8');
  }

  async remove(sha256: string): Promise<boolean> {
    const path = this.#path(sha256);
    return this.#inTurn(sha256, async () => (await sizeOf(path)) !== undefined && (await removed(path)));
  }

  async sweep(held: (sha256: string) => boolean, olderThanMs: number): Promise<Swept> {
    const before = Date.now() - olderThanMs;
    let blobs = 0;
    let bytes = 0;
    for await (const sha256 of this.#names()) {
      if (held(sha256)) continue;
      const size = await this.#inTurn(sha256, () => this.#sweepOne(sha256, held, before));
      if (size === undefined) continue;
      blobs++;
      bytes += size;
    }
    return { blobs, bytes };
  }

  /** The size of what was removed. */
  async #sweepOne(sha256: string, held: (sha256: string) => boolean, before: number): Promise<number | undefined> {
    const path = this.#path(sha256);
    const found = await stat(path).catch(notThere);
    // Asked again in its turn: it may have been written, and named, meanwhile.
    if (found === undefined || found.mtimeMs >= before || held(sha256)) return undefined;
    return (await removed(path)) ? found.size : undefined;
  }

  async *#names(): AsyncIterable<string> {
    for (const first of await readdir(this.#folder)) {
      if (!TWO_DIGITS.test(first)) continue;
      for (const second of await readdir(join(this.#folder, first))) {
        for (const name of await readdir(join(this.#folder, first, second))) if (SHA256.test(name)) yield name;
      }
    }
  }

  /** Puts a complete file in its place. One that is there already is the same; it is touched, so that a sweep leaves it alone. */
  async #place(temporary: string, { sha256 }: Blob): Promise<void> {
    const path = this.#path(sha256);
    const folder = dirname(path);
    if ((await sizeOf(path)) !== undefined) {
      const now = new Date();
      await utimes(path, now, now);
    } else {
      const made = await mkdir(folder, { recursive: true });
      await rename(temporary, path);
      // A new folder is an entry of the one above it.
      if (made !== undefined) for (const above of [dirname(folder), this.#folder]) await syncFolder(above);
    }
    await syncFolder(folder);
  }

  async #inTurn<T>(sha256: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(sha256) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#turns.set(sha256, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(sha256) === turn) this.#turns.delete(sha256);
    }
  }

  #path(sha256: string): string {
    if (!SHA256.test(sha256)) throw badRequest('expected the name of a blob: 64 lower-case hexadecimal digits');
    return join(this.#folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  }
}

/** Copies and hashes, a chunk at a time, and makes the file's content durable. */
async function copy(source: AsyncIterable<Uint8Array> | Uint8Array, file: FileHandle, sizeMax: number): Promise<Blob> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of source instanceof Uint8Array ? [source] : source) {
    size += chunk.byteLength;
    if (size > sizeMax) throw limitExceeded(`expected at most ${sizeMax} bytes, but there are more`);
    hash.update(chunk);
    await file.writeFile(chunk);
  }
  await file.sync();
  return { sha256: hash.digest('hex'), size };
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const sizeOf = async (path: string): Promise<number | undefined> => (await stat(path).catch(notThere))?.size;

/** A file that is not there is an answer; everything else is not. */
function notThere(thrown: NodeJS.ErrnoException): undefined {
  if (thrown.code !== 'ENOENT') throw thrown;
}

const removed = (path: string): Promise<boolean> =>
  unlink(path).then(
    () => true,
    (thrown) => notThere(thrown) ?? false,
  );

const noBlob = (sha256: string) =>
  new ServiceError('NOT_FOUND', `expected a blob '${sha256}', but there is none`, { resourceId: sha256 });

/** Opens a file for a stream, which then fails with the refusal instead of the system's error. */
function openBlob(sha256: string) {
  return (path: string, flags: string, mode: number, done: (error: Error | null, file?: number) => void) =>
    openFile(path, flags, mode, (error, file) => done(error?.code === 'ENOENT' ? noBlob(sha256) : error, file));
}
