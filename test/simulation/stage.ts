import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Time } from '../../src/shared/time.js';
import { writeMeta } from '../../src/store/log/meta.js';
import { commitBodyOf } from '../../src/store/log/packed.js';
import { openReplicaFile } from '../../src/store/log/replica-file.js';
import { LOG_FORMAT, multiTableOf, shapeOf, tableOf } from '../../src/store/log/schema.js';
import type { Database } from '../../src/store/sqlite.js';
import { collections } from './domain.js';

export const shapes = collections.map(shapeOf);

/**
 * A file that outlives the processes of a story. It is a file for the locks and snapshots that connections have of each other there; nothing is
 * flushed, so that it is as fast as memory.
 */
export const STAGE = join(
  mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'millrace-stage-')),
  'log.db',
);
process.on('exit', () => rmSync(dirname(STAGE), { recursive: true, force: true }));
const TABLES = ['commits', 'outcome', 'meta', ...shapes.flatMap((shape) => [tableOf(shape), ...multisOf(shape)])];

let kept: Database | undefined;

/** Nothing is stored there any more: one story after the other. */
export function clearStage(time: Time): void {
  if (kept === undefined) {
    openReplicaFile(STAGE, shapes).close();
    kept = connect();
  }
  for (const table of TABLES) kept.exec(`DELETE FROM ${table}`);
  writeMeta(kept, 'epoch', time.seed());
  writeMeta(kept, 'format', String(LOG_FORMAT));
}

/** Another connection, for a process or a thread. Whoever would wait for a lock finds it held by somebody who is gone. */
export function connect(): Database {
  const database = new DatabaseSync(STAGE, { timeout: 0 });
  database.exec('PRAGMA synchronous=OFF; PRAGMA temp_store=MEMORY');
  return database;
}

/** What is stored on the stage. */
export function stored(): Database {
  if (kept === undefined) throw new Error('no story has begun');
  return kept;
}

/** The newest event that is stored: `revision.index`. */
export function lastEvent(): string | undefined {
  const row = stored()
    .prepare('SELECT revision, events FROM commits WHERE events > 0 ORDER BY revision DESC LIMIT 1')
    .get();
  return row === undefined ? undefined : `${row.revision}.${Number(row.events) - 1}`;
}

/** What is stored, a line per commit: for people. */
export function storedLines(): string[] {
  return stored()
    .prepare('SELECT revision, id, body FROM commits ORDER BY revision')
    .all()
    .map(({ revision, id, body }) => {
      const { type, events, docs } = commitBodyOf(String(body));
      const told = (events as { type: string; ids: object; data: unknown }[]).map((one) => JSON.stringify(one));
      return `commit ${revision} ${type} ${id}: ${docs.map((doc) => doc.join('/')).join(' ')}; ${told.join(' ')}`;
    });
}

function multisOf(shape: (typeof shapes)[number]): string[] {
  return shape.multi.map((column) => multiTableOf(shape, column));
}
