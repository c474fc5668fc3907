import type { Entry } from 'yauzl';
import { badRequest, limitExceeded } from '../../../shared/errors.js';
import type { ImportLimits } from './import-limits.js';

/** Entries up to this many bytes may be packed as well as they can be. */
const SMALL_BYTES = 1_048_576;
const NAME_LENGTH_MAX = 4_096;
/** Stored, and deflated. */
const METHODS: ReadonlySet<number> = new Set([0, 8]);
const UNIX = 3;
const FILE_TYPE = 0o170000;
const SYMBOLIC_LINK = 0o120000;

/** @throws BAD_REQUEST (the name leads out of the archive, what cannot be read), LIMIT_EXCEEDED (a bomb) */
export function checkEntry(entry: Entry, limits: ImportLimits): void {
  const { fileName: name, compressedSize, uncompressedSize } = entry;
  checkName(name, limits);
  if (entry.isEncrypted()) throw refused(name, 'not to be encrypted, but it is');
  if (!METHODS.has(entry.compressionMethod))
    throw refused(name, `to be stored or deflated, but its method is ${entry.compressionMethod}`);
  const mode = entry.versionMadeBy >> 8 === UNIX ? entry.externalFileAttributes >>> 16 : 0;
  if ((mode & FILE_TYPE) === SYMBOLIC_LINK) throw refused(name, 'to be a file or folder, but it is a symbolic link');
  if (uncompressedSize <= SMALL_BYTES || uncompressedSize <= compressedSize * limits.ratioMax) return;
  throw limitExceeded(
    `expected entry '${shown(name)}' to be at most ${limits.ratioMax} times as large as packed, but ${compressedSize} bytes say that they are ${uncompressedSize}`,
    { reason: 'archive_bomb' },
  );
}

function checkName(name: string, { depthMax }: ImportLimits): void {
  if (/[\p{Cc}\p{Cs}]/u.test(name)) throw refused(name, 'to have a name without control characters');
  if (name.includes('\\')) throw refused(name, 'to have a name without a backslash');
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) throw refused(name, 'to have a relative name');
  const names = name.replace(/\/$/, '').split('/');
  const odd = names.find((one) => one === '' || one === '.' || one === '..');
  if (odd !== undefined) throw refused(name, `to have names of files and folders in its path, but found '${odd}'`);
  if (name.length > NAME_LENGTH_MAX || names.length > depthMax) {
    throw limitExceeded(
      `expected entry '${shown(name)}' to have at most ${depthMax} names in its path and ${NAME_LENGTH_MAX} characters, but it has more`,
      { reason: 'archive_too_deep' },
    );
  }
}

const refused = (name: string, expected: string) =>
  badRequest(`expected entry '${shown(name)}' ${expected}`, { reason: 'archive_entry_refused' });

const shown = (name: string): string => {
  const plain = name.replace(/\p{Cc}/gu, '?');
  return plain.length > 200 ? `${plain.slice(0, 200)}…` : plain;
};
