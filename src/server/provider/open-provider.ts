import { monotonicClock, systemClock } from '../../shared/clock.js';
import { cookieNamed, type SessionCookie } from '../session/cookies.js';
import type { SignIn } from '../session/sign-in.js';
import type { RefuseUnknown, SignInWay } from '../session/sign-in-way.js';
import type { Config } from '../settings/config.js';
import type { ExternalUsers } from './external-users.js';
import { JwtSignIn } from './jwt-sign-in.js';
import { ProviderSignIn } from './provider-sign-in.js';

interface ProviderParts {
  readonly users: ExternalUsers;
  readonly signIn: SignIn;
  /** That of sessions. */
  readonly cookie: SessionCookie;
  /** How clients reach the server; known once it listens. */
  readonly baseUrl: () => string;
}

/** Sign-in with the provider that the settings name; undefined: they name none. Its packages are loaded where there is one alone. */
export async function openProvider(config: Config, parts: ProviderParts): Promise<ProviderSignIn | undefined> {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, oidcScopes: scopes } = config;
  if (issuer === undefined || clientId === undefined) return undefined;
  const [{ Provider }, { PendingSignIns }] = await Promise.all([
    import('./provider.js'),
    import('./pending-sign-in.js'),
  ]);
  const origin = config.baseUrl ?? 'http:';
  return new ProviderSignIn({
    ...parts,
    provider: new Provider({ issuer, clientId, clientSecret, scopes }, () => monotonicClock.now()),
    pending: new PendingSignIns(origin, systemClock, () => parts.users.secret()),
    left: cookieNamed('millrace-left', origin),
    sessionAbsoluteMs: config.sessionAbsoluteMs,
    hasForm: config.localSignIn === 'on',
  });
}

/** Sign-in by tokens of the issuer that the settings name; none: they name none. Its package is loaded where there is one alone. */
export async function openJwt(config: Config, users: ExternalUsers): Promise<(refuse: RefuseUnknown) => SignInWay[]> {
  const { jwtAudience: audience, jwtIssuer, oidcIssuer, jwtKeysUrl: keysUrl } = config;
  const issuer = jwtIssuer ?? oidcIssuer;
  if (audience === undefined || issuer === undefined) return () => [];
  const { JwtVerifier } = await import('./bearer-jwt.js');
  const { jwtAlgorithms: algorithms = ALGORITHMS, jwtClockToleranceMs: clockToleranceMs } = config;
  const rules = { issuer, audience, algorithms, clockToleranceMs, keysUrl };
  const verifier = new JwtVerifier(rules, () => monotonicClock.now());
  const makesUsers = config.jwtFirstSignIn === 'make';
  return (refuse) => [new JwtSignIn({ verifier, issuer, users, makesUsers, clock: systemClock, refuse })];
}

/** What providers sign by where nothing else is set. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
