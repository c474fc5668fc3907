import { ServiceError } from '../../shared/errors.js';
import { type BlobStore, WorkThread } from '../../store/index.js';
import type { BlobValue, InlineValue } from '../value/property.js';
import { type AppDescriptor, brokenDescriptor } from './app-descriptor.js';

/** Of a descriptor, in bytes. */
const BYTES_MAX = 16_384;
/** How long one may take, in ms. */
const BUDGET_MS = 1_000;
/** How many of them are remembered, by their bytes. */
const KNOWN_MAX = 200;

/** Reads descriptors of web applications in a thread of its own, those that it knows at once. */
export class AppDescriptors {
  readonly #blobs: Pick<BlobStore, 'readText'>;
  readonly #thread: WorkThread<string, AppDescriptor>;
  readonly #known = new Map<string, AppDescriptor>();

  constructor(blobs: Pick<BlobStore, 'readText'>) {
    this.#blobs = blobs;
    const module = new URL('./read-descriptor.js', import.meta.url);
    this.#thread = new WorkThread({ module, budgetMs: BUDGET_MS, thing: 'descriptor' });
  }

  /** One that cannot be read says why. @throws UNAVAILABLE: it cannot be read now */
  async read(data: BlobValue | InlineValue | null): Promise<AppDescriptor> {
    if (data === null) return brokenDescriptor('expected a file with bytes, but there are none');
    if (data.size > BYTES_MAX)
      return brokenDescriptor(`expected at most ${BYTES_MAX} bytes, but there are ${data.size}`);
    const key = 'blob' in data ? data.blob : `=${data.inline}`;
    const known = this.#known.get(key) ?? (await this.#readNew(data));
    this.#known.delete(key);
    this.#known.set(key, known);
    for (const oldest of this.#known.keys()) if (this.#known.size > KNOWN_MAX) this.#known.delete(oldest);
    return known;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #readNew(data: BlobValue | InlineValue): Promise<AppDescriptor> {
    try {
      const text =
        'blob' in data
          ? await this.#blobs.readText({ sha256: data.blob, size: data.size })
          : Buffer.from(data.inline, 'base64').toString('utf8');
      return await this.#thread.ask(text);
    } catch (thrown) {
      if (thrown instanceof ServiceError && thrown.code !== 'UNAVAILABLE') return brokenDescriptor(thrown.message);
      throw thrown;
    }
  }
}
