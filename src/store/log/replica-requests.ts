import type { ThreadService } from '../../shared/thread-service.js';
import { type Database, openDatabase } from '../sqlite.js';
import type { RedisAddress } from './redis-address.js';
import type { RedisStreamsPort } from './redis-port.js';
import { redisStreams } from './redis-streams.js';
import { ReplicaFollower } from './replica-follower.js';
import type { ReplicaNews, ReplicaReport, ReplicaRequest } from './replica-message.js';

/** Does what is asked of replicas, one request of a replica after the other. */
export class ReplicaRequests implements ThreadService<ReplicaRequest> {
  readonly #redisAt: (address: RedisAddress) => RedisStreamsPort;
  readonly #report: (message: ReplicaReport) => void;
  readonly #open: (path: string) => Database;
  readonly #replicas = new Map<number, ReplicaFollower>();
  readonly #queues = new Map<number, Promise<void>>();

  constructor(
    redisAt: (address: RedisAddress) => RedisStreamsPort,
    report: (message: ReplicaReport) => void,
    open: (path: string) => Database = openDatabase,
  ) {
    this.#redisAt = redisAt;
    this.#report = report;
    this.#open = open;
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
        return follower.close();
    }
  }
}

/** The thread that writes the replicas of all partitions that are kept in Redis. */
export const inThread = (_: undefined, say: (report: ReplicaReport) => void) => new ReplicaRequests(redisStreams, say);
