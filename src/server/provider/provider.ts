import * as openid from 'openid-client';
import { ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { askProvider, whyOf } from './bounded-fetch.js';
import { type Claims, isSubject } from './claims.js';

/** How a provider knows this server. */
export interface ProviderClient {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: PKCE alone proves that who asks for a token is who has begun. */
  readonly clientSecret?: string | undefined;
  readonly scopes: string;
}

/** A sign-in that has begun, kept until the browser comes back. */
export interface Challenge {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE: it never goes through the browser in the clear. */
  readonly verifier: string;
}

/** A user whom the provider vouches for. */
export interface Vouched {
  readonly subject: string;
  readonly claims: Claims;
  /** As it came, for the sign-out. */
  readonly idToken: string;
}

/**
 * A provider of OpenID Connect, whose discovery document is asked for when it is first needed and kept for an hour. While it cannot be asked, the one
 * before goes on to count, and nobody asks more often than every few seconds.
 */
export class Provider {
  readonly issuer: string;
  readonly #client: ProviderClient;
  readonly #now: () => number;
  #known: { readonly configuration: openid.Configuration; readonly until: number } | undefined;
  #asking: Promise<openid.Configuration> | undefined;
  #failed: { readonly error: unknown; readonly until: number } | undefined;

  /** `now`: ms of a clock that nobody sets. */
  constructor(client: ProviderClient, now: () => number) {
    this.#client = client;
    this.#now = now;
    this.issuer = client.issuer;
  }

  /** Where a browser goes to sign in; `isAnew`: also where the provider still knows it. @throws UNAVAILABLE */
  async begin(redirectUri: string, isAnew: boolean): Promise<{ readonly url: string; readonly challenge: Challenge }> {
    const configuration = await this.#configuration();
    const challenge = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
    };
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.#client.scopes,
      state: challenge.state,
      nonce: challenge.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(challenge.verifier),
      code_challenge_method: 'S256',
      ...(isAnew && { prompt: 'login' }),
    });
    return { url: url.href, challenge };
  }

  /** Whom it vouches for, by the URL at which the browser came back. @throws UNAUTHORIZED, UNAVAILABLE */
  async finish(url: URL, { state, nonce, verifier }: Challenge): Promise<Vouched> {
    const configuration = await this.#configuration();
    try {
      const tokens = await openid.authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (tokens.id_token === undefined || !isSubject(claims?.sub)) throw new Error('expected an ID token of somebody');
      const told = await this.#userInfo(configuration, tokens.access_token, claims.sub);
      return { subject: claims.sub, claims: { ...told, ...claims }, idToken: tokens.id_token };
    } catch (thrown) {
      throw notVouched(thrown);
    }
  }

  /** Where a browser goes so that its sign-in at the provider ends, too; undefined where the provider has no such place, or cannot be asked. */
  async endSessionUrl(
    idToken: string | null,
    { backTo, state }: { backTo: string; state: string },
  ): Promise<string | undefined> {
    try {
      const configuration = await this.#configuration();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      const hint = idToken === null ? {} : { id_token_hint: idToken };
      return openid.buildEndSessionUrl(configuration, { ...hint, post_logout_redirect_uri: backTo, state }).href;
    } catch (thrown) {
      log.warn({ why: whyOf(thrown) }, 'a sign-out ends here alone, as the provider could not be asked');
      return undefined;
    }
  }

  /** What more the provider tells at its own endpoint, where it has one: many put names and groups there alone. */
  async #userInfo(configuration: openid.Configuration, accessToken: string, subject: string): Promise<Claims> {
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
    return openid.fetchUserInfo(configuration, accessToken, subject);
  }

  /** @throws UNAVAILABLE */
  #configuration(): Promise<openid.Configuration> | openid.Configuration {
    const now = this.#now();
    if (this.#known !== undefined && this.#known.until > now) return this.#known.configuration;
    if (this.#failed !== undefined && this.#failed.until > now) throw this.#failed.error;
    this.#asking ??= this.#discover().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #discover(): Promise<openid.Configuration> {
    try {
      const configuration = await discovered(this.#client);
      this.#known = { configuration, until: this.#now() + KEPT_MS };
      this.#failed = undefined;
      return configuration;
    } catch (thrown) {
      const before = this.#known;
      if (before !== undefined) {
        this.#known = { ...before, until: this.#now() + RETRY_MS };
        return before.configuration;
      }
      const error = undiscovered(this.#client.issuer, thrown);
      this.#failed = { error, until: this.#now() + RETRY_MS };
      throw error;
    }
  }
}

const KEPT_MS = 60 * 60 * 1000;
const RETRY_MS = 5_000;
/** How far the provider's clock may be from ours, seconds. */
const CLOCK_TOLERANCE_S = 30;

async function discovered({ issuer, clientId, clientSecret }: ProviderClient): Promise<openid.Configuration> {
  const configuration = await openid.discovery(
    new URL(issuer),
    clientId,
    { [openid.clockTolerance]: CLOCK_TOLERANCE_S },
    clientSecret === undefined ? openid.None() : authentication(clientSecret),
    {
      [openid.customFetch]: (url, options) => askProvider(url, options as RequestInit),
      // The settings take http for this machine alone.
      execute: issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [],
    },
  );
  // Signatures of ID tokens are checked, although they come from the provider itself.
  openid.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** In the header, where the provider takes that (it is the default of the standard), else in the body. */
function authentication(secret: string): openid.ClientAuth {
  const [inHeader, inBody] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const prove = methods.includes('client_secret_basic') ? inHeader : inBody;
    prove(server, client, body, headers);
  };
}

/** The refusal that the cause of a failure is, where a provider could not be asked. */
function unavailableIn(thrown: unknown): ServiceError | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause)
    if (error instanceof ServiceError && error.code === 'UNAVAILABLE') return error;
  return undefined;
}

function undiscovered(issuer: string, thrown: unknown): ServiceError {
  const unreachable = unavailableIn(thrown);
  if (unreachable !== undefined) return unreachable;
  log.error({ why: whyOf(thrown), issuer }, 'MILLRACE_OIDC_ISSUER: the provider does not describe itself as it should');
  return new ServiceError(
    'UNAVAILABLE',
    'expected a provider of OpenID Connect, but what it says of itself is not right; the log of this server tells more',
    { reason: 'provider_unusable', details: { retryAfterSeconds: 5 } },
  );
}

/** What providers say of a sign-in that they refuse: words of the standard, which are told; what else went wrong is told in the log. */
function notVouched(thrown: unknown): ServiceError {
  const unreachable = unavailableIn(thrown);
  if (unreachable !== undefined) return unreachable;
  const { error } = thrown as { readonly error?: unknown };
  const word = typeof error === 'string' && /^\w{1,60}$/.test(error) ? error : undefined;
  log.info({ why: whyOf(thrown) }, 'a sign-in with the provider failed');
  return new ServiceError(
    'UNAUTHORIZED',
    `expected the provider to confirm the sign-in, but it did not${word === undefined ? '' : `: ${word}`}`,
    { reason: 'not_confirmed' },
  );
}
