import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { type SessionRecord, takeOverSessions } from '../../identity/index.js';
import { messageOf } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { Principals } from '../../shared/principals.js';
import type { PartitionPort } from '../../store/index.js';

/** How many sessions one commit takes over. */
const TAKEN_MAX = 400;

/**
 * Takes the sessions of the file in which a former version kept them into `system`, once: the file is gone afterwards. Of one that is damaged nothing is
 * taken, and people sign in again.
 */
export async function takeOverSessionFile(
  file: string,
  principals: Pick<Principals, 'find'>,
  system: Pick<PartitionPort, 'sendAsSystem'>,
): Promise<void> {
  if (!existsSync(file)) return;
  const records = recordsOf(file, principals);
  for (let from = 0; from < records.length; from += TAKEN_MAX)
    await system.sendAsSystem(takeOverSessions, { records: records.slice(from, from + TAKEN_MAX) });
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
}

/** A row of the file. */
type Row = Pick<SessionRecord, 'id' | 'userId' | 'createdAt' | 'lastSeenAt' | 'expiresAt'>;

function recordsOf(file: string, principals: Pick<Principals, 'find'>): SessionRecord[] {
  try {
    const database = new DatabaseSync(file);
    try {
      const rows = database
        .prepare('SELECT id, userId, createdAt, lastSeenAt, expiresAt FROM session')
        .all() as unknown as readonly Row[];
      return rows.flatMap((row) => {
        const user = principals.find(row.userId);
        if (user === undefined) return [];
        return [{ ...row, credentialVersion: user.credentialVersion, address: null, agent: null }];
      });
    } finally {
      database.close();
    }
  } catch (thrown) {
    log.error({ file, reason: messageOf(thrown) }, 'the file of sessions cannot be read: all sign in again');
    return [];
  }
}
