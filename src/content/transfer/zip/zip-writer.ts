import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Blob, BlobStore } from '../../../store/index.js';

/** Facts of an entry. */
interface EntryFacts {
  /** bytes */
  readonly size: number;
  /** ms */
  readonly modified: number;
  /** Whether packing it is worth the time. */
  readonly isPacked: boolean;
}

/** What a ZIP can tell as a time. */
const EARLIEST_MS = Date.UTC(1980, 0, 2);
const LATEST_MS = Date.UTC(2037, 11, 31);

/** Writes a ZIP entry by entry, as its reader takes it; of an entry no more than a few pieces are in memory. */
export class ZipWriter {
  readonly #zip = new ZipFile();
  readonly #failed: Promise<never>;
  #fail: (reason: unknown) => void = () => {};

  constructor() {
    this.#failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.#failed.catch(() => {});
    this.#zip.on('error', (thrown) => this.abort(thrown));
    // Its reader hears of an abort; but there may be none yet.
    this.output.on('error', () => {});
  }

  /** The bytes of the ZIP. */
  get output(): Readable {
    return this.#zip.outputStream as Readable;
  }

  /** Resolves when the entry's bytes were read. */
  add(name: string, { size, modified, isPacked }: EntryFacts, open: () => Readable): Promise<void> {
    const options = { size, mtime: dateOf(modified), compress: isPacked };
    const added = new Promise<void>((resolve, reject) => {
      this.#zip.addReadStreamLazy(name, options, (take) => {
        const bytes = open();
        bytes.once('error', (thrown) => {
          reject(thrown);
          this.abort(thrown);
        });
        bytes.once('end', resolve);
        take(null, bytes);
      });
    });
    return Promise.race([added, this.#failed]);
  }

  addFolder(name: string, modified: number): void {
    this.#zip.addEmptyDirectory(name, { mtime: dateOf(modified) });
  }

  end(): void {
    this.#zip.end();
  }

  /** Ends it without an end: its reader fails. */
  abort(reason: unknown): void {
    this.#fail(reason);
    this.output.destroy(reason instanceof Error ? reason : new Error(String(reason)));
  }
}

const dateOf = (ms: number): Date => new Date(Math.min(LATEST_MS, Math.max(EARLIEST_MS, ms)));

/** Lines that gather on disk while something else is written: a blob that nobody holds, and that is swept by itself. */
export class LineSpool {
  readonly #lines = new PassThrough();
  readonly #blob: Promise<Blob>;
  count = 0;

  constructor(blobs: BlobStore) {
    // Whoever reads the lines hears of it; but it may be given up before anybody does.
    this.#lines.on('error', () => {});
    this.#blob = blobs.write(this.#lines);
    this.#blob.catch(() => {});
  }

  /** Adds the value as JSON. */
  add(value: unknown): Promise<void> {
    return this.addText(`${JSON.stringify(value)}\n`);
  }

  async addText(line: string): Promise<void> {
    this.count++;
    if (!this.#lines.write(line)) await Promise.race([once(this.#lines, 'drain'), this.#blob]);
  }

  end(): Promise<Blob> {
    this.#lines.end();
    return this.#blob;
  }

  async abort(): Promise<void> {
    this.#lines.destroy(new Error('the archive was given up'));
    await this.#blob.catch(() => {});
  }
}
