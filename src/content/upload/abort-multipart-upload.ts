import { can, operation, remove } from '../../store/index.js';
import { mailboxOfUpload } from './append-multipart-upload-chunk.js';
import { findUpload } from './open-upload.js';
import { uploads } from './upload.js';
import { uploadMachine } from './upload-machine.js';

/** Gives up an upload of the caller's. Answers whether there was one; nothing is told about another's. */
export const abortMultipartUpload = operation<AbortMultipartUpload, boolean>(
  'abortMultipartUpload',
  (state, { uploadId }, { caller }) => {
    const upload = findUpload(state, uploadId, caller);
    if (upload === undefined || !can(uploadMachine, upload.actor, { type: 'abort' })) return { answer: false };
    return { write: [remove(uploads, uploadId)], answer: true };
  },
  (_, { uploadId }) => mailboxOfUpload(uploadId),
);

/** Input of `abortMultipartUpload`. */
export interface AbortMultipartUpload {
  readonly uploadId: string;
}
