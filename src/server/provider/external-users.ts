import {
  type Directory,
  type ExternalSignIn,
  externalIdOf,
  inputKeyIn,
  signInExternally,
} from '../../identity/index.js';
import { unavailable } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { PartitionPort } from '../../store/index.js';
import type { Config } from '../settings/config.js';
import { type ClaimRules, type Claims, externalSignIn } from './claims.js';

/** Whom a provider vouches for. */
interface Vouched extends Pick<ExternalSignIn, 'issuer' | 'subject' | 'isProgram'> {
  readonly claims: Claims;
}

/** The users whom providers vouch for. */
export class ExternalUsers {
  readonly #directory: Directory;
  readonly #rules: ClaimRules;
  #system: Pick<PartitionPort, 'sendAsSystem' | 'replica'> | undefined;

  constructor(directory: Directory, config: Pick<Config, 'oidcNameClaim' | 'claimMapping'>) {
    this.#directory = directory;
    this.#rules = { nameClaim: config.oidcNameClaim, mapping: config.claimMapping ?? [] };
  }

  /** From now on users sign in. */
  open(system: Pick<PartitionPort, 'sendAsSystem' | 'replica'>): void {
    this.#system = system;
    const { nested } = this.#directory;
    const missing = this.#rules.mapping.filter(({ kind, id }) => nested.byId(kind, id) === undefined);
    if (missing.length === 0) return;
    const ids = [...new Set(missing.map(({ kind, id }) => `${kind} ${id}`))];
    log.warn({ ids }, 'MILLRACE_CLAIM_MAPPING names groups and roles that there are not: they are passed over');
  }

  /** The user of the identity, and what tells whether it is still its; undefined: nobody's. */
  find(issuer: string, subject: string): { readonly username: string; readonly externalId: string } | undefined {
    const externalId = externalIdOf(issuer, subject);
    const user = this.#directory.externalUser(externalId);
    return user && { username: user.username, externalId };
  }

  /** Whether the identity of that id is still the user's. */
  isStill(externalId: string, username: string): boolean {
    return this.#directory.externalUser(externalId)?.username === username;
  }

  /** Notes what the claims say; makes the user, where there is none. The name of the user. @throws FORBIDDEN, BAD_REQUEST, ALREADY_EXISTS, CONFLICT, UNAVAILABLE */
  async signIn({ issuer, subject, isProgram, claims }: Vouched): Promise<string> {
    const said = externalSignIn({ issuer, subject }, claims, this.#rules);
    const isKnown = this.find(issuer, subject) !== undefined;
    const { username } = await this.#opened().sendAsSystem(signInExternally, { ...said, isProgram });
    if (!isKnown) log.info({ user: username, issuer, subject }, 'a user was made at the first sign-in with a provider');
    return username;
  }

  /** What only servers of this system know. @throws UNAVAILABLE */
  secret(): string {
    return inputKeyIn(this.#opened().replica.read());
  }

  #opened(): Pick<PartitionPort, 'sendAsSystem' | 'replica'> {
    if (this.#system !== undefined) return this.#system;
    throw unavailable('expected the server to be ready, but it is starting', {
      reason: 'starting',
      details: { retryAfterSeconds: 1 },
    });
  }
}
