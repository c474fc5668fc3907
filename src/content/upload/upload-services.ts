import type { BlobStore } from '../../store/index.js';
import type { PendingChunks } from './pending-chunks.js';

/** Services of uploads. */
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
