import type { SessionRecord } from '../../identity/index.js';

/** Where sessions are kept. Reading is local and never waits. */
export interface SessionStore {
  get(id: string): SessionRecord | undefined;
  /** The user's sessions, oldest first. */
  ofUser(userId: string): readonly SessionRecord[];
  all(): readonly SessionRecord[];
  /** Resolves when it is kept. */
  put(record: SessionRecord): Promise<void>;
  /** Notes when a request was last seen; a session that is gone stays gone. It is kept with the next {@link flush}. */
  touch(id: string, lastSeenAt: number): void;
  /** They are gone at once; resolves when that is kept. */
  remove(ids: readonly string[]): Promise<void>;
  /** Keeps what is not kept yet. */
  flush(): Promise<void>;
  /** Calls the listener with the id of every session that has gone. */
  onRemoved(listener: (id: string) => void): void;
}

/** Keeps sessions for as long as the process lives. */
export class MemorySessionStore implements SessionStore {
  readonly #records = new Map<string, SessionRecord>();
  readonly #byUser = new Map<string, Set<string>>();
  readonly #listeners: ((id: string) => void)[] = [];

  get(id: string): SessionRecord | undefined {
    return this.#records.get(id);
  }

  ofUser(userId: string): readonly SessionRecord[] {
    const records = [...(this.#byUser.get(userId) ?? [])].map((id) => this.#records.get(id));
    return records.filter((record) => record !== undefined).sort((a, b) => a.createdAt - b.createdAt);
  }

  all(): readonly SessionRecord[] {
    return [...this.#records.values()];
  }

  async put(record: SessionRecord): Promise<void> {
    this.take(record);
  }

  /** What was seen of it later than the record says stays so. */
  take(record: SessionRecord): void {
    const lastSeenAt = Math.max(record.lastSeenAt, this.#records.get(record.id)?.lastSeenAt ?? 0);
    this.#records.set(record.id, { ...record, lastSeenAt });
    const ids = this.#byUser.get(record.userId) ?? new Set();
    this.#byUser.set(record.userId, ids.add(record.id));
  }

  touch(id: string, lastSeenAt: number): void {
    const record = this.#records.get(id);
    if (record !== undefined) this.#records.set(id, { ...record, lastSeenAt });
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.drop(id);
  }

  drop(id: string): void {
    const record = this.#records.get(id);
    if (record === undefined) return;
    this.#records.delete(id);
    const ids = this.#byUser.get(record.userId);
    ids?.delete(id);
    if (ids?.size === 0) this.#byUser.delete(record.userId);
    for (const listener of this.#listeners) listener(id);
  }

  async flush(): Promise<void> {}

  onRemoved(listener: (id: string) => void): void {
    this.#listeners.push(listener);
  }
}
