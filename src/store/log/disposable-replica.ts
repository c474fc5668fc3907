import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { messageOf } from '../../shared/errors.js';
import { log as serverLog } from '../../shared/log.js';
import { isDamaged } from '../damage.js';
import { LogBroken } from './log.js';
import { damageOf } from './lost-log.js';

/** What lies beside a replica that could not be made anew where it was. */
const markOf = (path: string): string => `${path}.damaged`;

/** As SQLite says that a file is not a sound database. */
const UNSOUND = /malformed|not a database/;

/** Where a replica cannot be made anew in its file, as that is unsound: the partition stops, and the next start makes another file. */
export function beyondRepair(
  of: { readonly partition: string; readonly path: string },
  thrown: unknown,
): LogBroken | undefined {
  if (!isDamaged(thrown) && !UNSOUND.test(messageOf(thrown))) return undefined;
  markDamaged(of.path);
  return new LogBroken(
    `the replica of partition '${of.partition}' is damaged, and cannot be written any more; the next start makes it anew out of Redis`,
  );
}

function markDamaged(path: string): void {
  try {
    writeFileSync(markOf(path), '');
  } catch (thrown) {
    serverLog.error(
      { err: thrown, path },
      'it could not be noted that the replica is damaged: delete the file before the next start',
    );
  }
}

/** Takes a replica away that cannot be used any more: all of it comes again from Redis. */
export function disposeDamaged(path: string): void {
  if (!existsSync(path)) return;
  const problem = existsSync(markOf(path)) ? 'was found damaged' : damageOf(path, 0);
  if (problem === undefined) return;
  serverLog.warn({ path, problem }, 'a replica cannot be used any more, and is made anew out of Redis');
  for (const end of ['', '-wal', '-shm', '.damaged']) rmSync(`${path}${end}`, { force: true });
}
