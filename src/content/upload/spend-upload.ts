import type { Caller } from '../../shared/caller.js';
import { ServiceError } from '../../shared/errors.js';
import { type Draft, type State, step } from '../../store/index.js';
import type { BlobValue } from '../value/property.js';
import { noUpload, openUpload } from './open-upload.js';
import { requireSha256 } from './sha256.js';
import { type Upload, uploads } from './upload.js';
import { uploadMachine } from './upload-machine.js';

/** Which upload is spent. */
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
  const { blob } = completeUpload(draft, given.uploadId, caller);
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
  const { size } = completeUpload(draft, uploadId, caller);
  requireSha256(`upload '${uploadId}'`, sha256, blob);
  draft.remove(uploads, uploadId);
  return { blob, size };
}

/** The caller's upload, of which something may be made. @throws BAD_REQUEST */
export function completeUpload(state: State, uploadId: string, caller: Caller): Upload {
  const upload = openUpload(state, uploadId, caller);
  step(uploadMachine, upload.actor, { type: 'complete' }, () => noUpload(uploadId));
  return upload;
}

export const notSealed = (uploadId: string) =>
  new ServiceError('CONFLICT', `expected upload '${uploadId}' to be whole, but a chunk has come meanwhile`, {
    reason: 'upload_not_sealed',
    resourceId: uploadId,
  });
