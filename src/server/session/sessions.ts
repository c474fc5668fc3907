import { createHash, randomBytes } from 'node:crypto';
import type { SessionRecord } from '../../identity/index.js';
import type { Clock } from '../../shared/clock.js';
import type { Principals } from '../../shared/principals.js';
import type { SessionStore } from './session-store.js';

/** How long sessions last, and how many a user may have. */
interface SessionLimits {
  readonly idleMs: number;
  readonly absoluteMs: number;
  readonly perUserMax: number;
}

/** A session that has just begun. */
export interface NewSession {
  /** What the client keeps, and nobody else ever sees again: 256 random bits. */
  readonly secret: string;
  readonly record: SessionRecord;
}

/** Where a sign-in came from, and by whom. */
export interface SignedIn
  extends Pick<SessionRecord, 'userId' | 'credentialVersion' | 'address' | 'agent' | 'provider'> {}

/** Who there is, as far as sessions go by it. */
interface SessionUsers extends Pick<Principals, 'find'> {
  /** The user whom a provider knows by the identity. */
  externalUser(externalId: string): { readonly username: string } | undefined;
}

/**
 * Who is signed in. A session ends when it is revoked, when no request was seen for `idleMs`, after `absoluteMs`, and when its user is disabled,
 * gone, or has another password, or is not whom the provider knows by whom it began. Its end is told to listeners, so that its streams can be ended.
 */
export class Sessions {
  readonly #store: SessionStore;
  readonly #principals: SessionUsers;
  readonly #clock: Clock;
  readonly #limits: SessionLimits;
  readonly #listeners = new Set<(sessionId: string) => void>();

  constructor(store: SessionStore, principals: SessionUsers, clock: Clock, limits: SessionLimits) {
    this.#store = store;
    this.#principals = principals;
    this.#clock = clock;
    this.#limits = limits;
    store.onRemoved((id) => {
      for (const listener of this.#listeners) listener(id);
    });
  }

  /** A new session. One too many ends the user's oldest. */
  async begin(signedIn: SignedIn): Promise<NewSession> {
    const now = this.#clock.now();
    return this.#put({ ...signedIn, createdAt: now, lastSeenAt: now, expiresAt: now + this.#limits.absoluteMs });
  }

  async #put(session: Omit<SessionRecord, 'id'>): Promise<NewSession> {
    const secret = randomBytes(32).toString('base64url');
    const record = { ...session, id: idOf(secret) };
    await this.#store.put(record);
    const all = this.#store.ofUser(record.userId);
    const surplus = all
      .filter(({ id }) => id !== record.id)
      .slice(0, Math.max(0, all.length - this.#limits.perUserMax));
    await this.#end(surplus);
    return { secret, record };
  }

  /** The session of a request that carries the secret; undefined when there is none or it has ended. The request counts as seen. */
  async find(secret: string): Promise<SessionRecord | undefined> {
    if (!SECRET.test(secret)) return undefined;
    const record = await this.#living(idOf(secret));
    if (record !== undefined) this.#store.touch(record.id, this.#clock.now());
    return record;
  }

  get(sessionId: string): SessionRecord | undefined {
    return this.#store.get(sessionId);
  }

  /** The session goes on with another secret, and counts with the password that its user has now. */
  async renew(session: SessionRecord): Promise<NewSession> {
    const { credentialVersion = '' } = this.#principals.find(session.userId) ?? {};
    await this.end(session.id);
    return this.#put({ ...session, credentialVersion, lastSeenAt: this.#clock.now() });
  }

  /** Whether the session is still going on. Asking does not count as a request. */
  async isAlive(sessionId: string): Promise<boolean> {
    return (await this.#living(sessionId)) !== undefined;
  }

  /** The user's sessions that are going on, oldest first. */
  ofUser(userId: string): readonly SessionRecord[] {
    return this.#store.ofUser(userId).filter((record) => !this.#isOver(record));
  }

  /** Ends the session now. Ending one that has ended is no error. */
  async end(sessionId: string): Promise<void> {
    const known = this.#store.get(sessionId);
    if (known !== undefined) await this.#end([known]);
  }

  /** The user is another one than before: ends those of its sessions that count no longer. */
  async userChanged(userId: string): Promise<void> {
    await this.#end(this.#store.ofUser(userId).filter((record) => this.#isOver(record)));
  }

  /** Calls the listener with the id of every session that ends. Returns how to stop it. */
  onEnd(listener: (sessionId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends what has expired, and keeps when the others were last seen. */
  async sweep(): Promise<void> {
    await this.#end(this.#store.all().filter((record) => this.#isOver(record)));
    await this.#store.flush();
  }

  /** Keeps what is not kept yet. */
  flush(): Promise<void> {
    return this.#store.flush();
  }

  async #end(records: readonly SessionRecord[]): Promise<void> {
    if (records.length > 0) await this.#store.remove(records.map(({ id }) => id));
  }

  async #living(sessionId: string): Promise<SessionRecord | undefined> {
    const record = this.#store.get(sessionId);
    if (record === undefined || !this.#isOver(record)) return record;
    await this.#end([record]);
    return undefined;
  }

  #isOver({ userId, credentialVersion, lastSeenAt, expiresAt, provider }: SessionRecord): boolean {
    const now = this.#clock.now();
    const { idleMs, absoluteMs } = this.#limits;
    // More than its whole time left: it began by a clock that has been set back since.
    if (now >= expiresAt || now - lastSeenAt > idleMs || expiresAt - now > absoluteMs) return true;
    if (provider !== undefined && this.#principals.externalUser(provider.externalId)?.username !== userId) return true;
    const user = this.#principals.find(userId);
    return user?.enabled !== true || user.credentialVersion !== credentialVersion;
  }
}

const SECRET = /^[\w-]{43}$/;

const idOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');
