import type { Caller } from '../../shared/caller.js';
import { refuse, ServiceError, unavailable } from '../../shared/errors.js';
import type { Answer, State } from '../../store/index.js';
import { type Upload, uploads } from './upload.js';

/**
 * The caller's open upload. One that never was, is spent, is another's or is over is refused with the same sentence, so that nothing is told
 * about it. @throws BAD_REQUEST
 */
export const openUpload = (state: State, uploadId: string, caller: Caller): Upload =>
  findUpload(state, uploadId, caller) ?? refuse(noUpload(uploadId));

/** As {@link openUpload}; undefined where there is none. */
export function findUpload(state: State, uploadId: string, caller: Caller): Upload | undefined {
  const upload = state.get(uploads, uploadId);
  const isOpen = upload?.owner === caller.userId && upload.expires > state.now;
  return isOpen ? upload : undefined;
}

export const noUpload = (uploadId: string) =>
  new ServiceError('BAD_REQUEST', `expected an open upload of the caller's with id '${uploadId}', but there is none`, {
    reason: 'upload_not_found',
    resourceId: uploadId,
  });

/** The value of an answer about staged bytes. @throws CONFLICT (they are not there), UNAVAILABLE (the disk failed) */
export function stagedAnswer(answer: Answer, uploadId: string): unknown {
  if ('value' in answer) return answer.value;
  const { message, code } = answer.error;
  if (code === 'CONFLICT') throw new ServiceError(code, message, { reason: 'bytes_lost', resourceId: uploadId });
  throw unavailable(`expected to keep the bytes of upload '${uploadId}', but the server's disk failed; try again`, {
    reason: 'disk_failed',
    resourceId: uploadId,
  });
}
