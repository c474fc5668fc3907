import { log } from '../shared/log.js';
import type { BlobDamage } from '../store/index.js';

/** How many are remembered; each has a line in the log. */
const DAMAGED_MAX = 1_000;

/** Blobs that are known to be damaged. */
export class DamagedBlobs {
  readonly #problems = new Map<string, string>();

  /** Told once each, however often it is met with. */
  found({ sha256, problem }: BlobDamage): void {
    if (this.#problems.get(sha256) === problem || this.#problems.size >= DAMAGED_MAX) return;
    this.#problems.set(sha256, problem);
    log.error({ file: blobFile(sha256), what: 'blob', id: sha256, problem }, 'something that is stored is damaged');
  }
}

/** Within the data folder. */
const blobFile = (sha256: string) => `blobs/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
