import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ServiceError } from '../../shared/errors.js';

/** The password of `admin`, and where a person finds it. */
export interface AdminPassword {
  readonly password: string;
  /** The file that holds it; undefined when it was set in the environment. */
  readonly file: string | undefined;
  /** Whether it was made just now, and so has never been shown. */
  readonly isNew: boolean;
}

/** A password that the operator set. */
interface GivenPassword {
  readonly password?: string | undefined;
  /** The operator's own file that holds it, if it is in one. */
  readonly file?: string | undefined;
}

/**
 * The administrator's password: the one that was set, else the one in the data folder's file `admin-password`, else a new one, which is
 * on the disk before this returns. The file is the owner's alone (0600).
 * @throws CONFLICT when the file is there and empty
 */
export function adminPassword(dataFolder: string, given: GivenPassword = {}): AdminPassword {
  if (given.password !== undefined) return { password: given.password, file: given.file, isNew: false };
  const file = join(dataFolder, 'admin-password');
  const kept = readIfThere(file);
  if (kept === '') {
    throw new ServiceError(
      'CONFLICT',
      `expected the administrator's password in '${file}', but the file is empty; remove it to have a new one made`,
    );
  }
  if (kept !== undefined) return { password: kept, file, isNew: false };
  const password = randomBytes(18).toString('base64url');
  writeDurably(file, `${password}\n`);
  return { password, file, isNew: true };
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** All or nothing: a crash leaves either no file or the whole one. */
function writeDurably(file: string, content: string): void {
  const draft = `${file}.new`;
  within(draft, 'w', (descriptor) => {
    writeSync(descriptor, content);
    fsyncSync(descriptor);
  });
  renameSync(draft, file);
  within(dirname(file), 'r', fsyncSync);
}

function within(path: string, flags: string, work: (descriptor: number) => void): void {
  const descriptor = openSync(path, flags, 0o600);
  try {
    work(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
