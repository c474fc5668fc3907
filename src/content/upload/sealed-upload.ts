import type { Caller } from '../../shared/caller.js';
import { ServiceError } from '../../shared/errors.js';
import { type Answered, type Ask, type Asking, type Blob, Draft, operation, type State } from '../../store/index.js';
import type { BlobValue } from '../value/property.js';
import { type SealQuestion, stagedAnswer } from './staged-bytes.js';
import { findUpload, mailboxOfUpload, moveUpload, openUpload, requireSha256, type Upload } from './upload.js';

/** Input of `sealUpload`. */
interface SealUpload {
  readonly uploadId: string;
}

/**
 * Makes the bytes of an upload of the caller's a blob, so that a decision may spend it, see `spendUpload`. Safe to repeat; another chunk breaks
 * the seal. False: the caller has no such upload. @throws CONFLICT (its bytes are lost), UNAVAILABLE (the disk failed)
 */
export const sealUpload = operation<SealUpload, boolean>(
  'sealUpload',
  (state, { uploadId }, { caller, answers }) => {
    const upload = findUpload(state, uploadId, caller);
    if (upload === undefined) return { answer: false };
    if (upload.blob !== null) return { answer: true };
    const sha256 = sealOf(upload, state, answers);
    if (typeof sha256 !== 'string') return sha256;
    const draft = new Draft(state);
    moveUpload(draft, { ...upload, blob: sha256 }, { type: 'seal' });
    return { write: draft.writes(), answer: true };
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

/** The upload that an operation spends, and the hash that its bytes must have. */
export interface SpendUpload {
  readonly uploadId: string;
  /** The SHA-256 of the whole as the caller knows it, in hex. Default: it is not compared. */
  readonly sha256?: string | null | undefined;
}

/**
 * Spends a sealed upload of the caller's: its bytes as a value, to be named by the same decision, with which the upload is gone. Each is spent
 * once, also within one draft.
 * @throws BAD_REQUEST (no such upload, or spent already; another SHA-256), CONFLICT (not sealed: a chunk came last)
 */
export function spendUpload(draft: Draft, caller: Caller, given: SpendUpload): BlobValue {
  const { blob } = openUpload(draft, given.uploadId, caller);
  if (blob === null) throw notSealed(given.uploadId);
  return spendUploadAs(draft, caller, given, blob);
}

/** As {@link spendUpload}, of an upload that is sealed as this blob with the very decision. */
export function spendUploadAs(
  draft: Draft,
  caller: Caller,
  { uploadId, sha256 }: SpendUpload,
  blob: string,
): BlobValue {
  const upload = openUpload(draft, uploadId, caller);
  requireSha256(`upload '${uploadId}'`, sha256, blob);
  moveUpload(draft, upload, { type: 'complete' });
  return { blob, size: upload.size };
}

export const notSealed = (uploadId: string) =>
  new ServiceError('CONFLICT', `expected upload '${uploadId}' to be whole, but a chunk has come meanwhile`, {
    reason: 'upload_not_sealed',
    resourceId: uploadId,
  });
