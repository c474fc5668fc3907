import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, ServiceError } from '../../shared/errors.js';
import { idSource } from '../../shared/ids.js';
import { log as serverLog } from '../../shared/log.js';
import { systemTime, type Time } from '../../shared/time.js';
import { partitionFolder, removePartitionFolder } from '../data-folder.js';
import { Replica } from '../replica.js';
import { openDatabase } from '../sqlite.js';
import { disposeDamaged } from './disposable-replica.js';
import { type Logs, type OpenedLog, PartitionHeld } from './logs.js';
import { metaOf, writeMeta } from './meta.js';
import type { RedisAddress } from './redis-address.js';
import { RedisConnection, redisClients } from './redis-connection.js';
import { type LogWarning, redisFacts, rewriteFile } from './redis-durability.js';
import { keysOf, keysPattern } from './redis-keys.js';
import { RedisLog, type RedisPorts } from './redis-log.js';
import { LET_GO } from './redis-scripts.js';
import { openReplicaFile } from './replica-file.js';
import { REDIS_REPLICA } from './replica-load.js';
import { replicaThread } from './replica-thread.js';
import type { TableShape } from './schema.js';
import { upgraded } from './upgrade.js';

/** Between two looks whether the lease of a server that is gone is over. */
const LOOK_MS = 500;

export interface RedisLogsOptions {
  readonly address: RedisAddress;
  /** Where replicas are kept: `<data folder>/<partition>/log.db`. What is lost of it comes again from Redis. */
  readonly dataFolder: string;
  /** How long a server that is not heard of any more keeps its partitions, ms by the clock of Redis. Default 10,000. */
  readonly leaseMs?: number;
  /** How long Redis may take to answer, ms; then it is away. Default 5,000. */
  readonly answerMs?: number;
  /** Default: the server at the address, and a thread. */
  readonly ports?: RedisPorts;
}

/** A server that decides what is kept in a Redis. */
export interface RedisMember {
  /** The same after a restart. */
  readonly nodeId: string;
  /** ms */
  readonly lastHeartbeat: number;
  /** Whether nobody else may take what it decides. */
  readonly isAlive: boolean;
}

const LEASE_MS = 10_000;
const ANSWER_MS = 5_000;

/** The logs of a server that keeps its partitions in Redis. */
export class RedisLogs implements Logs {
  readonly #options: RedisLogsOptions;
  readonly #ports: RedisPorts;
  readonly #time: Time;
  readonly #open = new Set<RedisLog>();
  #known: readonly LogWarning[] = [];
  #checked: Promise<void> | null = null;

  constructor(options: RedisLogsOptions) {
    this.#options = options;
    this.#ports = options.ports ?? { redis: redisClients(options.address, options.answerMs), replicas: replicaThread };
    this.#time = this.#ports.time ?? systemTime;
  }

  /** What an operator should change, as of the last look. */
  get warnings(): readonly LogWarning[] {
    return this.#known;
  }

  /** This server among those that share the Redis, by when it was last heard of there. */
  get member(): RedisMember {
    const { dataFolder, leaseMs = LEASE_MS } = this.#options;
    const heard = [...this.#open].map(({ renewedAt }) => renewedAt);
    const lastHeartbeat = Math.max(0, ...heard);
    const isAlive = this.#time.now() - lastHeartbeat <= leaseMs;
    return { nodeId: holderOf(dataFolder, this.#time), lastHeartbeat, isAlive };
  }

  /** Looks again how Redis keeps what it is given, and whether all of it is there. @throws UNAVAILABLE */
  async look(): Promise<void> {
    const { answerMs = ANSWER_MS } = this.#options;
    const connection = await RedisConnection.open(this.#ports.redis, answerMs, this.#time);
    try {
      await this.#learn(connection);
    } finally {
      connection.destroy();
    }
  }

  async open(partition: string, shapes: readonly TableShape[]): Promise<OpenedLog> {
    const { address, dataFolder, leaseMs = LEASE_MS, answerMs = ANSWER_MS } = this.#options;
    const folder = partitionFolder(dataFolder, partition);
    this.#checked ??= this.#check();
    await this.#checked.catch((thrown: unknown) => {
      this.#checked = null;
      throw thrown;
    });
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'log.db');
    disposeDamaged(path);
    await upgraded(path, shapes);
    openForRedis(path, shapes, this.#time);
    const replica = new Replica(openDatabase(path, { readOnly: true, mapped: false }));
    const holder = holderOf(dataFolder, this.#time);
    const ports = this.#ports;
    const connected = async (connection: RedisConnection) => {
      await rewriteFile(connection, this.#time);
      await this.#learn(connection);
    };
    const log = new RedisLog({
      address,
      ports,
      partition,
      holder,
      path,
      replica,
      shapes,
      leaseMs,
      answerMs,
      connected,
    });
    try {
      await takeWhenFree(log, this.#time);
      this.#open.add(log);
      return { log, replica };
    } catch (thrown) {
      await log.close();
      replica.close();
      throw thrown;
    }
  }

  async remove(partition: string): Promise<void> {
    const { dataFolder, answerMs = ANSWER_MS } = this.#options;
    const connection = await RedisConnection.open(this.#ports.redis, answerMs, this.#time);
    try {
      await removeKeys(connection, partition, holderOf(dataFolder, this.#time));
    } finally {
      connection.destroy();
    }
    await removePartitionFolder(dataFolder, partition);
  }

  /** Once per server: what it can rely on, told at start. */
  async #check(): Promise<void> {
    const { answerMs = ANSWER_MS } = this.#options;
    const { redis } = this.#ports;
    const connection = await whenLoaded(() => RedisConnection.open(redis, answerMs, this.#time), this.#time);
    try {
      const { version, durability } = await redisFacts(connection);
      serverLog.info({ redis: redis.name, version, durability }, 'changes are kept in Redis');
      await this.#learn(connection);
    } finally {
      connection.destroy();
    }
  }

  async #learn(connection: RedisConnection): Promise<void> {
    const { warnings } = await redisFacts(connection);
    const missing = await this.#missing();
    const known = [...warnings, ...(missing ? [INCOMPLETE] : [])];
    const isKnown = (one: LogWarning, among: readonly LogWarning[]) =>
      among.some(({ message }) => message === one.message);
    for (const one of known) if (!isKnown(one, this.#known)) serverLog.warn({ reason: one.reason }, one.message);
    for (const one of this.#known)
      if (!isKnown(one, known)) serverLog.info({ reason: one.reason }, `no longer so: ${one.message}`);
    this.#known = known;
  }

  /** Whether anything of an open partition is gone; a log that is away tells nothing. */
  async #missing(): Promise<boolean> {
    const all = await Promise.all(
      [...this.#open].map(async (log) => {
        if (log.isClosed) this.#open.delete(log);
        const missing = await log.missing().catch(() => []);
        if (missing.length > 0) serverLog.error({ partition: log.partition, missing }, INCOMPLETE.message);
        return missing.length > 0;
      }),
    );
    return all.includes(true);
  }
}

/** What is answered is right: it comes from the replica. */
const INCOMPLETE: LogWarning = {
  reason: 'log_incomplete',
  message:
    'Redis has lost keys that nobody removed, so a replica that is lost cannot be made anew from it; restore a backup of Redis, and keep the data folder',
  isUnready: true,
};

/** Whoever opens a log waits for it: the process stays for that, although nothing else may hold it yet. */
const lookAgain = (time: Time): Promise<void> =>
  new Promise((resolve) => void time.after(LOOK_MS, () => resolve()).hold());

/** Redis answers nothing else while it reads its file after a start, which takes as long as it takes. */
async function whenLoaded(open: () => Promise<RedisConnection>, time: Time): Promise<RedisConnection> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await open();
    } catch (thrown) {
      if (!/\bLOADING\b/.test(messageOf(thrown))) throw thrown;
      if (!isTold) serverLog.info('Redis is loading its data; waiting for it');
    }
    await lookAgain(time);
  }
}

/** Waits for the lease of a server that is gone. @throws CONFLICT when the other one is alive: its lease goes on */
async function takeWhenFree(log: RedisLog, time: Time): Promise<void> {
  let known: PartitionHeld | undefined;
  for (;;) {
    try {
      return await log.recover();
    } catch (thrown) {
      if (!(thrown instanceof PartitionHeld)) throw thrown;
      if (known !== undefined && known.until !== thrown.until) throw inUse(thrown);
      known = thrown;
    }
    await lookAgain(time);
  }
}

const inUse = ({ message }: PartitionHeld): ServiceError =>
  new ServiceError(
    'CONFLICT',
    `${message}, and it is alive; stop that one, or set REDIS_URL to another Redis server or database`,
    { reason: 'redis_in_use' },
  );

/** @throws CONFLICT when the file holds what an embedded log decided: Redis knows nothing of it */
function openForRedis(path: string, shapes: readonly TableShape[], time: Time): void {
  const database = openReplicaFile(path, shapes, time);
  try {
    const isOurs = metaOf(database, 'log') === REDIS_REPLICA;
    if (!isOurs && database.prepare('SELECT 1 FROM commits LIMIT 1').get() !== undefined) {
      throw new ServiceError(
        'CONFLICT',
        `expected ${path} to be a replica of Redis, but it holds what a server without REDIS_URL has decided; set MILLRACE_DATA to another folder`,
        { reason: 'data_folder_in_use' },
      );
    }
    writeMeta(database, 'log', REDIS_REPLICA);
  } finally {
    database.close();
  }
}

/** This server's name among those that share a Redis: kept in its data folder, so that it takes up at once after a crash what it held. */
function holderOf(dataFolder: string, time: Time): string {
  const path = join(dataFolder, 'server-id');
  if (!existsSync(path)) {
    // In one step: half a name would be another server's.
    writeFileSync(`${path}.new`, idSource(time.seed(), time.now()).next());
    renameSync(`${path}.new`, path);
  }
  return readFileSync(path, 'utf8');
}

/** How many keys Redis looks at for one answer. */
const SCAN_COUNT = '1000';

/**
 * Removes the keys of a partition that no server decides for. `meta` goes last: as long as there are others it tells whose they are, and a removal that was
 * cut off is repeated. @throws PartitionHeld another server decides for it; UNAVAILABLE
 */
async function removeKeys(connection: RedisConnection, partition: string, holder: string): Promise<void> {
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
