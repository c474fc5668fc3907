import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../shared/clock.js';
import { log } from '../../shared/log.js';
import type { SessionRecord, SessionStore } from './session-store.js';

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

/**
 * Who is signed in. A session ends when it is revoked, when no request was seen for `idleMs`, and after `absoluteMs`. Its end is told to
 * listeners, so that its streams can be ended.
 */
export class Sessions {
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #limits: SessionLimits;
  readonly #listeners = new Set<(sessionId: string) => void>();

  constructor(store: SessionStore, clock: Clock, limits: SessionLimits) {
    this.#store = store;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** A new session of the user. One too many ends the user's oldest. */
  async begin(userId: string): Promise<NewSession> {
    const now = this.#clock.now();
    const secret = randomBytes(32).toString('base64url');
    const record = {
      id: idOf(secret),
      userId,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: now + this.#limits.absoluteMs,
    };
    await this.#store.put(record);
    const all = await this.#store.ofUser(userId);
    const surplus = all
      .filter(({ id }) => id !== record.id)
      .slice(0, Math.max(0, all.length - this.#limits.perUserMax));
    await Promise.all(surplus.map(({ id }) => this.end(id)));
    return { secret, record };
  }

  /** The session of a request that carries the secret; undefined when there is none or it has ended. The request counts as seen. */
  async find(secret: string): Promise<SessionRecord | undefined> {
    if (!SECRET.test(secret)) return undefined;
    const record = await this.#living(idOf(secret));
    if (record !== undefined) logged(this.#store.touch(record.id, this.#clock.now()));
    return record;
  }

  /** Whether the session is still going on. Asking does not count as a request. */
  async isAlive(sessionId: string): Promise<boolean> {
    return (await this.#living(sessionId)) !== undefined;
  }

  /** Ends the session now. Ending one that has ended is no error. */
  async end(sessionId: string): Promise<void> {
    const known = await this.#store.get(sessionId);
    if (known === undefined) return;
    const removed = this.#store.remove(sessionId);
    for (const listener of this.#listeners) listener(sessionId);
    await removed;
  }

  /** Ends all sessions of the user: after a change of password, or when it is disabled. */
  async endAllOf(userId: string): Promise<void> {
    const all = await this.#store.ofUser(userId);
    await Promise.all(all.map(({ id }) => this.end(id)));
  }

  /** Calls the listener with the id of every session that ends. Returns how to stop it. */
  onEnd(listener: (sessionId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends what has expired. */
  async sweep(): Promise<void> {
    const now = this.#clock.now();
    const over = await this.#store.expired(now, now - this.#limits.idleMs);
    await Promise.all(over.map(({ id }) => this.end(id)));
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #living(sessionId: string): Promise<SessionRecord | undefined> {
    const record = await this.#store.get(sessionId);
    if (record === undefined || !this.#isOver(record)) return record;
    await this.end(sessionId);
    return undefined;
  }

  #isOver({ lastSeenAt, expiresAt }: SessionRecord): boolean {
    const now = this.#clock.now();
    const { idleMs, absoluteMs } = this.#limits;
    // More than its whole time left: it began by a clock that has been set back since.
    return now >= expiresAt || now - lastSeenAt > idleMs || expiresAt - now > absoluteMs;
  }
}

const SECRET = /^[\w-]{43}$/;

const idOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');

function logged(work: Promise<void>): void {
  work.catch((error: unknown) => log.error({ err: error }, 'sessions could not be written'));
}
