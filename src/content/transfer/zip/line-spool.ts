import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Blob, BlobStore } from '../../../store/index.js';

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
