import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../../shared/clock.js';
import type { Principals } from '../../shared/principals.js';
import { type Proven, type SignInWay, wrongCredentials } from './sign-in-way.js';

/** A name and a password, as they were typed. */
export interface PasswordCredentials {
  readonly userId: string;
  readonly password: string;
}

/** Parts of sign-in by HTTP Basic. */
interface BasicParts {
  readonly principals: Pick<Principals, 'find'>;
  readonly clock: Clock;
  /** How long a credential that was right needs no new check. */
  readonly keptMs: number;
  /** @throws UNAUTHORIZED, RATE_LIMITED, UNAVAILABLE */
  readonly verify: (credentials: PasswordCredentials, address: string) => Promise<void>;
}

/** HTTP Basic (RFC 7617). A proof of it is of one version of the user's password. */
export class BasicSignIn implements SignInWay {
  readonly name = 'basic';
  readonly #parts: BasicParts;
  readonly #verified: VerifiedCredentials;

  constructor(parts: BasicParts) {
    this.#parts = parts;
    this.#verified = new VerifiedCredentials(parts.keptMs);
  }

  takes(authorization: string): boolean {
    return /^basic\b/i.test(authorization);
  }

  async prove(authorization: string, address: string): Promise<Proven> {
    const { clock, verify } = this.#parts;
    const fingerprint = this.#verified.fingerprint(`${address} ${authorization}`);
    const known = this.#verified.find(fingerprint, clock.now());
    if (known !== undefined && this.stands(known)) return known;
    const credentials = credentialsIn(authorization);
    if (credentials === null) throw wrongCredentials();
    const { userId } = credentials;
    // As it is before the check: a password that is changed meanwhile is not the one that was right.
    const version = this.#versionOf(userId);
    await verify(credentials, address);
    const proven = { userId, proof: { way: this.name, id: version ?? '' } };
    if (version !== undefined) this.#verified.add(fingerprint, proven, clock.now());
    return proven;
  }

  stands({ userId, proof }: Proven): boolean {
    return this.#versionOf(userId) === proof.id;
  }

  /** Undefined: there is no such user, or it is disabled. */
  #versionOf(userId: string): string | undefined {
    const user = this.#parts.principals.find(userId);
    return user?.enabled === true ? user.credentialVersion : undefined;
  }
}

/** The credentials of the header `Authorization: Basic …`; null when it cannot be read. */
function credentialsIn(header: string): PasswordCredentials | null {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? null : { userId: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/**
 * Remembers for a short while which headers of which addresses brought credentials that were right, so that a client that sends them with every request
 * costs one check of the password in that time. Holds no password: only a hash with a key that dies with the process.
 */
class VerifiedCredentials {
  readonly #key = randomBytes(32).toString('hex');
  readonly #keptMs: number;
  readonly #known = new Map<string, { readonly proven: Proven; readonly until: number }>();

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

  find(fingerprint: string, now: number): Proven | undefined {
    const known = this.#known.get(fingerprint);
    return known !== undefined && known.until > now ? known.proven : undefined;
  }

  add(fingerprint: string, proven: Proven, now: number): void {
    this.#known.delete(fingerprint);
    this.#known.set(fingerprint, { proven, until: now + this.#keptMs });
    for (const [oldest, { until }] of this.#known) {
      if (until > now && this.#known.size <= REMEMBERED_MAX) return;
      this.#known.delete(oldest);
    }
  }
}

const REMEMBERED_MAX = 10_000;
