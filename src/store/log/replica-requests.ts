import { Redis } from 'ioredis';
import type { ThreadService } from '../../shared/thread-service.js';
import { type Database, openDatabase, releaseClosed } from '../sqlite.js';
import { type RedisAddress, streamClientOptions } from './redis-address.js';
import type { RedisLink, RedisStreamsPort } from './redis-port.js';
import { type ReplicaData, ReplicaFollower, type ReplicaNews } from './replica-follower.js';

/**
 * A request to a replica. `open` comes first, `close` last. `follow`: write what the stream says from where the replica is. `load`: make the
 * replica anew, then follow; `copyTo`: where what it held before is kept.
 */
export type ReplicaAsk =
  | { readonly type: 'open'; readonly data: ReplicaData }
  | { readonly type: 'follow' }
  | { readonly type: 'load'; readonly copyTo: string | null }
  | { readonly type: 'trim'; readonly revision: number; readonly outcomesBefore: number }
  | { readonly type: 'close' };

/** `replica`: which of those that the thread keeps. */
export type ReplicaRequest = ReplicaAsk & { readonly replica: number };

export type ReplicaReport = ReplicaNews & { readonly replica: number };

/** Does what is asked of replicas, one request of a replica after the other. */
export class ReplicaRequests implements ThreadService<ReplicaRequest> {
  readonly #redisAt: (address: RedisAddress) => RedisStreamsPort;
  readonly #report: (message: ReplicaReport) => void;
  readonly #open: (path: string) => Database;
  readonly #closed: () => void;
  readonly #replicas = new Map<number, ReplicaFollower>();
  readonly #queues = new Map<number, Promise<void>>();

  constructor(
    redisAt: (address: RedisAddress) => RedisStreamsPort,
    report: (message: ReplicaReport) => void,
    open: (path: string) => Database = openDatabase,
    closed: () => void = () => {},
  ) {
    this.#redisAt = redisAt;
    this.#report = report;
    this.#open = open;
    this.#closed = closed;
  }

  answer(request: ReplicaRequest): Promise<void> {
    const { replica, type } = request;
    if (type !== 'trim') this.#replicas.get(replica)?.stop();
    const done = (this.#queues.get(replica) ?? Promise.resolve()).then(() => this.#perform(request));
    if (type === 'close') this.#queues.delete(replica);
    else
      this.#queues.set(
        replica,
        done.catch(() => {}),
      );
    return done;
  }

  async #perform(request: ReplicaRequest): Promise<void> {
    const { replica } = request;
    if (request.type === 'open') {
      const { data } = request;
      const report = (news: ReplicaNews) => this.#report({ ...news, replica });
      const parts = { redis: this.#redisAt(data.address), open: this.#open, report };
      this.#replicas.set(replica, new ReplicaFollower(data, parts));
      return;
    }
    const follower = this.#replicas.get(replica);
    if (follower === undefined) throw new Error('the replica is not open');
    switch (request.type) {
      case 'follow':
        return follower.follow();
      case 'load':
        return follower.load(request.copyTo);
      case 'trim':
        return follower.trim(request.revision, request.outcomesBefore);
      case 'close':
        this.#replicas.delete(replica);
        follower.close();
        return this.#closed();
    }
  }
}

/** The thread that writes the replicas of all partitions that are kept in Redis. */
export const inThread = (_: undefined, say: (report: ReplicaReport) => void) =>
  new ReplicaRequests(redisStreams, say, openDatabase, releaseClosed);

/** The server at an address, by the client `ioredis`: the thread of the replicas alone loads it. */
const redisStreams = (address: RedisAddress): RedisStreamsPort => ({
  reader: (comesBack) => readerOf(address, comesBack),
});

function readerOf(address: RedisAddress, comesBack: boolean): RedisLink {
  const redis = new Redis(streamClientOptions(address, comesBack));
  // Whoever waits for a revision has a patience of their own, and whoever asks is told.
  redis.on('error', () => {});
  return {
    get isOpen() {
      return redis.status === 'ready';
    },
    send: ([command = '', ...rest]) => redis.call(command, rest),
    close: () => redis.disconnect(),
  };
}
