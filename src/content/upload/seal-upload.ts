import { type Answered, type Ask, type Asking, type Blob, can, operation, put, type State } from '../../store/index.js';
import { mailboxOfUpload } from './append-multipart-upload-chunk.js';
import { findUpload, stagedAnswer } from './open-upload.js';
import { type Upload, uploads } from './upload.js';
import { uploadMachine } from './upload-machine.js';

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
    const sha256 = sealOf(upload, state, answers);
    if (typeof sha256 !== 'string') return sha256;
    return { write: [put(uploads, { ...upload, blob: sha256 })], answer: true };
  },
  (_, { uploadId }) => mailboxOfUpload(uploadId),
);

/** The SHA-256 that an upload's bytes are a blob by, which is asked for. @throws CONFLICT (its bytes are lost), UNAVAILABLE (the disk failed) */
export function sealOf(
  { id, size }: Upload,
  { partition }: Pick<State, 'partition'>,
  answers: readonly Answered[],
): string | Asking {
  const question: SealQuestion = { partition, uploadId: id, size };
  const isOfThis = ({ kind, question: asked }: Ask) =>
    kind === KIND && (asked as SealQuestion).uploadId === id && (asked as SealQuestion).size === size;
  // After a recovery it may have another size than it was asked for.
  const answered = answers.findLast(({ ask }) => isOfThis(ask));
  return answered === undefined
    ? { ask: { kind: KIND, question } }
    : (stagedAnswer(answered.answer, id) as Blob).sha256;
}

const KIND = 'sealUpload';
