import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { type BlobValue, INLINE_BYTES_MAX, type InlineValue, storedBytes } from '../../content/index.js';
import type { StageStep } from '../../eip/index.js';
import { badRequest, limitExceeded, ServiceError } from '../../shared/errors.js';
import type { BlobStore } from '../../store/index.js';

/** How many bodies may be on their way at once. */
const STAGES_MAX = 256;

/** Bytes on their way to a blob. */
interface Stage {
  readonly pipe: PassThrough;
  readonly blob: Promise<BlobValue>;
}

/** Bytes that routes of one thread send in pieces, to become content. */
export class StagedContent {
  readonly #blobs: Pick<BlobStore, 'write'>;
  readonly #sizeMax: number;
  readonly #stages = new Map<string, Stage>();
  #isClosed = false;

  constructor(blobs: Pick<BlobStore, 'write'>, sizeMax: number) {
    this.#blobs = blobs;
    this.#sizeMax = sizeMax;
  }

  /** @throws LIMIT_EXCEEDED it is too large; UNAVAILABLE the disk is full */
  async take(step: StageStep): Promise<BlobValue | InlineValue | null> {
    if (!('piece' in step)) return this.#discard(step.name);
    const { name, piece } = step;
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    if (!('end' in step)) return this.#write(name, bytes);
    if (!this.#stages.has(name) && bytes.length <= INLINE_BYTES_MAX) return storedBytes(bytes, this.#blobs);
    const { pipe, blob } = this.#stageOf(name);
    pipe.end(bytes);
    return blob.finally(() => this.#stages.delete(name));
  }

  /** Whoever sent them has gone. */
  close(): void {
    this.#isClosed = true;
    for (const name of this.#stages.keys()) this.#discard(name);
  }

  async #write(name: string, bytes: Buffer): Promise<null> {
    const { pipe, blob } = this.#stageOf(name);
    // What fails ends the wait for the next piece, too.
    if (!pipe.write(bytes)) await Promise.race([once(pipe, 'drain'), blob]);
    return null;
  }

  #discard(name: string): null {
    this.#stages.get(name)?.pipe.destroy(badRequest('the bytes are not wanted any more'));
    this.#stages.delete(name);
    return null;
  }

  #stageOf(name: string): Stage {
    const known = this.#stages.get(name);
    if (known !== undefined) return known;
    if (this.#isClosed)
      throw new ServiceError('CONFLICT', 'expected the routes that send bytes to run, but they have ended');
    if (this.#stages.size >= STAGES_MAX)
      throw limitExceeded(`expected at most ${STAGES_MAX} bodies on their way to content at once, but there are more`);
    // What becomes of it is told by the blob.
    const pipe = new PassThrough().on('error', () => {});
    const written = this.#blobs.write(pipe, { sizeMax: this.#sizeMax });
    const blob = written.then(({ sha256, size }) => ({ blob: sha256, size }));
    // Whoever sends the next piece is told.
    blob.catch(() => pipe.destroy());
    const stage = { pipe, blob };
    this.#stages.set(name, stage);
    return stage;
  }
}
