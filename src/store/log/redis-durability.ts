import { messageOf, ServiceError } from '../../shared/errors.js';
import { log as serverLog } from '../../shared/log.js';
import { pause, type Time } from '../../shared/time.js';
import type { RedisConnection } from './redis-connection.js';

/** Durability of an answered change: by `appendfsync`, or `none` where nothing is appended to a file; `unknown`: Redis does not tell. */
type Durability = 'always' | 'everysec' | 'no' | 'none' | 'unknown';

/** Something that an operator should change; for everybody, so it names neither addresses nor workspaces. */
export interface LogWarning {
  readonly reason:
    | 'log_not_flushed'
    | 'log_may_evict'
    | 'log_evicts'
    | 'log_incomplete'
    | 'commits_lost'
    | 'data_damaged';
  readonly message: string;
  /** Whether the server is not ready as long as it is so. */
  readonly isUnready: boolean;
}

/** Facts of a Redis that its server must know. */
interface RedisFacts {
  readonly version: string;
  readonly durability: Durability;
  readonly warnings: readonly LogWarning[];
}

const VERSION_MIN = [6, 2] as const;

/** Asks Redis what it is, and how far what it has answered is safe. @throws CONFLICT when it is too old */
export async function redisFacts(connection: RedisConnection): Promise<RedisFacts> {
  const info = String(await connection.command(['INFO']));
  const version = infoField(info, 'redis_version') ?? '';
  checkVersion(version);
  const appends = infoField(info, 'aof_enabled') === '1';
  const durability = appends ? durabilityOf(await configOf(connection, 'appendfsync')) : 'none';
  const warnings = [flushing(durability), eviction(info)].filter((warning) => warning !== undefined);
  return { version, durability, warnings };
}

const NOT_FLUSHED: Readonly<Record<Durability, string | undefined>> = {
  always: undefined,
  everysec:
    'Redis flushes its file once a second (appendfsync everysec): a crash of its machine loses what was answered in that second',
  no: 'Redis leaves flushing to the operating system (appendfsync no): a crash of its machine loses what was answered lately',
  none: 'Redis appends to no file (appendonly no): its end loses everything that was answered since its last snapshot',
  unknown: 'Redis does not tell how it flushes its file: what a crash of its machine loses is not known',
};

function flushing(durability: Durability): LogWarning | undefined {
  const message = NOT_FLUSHED[durability];
  return message === undefined ? undefined : { reason: 'log_not_flushed', message, isUnready: false };
}

/** None of our keys has a time to live: `volatile-…` removes none of them. Without a limit (`maxmemory 0`) nothing is removed yet. */
function eviction(info: string): LogWarning | undefined {
  const policy = infoField(info, 'maxmemory_policy') ?? 'noeviction';
  if (!policy.startsWith('allkeys')) return undefined;
  if (infoField(info, 'maxmemory') === '0') {
    const message = `Redis removes any key as soon as a limit of its memory is set (maxmemory-policy ${policy}): it would lose documents; set noeviction`;
    return { reason: 'log_may_evict', message, isUnready: false };
  }
  const message = `Redis removes any key when its memory is full (maxmemory-policy ${policy}), so documents may be lost at any moment; set noeviction`;
  return { reason: 'log_evicts', message, isUnready: true };
}

function durabilityOf(appendfsync: string | undefined): Durability {
  if (appendfsync === 'always' || appendfsync === 'everysec' || appendfsync === 'no') return appendfsync;
  return 'unknown';
}

/** Services that run Redis for others often hide its configuration. */
async function configOf(connection: RedisConnection, name: string): Promise<string | undefined> {
  const found = await connection.command(['CONFIG', 'GET', name]).catch(() => undefined);
  return Array.isArray(found) ? String(found[1] ?? '') : undefined;
}

/** A fact of what `INFO` tells. */
const infoField = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];

function checkVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > VERSION_MIN[0] || (major === VERSION_MIN[0] && minor >= VERSION_MIN[1])) return;
  throw new ServiceError('CONFLICT', `expected Redis ${VERSION_MIN.join('.')} or later, but found ${version}`);
}

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
