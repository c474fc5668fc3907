import { messageOf, ServiceError, unavailable } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import {
  type Answer,
  type BlobStore,
  type CommitFollower,
  type Evaluator,
  hashBytes,
  type ReplicaSide,
} from '../../store/index.js';
import { uploads } from './upload.js';

/** Services and limits of uploads in chunks. */
export interface UploadServices {
  readonly blobs: BlobStore;
  /** Chunks whose commands are on their way. */
  readonly chunks: PendingChunks;
  readonly uploads: UploadLimits;
}

/** How much may be uploaded, and for how long it is kept. */
export interface UploadLimits {
  /** Bytes of an upload. */
  readonly bytesMax: number;
  /** Bytes of one chunk. */
  readonly chunkBytesMax: number;
  /** Open uploads of a user in a workspace. */
  readonly openMax: number;
  /** How long an upload is kept after its last chunk, ms. */
  readonly keptMs: number;
}

/** A chunk as its command names it. */
export interface ChunkName {
  /** 64 lower-case hex digits. */
  readonly sha256: string;
  /** bytes */
  readonly size: number;
}

/** A chunk that waits for its command. */
interface HeldChunk {
  readonly name: ChunkName;
  /** Lets the bytes go: the command has been answered. */
  release(): void;
}

/** Bytes of commands that are on their way. A command is plain JSON and small, so it names its bytes, which wait here. */
export class PendingChunks {
  readonly #chunks = new Map<string, { readonly bytes: Uint8Array; holders: number }>();

  async hold(bytes: Uint8Array): Promise<HeldChunk> {
    const sha256 = await hashBytes(bytes);
    const chunk = this.#chunks.get(sha256) ?? { bytes, holders: 0 };
    chunk.holders++;
    this.#chunks.set(sha256, chunk);
    const release = () => {
      if (--chunk.holders === 0) this.#chunks.delete(sha256);
    };
    return { name: { sha256, size: bytes.byteLength }, release };
  }

  /** @throws when nobody holds it: its request has ended */
  bytes(sha256: string): Uint8Array {
    const chunk = this.#chunks.get(sha256);
    if (chunk === undefined) throw new Error(`expected chunk ${sha256} to be held, but its request has ended`);
    return chunk.bytes;
  }
}

/** Asked for a chunk: `writeChunk`, and `compareChunk` for one that should be there already. */
export interface ChunkQuestion {
  readonly partition: string;
  readonly uploadId: string;
  readonly offset: number;
  readonly sha256: string;
}

/** Asked with the kind `sealUpload`; answered with the {@link Blob} of the upload's bytes. */
export interface SealQuestion {
  readonly partition: string;
  readonly uploadId: string;
  readonly size: number;
}

/** The value of an answer about staged bytes. @throws CONFLICT (they are not there), UNAVAILABLE (the disk failed) */
export function stagedAnswer(answer: Answer, uploadId: string): unknown {
  if ('value' in answer) return answer.value;
  const { message, code } = answer.error;
  if (code === 'CONFLICT') throw new ServiceError(code, message, { reason: 'bytes_lost', resourceId: uploadId });
  throw unavailable(`expected to keep the bytes of upload '${uploadId}', but the server's disk failed; try again`, {
    reason: 'disk_failed',
    resourceId: uploadId,
  });
}

/** Evaluators of uploads: staged bytes are written, compared, and made a blob. */
export const uploadEvaluators = ({ blobs, chunks }: UploadServices): Readonly<Record<string, Evaluator>> => ({
  writeChunk: ({ partition, uploadId, offset, sha256 }: ChunkQuestion) =>
    told(async () => {
      await blobs.stage(partition, uploadId).write(offset, chunks.bytes(sha256), sha256);
      return null;
    }),
  compareChunk: ({ partition, uploadId, offset, sha256 }: ChunkQuestion) =>
    told(() => blobs.stage(partition, uploadId).holds(offset, chunks.bytes(sha256))),
  sealUpload: ({ partition, uploadId, size }: SealQuestion) =>
    told(() => (size === 0 ? blobs.write(new Uint8Array()) : blobs.stage(partition, uploadId).complete(size))),
});

/** What a disk refuses is told to the operator here: the caller only hears to try again. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) log.error({ reason: messageOf(thrown) }, 'staged bytes cannot be handled');
    throw thrown;
  }
}

/** The staged bytes of uploads, which go when their upload has gone. */
export class StagedUploads {
  readonly #blobs: BlobStore;
  readonly #discarding = new Set<Promise<unknown>>();

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  /** Discards, commit by commit, the bytes of uploads of the partition that are removed, whether spent, aborted or over. */
  follower(partition: string): CommitFollower {
    return {
      collections: [uploads],
      committed: ({ writes }) => {
        for (const { collection, id, document } of writes) {
          if (collection.name === uploads.name && document === null) this.#discard(partition, id);
        }
      },
    };
  }

  /** Discards bytes without an upload: what a crash kept from being discarded. */
  async sweep(replica: Pick<ReplicaSide, 'id' | 'read'>): Promise<void> {
    for (const id of await this.#blobs.staged(replica.id)) {
      if (replica.read().get(uploads, id) === undefined) await this.#blobs.stage(replica.id, id).discard();
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
