import { messageOf } from '../../shared/errors.js';
import { log as serverLog } from '../../shared/log.js';
import { pause, type Time } from '../../shared/time.js';
import type { RedisConnection } from './redis-connection.js';
import { infoField } from './redis-durability.js';

/** Between two looks whether Redis has written its file anew. */
const LOOK_MS = 20;

/**
 * Has a Redis that was started since write its file anew, before anything of ours is written behind what it found there. A power loss may leave
 * half a transaction at the end of the file; Redis passes over it when it starts (`aof-load-truncated`), but cuts the file behind its last whole
 * command, not in front of it. The next start then takes it for the beginning of the transaction behind it, and half a batch that nobody was
 * answered comes to be (seen with 7.0.15). Where Redis may not be asked for it, that is logged.
 */
export async function rewriteFile(connection: RedisConnection, time: Time): Promise<void> {
  const info = String(await connection.command(['INFO', 'persistence']));
  if (infoField(info, 'aof_enabled') !== '1' || isWritten(info)) return;
  const problem = (await ask(connection)) ?? (await whenWritten(connection, time));
  if (problem === undefined) return;
  serverLog.warn(
    { reason: problem },
    'Redis did not write its file anew after its start: if that ended within a transaction, its next start may bring half of it back',
  );
}

/** Whether it was, since Redis was started. */
const isWritten = (info: string): boolean =>
  infoField(info, 'aof_last_rewrite_time_sec') !== '-1' && infoField(info, 'aof_last_bgrewrite_status') === 'ok';

/** Why it does not write it; undefined: it does, or is about to. */
async function ask(connection: RedisConnection): Promise<string | undefined> {
  try {
    await connection.command(['BGREWRITEAOF']);
    return undefined;
  } catch (thrown) {
    if (!connection.isOpen) throw thrown;
    return /already in progress/.test(messageOf(thrown)) ? undefined : messageOf(thrown);
  }
}

async function whenWritten(connection: RedisConnection, time: Time): Promise<string | undefined> {
  for (;;) {
    const info = String(await connection.command(['INFO', 'persistence']));
    const is = (name: string, value: string) => infoField(info, name) === value;
    if (is('aof_rewrite_in_progress', '0') && is('aof_rewrite_scheduled', '0'))
      return isWritten(info) ? undefined : 'it failed';
    await pause(time, LOOK_MS);
  }
}
