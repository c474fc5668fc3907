import { DatabaseSync } from '@photostructure/sqlite';
import type { ThreadService } from '../../shared/thread-service.js';
import type { SessionFileRequest } from './session-file.js';
import type { SessionRecord } from './session-store.js';

/** The thread that owns the file of sessions: reads all of them once, at its start, then writes one after the other. */
export function inThread({
  file,
}: {
  readonly file: string;
}): ThreadService<SessionFileRequest, readonly SessionRecord[]> {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;');
  database.exec(`CREATE TABLE IF NOT EXISTS session (
    id TEXT PRIMARY KEY, userId TEXT NOT NULL, createdAt INTEGER NOT NULL, lastSeenAt INTEGER NOT NULL, expiresAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`);
  // Here, so that the thread ends where the file is damaged.
  const records = database.prepare('SELECT * FROM session').all() as unknown as readonly SessionRecord[];
  const put = database.prepare('INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?)');
  const touch = database.prepare('UPDATE session SET lastSeenAt = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM session WHERE id = ?');
  return {
    answer: (request) => {
      if ('read' in request) return records;
      if ('put' in request) {
        const { id, userId, createdAt, lastSeenAt, expiresAt } = request.put;
        put.run(id, userId, createdAt, lastSeenAt, expiresAt);
      } else if ('touch' in request) touch.run(request.lastSeenAt, request.touch);
      else remove.run(request.remove);
      return [];
    },
    end: () => database.close(),
  };
}
