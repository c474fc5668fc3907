import { ServiceError } from '../../shared/errors.js';
import { operation, put, remove, start } from '../../store/index.js';
import { type Upload, uploads } from './upload.js';
import { uploadMachine } from './upload-machine.js';
import { type UploadProgress, uploadProgress } from './upload-progress.js';
import type { UploadServices } from './upload-services.js';

/** Begins an upload of the caller's, of no bytes yet. What of the caller's own is over is cleared away. @throws RATE_LIMITED (too many are open) */
export const initiateMultipartUpload = ({ uploads: limits }: UploadServices) =>
  operation<object, UploadProgress>('initiateMultipartUpload', (state, _, { caller }) => {
    const own = state.find(uploads, 'owner', [caller.userId]);
    const over = own.filter((upload) => upload.expires <= state.now);
    if (own.length - over.length >= limits.openMax) throw tooManyUploads(limits.openMax);
    const upload: Upload = {
      id: state.ids.next(),
      owner: caller.userId,
      size: 0,
      chunks: 0,
      expires: state.now + limits.keptMs,
      blob: null,
      actor: start(uploadMachine, {}),
    };
    return {
      write: [...over.map(({ id }) => remove(uploads, id)), put(uploads, upload)],
      answer: uploadProgress(upload),
    };
  });

const tooManyUploads = (max: number) =>
  new ServiceError('RATE_LIMITED', `expected fewer than ${max} open uploads of the caller's; complete or abort one`, {
    reason: 'too_many_uploads',
    details: { max },
  });
