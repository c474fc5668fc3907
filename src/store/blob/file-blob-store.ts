import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { badRequest, limitExceeded, ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { systemTime } from '../../shared/time.js';
import { syncFolder } from '../data-folder.js';
import { type BlobDamage, BlobReader, SMALL_BYTES } from './blob-reader.js';
import type { Blob, BlobStore, ByteRange, StagedBytes, Swept, WriteOptions } from './blob-store.js';
import { onDisk } from './disk-trouble.js';
import { FileStage, KnownStages, Turns } from './file-stage.js';
import { Folders } from './folders.js';
import { FileHasher, hashBytes } from './hash.js';
import { isHeld } from './hold.js';

const TEXT_BYTES_MAX = 16 * 1024 * 1024;
const SHA256 = /^[0-9a-f]{64}$/;
const TWO_DIGITS = /^[0-9a-f]{2}$/;
const STAGE_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Blobs as files: `ab/cd/abcd…`, written to `temporary/` first, or piece by piece to `staging/<partition>/<id>`. */
export class FileBlobStore implements BlobStore {
  readonly #folder: string;
  readonly #temporary: string;
  readonly #staging: string;
  readonly #hasher = new FileHasher();
  readonly #reader: BlobReader;
  /** What is being put in its place, or swept, now: one after the other per blob, or staged file. */
  readonly #turns = new Turns();
  readonly #folders = new Folders();
  readonly #known = new KnownStages();

  /**
   * Opens the store in a folder of its own, which no other process may have open, and clears what a dead one left unfinished. `tell` is called
   * whenever a damaged blob is met with.
   */
  static async open(folder: string, tell: (damage: BlobDamage) => void = () => {}): Promise<FileBlobStore> {
    const store = new FileBlobStore(folder, tell);
    await rm(store.#temporary, { recursive: true, force: true });
    for (const part of [store.#temporary, store.#staging]) await mkdir(part, { recursive: true });
    await syncFolder(folder);
    return store;
  }

  private constructor(folder: string, tell: (damage: BlobDamage) => void) {
    this.#folder = folder;
    this.#reader = new BlobReader(tell);
    this.#temporary = join(folder, 'temporary');
    this.#staging = join(folder, 'staging');
  }

  write(source: AsyncIterable<Uint8Array> | Uint8Array, options: WriteOptions = {}): Promise<Blob> {
    return onDisk(() => this.#write(source, options));
  }

  async #write(source: AsyncIterable<Uint8Array> | Uint8Array, options: WriteOptions): Promise<Blob> {
    const temporary = join(this.#temporary, systemTime.seed());
    const file = await open(temporary, 'wx');
    try {
      const blob = await copy(source, file, options.sizeMax ?? Number.POSITIVE_INFINITY);
      await file.close();
      await this.#turns.take(blob.sha256, () => this.#place(temporary, blob, rename));
      return blob;
    } finally {
      await file.close().catch(() => {}); // closed already, or as good as that
      await rm(temporary, { force: true });
    }
  }

  open(blob: Blob, range: ByteRange = { start: 0 }): Readable {
    const { start, end = Number.POSITIVE_INFINITY } = range;
    const isRange = Number.isSafeInteger(start) && start >= 0 && end >= start;
    if (!isRange) throw badRequest(`expected a range of bytes, but found ${start} to ${end}`);
    return this.#reader.open(this.#path(blob.sha256), blob, range);
  }

  async has(sha256: string): Promise<boolean> {
    const path = this.#path(sha256);
    return (await onDisk(() => sizeOf(path))) !== undefined;
  }

  async size(sha256: string): Promise<number> {
    const path = this.#path(sha256);
    const size = await onDisk(() => sizeOf(path));
    if (size === undefined) throw noBlob(sha256);
    return size;
  }

  async readText(blob: Blob): Promise<string> {
    const { sha256, size } = blob;
    if (size > TEXT_BYTES_MAX) {
      throw limitExceeded(`expected a text of at most ${TEXT_BYTES_MAX} bytes, but blob '${sha256}' has ${size}`);
    }
    return (await this.#reader.whole(this.#path(sha256), blob)).toString('utf8');
  }

  async touch(sha256: string): Promise<boolean> {
    const path = this.#path(sha256);
    return onDisk(() => this.#turns.take(sha256, () => touched(path)));
  }

  /** It was found damaged: it is not given out any more, until its bytes are written again. */
  distrust(sha256: string, problem: string): void {
    this.#reader.found(sha256, problem);
  }

  stage(partition: string, id: string): StagedBytes {
    const path = join(this.#stagingOf(partition), stageId(id));
    return new FileStage({
      path,
      temporary: this.#temporary,
      turns: this.#turns,
      hasher: this.#hasher,
      folders: this.#folders,
      known: this.#known,
      adopt: (from, blob) => this.#adopt(from, blob),
      stays: () => isHeld(this.#folder),
    });
  }

  async staged(partition: string): Promise<string[]> {
    const folder = this.#stagingOf(partition);
    return (await onDisk(() => readdir(folder).catch(notThere))) ?? [];
  }

  async remove(sha256: string): Promise<boolean> {
    const path = this.#path(sha256);
    return this.#turns.take(sha256, async () => (await sizeOf(path)) !== undefined && (await removed(path)));
  }

  async sweep(held: (sha256: string) => boolean, olderThanMs: number): Promise<Swept> {
    const before = systemTime.now() - olderThanMs;
    let blobs = 0;
    let bytes = 0;
    for await (const sha256 of this.#names()) {
      if (held(sha256)) continue;
      const size = await this.#turns.take(sha256, () => this.#sweepOne(sha256, held, before));
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
    if (found === undefined || found.mtimeMs >= before || held(sha256) || (await isHeld(this.#folder)))
      return undefined;
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

  /** Makes a durable file a blob too; it stays where it is. */
  async #adopt(from: string, blob: Blob): Promise<void> {
    try {
      await this.#turns.take(blob.sha256, () => this.#place(from, blob, link));
    } catch (thrown) {
      // Not every file system gives a file two names.
      if (!NO_LINKS.has((thrown as NodeJS.ErrnoException).code ?? '')) throw thrown;
      await this.write(createReadStream(from));
    }
  }

  /** Puts a complete file in its place. One that is there already is the same, unless it was damaged; it is touched, so that a sweep leaves it alone. */
  async #place(from: string, blob: Blob, move: typeof rename): Promise<void> {
    const path = this.#path(blob.sha256);
    const folder = dirname(path);
    if (!(await touched(path))) {
      await this.#folders.within(folder, () => move(from, path));
      // What gets a second name may have been written long ago.
      if (move === link) await touched(path);
      if (this.#reader.isBad(blob.sha256)) this.#reader.mended(blob.sha256);
    } else if (!(await this.#isWhole(path, blob))) await this.#mend(from, blob, move);
    await this.#folders.sync(folder);
  }

  /** Whether the file is the blob, as far as that costs little to know. */
  async #isWhole(path: string, blob: Blob): Promise<boolean> {
    const { sha256, size } = blob;
    if (this.#reader.isBad(sha256) || (await sizeOf(path)) !== size) return false;
    return size > SMALL_BYTES || (await this.#hasher.hash(path, size)) === sha256;
  }

  async #mend(from: string, { sha256 }: Blob, move: typeof rename): Promise<void> {
    const path = this.#path(sha256);
    // What has the name is replaced as a whole: by a link, too, which takes no name that is taken.
    const whole = join(this.#temporary, systemTime.seed());
    await move(from, whole);
    await rename(whole, path);
    await touched(path);
    this.#reader.mended(sha256);
    log.warn({ sha256 }, 'a damaged blob was written anew, and is whole again');
  }

  #stagingOf(partition: string): string {
    return join(this.#staging, stageId(partition));
  }

  #path(sha256: string): string {
    if (!SHA256.test(sha256)) throw badRequest('expected the name of a blob: 64 lower-case hexadecimal digits');
    return join(this.#folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  }
}

/** Copies and hashes, and makes the file's content durable. */
function copy(source: AsyncIterable<Uint8Array> | Uint8Array, file: FileHandle, sizeMax: number): Promise<Blob> {
  return source instanceof Uint8Array ? copyWhole(source, file, sizeMax) : copyChunks(source, file, sizeMax);
}

async function copyWhole(bytes: Uint8Array, file: FileHandle, sizeMax: number): Promise<Blob> {
  const size = bytes.byteLength;
  if (size > sizeMax) throw tooManyBytes(sizeMax);
  const written = file.writeFile(bytes).then(() => file.sync());
  // Both have ended when one fails: the file is closed then.
  const [hashed] = await Promise.allSettled([hashBytes(bytes), written]);
  await written;
  if (hashed.status === 'rejected') throw hashed.reason;
  return { sha256: hashed.value, size };
}

async function copyChunks(source: AsyncIterable<Uint8Array>, file: FileHandle, sizeMax: number): Promise<Blob> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > sizeMax) throw tooManyBytes(sizeMax);
    hash.update(chunk);
    await file.writeFile(chunk);
  }
  await file.sync();
  return { sha256: hash.digest('hex'), size };
}

const tooManyBytes = (max: number) => limitExceeded(`expected at most ${max} bytes, but there are more`);

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/** Whether the file is there; if so, its time is now. */
function touched(path: string): Promise<boolean> {
  // Seconds, as files have them.
  const now = systemTime.now() / 1_000;
  return utimes(path, now, now).then(
    () => true,
    (thrown) => notThere(thrown) ?? false,
  );
}

function stageId(id: string): string {
  if (!STAGE_ID.test(id)) throw badRequest('expected the id of staged bytes: letters, digits, - and _');
  return id;
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
