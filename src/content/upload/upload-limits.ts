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
