import { hkdfSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { Clock } from '../../shared/clock.js';
import { cookieNamed } from '../session/cookies.js';
import type { Challenge } from './provider.js';

/** A sign-in with the provider that has begun in a browser. */
export interface PendingSignIn extends Challenge {
  /** Where it leads: a path of this server. */
  readonly path: string;
}

/**
 * Keeps what belongs to a sign-in in the browser in which it has begun, sealed, for ten minutes: no server keeps anything of it, and another one may finish
 * it. Some may be going on at once, in several tabs.
 */
export class PendingSignIns {
  readonly #baseUrl: string;
  readonly #clock: Clock;
  readonly #key: () => Uint8Array;

  /** `secret`: of the system; it throws UNAVAILABLE while that is not known. */
  constructor(baseUrl: string, clock: Clock, secret: () => string) {
    this.#baseUrl = baseUrl;
    this.#clock = clock;
    this.#key = () => new Uint8Array(hkdfSync('sha256', secret(), '', 'pending sign-in', 32));
  }

  /** The value of `Set-Cookie` that keeps it. */
  async give(pending: PendingSignIn): Promise<string> {
    const path = pending.path.length > PATH_MAX ? '/' : pending.path;
    const sealed = await new EncryptJWT({ ...pending, path })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setExpirationTime(new Date(this.#clock.now() + KEPT_MS))
      .encrypt(this.#key());
    return this.#cookie(pending.state).give(sealed, KEPT_MS);
  }

  /** The one of the state; undefined: none was begun in this browser, or it was too long ago. */
  async read(req: IncomingMessage, state: string): Promise<PendingSignIn | undefined> {
    const sealed = this.#cookie(state).read(req);
    if (sealed === undefined) return undefined;
    const rules = {
      ...{ keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
      currentDate: new Date(this.#clock.now()),
    };
    const opened = await jwtDecrypt<PendingSignIn>(sealed, this.#key(), rules).catch(() => undefined);
    return opened?.payload.state === state ? opened.payload : undefined;
  }

  /** The value of `Set-Cookie` that ends it. */
  take(state: string): string {
    return this.#cookie(state).take();
  }

  /** One of so few that all of them fit into the headers of a request. */
  #cookie(state: string) {
    return cookieNamed(`millrace-sign-in-${(state.codePointAt(0) ?? 0) % COOKIES}`, this.#baseUrl);
  }
}

const COOKIES = 8;
const KEPT_MS = 10 * 60 * 1000;
const PATH_MAX = 512;
