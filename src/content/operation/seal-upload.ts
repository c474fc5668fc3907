import { type Blob, can, operation, put } from '../../store/index.js';
import { uploads } from '../collection/upload.js';
import { uploadMachine } from '../machine/upload.js';
import { findUpload, stagedAnswer } from '../rule/open-upload.js';
import { mailboxOfUpload } from './append-multipart-upload-chunk.js';

/** Input of `sealUpload`. */
export interface SealUpload {
  readonly uploadId: string;
}

/** Asked with the kind `sealUpload`; answered with the {@link Blob} of the upload's bytes. */
export interface SealQuestion {
  readonly partition: string;
  readonly uploadId: string;
  readonly size: number;
}

/**
 * Makes the bytes of an upload of the caller's a blob, so that a decision may spend it, see `spendUpload`. Safe to repeat; another chunk breaks
 * the seal. False: the caller has no such upload. @throws CONFLICT (its bytes are lost), UNAVAILABLE (the disk failed)
 */
export const sealUpload = operation<SealUpload, boolean>(
  'sealUpload',
  (state, { uploadId }, { caller, answers }) => {
    const upload = findUpload(state, uploadId, caller);
    if (upload === undefined || !can(uploadMachine, upload.actor, { type: 'complete' })) {
      return { answer: false };
    }
    if (upload.blob !== null) return { answer: true };
    const { size } = upload;
    const question: SealQuestion = { partition: state.partition, uploadId, size };
    // After a recovery it may have another size than it was asked for.
    const answered = answers.findLast(({ ask }) => (ask.question as SealQuestion).size === size);
    if (answered === undefined) return { ask: { kind: 'sealUpload', question } };
    const { sha256 } = stagedAnswer(answered.answer, uploadId) as Blob;
    return { write: [put(uploads, { ...upload, blob: sha256 })], answer: true };
  },
  (_, { uploadId }) => mailboxOfUpload(uploadId),
);
