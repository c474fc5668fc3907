import { messageOf, ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { Evaluator } from '../../store/index.js';
import type { ChunkQuestion } from './append-multipart-upload-chunk.js';
import type { SealQuestion } from './seal-upload.js';
import type { UploadServices } from './upload-services.js';

/** What answers the asks of uploads: the staged bytes are written, compared, and made a blob. */
export const uploadEvaluators = ({ blobs, chunks }: UploadServices): Readonly<Record<string, Evaluator>> => ({
  writeChunk: ({ partition, uploadId, offset, sha256 }: ChunkQuestion) =>
    told(async () => {
      await blobs.stage(partition, uploadId).write(offset, chunks.bytes(sha256), sha256);
      return true;
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
