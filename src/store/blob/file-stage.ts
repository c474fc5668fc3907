import { constants } from 'node:fs';
import { copyFile, type FileHandle, mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ServiceError } from '../../shared/errors.js';
import { systemTime } from '../../shared/time.js';
import type { Blob, StagedBytes } from './blob-store.js';
import { onDisk } from './disk-trouble.js';
import type { FileHasher } from './hash-file.js';
import { syncFolder } from './sync-folder.js';
import type { Turns } from './turns.js';

/** Where the file is, and what it is made a blob by. */
export interface FileStageParts {
  readonly path: string;
  /** A folder of the same file system for files that a crash may leave. */
  readonly temporary: string;
  readonly turns: Turns;
  readonly hasher: FileHasher;
  /** Whether nothing is removed now. */
  readonly stays: () => Promise<boolean>;
  /** Puts a second name of the file, or a copy of it, among the blobs. */
  readonly adopt: (path: string, blob: Blob) => Promise<void>;
}

/** Staged bytes as a file of their own. */
export class FileStage implements StagedBytes {
  readonly #parts: FileStageParts;

  constructor(parts: FileStageParts) {
    this.#parts = parts;
  }

  write(offset: number, piece: Uint8Array): Promise<void> {
    return this.#inTurn(() => this.#write(offset, piece));
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
    const { path } = this.#parts;
    const there = await this.#size();
    if ((there ?? 0) < offset) throw bytesMissing(path, offset, there ?? 0);
    if (there === undefined) await mkdir(dirname(path), { recursive: true });
    await this.#separate();
    const file = await open(path, constants.O_RDWR | constants.O_CREAT);
    try {
      if ((there ?? 0) > offset) await file.truncate(offset);
      await writeAll(file, piece, offset);
      await file.sync();
    } finally {
      await file.close();
    }
    if (there === undefined) for (const folder of [dirname(path), dirname(dirname(path))]) await syncFolder(folder);
  }

  async #holds(offset: number, piece: Uint8Array): Promise<boolean> {
    if (((await this.#size()) ?? 0) < offset + piece.byteLength) return false;
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
    const { path, hasher, adopt } = this.#parts;
    const there = (await this.#size()) ?? 0;
    if (there < size) throw bytesMissing(path, size, there);
    if (there > size) await this.#cut(size);
    const blob = { sha256: await hasher.hash(path, size), size };
    await adopt(path, blob);
    return blob;
  }

  async #cut(size: number): Promise<void> {
    await this.#separate();
    const file = await open(this.#parts.path, 'r+');
    try {
      await file.truncate(size);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** A file that is a blob too is never changed: a copy takes its place. */
  async #separate(): Promise<void> {
    const { path, temporary } = this.#parts;
    const found = await stat(path).catch(absent);
    if (found === undefined || found.nlink === 1) return;
    const copy = join(temporary, systemTime.seed());
    try {
      await copyFile(path, copy);
      await rename(copy, path);
      await syncFolder(dirname(path));
    } finally {
      await rm(copy, { force: true });
    }
  }

  async #size(): Promise<number | undefined> {
    return (await stat(this.#parts.path).catch(absent))?.size;
  }
}

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
