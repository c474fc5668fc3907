import { type ServiceError, unavailable } from '../../shared/errors.js';
import { log } from '../../shared/log.js';

/** Does work on files; what a disk refuses for now is UNAVAILABLE, and told to the operator here. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw diskTrouble(thrown) ?? thrown;
  }
}

/** The refusal for what a disk cannot do now; undefined for everything else that may be thrown. */
export function diskTrouble(thrown: unknown): ServiceError | undefined {
  const { code, syscall } = thrown as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined || !(FULL.has(code) || FAILED.has(code))) return undefined;
  log.error({ err: thrown }, 'the disk of the data folder does not take, or give, bytes');
  return unavailable(`expected a disk that works, but the server's has failed (${code}); try again later`, {
    reason: FULL.has(code) ? 'disk_full' : 'disk_failed',
  });
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const FAILED: ReadonlySet<string> = new Set(['EIO', 'EROFS', 'EMFILE', 'ENFILE', 'ENOMEM']);
