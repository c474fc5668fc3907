import { dirname, join } from 'node:path';
import { unavailable } from '../../shared/errors.js';
import { idSource } from '../../shared/ids.js';
import { log as serverLog } from '../../shared/log.js';
import { systemTime, type Time, type Timer, within } from '../../shared/time.js';
import type { Replica } from '../replica.js';
import { beyondRepair } from './disposable-replica.js';
import { type CommitRecord, type Log, LogBroken } from './log.js';
import { PartitionHeld } from './logs.js';
import type { RedisAddress } from './redis-address.js';
import { RedisConnection } from './redis-connection.js';
import { batchOf } from './redis-entry.js';
import { type HistoryPlace, nextStep } from './redis-history.js';
import { COUNTED_FORMAT, keysOf, REDIS_FORMAT, type RedisKeys } from './redis-keys.js';
import type { RedisPort } from './redis-port.js';
import { APPEND, CHECK, COUNT, FORGET_MAX, NEW_EPOCH, RENEW, TAKE, TRIM } from './redis-scripts.js';
import type { ReplicaThread } from './replica-thread.js';
import { ReplicaWriter } from './replica-writer.js';
import type { TableShape } from './schema.js';

/** How often a lease is made longer while it lasts. */
const RENEWALS = 3;
/** How many batches are on their way at once. */
const BATCHES_MAX = 4;
/** How long a replica may take to come to the end of the stream after a recovery. */
const CATCH_UP_MS = 30_000;
/** How often a shortening goes on with more old outcomes. */
const FORGET_ROUNDS_MAX = 100;

const RESTORE = 'restore a backup of Redis, or start the server on a data folder that has a replica of all of it';

/** Ports of a log in Redis: to what is beyond the process, or beside its main thread. */
export interface RedisPorts {
  readonly redis: RedisPort;
  readonly replicas: ReplicaThread;
  /** Default: the machine's. */
  readonly time?: Time;
}

interface RedisLogOptions {
  readonly address: RedisAddress;
  readonly ports: RedisPorts;
  readonly partition: string;
  /** This server, the same after a restart. */
  readonly holder: string;
  /** The replica's `log.db`. */
  readonly path: string;
  readonly replica: Replica;
  readonly shapes: readonly TableShape[];
  readonly leaseMs: number;
  readonly answerMs: number;
  /** Given each connection that is made, before it is used. */
  readonly connected: (connection: RedisConnection) => Promise<void>;
}

/**
 * A log in Redis: a script appends a batch when the fence and the last commit are the expected ones, and writes nothing else. The replica is
 * filled from the stream by a thread. Made closed: {@link recover} opens it.
 */
export class RedisLog implements Log {
  readonly system = 'redis';
  readonly inFlightMax = BATCHES_MAX;
  readonly partition: string;
  /** When Redis last said that this server may go on deciding, ms. */
  renewedAt: number;
  readonly #options: RedisLogOptions;
  readonly #keys: RedisKeys;
  readonly #shapes: ReadonlyMap<string, TableShape>;
  readonly #writer: ReplicaWriter;
  readonly #time: Time;
  readonly #heartbeat: Timer;
  #connection: RedisConnection | null = null;
  #whenLost: (error: Error) => void = () => {};
  #fence = '';
  /** The id of the commit that the next batch follows. */
  #last = '';
  #closed = false;
  /** Whether the replica is to be made anew: something in it was found damaged. */
  #isDamaged = false;

  constructor(options: RedisLogOptions) {
    const { address, ports, partition, path, shapes, leaseMs } = options;
    this.#options = options;
    this.#time = ports.time ?? systemTime;
    this.partition = partition;
    this.renewedAt = this.#time.now();
    this.#keys = keysOf(partition);
    this.#shapes = new Map(shapes.map((shape) => [shape.name, shape]));
    const data = { path, shapes, address, partition };
    const lost = (error: Error) => this.#whenLost(error);
    this.#writer = new ReplicaWriter({ data, thread: ports.replicas, time: this.#time, lost });
    options.replica.onDamage((damage) => this.#damagedReplica(damage));
    this.#heartbeat = this.#time.every(leaseMs / RENEWALS, () => void this.#beat());
  }

  async append(group: readonly CommitRecord[]): Promise<void> {
    const newest = group.at(-1);
    if (newest === undefined) return;
    const { keys, args } = batchOf(group, this.#keys, this.#shapes);
    const expected = this.#last;
    // What follows on the same connection follows this batch: where this one is refused, so are they.
    this.#last = newest.id;
    const answer = await this.#open().run(APPEND, keys, [this.#fence, expected, ...args]);
    if (answer === 'fence') throw unavailable(`another server has taken partition '${this.partition}'`);
    if (answer !== 'ok') throw unavailable(`the last commit of partition '${this.partition}' is not the expected one`);
    await this.#writer.reached(newest.revision);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  async recover(): Promise<void> {
    if (this.#closed) throw unavailable('the log is closed');
    this.#connection?.destroy();
    this.#writer.giveUp(unavailable('the log is being recovered'));
    const { ports, answerMs, connected } = this.#options;
    const connection = await RedisConnection.open(ports.redis, answerMs, this.#time);
    this.#connection = connection;
    // It may have been closed meanwhile.
    if (this.#closed) connection.destroy();
    await connected(connection);
    const found = await this.#take();
    await this.#reconcile(found).catch((thrown: unknown) => {
      throw beyondRepair(this.#options, thrown) ?? thrown;
    });
    this.#last = found.commit;
  }

  /** What is damaged in a replica comes again from Redis. */
  #damagedReplica(damage: Error): void {
    if (this.#isDamaged) return;
    this.#isDamaged = true;
    const { partition, path } = this.#options;
    serverLog.warn({ partition, path, reason: damage.message }, 'the replica is damaged, and made anew out of Redis');
    this.#whenLost(unavailable(`the replica of partition '${partition}' is made anew`));
  }

  /** Makes the lease longer, which Redis does only as long as it takes writes and the fence is ours. */
  async probe(): Promise<void> {
    const { partition, leaseMs } = this.#options;
    if (!(await this.#renew(this.#open(), leaseMs)))
      throw unavailable(`another server has taken partition '${partition}'`);
  }

  onLost(listener: (error: Error) => void): void {
    this.#whenLost = listener;
  }

  async trim(revision: number, outcomesBefore: number): Promise<void> {
    const { meta, log, outcome, outcomeAt } = this.#keys;
    const args = [this.#fence, String(revision), String(outcomesBefore)];
    for (let round = 0; round < FORGET_ROUNDS_MAX; round++) {
      const forgotten = Number(await this.#open().run(TRIM, [meta, log, outcome, outcomeAt], args));
      if (forgotten < 0) throw unavailable(`another server has taken partition '${this.partition}'`);
      if (forgotten < FORGET_MAX) break;
    }
    await this.#writer.trim(Math.min(revision, this.#options.replica.revision()), outcomesBefore);
  }

  /** Gives the lease back, so that another server, or the next one, has not to wait. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#heartbeat.cancel();
    // Where Redis is away there is nothing to give back.
    if (this.#connection?.isOpen === true) await this.#renew(this.#connection, 0).catch(() => {});
    this.#connection?.destroy();
    await this.#writer.close();
  }

  #open(): RedisConnection {
    if (this.#connection === null || this.#closed) throw unavailable('the log is closed');
    return this.#connection;
  }

  /** A lease that cannot be made longer ends, and with it the right to decide: better to know it at once than at the next command. */
  async #beat(): Promise<void> {
    if (this.#fence !== '') await this.probe().catch((thrown: Error) => this.#whenLost(thrown));
  }

  /** Whether the fence was ours. */
  async #renew(connection: RedisConnection, forMs: number): Promise<boolean> {
    const isOurs = Number(await connection.run(RENEW, [this.#keys.meta], [this.#fence, String(forMs)])) === 1;
    if (isOurs) this.renewedAt = this.#time.now();
    return isOurs;
  }

  /** What Redis has lost of the partition without anybody having removed it: a sentence each. @throws UNAVAILABLE */
  async missing(): Promise<string[]> {
    const { meta, log, outcomeAt } = this.#keys;
    const { keys, names } = this.#hashes();
    const said = await this.#open().run(CHECK, [meta, log, outcomeAt, ...keys], names);
    const wrong = said as [name: string, must: number, is: number];
    const found: string[] = [];
    for (let i = 0; i < wrong.length; i += 3) found.push(`${wrong[i]} (${wrong[i + 2]} instead of ${wrong[i + 1]})`);
    return found;
  }

  /** Takes a new fence: nothing that was sent before can land any more. @throws PartitionHeld */
  async #take(): Promise<HistoryPlace & { readonly trimmed: number }> {
    const { partition, holder, leaseMs } = this.#options;
    const fence = this.#id();
    const { meta, log, outcomeAt } = this.#keys;
    const args = [fence, holder, String(leaseMs), this.#id(), String(REDIS_FORMAT)];
    const keys = [meta, log, outcomeAt, ...this.#hashes().keys];
    const [status, ...said] = (await this.#open().run(TAKE, keys, args)) as string[];
    if (status === 'headless') {
      throw new LogBroken(
        `Redis has ${said[0]}, but no longer ${meta}: keys were removed, so what is left is not to be relied on; ${RESTORE}`,
      );
    }
    if (status === 'held') throw new PartitionHeld(partition, said[0] ?? '', Number(said[1]));
    const [format, epoch = '', revision, commit = '', trimmed] = said;
    if (Number(format) > REDIS_FORMAT) {
      throw new LogBroken(`what Redis has of '${partition}' is of format ${format}: start a newer server`);
    }
    this.#fence = fence;
    if (Number(format) < REDIS_FORMAT) await this.#upgrade(Number(format));
    return { epoch, revision: Number(revision), commit, trimmed: Number(trimmed) };
  }

  /** Keys and names of what `meta` counts. */
  #hashes(): { readonly keys: string[]; readonly names: string[] } {
    const { outcome, documents } = this.#keys;
    const collections = [...this.#shapes.keys()];
    return {
      keys: [outcome, ...collections.map(documents)],
      names: ['outcome', ...collections.map((name) => `doc:${name}`)],
    };
  }

  /** What a server that did not count wrote is counted as it is. */
  async #upgrade(format: number): Promise<void> {
    const { keys, names } = format < COUNTED_FORMAT ? this.#hashes() : { keys: [], names: [] };
    const args = [this.#fence, String(REDIS_FORMAT), ...names];
    const counted = await this.#open().run(COUNT, [this.#keys.meta, ...keys], args);
    if (Number(counted) !== 1) throw unavailable(`another server has taken partition '${this.partition}'`);
  }

  /** Brings the replica to where Redis is. */
  async #reconcile(found: HistoryPlace & { readonly trimmed: number }): Promise<void> {
    const { replica } = this.#options;
    if (this.#isDamaged) {
      await this.#checkComplete();
      await this.#writer.load(null);
      this.#isDamaged = false;
      return this.#caughtUp(found.revision);
    }
    const revision = replica.revision();
    const own = { epoch: replica.meta('epoch') ?? '', revision, commit: replica.commitId(revision) ?? '' };
    const step = nextStep(own, { ...found, atReplica: await this.#commitAt(revision) });
    if (step !== 'follow') await this.#checkComplete();
    if (step === 'lost') await this.#lost(own, found);
    if (step === 'another') this.#warn(own, found, 'the replica is of another history than Redis has; it is made anew');
    if (step === 'follow') await this.#writer.follow();
    else await this.#writer.load(step === 'load' ? null : this.#copyOf(own));
    await this.#caughtUp(found.revision);
  }

  /** @throws LogBroken when a replica that is made anew would lack what Redis has lost */
  async #checkComplete(): Promise<void> {
    const missing = await this.missing();
    if (missing.length === 0) return;
    throw new LogBroken(
      `Redis has lost what it had of partition '${this.partition}': ${missing.join(', ')}; ${RESTORE}`,
    );
  }

  /** History went back: it is another one from here on, and whoever knows a place in the old one is told so. */
  async #lost(own: HistoryPlace, found: HistoryPlace): Promise<void> {
    const copy = this.#copyOf(own);
    const { partition } = this.#options;
    const facts = { partition, had: own.revision, has: found.revision, copy };
    serverLog.error(facts, 'Redis has lost commits that were durable; what this server knew of them is kept in a copy');
    const renewed = await this.#open().run(NEW_EPOCH, [this.#keys.meta], [this.#fence, this.#id()]);
    if (Number(renewed) !== 1) throw unavailable(`another server has taken partition '${partition}'`);
  }

  #warn(own: HistoryPlace, found: HistoryPlace, message: string): void {
    const { partition } = this;
    serverLog.warn({ partition, had: own.revision, has: found.revision, copy: this.#copyOf(own) }, message);
  }

  #copyOf = ({ epoch, revision }: HistoryPlace): string =>
    join(dirname(this.#options.path), `log.db.${epoch}-${revision}`);

  async #commitAt(revision: number): Promise<string | undefined> {
    const id = `${revision}-0`;
    const found = (await this.#open().command(['XRANGE', this.#keys.log, id, id])) as [string, string[]][];
    return found[0]?.[1][1];
  }

  async #caughtUp(revision: number): Promise<void> {
    const late = () => unavailable(`the replica did not come to revision ${revision} within ${CATCH_UP_MS} ms`);
    await within(this.#time, CATCH_UP_MS, this.#writer.reached(revision), late);
  }

  #id(): string {
    return idSource(this.#time.seed(), this.#time.now()).next();
  }
}
