import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf, ServiceError } from '../../shared/errors.js';
import { systemTime } from '../../shared/time.js';
import { isDamage } from '../damage.js';
import { type Database, openDatabase } from '../sqlite.js';
import { hasHead, readHead, removeHead } from './head-file.js';
import type { Loss } from './logs.js';
import { metaOf } from './meta.js';

/** Where a log is gone that was there: what the operator is told, and how to go on. */
export class LostLog {
  readonly path: string;
  /** What became of it: `is missing`. */
  readonly problem: string;
  /** How many commits it had, as far as that is known. */
  readonly had: number | null;

  constructor(path: string, problem: string, had: number | null) {
    this.path = path;
    this.problem = problem;
    this.had = had;
  }

  isAccepted(acceptLoss: string | undefined): boolean {
    return acceptLoss !== undefined && resolve(acceptLoss) === resolve(this.path);
  }

  refusal(): ServiceError {
    const { path, problem, had } = this;
    const known = had === null ? '' : `, which had ${had} commits`;
    return new ServiceError(
      'CONFLICT',
      `expected the log ${resolve(path)}${known}, but it ${problem}; restore a backup, or set MILLRACE_ACCEPT_LOSS=${resolve(path)} once, to begin without all that it held`,
      { reason: 'log_lost', resourceId: path },
    );
  }
}

/** Tells whether all that the `log.db` held is gone. `isKnown`: there was one, whatever lies beside it. */
export function goneLog(path: string, isKnown: boolean): LostLog | undefined {
  const head = readHead(path);
  const had = head?.revision ?? null;
  const wasThere = isKnown || hasHead(path);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return new LostLog(path, 'is a folder', had);
  const bytes = found?.size;
  if (bytes === undefined) return wasThere ? new LostLog(path, 'is missing', had) : undefined;
  if (bytes === 0) return had !== null || isKnown ? new LostLog(path, 'is empty', had) : undefined;
  const problem = damageOf(path, had ?? 0);
  return problem === undefined ? undefined : new LostLog(path, problem, had);
}

/** Whether the head of the `log.db` is gone: that there is one it says only when a power cut could not take it any more. */
export const hasLostHead = (path: string, database: Database): boolean =>
  !hasHead(path) && metaOf(database, 'head') !== undefined;

/** The damage that keeps an existing file from being used at all. `had`: how many commits it is known to have had. */
export function damageOf(path: string, had: number): string | undefined {
  return cutProblem(path, statSync(path).size) ?? readProblem(path, had);
}

/** The header of a database: SQLite's file format, 1.3. */
const PAGE_SIZE_AT = 16;
const PAGES_AT = 28;

/** A file that is shorter than its header says was cut. What a write-ahead log still holds may not have been copied yet. */
function cutProblem(path: string, bytes: number): string | undefined {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return undefined;
  const header = Buffer.alloc(100);
  const file = openSync(path, 'r');
  readSync(file, header, 0, header.length, 0);
  closeSync(file);
  const pageSize = header.readUInt16BE(PAGE_SIZE_AT);
  const expected = header.readUInt32BE(PAGES_AT) * (pageSize === 1 ? 65_536 : pageSize);
  return bytes < expected ? `was cut: it has ${bytes} bytes of ${expected}` : undefined;
}

/** What keeps the newest commit from being read. What is damaged elsewhere concerns only those who read it. */
function readProblem(path: string, had: number): string | undefined {
  try {
    const database = openDatabase(path, { readOnly: true });
    try {
      const isThere = database.prepare(`SELECT 1 AS one FROM sqlite_master WHERE name = 'commits'`).get() !== undefined;
      const newest = isThere
        ? database.prepare('SELECT * FROM commits ORDER BY revision DESC LIMIT 1').get()
        : undefined;
      return newest === undefined && had > 0 ? 'holds nothing' : undefined;
    } finally {
      database.close();
    }
  } catch (thrown) {
    // Who may not read it, or finds it locked, is told so by opening it.
    return isDamage(thrown) ? `cannot be read: ${messageOf(thrown)}` : undefined;
  }
}

/** Puts what is left of the log aside, so that it begins anew. */
export function setAside({ path, problem, had }: LostLog): Loss {
  const aside = `${path}.lost-${systemTime.now()}`;
  if (existsSync(path)) renameSync(path, aside);
  for (const end of ['-wal', '-shm']) {
    if (existsSync(`${path}${end}`)) renameSync(`${path}${end}`, `${aside}${end}`);
  }
  rmSync(`${path}-shm`, { force: true });
  removeHead(path);
  return {
    path,
    had,
    has: 0,
    isAccepted: true,
    message: `${path} ${problem}; it begins anew, as MILLRACE_ACCEPT_LOSS says`,
  };
}
