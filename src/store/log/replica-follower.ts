import { existsSync } from 'node:fs';
import { messageOf } from '../../shared/errors.js';
import type { Database } from '../sqlite.js';
import type { CommitRecord } from './log.js';
import type { RedisAddress } from './redis-address.js';
import { keysOf } from './redis-keys.js';
import type { RedisStreamsPort } from './redis-port.js';
import { loadReplica } from './replica-load.js';
import type { TableShape } from './schema.js';
import { StreamReader } from './stream-reader.js';
import { LogWriter } from './writer.js';

/** A replica of a partition that is kept in Redis. */
export interface ReplicaData {
  /** An existing `log.db` with all tables. */
  readonly path: string;
  readonly shapes: readonly TableShape[];
  readonly address: RedisAddress;
  readonly partition: string;
}

/** News of a replica: how far it is; that it cannot go on, `broken` when a commit contradicts what is stored. */
export type ReplicaNews =
  | { readonly type: 'at'; readonly revision: number }
  | { readonly type: 'fault'; readonly message: string; readonly broken: boolean };

/** Surroundings of a follower: the Redis it reads from, the file it writes, and who is told of its news. */
export interface FollowerParts {
  readonly redis: RedisStreamsPort;
  readonly open: (path: string) => Database;
  readonly report: (news: ReplicaNews) => void;
}

/** Writes a replica of Redis: the same tables and the same writer as the embedded log's, filled from the stream. */
export class ReplicaFollower {
  readonly #data: ReplicaData;
  readonly #redis: RedisStreamsPort;
  readonly #report: (news: ReplicaNews) => void;
  readonly #database: Database;
  readonly #writer: LogWriter;
  readonly #shapes: ReadonlyMap<string, TableShape>;
  /** The reader that is followed now; another one, or none, ends the following of the one before. */
  #current: StreamReader | null = null;
  #revision = 0;

  constructor(data: ReplicaData, { redis, open, report }: FollowerParts) {
    this.#data = data;
    this.#redis = redis;
    this.#report = report;
    this.#database = open(data.path);
    // What a power cut takes from here comes again from Redis.
    this.#database.exec('PRAGMA synchronous=NORMAL');
    this.#writer = new LogWriter(this.#database, data.shapes);
    this.#shapes = new Map(data.shapes.map((shape) => [shape.name, shape]));
  }

  /** Goes on from where the file is. */
  follow(): void {
    const row = this.#database.prepare('SELECT max(revision) AS revision FROM commits').get();
    this.#revision = Number(row?.revision ?? 0);
    this.#begin();
  }

  /** Makes the replica anew out of Redis, then follows. */
  async load(copyTo: string | null): Promise<void> {
    if (copyTo !== null && !existsSync(copyTo)) this.#writer.copyTo(copyTo);
    const reader = this.#connect(false);
    try {
      this.#revision = await loadReplica(this.#writer, reader, this.#data.shapes);
    } finally {
      reader.close();
    }
    this.#begin();
  }

  trim(revision: number, outcomesBefore: number): void {
    this.#writer.trim(revision, outcomesBefore);
  }

  /** Ends reading at once: what waits for Redis must not keep what comes behind it waiting. */
  stop(): void {
    this.#current?.close();
    this.#current = null;
  }

  close(): void {
    this.stop();
    this.#writer.close();
  }

  #connect(comesBack: boolean): StreamReader {
    const link = this.#redis.reader(comesBack);
    this.#current = new StreamReader(link, keysOf(this.#data.partition), this.#shapes);
    return this.#current;
  }

  #begin(): void {
    this.#report({ type: 'at', revision: this.#revision });
    const reader = this.#connect(true);
    this.#followOn(reader).catch((thrown: unknown) => {
      if (this.#current !== reader) return;
      this.stop();
      const message = messageOf(thrown);
      this.#report({ type: 'fault', message, broken: /constraint/i.test(message) });
    });
  }

  async #followOn(reader: StreamReader): Promise<void> {
    while (this.#current === reader) {
      const commits = await reader.next(this.#revision);
      if (this.#current !== reader || commits.length === 0) continue;
      this.#write(commits);
      this.#report({ type: 'at', revision: this.#revision });
    }
  }

  #write(commits: readonly CommitRecord[]): void {
    const first = commits[0]?.revision ?? 0;
    const expected = this.#revision + 1;
    if (first !== expected) throw new Error(`expected commit ${expected} of the stream, but the next is ${first}`);
    this.#writer.append(commits);
    this.#revision = commits.at(-1)?.revision ?? this.#revision;
  }
}
