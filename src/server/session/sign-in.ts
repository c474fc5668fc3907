import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../shared/clock.js';
import { ServiceError } from '../../shared/errors.js';
import type { Principal, Principals } from '../../shared/principals.js';
import { clientAddress } from '../http/client-address.js';
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
    const credentials = basicCredentials(req);
    if (credentials !== undefined)
      return this.#authenticateBasic(credentials, clientAddress(req, this.#parts.proxyHops));
    const secret = this.#parts.cookie.read(req);
    const session = secret === undefined ? undefined : await this.#parts.sessions.find(secret);
    if (session === undefined) return undefined;
    if (this.#enabled(session.userId) !== undefined) return this.#identity(session.userId, session.id);
    await this.#parts.sessions.end(session.id);
    return undefined;
  }

  /**
   * Begins a session. Whatever session the request had ends, so that nobody can prepare one for somebody else.
   * @throws UNAUTHORIZED, RATE_LIMITED
   */
  async signIn(req: IncomingMessage, userId: string, password: string): Promise<NewSession> {
    await this.#verify({ userId, password }, clientAddress(req, this.#parts.proxyHops));
    await this.signOut(req);
    return this.#parts.sessions.begin(userId);
  }

  /** Ends the request's session, if it has one. */
  async signOut(req: IncomingMessage): Promise<void> {
    const secret = this.#parts.cookie.read(req);
    const session = secret === undefined ? undefined : await this.#parts.sessions.find(secret);
    if (session !== undefined) await this.#parts.sessions.end(session.id);
  }

  /** Tells the log what it has not been told yet. */
  close(): void {
    this.#log.flush();
  }

  async #authenticateBasic(credentials: BasicCredentials | null, address: string): Promise<Identity> {
    if (credentials === null) throw wrongCredentials();
    const { userId } = credentials;
    if (
      this.#enabled(userId) === undefined ||
      !this.#verified.has(this.#fingerprint(credentials, address), this.#now())
    ) {
      await this.#verify(credentials, address);
    }
    return this.#identity(userId, null);
  }

  /** Requests that bring the same credentials at the same time share one check, so that many at once do not look like many tries. */
  #verify(credentials: BasicCredentials, address: string): Promise<void> {
    const fingerprint = this.#fingerprint(credentials, address);
    const running = this.#checks.get(fingerprint);
    if (running !== undefined) return running;
    const check = this.#check(credentials, address, fingerprint).finally(() => this.#checks.delete(fingerprint));
    this.#checks.set(fingerprint, check);
    return check;
  }

  async #check({ userId, password }: BasicCredentials, address: string, fingerprint: string): Promise<void> {
    const attempt = this.#attempts.begin(userId, address, this.#now());
    const right = await this.#parts.principals.verifyPassword(userId, password).catch((thrown: unknown) => {
      attempt.takenBack();
      throw thrown;
    });
    if (!right || this.#enabled(userId) === undefined) {
      attempt.failed();
      throw wrongCredentials();
    }
    attempt.succeeded();
    this.#verified.add(fingerprint, this.#now());
  }

  /** Everything that must be as it was for a verified credential to count: with another password of the user it is another one. */
  #fingerprint({ userId, password }: BasicCredentials, address: string): string {
    const version = this.#parts.principals.find(userId)?.credentialVersion ?? '';
    return this.#verified.fingerprint([userId, password, address, version]);
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

const wrongCredentials = () =>
  new ServiceError('UNAUTHORIZED', 'expected a user who may sign in and the right password', {
    reason: 'wrong_credentials',
  });

/** What a request with HTTP Basic (RFC 7617) brings. */
interface BasicCredentials {
  readonly userId: string;
  readonly password: string;
}

/** The credentials of the header `Authorization: Basic …`; undefined without such a header, null when it cannot be read. */
function basicCredentials(req: IncomingMessage): BasicCredentials | null | undefined {
  const header = req.headers.authorization;
  if (header === undefined) return undefined;
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  if (encoded === undefined) return /^basic\b/i.test(header) ? null : undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? null : { userId: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/**
 * Remembers for a short while which credentials were right, so that a client that sends them with every request costs one check of the
 * password in that time. Holds no password: only its hash with a key that dies with the process.
 */
class VerifiedCredentials {
  readonly #key = randomBytes(32).toString('hex');
  readonly #keptMs: number;
  readonly #until = new Map<string, number>();

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /**
   * What stands for these facts here and tells nothing about them. Behind its key SHA-512/256 is as good as an HMAC, since it cannot be
   * extended; asked for at every request, it takes a quarter of the time.
   */
  fingerprint(facts: readonly string[]): string {
    return hash('sha512-256', this.#key + JSON.stringify(facts), 'base64');
  }

  has(fingerprint: string, now: number): boolean {
    return (this.#until.get(fingerprint) ?? 0) > now;
  }

  add(fingerprint: string, now: number): void {
    this.#until.delete(fingerprint);
    this.#until.set(fingerprint, now + this.#keptMs);
    for (const [oldest, until] of this.#until) {
      if (until > now && this.#until.size <= REMEMBERED_MAX) return;
      this.#until.delete(oldest);
    }
  }
}

const REMEMBERED_MAX = 10_000;
