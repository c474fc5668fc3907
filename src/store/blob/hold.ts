import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../shared/errors.js';
import { systemTime } from '../../shared/time.js';

/** Says that nothing is to be removed, as somebody copies it: a file, so that another process can say so. */
const HOLD_FILE = 'hold';
/** Whoever holds says so again; nobody who has died holds for longer. */
const AGAIN_MS = 10_000;
const HELD_MS = 60_000;

/** Lets the server that uses the folder of blobs remove none, and no staged bytes, until the result is called. @throws CONFLICT somebody else does */
export async function holdRemovals(blobFolder: string): Promise<() => Promise<void>> {
  await mkdir(blobFolder, { recursive: true });
  const path = join(blobFolder, HOLD_FILE);
  if (await isHeld(blobFolder))
    throw new ServiceError('CONFLICT', `expected nobody else to copy, but ${path} is there`);
  await writeFile(path, `${process.pid}\n`);
  const again = () => {
    const seconds = systemTime.now() / 1_000;
    utimes(path, seconds, seconds).catch(() => {});
  };
  const timer = systemTime.every(AGAIN_MS, again);
  return async () => {
    timer.cancel();
    await rm(path, { force: true });
  };
}

/** Whether somebody holds removals at this time. */
export async function isHeld(blobFolder: string): Promise<boolean> {
  const found = await stat(join(blobFolder, HOLD_FILE)).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return undefined;
    throw thrown;
  });
  return found !== undefined && Math.abs(systemTime.now() - found.mtimeMs) < HELD_MS;
}
