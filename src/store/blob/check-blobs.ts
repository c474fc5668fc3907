import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../shared/errors.js';
import { systemTime } from '../../shared/time.js';
import type { Finding } from '../damage.js';
import { type Database, openDatabase } from '../sqlite.js';
import { BLOB_COLUMN } from './blob-holders.js';
import { OTHER_BYTES } from './blob-reader.js';

const PIECE_BYTES = 1024 * 1024;
const SHA256 = /^[0-9a-f]{64}$/;
/** How many names of held blobs one read takes. */
const HELD = 500;

/** Where a blob is within the data folder. */
export const blobFile = (sha256: string): string => join('blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);

/**
 * Hashes every blob of a data folder, and looks for those that documents of the partitions hold. Reads alone, a piece at a time, and yields between
 * them: a server may use the folder meanwhile. It begins anywhere, so that walks that are broken off come through all of them over time.
 */
export function* checkBlobs(
  dataFolder: string,
  partitions: readonly string[],
  found: (finding: Finding) => void,
): Generator<void> {
  const first = Number.parseInt(systemTime.seed().slice(0, 2), 16);
  for (let n = 0; n < 256; n++) {
    const folder = ((first + n) % 256).toString(16).padStart(2, '0');
    yield* checkFolder(dataFolder, folder, found);
  }
  for (const partition of partitions) yield* checkHeld(dataFolder, partition, found);
}

function* checkFolder(dataFolder: string, folder: string, found: (finding: Finding) => void): Generator<void> {
  for (const second of namesIn(join(dataFolder, 'blobs', folder))) {
    for (const name of namesIn(join(dataFolder, 'blobs', folder, second))) {
      if (!SHA256.test(name)) continue;
      const problem = yield* problemOf(join(dataFolder, 'blobs', folder, second, name), name);
      if (problem !== undefined) found({ file: blobFile(name), what: 'blob', id: name, problem });
    }
  }
}

function* problemOf(path: string, sha256: string): Generator<void, string | undefined> {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (thrown) {
    // It was swept meanwhile.
    return (thrown as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : messageOf(thrown);
  }
  try {
    const hash = createHash('sha256');
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (;;) {
      const bytes = readSync(file, piece, 0, PIECE_BYTES, null);
      hash.update(piece.subarray(0, bytes));
      yield;
      if (bytes === 0) return hash.digest('hex') === sha256 ? undefined : OTHER_BYTES;
    }
  } catch (thrown) {
    return messageOf(thrown);
  } finally {
    closeSync(file);
  }
}

/** That what documents hold is there. */
function* checkHeld(dataFolder: string, partition: string, found: (finding: Finding) => void): Generator<void> {
  const path = join(dataFolder, partition, 'log.db');
  if (!existsSync(path)) return;
  let database: Database | undefined;
  try {
    database = openDatabase(path, { readOnly: true });
    for (const [table, collection] of holdingTables(database)) {
      for (const page of missingIn(dataFolder, database, table)) {
        for (const [sha256, id] of page) {
          const problem = `is missing, although ${collection} '${id}' of ${partition} holds it`;
          found({ file: blobFile(sha256), what: 'blob', id: sha256, problem });
        }
        yield;
      }
    }
  } catch (thrown) {
    const problem = `it cannot be asked which blobs it holds: ${messageOf(thrown)}`;
    found({ file: `${partition}/log.db`, what: 'file', id: null, problem });
  } finally {
    database?.close();
  }
}

/** Page by page the blobs that are not there, each with a document that holds it. */
function* missingIn(
  dataFolder: string,
  database: Database,
  table: string,
): Generator<(readonly [sha256: string, id: string])[]> {
  const next = database.prepare(`SELECT DISTINCT value FROM "${table}" WHERE value > ? ORDER BY value LIMIT ?`);
  const holder = database.prepare(`SELECT id FROM "${table}" WHERE value = ? LIMIT 1`);
  for (let last = ''; ; ) {
    const held = next.all(last, HELD).map(({ value }) => String(value));
    const absent = held.filter((sha256) => SHA256.test(sha256) && !existsSync(join(dataFolder, blobFile(sha256))));
    // Asked behind that: it may have been let go, and swept.
    yield absent.flatMap((sha256) => holder.all(sha256).map(({ id }) => [sha256, String(id)] as const));
    if (held.length === 0) return;
    last = held.at(-1) ?? last;
  }
}

function holdingTables(database: Database): [table: string, collection: string][] {
  const names = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all();
  return names.flatMap(({ name }): [string, string][] => {
    const [, collection] = new RegExp(`^m_(.+)_${BLOB_COLUMN}$`).exec(String(name)) ?? [];
    return collection === undefined ? [] : [[String(name), collection]];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw thrown;
  }
}
