import {
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../support/random.js';

const SECTOR = 512;
const HEAD_BYTES = 32;

/** A change of a file that was not flushed: `bytes` in the place of `old`; undefined: it was cut to `offset`. */
interface Change {
  readonly offset: number;
  readonly old: Buffer;
  readonly oldSize: number;
  readonly bytes: Buffer | undefined;
}

/** What became of what was not flushed, in numbers of changes. */
export interface PowerLoss {
  readonly lost: number;
  readonly survived: number;
}

/** Which unflushed changes are on the disk all the same: none, each by chance (some of them in part), or all (then nothing is lost). */
export type Survival = 'none' | 'some' | 'all';

/**
 * Makes of the folder what a disk would have after a power loss, by the notes of power-loss.c: what was flushed is there, and of the rest whatever
 * chance lets survive. The notes begin anew.
 */
export function restoreDisk(root: string, notes: string, random: Random, survival: Survival): PowerLoss {
  const told = { lost: 0, survived: 0 };
  undoNames(notes, random, survival, told);
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    // SQLite makes the index of a write-ahead log anew.
    if (path.endsWith('-shm')) rmSync(path);
    else restoreFile(path, notes, random, survival, told);
  }
  for (const name of readdirSync(notes)) rmSync(join(notes, name));
  return told;
}

/** Names are on the disk in their order: some of the last are not there yet. */
function undoNames(notes: string, random: Random, survival: Survival, told: { lost: number; survived: number }): void {
  const lines = unflushed(notes, 'names').toString('utf8').split('\n').slice(0, -1);
  const kept = survival === 'all' ? lines.length : survival === 'none' ? 0 : random.below(lines.length + 1);
  told.survived += kept;
  told.lost += lines.length - kept;
  for (const line of lines.slice(kept).reverse()) {
    const [what, first = '', second = '', third = '-'] = line.split('\t');
    if (what === 'create' && existsSync(second) && lstatSync(second).ino === Number(first)) rmSync(second);
    if (what === 'remove') putBack(second, first);
    if (what === 'rename' && existsSync(second) && !existsSync(first)) {
      renameSync(second, first);
      putBack(third, second);
    }
  }
}

function putBack(kept: string, path: string): void {
  if (kept !== '-' && existsSync(kept) && !existsSync(path)) linkSync(kept, path);
}

function restoreFile(
  path: string,
  notes: string,
  random: Random,
  survival: Survival,
  told: { lost: number; survived: number },
): void {
  const changes = changesOf(unflushed(notes, String(lstatSync(path).ino)));
  if (changes.length === 0) return;
  const file = openSync(path, 'r+');
  try {
    for (const { offset, old, oldSize } of changes.toReversed()) {
      if (old.length > 0) writeSync(file, old, 0, old.length, offset);
      ftruncateSync(file, oldSize);
    }
    const share = random.next();
    for (const { offset, bytes } of changes) {
      const survives = survival === 'all' || (survival === 'some' && random.chance(share));
      if (!survives) {
        told.lost++;
        continue;
      }
      told.survived++;
      if (bytes === undefined) ftruncateSync(file, offset);
      else writeSync(file, bytes, 0, survival === 'all' ? bytes.length : torn(bytes.length, random), offset);
    }
  } finally {
    closeSync(file);
  }
}

/** Now and then the power goes while the sectors of one write are written. */
const torn = (length: number, random: Random): number =>
  length > SECTOR && random.chance(0.1) ? SECTOR * (1 + random.below(Math.floor(length / SECTOR))) : length;

/** What was noted behind the last flush. */
function unflushed(notes: string, name: string): Buffer {
  const path = join(notes, name);
  if (!existsSync(path)) return Buffer.alloc(0);
  const flushed = existsSync(`${path}.flushed`) ? Number(readFileSync(`${path}.flushed`, 'utf8')) : 0;
  return readFileSync(path).subarray(flushed);
}

/** A last one that was not noted to its end was not done. */
function changesOf(noted: Buffer): Change[] {
  const changes: Change[] = [];
  for (let at = 0; at + HEAD_BYTES <= noted.length; ) {
    const [offset = 0, oldLength = 0, newLength = 0, oldSize = 0] = [0, 8, 16, 24].map((n) =>
      Number(noted.readBigInt64LE(at + n)),
    );
    const begin = at + HEAD_BYTES;
    const middle = begin + oldLength;
    at = middle + Math.max(0, newLength);
    if (at > noted.length) break;
    const bytes = newLength < 0 ? undefined : noted.subarray(middle, at);
    changes.push({ offset, old: noted.subarray(begin, middle), oldSize, bytes });
  }
  return changes;
}
