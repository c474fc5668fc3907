import { monotonicClock, systemClock } from '../../shared/clock.js';
import type { RefuseUnknown, SignInWay } from '../session/sign-in-way.js';
import type { Config } from '../settings/config.js';
import type { ExternalUsers } from './external-users.js';
import { JwtSignIn } from './jwt-sign-in.js';

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
