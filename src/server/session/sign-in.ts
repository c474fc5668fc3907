import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SessionRecord } from '../../identity/index.js';
import type { Caller, Proof } from '../../shared/caller.js';
import type { Clock } from '../../shared/clock.js';
import { ServiceError } from '../../shared/errors.js';
import { type Principal, type Principals, rightsOf } from '../../shared/principals.js';
import { clientAddress } from '../http/request-origin.js';
import { BasicSignIn, type PasswordCredentials } from './basic.js';
import type { SessionCookie } from './cookies.js';
import type { NewSession, Sessions, SignedIn } from './sessions.js';
import { type AttemptLimits, SignInAttempts } from './sign-in-attempts.js';
import { SignInLog } from './sign-in-log.js';
import { noPasswords, type RefuseUnknown, type SignInWay, wrongCredentials, wrongToken } from './sign-in-way.js';

/** Who sends a request, as its session or its credentials say, with the groups and roles of this moment. */
interface Identity {
  readonly userId: string;
  readonly principalId: string;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  readonly made: ReadonlyMap<string, number>;
  /** Null when the request brought its own credentials. */
  readonly sessionId: string | null;
  /** What it brought. */
  readonly proof?: Proof;
}

/** A try to sign in, or the end of a session by its user. */
interface Tried {
  /** As it was given, cut where it is long; the issuer, where a provider vouched for nobody. */
  readonly userId: string;
  readonly type: 'signIn' | 'signOut';
  readonly targets: readonly [];
  /** `DONE`, or the code of the refusal. */
  readonly outcome: string;
  readonly address: string;
}

/** Parts of sign-in. */
interface SignInParts {
  readonly principals: Principals;
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  /** One that nobody sets. */
  readonly clock: Clock;
  readonly attempts: AttemptLimits;
  readonly basicCacheMs: number;
  readonly proxyHops: number;
  /** The ways of `Authorization: Bearer`, in the order in which they are asked. Default: none. */
  readonly bearers?: (refuse: RefuseUnknown) => readonly SignInWay[];
  /** Whether HTTP Basic is taken. Default: true. */
  readonly hasPasswords?: boolean;
}

/** Finds out who sends a request; begins and ends sessions. */
export class SignIn {
  readonly #parts: SignInParts;
  readonly #log = new SignInLog();
  readonly #attempts: SignInAttempts;
  readonly #ways: readonly SignInWay[];
  readonly #checkKey = randomBytes(32).toString('hex');
  readonly #checks = new Map<string, Promise<void>>();
  readonly #listeners = new Set<(tried: Tried) => void>();

  constructor(parts: SignInParts) {
    this.#parts = parts;
    this.#attempts = new SignInAttempts(parts.attempts, this.#log);
    const { principals, clock, basicCacheMs: keptMs, bearers = () => [], hasPasswords = true } = parts;
    const verify = hasPasswords
      ? (credentials: PasswordCredentials, address: string) => this.#verify(credentials, address)
      : () => Promise.reject(noPasswords());
    this.#ways = [
      new BasicSignIn({ principals, clock, keptMs, verify }),
      ...bearers((address) => this.#refuseUnknown(address)),
    ];
  }

  /**
   * Who sends the request: by its header `Authorization` if that is of a way there is, else by its session. Undefined: nobody who is signed in.
   * @throws UNAUTHORIZED when what it brings is wrong, RATE_LIMITED after too many that were
   */
  async authenticate(req: IncomingMessage): Promise<Identity | undefined> {
    const { authorization } = req.headers;
    if (authorization !== undefined) {
      const address = clientAddress(req, this.#parts.proxyHops);
      const way = this.#ways.find((one) => one.takes(authorization));
      if (way !== undefined) {
        const { userId, proof } = await way.prove(authorization, address);
        if (this.#enabled(userId) === undefined) throw wrongToken('one of a user who may not sign in');
        return this.#identity(userId, null, proof);
      }
      if (/^bearer\b/i.test(authorization)) return this.#refuseUnknown(address);
    }
    const secret = this.#parts.cookie.read(req);
    const session = secret === undefined ? undefined : await this.#parts.sessions.find(secret);
    return session && this.#identity(session.userId, session.id);
  }

  /** Whether the caller's session, or what its request brought, still counts. Asking is no request. */
  stands({ userId, principalId, sessionId, proof }: Standing): boolean | Promise<boolean> {
    const user = this.#enabled(userId);
    if (user === undefined || user.principalId !== (principalId ?? user.principalId)) return false;
    if (sessionId !== null) return this.#parts.sessions.isAlive(sessionId);
    return proof === undefined || this.#ways.some((way) => way.name === proof.way && way.stands({ userId, proof }));
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
    return this.#begun(req, { userId, credentialVersion, address });
  }

  /**
   * Begins a session of whoever a provider vouches for, as `signIn` does. That it does not counts as a failed sign-in from the address, but locks nobody
   * else there out: `attempt` is what was tried, `name` what stands for a user where there is none.
   * @throws RATE_LIMITED, and what `vouched` throws
   */
  async signInVouched(
    req: IncomingMessage,
    { name, attempt: tried }: { readonly name: string; readonly attempt: string },
    vouched: () => Promise<Pick<SignedIn, 'userId' | 'provider'>>,
  ): Promise<NewSession> {
    const address = clientAddress(req, this.#parts.proxyHops);
    const attempt = this.#begin(name, address, tried);
    const user = await vouched().catch((thrown: unknown) => {
      const outcome = thrown instanceof ServiceError ? thrown.code : 'INTERNAL_ERROR';
      if (outcome === 'UNAUTHORIZED') attempt.failed();
      else attempt.takenBack();
      this.#tell('signIn', name, { outcome, address });
      throw thrown;
    });
    attempt.succeeded();
    this.#tell('signIn', user.userId, { outcome: 'DONE', address });
    return this.#begun(req, { ...user, credentialVersion: this.#versionOf(user.userId) ?? '', address });
  }

  async #begun(req: IncomingMessage, signedIn: Omit<SignedIn, 'agent'>): Promise<NewSession> {
    await this.#endSession(req);
    const agent = req.headers['user-agent']?.slice(0, AGENT_LENGTH_MAX) ?? null;
    return this.#parts.sessions.begin({ ...signedIn, agent });
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

  /** Ends the request's session, if it has one: that one. */
  async signOut(req: IncomingMessage): Promise<SessionRecord | undefined> {
    const ended = await this.#endSession(req);
    const address = clientAddress(req, this.#parts.proxyHops);
    if (ended !== undefined) this.#tell('signOut', ended.userId, { outcome: 'DONE', address });
    return ended;
  }

  async #endSession(req: IncomingMessage): Promise<SessionRecord | undefined> {
    const secret = this.#parts.cookie.read(req);
    const session = secret === undefined ? undefined : await this.#parts.sessions.find(secret);
    if (session !== undefined) await this.#parts.sessions.end(session.id);
    return session;
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

  #refuseUnknown(address: string): never {
    this.#begin(BEARER, address).failed();
    this.#tell('signIn', BEARER, { outcome: 'UNAUTHORIZED', address });
    throw wrongToken('one that is not known');
  }

  /** Requests that bring the same credentials at the same time share one check, so that many at once do not look like many tries. */
  #verify(credentials: PasswordCredentials, address: string): Promise<void> {
    const { userId, password } = credentials;
    const facts = [userId, password, address, this.#versionOf(userId)];
    const fingerprint = hash('sha512-256', this.#checkKey + JSON.stringify(facts), 'base64');
    const running = this.#checks.get(fingerprint);
    if (running !== undefined) return running;
    const check = this.#check(credentials, address).finally(() => this.#checks.delete(fingerprint));
    this.#checks.set(fingerprint, check);
    return check;
  }

  async #check({ userId, password }: PasswordCredentials, address: string): Promise<void> {
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

  #begin(userId: string, address: string, counted = userId) {
    try {
      return this.#attempts.begin(counted, address, this.#now());
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

  #identity(userId: string, sessionId: string | null, proof?: Proof): Identity {
    const { principals } = this.#parts;
    const { principalId = '' } = principals.find(userId) ?? {};
    return { userId, principalId, ...rightsOf(principals, userId), sessionId, ...(proof && { proof }) };
  }
}

/** The caller, as far as it decides whether a sign-in still counts. */
type Standing = Pick<Caller, 'userId' | 'principalId' | 'sessionId' | 'proof'>;

/** Characters that are kept of what a client says that it is. */
const AGENT_LENGTH_MAX = 300;
/** So much of a name that somebody typed is told. */
const NAME_LENGTH_MAX = 64;
/** What stands for the user of a token that nobody was given: those of a network count together, and keep out none that was. */
const BEARER = 'bearer token';
