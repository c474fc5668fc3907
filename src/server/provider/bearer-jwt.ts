import {
  type CryptoKey,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FlattenedJWSInput,
  type JWTHeaderParameters,
  jwtVerify,
  type RemoteJWKSet,
} from 'jose';
import { ServiceError, unavailable } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { askProvider, whyOf } from './bounded-fetch.js';
import { type Claims, isSubject } from './claims.js';

/** Conditions of the tokens that are taken: issuer, audience, algorithms. */
export interface JwtRules {
  readonly issuer: string;
  readonly audience: string;
  /** Asymmetric ones alone. */
  readonly algorithms: readonly string[];
  readonly clockToleranceMs: number;
  /** Where the issuer's keys are; undefined: where its discovery document says. */
  readonly keysUrl?: string | undefined;
}

/** The subject of a token that was checked, and its claims. */
export interface JwtBearer {
  readonly subject: string;
  readonly claims: Claims;
  /** When it counts no longer, ms. */
  readonly expiresAt: number;
}

/**
 * Checks JSON Web Tokens of one issuer. Its keys are asked for when the first token comes; they are kept for ten minutes, and asked for anew where a token
 * names one that is not among them, at most every half a minute.
 */
export class JwtVerifier {
  readonly #rules: JwtRules;
  readonly #now: () => number;
  #keys: Promise<RemoteJWKSet> | undefined;
  #failed: { readonly error: ServiceError; readonly until: number } | undefined;

  /** `now`: ms of a clock that nobody sets. */
  constructor(rules: JwtRules, now: () => number) {
    this.#rules = rules;
    this.#now = now;
  }

  /** Whom it is about; `expired`: it counted once; `unknown`: it never has, for whatever reason. @throws UNAVAILABLE its issuer's keys cannot be had */
  async verify(token: string): Promise<JwtBearer | 'expired' | 'unknown'> {
    if (token.length > LENGTH_MAX) return 'unknown';
    const { issuer, audience, algorithms, clockToleranceMs } = this.#rules;
    const checks = { issuer, audience, algorithms: [...algorithms], clockTolerance: clockToleranceMs / 1000 };
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.#key.bind(this), checks);
      const { sub, exp } = payload;
      // What is signed for something else, such as a sign-out, says so by its type (RFC 8725 §3.11).
      const isOfType = TYPES.has(protectedHeader.typ?.toLowerCase());
      if (!isOfType || exp === undefined || !isSubject(sub)) return 'unknown';
      return { subject: sub, claims: payload, expiresAt: exp * 1000 + clockToleranceMs };
    } catch (thrown) {
      if (thrown instanceof errors.JWTExpired) return 'expired';
      if (thrown instanceof errors.JOSEError) return 'unknown';
      throw thrown;
    }
  }

  /** Where the keys cannot be had, nobody asks for them again for some seconds, however many tokens come. */
  async #key(header: JWTHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    if (this.#failed !== undefined && this.#failed.until > this.#now()) throw this.#failed.error;
    try {
      this.#keys ??= keysOf(this.#rules);
      return await (await this.#keys)(header, token);
    } catch (thrown) {
      if (thrown instanceof errors.JWKSNoMatchingKey || thrown instanceof errors.JWKSMultipleMatchingKeys) throw thrown;
      this.#keys = undefined;
      this.#failed = { error: noKeys(thrown), until: this.#now() + RETRY_MS };
      throw this.#failed.error;
    }
  }
}

const LENGTH_MAX = 16 * 1024;
const RETRY_MS = 5_000;
/** Types of tokens that say who calls; many say none. */
const TYPES: ReadonlySet<string | undefined> = new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt']);

async function keysOf({ issuer, keysUrl }: JwtRules): Promise<RemoteJWKSet> {
  const url = new URL(keysUrl ?? (await discoveredKeys(issuer)));
  return createRemoteJWKSet(url, {
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
    [customFetch]: (asked: string, options: RequestInit) => askProvider(asked, options),
  });
}

/** @throws what cannot be reached, or is no description of the issuer */
async function discoveredKeys(issuer: string): Promise<string> {
  const response = await askProvider(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {});
  const { issuer: own, jwks_uri: url } = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
  const isSafe = typeof url === 'string' && (url.startsWith('https:') || issuer.startsWith('http:'));
  if (own === issuer && isSafe) return url;
  throw new Error(`expected '${issuer}' to describe itself, with an https URL of its keys (jwks_uri)`);
}

function noKeys(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  log.error({ why: whyOf(thrown) }, 'the keys by which tokens are checked cannot be had');
  return unavailable('expected the keys by which tokens are checked, but they cannot be had now; try again later', {
    reason: 'provider_unavailable',
    details: { retryAfterSeconds: 5 },
  });
}
