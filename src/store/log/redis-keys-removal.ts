import { PartitionHeld } from './logs.js';
import type { RedisConnection } from './redis-connection.js';
import { keysOf, keysPattern } from './redis-keys.js';
import { LET_GO } from './redis-scripts.js';

/** How many keys Redis looks at for one answer. */
const SCAN_COUNT = '1000';

/**
 * Removes the keys of a partition that no server decides for. `meta` goes last: as long as there are others it tells whose they are, and a removal that was
 * cut off is repeated. @throws PartitionHeld another server decides for it; UNAVAILABLE
 */
export async function removeKeys(connection: RedisConnection, partition: string, holder: string): Promise<void> {
  const { meta } = keysOf(partition);
  const [held, until] = (await connection.run(LET_GO, [meta], [holder])) as string[];
  if (held !== undefined) throw new PartitionHeld(partition, held, Number(until));
  let cursor = '0';
  do {
    const scan = ['SCAN', cursor, 'MATCH', keysPattern(partition), 'COUNT', SCAN_COUNT];
    const [next, found] = (await connection.command(scan)) as [string, string[]];
    const keys = found.filter((key) => key !== meta);
    if (keys.length > 0) await connection.command(['UNLINK', ...keys]);
    cursor = next;
  } while (cursor !== '0');
  await connection.command(['UNLINK', meta]);
}
