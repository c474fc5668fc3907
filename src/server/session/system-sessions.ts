import { beginSession, noteSessions, type SessionRecord, sessions } from '../../identity/index.js';
import { unavailable } from '../../shared/errors.js';
import type { CommitFollower, Committed, PartitionPort, ReplicaSide } from '../../store/index.js';
import { MemorySessionStore, type SessionStore } from './session-store.js';

/** How many sessions one commit notes something of. */
const NOTED_MAX = 400;

/**
 * Keeps sessions in `system`: one begins and ends by a commit; when requests were last seen of all of them is noted by one commit at each flush.
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

  /** Reads all of them anew. */
  fill(replica: Pick<ReplicaSide, 'read'>): void {
    this.#replica = replica;
    const stored = allOf(replica);
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
    const seen = [...this.#seen];
    this.#seen = new Map();
    const ended = [...this.#ended];
    for (let from = 0; from < ended.length; from += NOTED_MAX) await this.#end(ended.slice(from, from + NOTED_MAX));
    for (let from = 0; from < seen.length; from += NOTED_MAX) {
      const noted = Object.fromEntries(seen.slice(from, from + NOTED_MAX));
      await this.#opened().sendAsSystem(noteSessions, { seen: noted, ended: [] });
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
    await this.#opened().sendAsSystem(noteSessions, { seen: {}, ended });
    for (const id of ended) this.#ended.delete(id);
  }

  #opened(): Pick<PartitionPort, 'sendAsSystem'> {
    if (this.#system !== undefined) return this.#system;
    throw unavailable('expected the server to be ready, but it is starting');
  }
}

function allOf(replica: Pick<ReplicaSide, 'read'>): SessionRecord[] {
  const state = replica.read({ readMax: Number.MAX_SAFE_INTEGER - 1 });
  const found: SessionRecord[] = [];
  let from: string[] = [''];
  for (;;) {
    const page = state.range(sessions, 'user', from, PAGE, { skipDamaged: true });
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    from = [last.userId, `${last.id} `];
  }
}

const PAGE = 1_000;
