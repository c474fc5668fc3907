import { beginSession, noteSeen, type SessionRecord, sessions } from '../../identity/index.js';
import { unavailable } from '../../shared/errors.js';
import type { CommitFollower, Committed, PartitionPort, ReplicaSide } from '../../store/index.js';
import { allByUser } from './all-by-user.js';
import type { ApiTokens } from './api-tokens.js';
import { MemorySessionStore, type SessionStore } from './session-store.js';

/** Of how many sessions and tokens one commit notes something. */
const NOTED_MAX = 400;

/**
 * Keeps sessions in `system`: one begins and ends by a commit; when requests were last seen of all of them, and of API tokens, is noted by one commit at
 * each flush.
 * They are in memory as the commits have them, and reading asks nothing else.
 */
export class SystemSessions implements SessionStore, CommitFollower {
  readonly collections = [sessions];
  readonly #memory = new MemorySessionStore();
  #seen = new Map<string, number>();
  /** Those that have ended, while that is not kept yet. */
  readonly #ended = new Set<string>();
  #replica: Pick<ReplicaSide, 'read'> | undefined;
  #system: Pick<PartitionPort, 'sendAsSystem'> | undefined;
  readonly #tokens: Pick<ApiTokens, 'used'>;

  constructor(tokens: Pick<ApiTokens, 'used'>) {
    this.#tokens = tokens;
  }

  /** Reads all of them anew. */
  fill(replica: Pick<ReplicaSide, 'read'>): void {
    this.#replica = replica;
    const stored = allByUser(replica, sessions);
    const there = new Set(stored.map(({ id }) => id));
    for (const { id } of this.#memory.all()) if (!there.has(id)) this.#memory.drop(id);
    for (const record of stored) this.#take(record);
  }

  /** From now on sessions begin and end by commands to it. */
  open(system: Pick<PartitionPort, 'sendAsSystem'>): void {
    this.#system = system;
  }

  renewed(): void {
    if (this.#replica !== undefined) this.fill(this.#replica);
  }

  committed({ writes }: Pick<Committed, 'writes'>): void {
    for (const { collection, id, document } of writes) {
      if (collection.name !== sessions.name) continue;
      if (document !== null) this.#take(document as SessionRecord);
      else {
        this.#seen.delete(id);
        this.#memory.drop(id);
      }
    }
  }

  get(id: string): SessionRecord | undefined {
    return this.#memory.get(id);
  }

  ofUser(userId: string): readonly SessionRecord[] {
    return this.#memory.ofUser(userId);
  }

  all(): readonly SessionRecord[] {
    return this.#memory.all();
  }

  async put(record: SessionRecord): Promise<void> {
    await this.#opened().sendAsSystem(beginSession, { record });
  }

  touch(id: string, lastSeenAt: number): void {
    if (this.#memory.get(id) === undefined) return;
    this.#memory.touch(id, lastSeenAt);
    this.#seen.set(id, lastSeenAt);
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      this.#ended.add(id);
      this.#seen.delete(id);
      this.#memory.drop(id);
    }
    for (let from = 0; from < ids.length; from += NOTED_MAX) await this.#end(ids.slice(from, from + NOTED_MAX));
  }

  async flush(): Promise<void> {
    const seen = [...this.#seen].map((one) => ['sessions', one] as const);
    const used = [...this.#tokens.used()].map((one) => ['tokens', one] as const);
    this.#seen = new Map();
    const ended = [...this.#ended];
    for (let from = 0; from < ended.length; from += NOTED_MAX) await this.#end(ended.slice(from, from + NOTED_MAX));
    const all = [...seen, ...used];
    for (let from = 0; from < all.length; from += NOTED_MAX) {
      const some = all.slice(from, from + NOTED_MAX);
      const of = (kind: string) => Object.fromEntries(some.filter(([is]) => is === kind).map(([, one]) => one));
      await this.#opened().sendAsSystem(noteSeen, { sessions: of('sessions'), tokens: of('tokens'), ended: [] });
    }
  }

  onRemoved(listener: (id: string) => void): void {
    this.#memory.onRemoved(listener);
  }

  /** One that has ended stays so, although a commit about it comes later. */
  #take(record: SessionRecord): void {
    if (!this.#ended.has(record.id)) this.#memory.take(record);
  }

  async #end(ended: readonly string[]): Promise<void> {
    await this.#opened().sendAsSystem(noteSeen, { sessions: {}, tokens: {}, ended });
    for (const id of ended) this.#ended.delete(id);
  }

  #opened(): Pick<PartitionPort, 'sendAsSystem'> {
    if (this.#system !== undefined) return this.#system;
    throw unavailable('expected the server to be ready, but it is starting');
  }
}
