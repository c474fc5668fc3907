import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SessionRecord } from '../../identity/index.js';
import type { Clock } from '../../shared/clock.js';
import { ServiceError } from '../../shared/errors.js';
import type { Principal, Principals } from '../../shared/principals.js';
import { clientAddress } from '../http/request-origin.js';
import type { SessionCookie } from './cookies.js';
import type { NewSession, Sessions } from './sessions.js';
import { type AttemptLimits, SignInAttempts } from './sign-in-attempts.js';
import { SignInLog } from './sign-in-log.js';

/** Who sends a request, as its session or its credentials say, with the groups and roles of this moment. */
interface Identity {
  readonly userId: string;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  /** Null when the request brought its own credentials. */
  readonly sessionId: string | null;
}

/** A try to sign in, or the end of a session by its user. */
interface Tried {
  /** As it was given, cut where it is long. */
  readonly userId: string;
  readonly type: 'signIn' | 'signOut';
  readonly targets: readonly [];
  /** `DONE`, UNAUTHORIZED or RATE_LIMITED. */
  readonly outcome: string;
  readonly address: string;
}

/** What sign-in is made of. */
interface SignInParts {
  readonly principals: Principals;
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  /** One that nobody sets. */
  readonly clock: Clock;
  readonly attempts: AttemptLimits;
  readonly basicCacheMs: number;
  readonly proxyHops: number;
}

/** Finds out who sends a request; begins and ends sessions. */
export class SignIn {
  readonly #parts: SignInParts;
  readonly #log = new SignInLog();
  readonly #attempts: SignInAttempts;
  readonly #verified: VerifiedCredentials;
  readonly #checks = new Map<string, Promise<void>>();
  readonly #listeners = new Set<(tried: Tried) => void>();

  constructor(parts: SignInParts) {
    this.#parts = parts;
    this.#attempts = new SignInAttempts(parts.attempts, this.#log);
    this.#verified = new VerifiedCredentials(parts.basicCacheMs);
  }

  /**
   * Who sends the request: by HTTP Basic if it brings that, else by its session. Undefined: nobody who is signed in.
   * @throws UNAUTHORIZED when the credentials are wrong, RATE_LIMITED after too many that were
   */
  async authenticate(req: IncomingMessage): Promise<Identity | undefined> {
    const { authorization } = req.headers;
    if (authorization !== undefined && /^basic\b/i.test(authorization))
      return this.#authenticateBasic(authorization, clientAddress(req, this.#parts.proxyHops));
    const secret = this.#parts.cookie.read(req);
    const session = secret === undefined ? undefined : await this.#parts.sessions.find(secret);
    return session && this.#identity(session.userId, session.id);
  }

  /**
   * Begins a session. Whatever session the request had ends, so that nobody can prepare one for somebody else.
   * @throws UNAUTHORIZED, RATE_LIMITED
   */
  async signIn(req: IncomingMessage, userId: string, password: string): Promise<NewSession> {
    const address = clientAddress(req, this.#parts.proxyHops);
    // As it is before the check: a password that is changed meanwhile begins nothing.
    const credentialVersion = this.#versionOf(userId) ?? '';
    await this.#verify({ userId, password }, address);
    await this.#endSession(req);
    const agent = req.headers['user-agent']?.slice(0, AGENT_LENGTH_MAX) ?? null;
    return this.#parts.sessions.begin({ userId, credentialVersion, address, agent });
  }

  /** Whether the password is the user's. One that is not counts as a failed sign-in. @throws RATE_LIMITED, UNAVAILABLE */
  async knows(userId: string, password: string, address: string): Promise<boolean> {
    try {
      await this.#verify({ userId, password }, address);
      return true;
    } catch (thrown) {
      if (thrown instanceof ServiceError && thrown.code === 'UNAUTHORIZED') return false;
      throw thrown;
    }
  }

  /** The session goes on with another secret: the value of `Set-Cookie` that hands it over. */
  async renew(session: SessionRecord): Promise<string> {
    const { cookie, sessions } = this.#parts;
    const { secret, record } = await sessions.renew(session);
    return cookie.give(secret, record.expiresAt - record.lastSeenAt);
  }

  /** Ends the request's session, if it has one. */
  async signOut(req: IncomingMessage): Promise<void> {
    const userId = await this.#endSession(req);
    const address = clientAddress(req, this.#parts.proxyHops);
    if (userId !== undefined) this.#tell('signOut', userId, { outcome: 'DONE', address });
  }

  /** The user whose session it was. */
  async #endSession(req: IncomingMessage): Promise<string | undefined> {
    const secret = this.#parts.cookie.read(req);
    const session = secret === undefined ? undefined : await this.#parts.sessions.find(secret);
    if (session !== undefined) await this.#parts.sessions.end(session.id);
    return session?.userId;
  }

  /** Calls the listener with each password that was checked, refused tries, and sign-outs. Returns how to stop it. */
  onTried(listener: (tried: Tried) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(type: Tried['type'], name: string, { outcome, address }: Pick<Tried, 'outcome' | 'address'>): void {
    const userId = name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name;
    for (const listener of this.#listeners) listener({ userId, type, targets: [], outcome, address });
  }

  /** Tells the log what it has not been told yet. */
  close(): void {
    this.#log.flush();
  }

  async #authenticateBasic(header: string, address: string): Promise<Identity> {
    const fingerprint = this.#verified.fingerprint(`${address} ${header}`);
    const known = this.#verified.find(fingerprint, this.#now());
    if (known !== undefined && this.#stillCounts(known)) return this.#identity(known.userId, null);
    const credentials = basicCredentials(header);
    if (credentials === null) throw wrongCredentials();
    const { userId } = credentials;
    const version = this.#versionOf(userId);
    await this.#verify(credentials, address);
    if (version !== undefined) this.#verified.add(fingerprint, { userId, version }, this.#now());
    return this.#identity(userId, null);
  }

  /** With another password of the user, or when it is disabled, they count no longer. */
  #stillCounts({ userId, version }: Verified): boolean {
    return this.#enabled(userId)?.credentialVersion === version;
  }

  /** Requests that bring the same credentials at the same time share one check, so that many at once do not look like many tries. */
  #verify(credentials: BasicCredentials, address: string): Promise<void> {
    const { userId, password } = credentials;
    const facts = [userId, password, address, this.#versionOf(userId)];
    const fingerprint = this.#verified.fingerprint(JSON.stringify(facts));
    const running = this.#checks.get(fingerprint);
    if (running !== undefined) return running;
    const check = this.#check(credentials, address).finally(() => this.#checks.delete(fingerprint));
    this.#checks.set(fingerprint, check);
    return check;
  }

  async #check({ userId, password }: BasicCredentials, address: string): Promise<void> {
    const attempt = this.#begin(userId, address);
    const right = await this.#parts.principals.verifyPassword(userId, password).catch((thrown: unknown) => {
      attempt.takenBack();
      throw thrown;
    });
    if (!right || this.#enabled(userId) === undefined) {
      attempt.failed();
      this.#tell('signIn', userId, { outcome: 'UNAUTHORIZED', address });
      throw wrongCredentials();
    }
    attempt.succeeded();
    this.#tell('signIn', userId, { outcome: 'DONE', address });
  }

  #begin(userId: string, address: string) {
    try {
      return this.#attempts.begin(userId, address, this.#now());
    } catch (thrown) {
      this.#tell('signIn', userId, { outcome: 'RATE_LIMITED', address });
      throw thrown;
    }
  }

  #versionOf(userId: string): string | undefined {
    return this.#parts.principals.find(userId)?.credentialVersion;
  }

  #now(): number {
    return this.#parts.clock.now();
  }

  #enabled(userId: string): Principal | undefined {
    const principal = this.#parts.principals.find(userId);
    return principal?.enabled === true ? principal : undefined;
  }

  #identity(userId: string, sessionId: string | null): Identity {
    const { principals } = this.#parts;
    return { userId, groups: principals.groupsOf(userId), roles: principals.rolesOf(userId), sessionId };
  }
}

/** Characters that are kept of what a client says that it is. */
const AGENT_LENGTH_MAX = 300;
/** So much of a name that somebody typed is told. */
const NAME_LENGTH_MAX = 64;

const wrongCredentials = () =>
  new ServiceError('UNAUTHORIZED', 'expected a user who may sign in and the right password', {
    reason: 'wrong_credentials',
  });

/** What a request with HTTP Basic (RFC 7617) brings. */
interface BasicCredentials {
  readonly userId: string;
  readonly password: string;
}

/** The credentials of the header `Authorization: Basic …`; null when it cannot be read. */
function basicCredentials(header: string): BasicCredentials | null {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? null : { userId: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** Whose credentials were right. They count as long as the user has this version of them. */
interface Verified {
  readonly userId: string;
  readonly version: string;
}

/**
 * Remembers for a short while which headers of which addresses brought credentials that were right, so that a client that sends them with every request
 * costs one check of the password in that time. Holds no password: only a hash with a key that dies with the process.
 */
class VerifiedCredentials {
  readonly #key = randomBytes(32).toString('hex');
  readonly #keptMs: number;
  readonly #known = new Map<string, Verified & { readonly until: number }>();

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /**
   * What stands for this text here and tells nothing about it. Behind its key SHA-512/256 is as good as an HMAC, since it cannot be
   * extended; asked for at every request, it takes a quarter of the time.
   */
  fingerprint(text: string): string {
    return hash('sha512-256', this.#key + text, 'base64');
  }

  find(fingerprint: string, now: number): Verified | undefined {
    const known = this.#known.get(fingerprint);
    return known !== undefined && known.until > now ? known : undefined;
  }

  add(fingerprint: string, { userId, version }: Verified, now: number): void {
    this.#known.delete(fingerprint);
    this.#known.set(fingerprint, { userId, version, until: now + this.#keptMs });
    for (const [oldest, { until }] of this.#known) {
      if (until > now && this.#known.size <= REMEMBERED_MAX) return;
      this.#known.delete(oldest);
    }
  }
}

const REMEMBERED_MAX = 10_000;
