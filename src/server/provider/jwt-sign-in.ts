import type { Clock } from '../../shared/clock.js';
import { messageOf, ServiceError } from '../../shared/errors.js';
import { type Proven, type RefuseUnknown, type SignInWay, wrongToken } from '../session/sign-in-way.js';
import type { JwtBearer, JwtVerifier } from './bearer-jwt.js';
import type { ExternalUsers } from './external-users.js';

interface JwtSignInParts {
  readonly verifier: Pick<JwtVerifier, 'verify'>;
  readonly issuer: string;
  readonly users: Pick<ExternalUsers, 'find' | 'signIn' | 'isStill'>;
  /** Whether a subject that is nobody here makes a user. */
  readonly makesUsers: boolean;
  /** The machine's: what tokens expire by. */
  readonly clock: Clock;
  readonly refuse: RefuseUnknown;
}

/** `Authorization: Bearer` with a JSON Web Token of the issuer that the settings name. A proof of it is of an external identity, as long as the token counts. */
export class JwtSignIn implements SignInWay {
  readonly name = 'jwt';
  readonly #parts: JwtSignInParts;

  constructor(parts: JwtSignInParts) {
    this.#parts = parts;
  }

  takes(authorization: string): boolean {
    return JWT.test(authorization);
  }

  /** @throws UNAUTHORIZED, RATE_LIMITED, UNAVAILABLE the issuer's keys cannot be had */
  async prove(authorization: string, address: string): Promise<Proven> {
    const { verifier, users, issuer, refuse } = this.#parts;
    const bearer = await verifier.verify(JWT.exec(authorization)?.[1] ?? '');
    if (bearer === 'unknown') return refuse(address);
    if (bearer === 'expired') throw wrongToken('one that has expired');
    const user = users.find(issuer, bearer.subject) ?? (await this.#made(bearer));
    if (user === undefined) throw wrongToken('one whose subject is nobody here');
    return { userId: user.username, proof: { way: this.name, id: user.externalId, expiresAt: bearer.expiresAt } };
  }

  stands({ userId, proof: { id, expiresAt = 0 } }: Proven): boolean {
    return this.#parts.clock.now() < expiresAt && this.#parts.users.isStill(id, userId);
  }

  /** @throws UNAUTHORIZED where none can be made, UNAVAILABLE */
  async #made({ subject, claims }: JwtBearer) {
    const { users, issuer, makesUsers } = this.#parts;
    if (!makesUsers) return undefined;
    try {
      await users.signIn({ issuer, subject, claims, isProgram: true });
    } catch (thrown) {
      if (thrown instanceof ServiceError && thrown.code === 'UNAVAILABLE') throw thrown;
      throw wrongToken(`one for whose subject no user can be made: ${messageOf(thrown)}`);
    }
    return users.find(issuer, subject);
  }
}

/** As the compact form of RFC 7515 is; without a signature its last part is empty. */
const JWT = /^bearer +(ey[\w-]*\.[\w-]+\.[\w-]*)$/i;
