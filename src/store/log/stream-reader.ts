import { Redis } from 'ioredis';
import type { CommitRecord } from './log.js';
import { type RedisAddress, streamClientOptions } from './redis-address.js';
import { commitOf, documentOf, outcomeOf, type StoredDocument, type StoredOutcome } from './redis-entry.js';
import type { RedisKeys } from './redis-keys.js';
import type { TableShape } from './schema.js';

/** How many commits one read gives at most. */
const READ_MAX = 128;
const SCAN_COUNT = '500';

/** What Redis says of a partition. */
export interface PartitionMeta {
  readonly epoch: string;
  readonly revision: number;
  readonly trimmed: number;
}

/** Reads one partition out of Redis, on a connection of its own. */
export class StreamReader {
  readonly #redis: Redis;
  readonly #keys: RedisKeys;
  readonly #shapes: ReadonlyMap<string, TableShape>;

  /** `comesBack`: a lost connection is made again, and what was asked is asked again. A scan must begin anew instead. */
  constructor(
    { address, keys, comesBack }: { address: RedisAddress; keys: RedisKeys; comesBack: boolean },
    shapes: ReadonlyMap<string, TableShape>,
  ) {
    this.#redis = new Redis(streamClientOptions(address, comesBack));
    // Whoever waits for a revision has a patience of their own, and whoever asks is told.
    this.#redis.on('error', () => {});
    this.#keys = keys;
    this.#shapes = shapes;
  }

  async meta(): Promise<PartitionMeta> {
    const [epoch, revision, trimmed] = await this.#redis.hmget(this.#keys.meta, 'epoch', 'revision', 'trimmed');
    return { epoch: epoch ?? '', revision: Number(revision ?? 0), trimmed: Number(trimmed ?? 0) };
  }

  /** The next commits behind the revision, as soon as there are any. */
  async next(revision: number): Promise<CommitRecord[]> {
    const { log } = this.#keys;
    const found = await this.#redis.xread('COUNT', READ_MAX, 'BLOCK', 0, 'STREAMS', log, `${revision}-0`);
    return (found?.[0]?.[1] ?? []).map((entry) => commitOf(entry, this.#shapes));
  }

  /** The commits from the revision on that are there now, up to some number; none: that was all. */
  async page(from: number): Promise<CommitRecord[]> {
    const found = await this.#redis.xrange(this.#keys.log, `${from}-0`, '+', 'COUNT', READ_MAX);
    return found.map((entry) => commitOf(entry, this.#shapes));
  }

  /** All documents of a collection, some at a time; one may come twice. */
  async *documents(shape: TableShape): AsyncGenerator<StoredDocument> {
    for await (const [id, text] of this.#scan(this.#keys.documents(shape.name))) yield documentOf(shape, id, text);
  }

  /** All kept outcomes; one may come twice. */
  async *outcomes(): AsyncGenerator<StoredOutcome & { readonly id: string }> {
    for await (const [id, text] of this.#scan(this.#keys.outcome)) yield { id, ...outcomeOf(text) };
  }

  /** Ends the connection at once; whoever waits is told. */
  close(): void {
    this.#redis.disconnect();
  }

  async *#scan(key: string): AsyncGenerator<readonly [field: string, value: string]> {
    let cursor = '0';
    do {
      const [next, found] = await this.#redis.hscan(key, cursor, 'COUNT', SCAN_COUNT);
      for (let i = 0; i < found.length; i += 2) yield [found[i] ?? '', found[i + 1] ?? ''];
      cursor = next;
    } while (cursor !== '0');
  }
}
