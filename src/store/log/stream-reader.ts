import type { CommitRecord } from './log.js';
import { commitOf, documentOf, outcomeOf, type StoredDocument, type StoredOutcome } from './redis-entry.js';
import type { RedisKeys } from './redis-keys.js';
import type { RedisLink } from './redis-port.js';
import type { TableShape } from './schema.js';

/** How many commits one read gives at most. */
const READ_MAX = '128';
const SCAN_COUNT = '500';

type StreamEntry = readonly [id: string, fields: readonly string[]];

/** Metadata of a partition in Redis. */
interface PartitionMeta {
  readonly epoch: string;
  readonly revision: number;
  readonly trimmed: number;
}

/** Reads one partition out of Redis, on a connection of its own. */
export class StreamReader {
  readonly #redis: RedisLink;
  readonly #keys: RedisKeys;
  readonly #shapes: ReadonlyMap<string, TableShape>;

  /** A scan must not be asked again on another connection: for that the link is one that does not come back. */
  constructor(redis: RedisLink, keys: RedisKeys, shapes: ReadonlyMap<string, TableShape>) {
    this.#redis = redis;
    this.#keys = keys;
    this.#shapes = shapes;
  }

  async meta(): Promise<PartitionMeta> {
    const words = ['HMGET', this.#keys.meta, 'epoch', 'revision', 'trimmed'];
    const [epoch, revision, trimmed] = (await this.#redis.send(words)) as (string | null)[];
    return { epoch: epoch ?? '', revision: Number(revision ?? 0), trimmed: Number(trimmed ?? 0) };
  }

  /** The next commits behind the revision, as soon as there are any. */
  async next(revision: number): Promise<CommitRecord[]> {
    const { log } = this.#keys;
    const words = ['XREAD', 'COUNT', READ_MAX, 'BLOCK', '0', 'STREAMS', log, `${revision}-0`];
    const found = (await this.#redis.send(words)) as [key: string, entries: StreamEntry[]][] | null;
    return (found?.[0]?.[1] ?? []).map((entry) => commitOf(entry, this.#shapes));
  }

  /** The commits from the revision on that are there now, up to some number; none: that was all. */
  async page(from: number): Promise<CommitRecord[]> {
    const words = ['XRANGE', this.#keys.log, `${from}-0`, '+', 'COUNT', READ_MAX];
    const found = (await this.#redis.send(words)) as StreamEntry[];
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
    this.#redis.close();
  }

  async *#scan(key: string): AsyncGenerator<readonly [field: string, value: string]> {
    let cursor = '0';
    do {
      const page = await this.#redis.send(['HSCAN', key, cursor, 'COUNT', SCAN_COUNT]);
      const [next, found] = page as [cursor: string, fieldsAndValues: string[]];
      for (let i = 0; i < found.length; i += 2) yield [found[i] ?? '', found[i + 1] ?? ''];
      cursor = next;
    } while (cursor !== '0');
  }
}
