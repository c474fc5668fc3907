import { messageOf } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { BlobStore, Committed, Partition } from '../../store/index.js';
import { uploads } from './upload.js';

/** The staged bytes of uploads, which go when their upload has gone. */
export class StagedUploads {
  readonly #blobs: BlobStore;
  readonly #discarding = new Set<Promise<unknown>>();

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  /** A commit of the partition is durable: discards the bytes of uploads that it removed, whether spent, aborted or over. */
  committed(partition: string, { writes }: Pick<Committed, 'writes'>): void {
    for (const { collection, id, document } of writes) {
      if (collection.name === uploads.name && document === null) this.#discard(partition, id);
    }
  }

  /** Discards bytes without an upload: what a crash kept from being discarded. */
  async sweep(partition: Pick<Partition, 'id' | 'read'>): Promise<void> {
    for (const id of await this.#blobs.staged(partition.id)) {
      if (partition.read().get(uploads, id) === undefined) await this.#blobs.stage(partition.id, id).discard();
    }
  }

  /** Resolves when nothing is being discarded. */
  async quiet(): Promise<void> {
    await Promise.all(this.#discarding);
  }

  #discard(partition: string, id: string): void {
    const discarding = this.#blobs
      .stage(partition, id)
      .discard()
      .catch((thrown: unknown) => {
        log.warn({ reason: messageOf(thrown), uploadId: id }, 'staged bytes stay until the next sweep');
      })
      .finally(() => this.#discarding.delete(discarding));
    this.#discarding.add(discarding);
  }
}
