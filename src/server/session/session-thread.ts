import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';
import { messageOf } from '../../shared/errors.js';
import type { SessionFileReply, SessionFileRequest } from './session-file.js';
import type { SessionRecord } from './session-store.js';

/** The thread that owns the file of sessions: reads all of them once, then writes one after the other. */
const database = new DatabaseSync((workerData as { file: string }).file);
database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;');
database.exec(`CREATE TABLE IF NOT EXISTS session (
  id TEXT PRIMARY KEY, userId TEXT NOT NULL, createdAt INTEGER NOT NULL, lastSeenAt INTEGER NOT NULL, expiresAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID`);
const put = database.prepare('INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?)');
const touch = database.prepare('UPDATE session SET lastSeenAt = ? WHERE id = ?');
const remove = database.prepare('DELETE FROM session WHERE id = ?');

const say = (reply: SessionFileReply) => parentPort?.postMessage(reply);
say({ records: database.prepare('SELECT * FROM session').all() as unknown as SessionRecord[] });

parentPort?.on('message', (request: SessionFileRequest) => {
  try {
    perform(request);
    say({ sequence: request.sequence });
  } catch (thrown) {
    say({ sequence: request.sequence, error: messageOf(thrown) });
  }
  if ('close' in request) parentPort?.close();
});

function perform(request: SessionFileRequest): void {
  if ('put' in request) {
    const { id, userId, createdAt, lastSeenAt, expiresAt } = request.put;
    put.run(id, userId, createdAt, lastSeenAt, expiresAt);
  } else if ('touch' in request) {
    touch.run(request.lastSeenAt, request.touch);
  } else if ('remove' in request) {
    remove.run(request.remove);
  } else {
    database.close();
  }
}
