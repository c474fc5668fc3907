import { messageOf, ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { ApiContext } from '../api-context.js';

/**
 * Does work that spends the upload. When it is refused, the upload is given up all the same; not when the same call may be repeated and
 * succeed (UNAVAILABLE, RATE_LIMITED), or when the failure is the server's own.
 */
export async function endingUpload<T>(context: ApiContext, uploadId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ServiceError && !PASSING.has(thrown.code)) await giveUp(context, uploadId);
    throw thrown;
  }
}

const PASSING = new Set(['UNAVAILABLE', 'RATE_LIMITED']);

/** Fails with a log line alone: the caller hears why the work was refused, and the upload ends by itself in a day. */
async function giveUp({ services, workspace, caller }: ApiContext, uploadId: string): Promise<void> {
  try {
    await workspace.partition.send(services.content.api.abortMultipartUpload, { uploadId }, { caller });
  } catch (thrown) {
    log.warn({ reason: messageOf(thrown), uploadId }, 'the upload of a refused call could not be given up');
  }
}
