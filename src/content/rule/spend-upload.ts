import type { Caller } from '../../shared/caller.js';
import { ServiceError } from '../../shared/errors.js';
import { type Draft, step } from '../../store/index.js';
import { uploads } from '../collection/upload.js';
import { uploadMachine } from '../machine/upload.js';
import type { BlobValue } from '../model/property.js';
import { noUpload, openUpload } from './open-upload.js';
import { requireSha256 } from './sha256.js';

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
export function spendUpload(draft: Draft, caller: Caller, { uploadId, sha256 }: SpendUpload): BlobValue {
  const upload = openUpload(draft, uploadId, caller);
  step(uploadMachine, upload.actor, { type: 'complete' }, () => noUpload(uploadId));
  const { blob, size } = upload;
  if (blob === null) throw notSealed(uploadId);
  requireSha256(`upload '${uploadId}'`, sha256, blob);
  draft.remove(uploads, uploadId);
  return { blob, size };
}

const notSealed = (uploadId: string) =>
  new ServiceError('CONFLICT', `expected upload '${uploadId}' to be whole, but a chunk has come meanwhile`, {
    reason: 'upload_not_sealed',
    resourceId: uploadId,
  });
