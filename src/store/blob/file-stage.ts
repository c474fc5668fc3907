import { constants, type Stats } from 'node:fs';
import { copyFile, type FileHandle, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ServiceError } from '../../shared/errors.js';
import { systemTime } from '../../shared/time.js';
import type { Blob, StagedBytes } from './blob-store.js';
import { onDisk } from './disk-trouble.js';
import type { Folders } from './folders.js';
import type { FileHasher } from './hash.js';

/** Where the file is, and what it is made a blob by. */
interface FileStageParts {
  readonly path: string;
  /** A folder of the same file system for files that a crash may leave. */
  readonly temporary: string;
  readonly turns: Turns;
  readonly hasher: FileHasher;
  readonly folders: Folders;
  /** What files were written as, in one piece, by their paths. */
  readonly known: KnownStages;
  /** Whether nothing is removed now. */
  readonly stays: () => Promise<boolean>;
  /** Puts a second name of the file, or a copy of it, among the blobs. */
  readonly adopt: (path: string, blob: Blob) => Promise<void>;
}

/** The bytes of staged files that are one piece, whose hash was known when it came. What is forgotten is hashed. */
export class KnownStages {
  readonly #blobs = new Map<string, Blob>();

  /** `blob`: what the file is; null: that is not known. */
  set(path: string, blob: Blob | null): void {
    this.#blobs.delete(path);
    if (blob === null) return;
    if (this.#blobs.size >= KNOWN_MAX) this.#blobs.delete(this.#blobs.keys().next().value ?? '');
    this.#blobs.set(path, blob);
  }

  sha256(path: string, size: number): string | undefined {
    const blob = this.#blobs.get(path);
    return blob?.size === size ? blob.sha256 : undefined;
  }
}

const KNOWN_MAX = 1_000;

/** Staged bytes as a file of their own. */
export class FileStage implements StagedBytes {
  readonly #parts: FileStageParts;

  constructor(parts: FileStageParts) {
    this.#parts = parts;
  }

  write(offset: number, piece: Uint8Array, sha256?: string): Promise<void> {
    return this.#inTurn(async () => {
      const { path, known } = this.#parts;
      known.set(path, null);
      await this.#write(offset, piece);
      if (offset === 0 && sha256 !== undefined) known.set(path, { sha256, size: piece.byteLength });
    });
  }

  holds(offset: number, piece: Uint8Array): Promise<boolean> {
    return this.#inTurn(() => this.#holds(offset, piece));
  }

  complete(size: number): Promise<Blob> {
    return this.#inTurn(() => this.#complete(size));
  }

  discard(): Promise<boolean> {
    return this.#inTurn(async () => {
      // A later sweep discards what somebody copies now.
      if (await this.#parts.stays()) return false;
      this.#parts.known.set(this.#parts.path, null);
      return unlink(this.#parts.path).then(
        () => true,
        (thrown: NodeJS.ErrnoException) => absent(thrown) ?? false,
      );
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return onDisk(() => this.#parts.turns.take(this.#parts.path, work));
  }

  async #write(offset: number, piece: Uint8Array): Promise<void> {
    const { path, folders } = this.#parts;
    const found = await this.#found();
    const there = found?.size ?? 0;
    if (there < offset) throw bytesMissing(path, offset, there);
    await this.#separate(found);
    const file = await folders.within(dirname(path), () => open(path, constants.O_RDWR | constants.O_CREAT));
    try {
      if (there > offset) await file.truncate(offset);
      await writeAll(file, piece, offset);
      await file.sync();
    } finally {
      await file.close();
    }
    if (found === undefined) await folders.sync(dirname(path));
  }

  async #holds(offset: number, piece: Uint8Array): Promise<boolean> {
    if (((await this.#found())?.size ?? 0) < offset + piece.byteLength) return false;
    const file = await open(this.#parts.path, 'r');
    try {
      const found = Buffer.alloc(piece.byteLength);
      const { bytesRead } = await file.read(found, 0, found.length, offset);
      return bytesRead === found.length && found.equals(piece);
    } finally {
      await file.close();
    }
  }

  async #complete(size: number): Promise<Blob> {
    const { path, hasher, known, adopt } = this.#parts;
    const found = await this.#found();
    const there = found?.size ?? 0;
    if (there < size) throw bytesMissing(path, size, there);
    if (there > size) await this.#cut(size, found);
    const blob = { sha256: known.sha256(path, size) ?? (await hasher.hash(path, size)), size };
    await adopt(path, blob);
    return blob;
  }

  async #cut(size: number, found: Found): Promise<void> {
    await this.#separate(found);
    const file = await open(this.#parts.path, 'r+');
    try {
      await file.truncate(size);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** A file that is a blob too is never changed: a copy takes its place. */
  async #separate(found: Found): Promise<void> {
    const { path, temporary, folders } = this.#parts;
    if (found === undefined || found.nlink === 1) return;
    const copy = join(temporary, systemTime.seed());
    try {
      await copyFile(path, copy);
      await rename(copy, path);
      await folders.sync(dirname(path));
    } finally {
      await rm(copy, { force: true });
    }
  }

  #found(): Promise<Found> {
    return stat(this.#parts.path).catch(absent);
  }
}

/** The file as it is; undefined: there is none. */
type Found = Pick<Stats, 'size' | 'nlink'> | undefined;

/** A write may take fewer bytes than it is given. */
async function writeAll(file: FileHandle, piece: Uint8Array, offset: number): Promise<void> {
  let written = 0;
  while (written < piece.byteLength) {
    const { bytesWritten } = await file.write(piece, written, piece.byteLength - written, offset + written);
    written += bytesWritten;
  }
}

/** A file that is not there is an answer; everything else is not. */
function absent(thrown: NodeJS.ErrnoException): undefined {
  if (thrown.code !== 'ENOENT') throw thrown;
}

const bytesMissing = (path: string, expected: number, found: number) =>
  new ServiceError('CONFLICT', `expected at least ${expected} staged bytes, but found ${found}`, {
    reason: 'staged_bytes_missing',
    resourceId: path.slice(path.lastIndexOf('/') + 1),
  });

/** Work on things with names: one after the other per name. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Resolves, or fails, as the work does, which begins when all work of the name before it has ended. */
  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(name) === turn) this.#last.delete(name);
    }
  }
}
