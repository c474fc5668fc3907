/** A session as it is kept: without the secret that the client holds. */
export interface SessionRecord {
  /** SHA-256 of the client's secret, base64url: it names the session everywhere, and nobody can use it to sign in. */
  readonly id: string;
  readonly userId: string;
  /** ms UTC, as all times here. */
  readonly createdAt: number;
  /** When a request was last seen. After a restart it may be up to a minute too old. */
  readonly lastSeenAt: number;
  /** When it ends at the latest. */
  readonly expiresAt: number;
}

/** Where sessions are kept. What was put is there after a restart, as far as the implementation says. */
export interface SessionStore {
  get(id: string): Promise<SessionRecord | undefined>;
  put(record: SessionRecord): Promise<void>;
  /** Notes when a request was last seen; a session that is gone stays gone. Made durable at most once a minute per session. */
  touch(id: string, lastSeenAt: number): Promise<void>;
  remove(id: string): Promise<void>;
  /** The user's sessions, oldest first. */
  ofUser(userId: string): Promise<SessionRecord[]>;
  /** Sessions that ended by the time `now`, or were last seen before `seenBefore`. */
  expired(now: number, seenBefore: number): Promise<SessionRecord[]>;
  close(): Promise<void>;
}

/** Keeps sessions for as long as the process lives. */
export class MemorySessionStore implements SessionStore {
  readonly #records = new Map<string, SessionRecord>();
  readonly #byUser = new Map<string, Set<string>>();

  has(id: string): boolean {
    return this.#records.has(id);
  }

  async get(id: string): Promise<SessionRecord | undefined> {
    return this.#records.get(id);
  }

  async put(record: SessionRecord): Promise<void> {
    this.#records.set(record.id, record);
    const ids = this.#byUser.get(record.userId) ?? new Set();
    this.#byUser.set(record.userId, ids.add(record.id));
  }

  async touch(id: string, lastSeenAt: number): Promise<void> {
    const record = this.#records.get(id);
    if (record !== undefined) this.#records.set(id, { ...record, lastSeenAt });
  }

  async remove(id: string): Promise<void> {
    const record = this.#records.get(id);
    if (record === undefined) return;
    this.#records.delete(id);
    const ids = this.#byUser.get(record.userId);
    ids?.delete(id);
    if (ids?.size === 0) this.#byUser.delete(record.userId);
  }

  async ofUser(userId: string): Promise<SessionRecord[]> {
    const records = [...(this.#byUser.get(userId) ?? [])].map((id) => this.#records.get(id));
    return records.filter((record) => record !== undefined).sort((a, b) => a.createdAt - b.createdAt);
  }

  all(): readonly SessionRecord[] {
    return [...this.#records.values()];
  }

  async expired(now: number, seenBefore: number): Promise<SessionRecord[]> {
    return [...this.#records.values()].filter((it) => it.expiresAt <= now || it.lastSeenAt < seenBefore);
  }

  async close(): Promise<void> {}
}
