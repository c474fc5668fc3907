import { createHash, randomBytes } from 'node:crypto';
import { type ApiToken, apiTokens } from '../../identity/index.js';
import type { Scope } from '../../shared/caller.js';
import type { Clock } from '../../shared/clock.js';
import type { CommitFollower, Committed, ReplicaSide } from '../../store/index.js';
import { allByUser } from './all-by-user.js';
import { type Proven, type RefuseUnknown, type SignInWay, wrongToken } from './sign-in-way.js';

/** A secret of which only the hash is kept. */
interface NewSecret {
  readonly secret: string;
  /** SHA-256, base64url. */
  readonly hash: string;
}

/** A secret for a new token: 256 random bits. */
export function newTokenSecret(): NewSecret {
  const secret = `mrt_${randomBytes(32).toString('base64url')}`;
  return { secret, hash: hashOf(secret) };
}

/** The API tokens of `system` in memory, as its commits have them; reading asks nothing else. */
export class ApiTokens implements CommitFollower {
  readonly collections = [apiTokens];
  readonly #clock: Clock;
  readonly #byId = new Map<string, ApiToken>();
  readonly #byHash = new Map<string, ApiToken>();
  /** When they were last used, as long as that is not kept. */
  readonly #used = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  #replica: Pick<ReplicaSide, 'read'> | undefined;

  /** `clock`: what they expire by. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reads all of them anew. */
  fill(replica: Pick<ReplicaSide, 'read'>): void {
    this.#replica = replica;
    this.#byId.clear();
    this.#byHash.clear();
    for (const token of allByUser(replica, apiTokens)) this.#put(token);
    this.#tell();
  }

  renewed(): void {
    if (this.#replica !== undefined) this.fill(this.#replica);
  }

  committed({ writes }: Pick<Committed, 'writes'>): void {
    let isOneGone = false;
    for (const { collection, id, document } of writes) {
      if (collection.name !== apiTokens.name) continue;
      if (document !== null) this.#put(document as ApiToken);
      else isOneGone = this.#remove(id) || isOneGone;
    }
    if (isOneGone) this.#tell();
  }

  /** The token of that secret, whether or not it has expired. */
  find(secret: string): ApiToken | undefined {
    return this.#byHash.get(hashOf(secret));
  }

  get(id: string): ApiToken | undefined {
    const token = this.#byId.get(id);
    const usedAt = this.#used.get(id);
    return token === undefined || usedAt === undefined ? token : { ...token, lastUsedAt: usedAt };
  }

  /** Those of the user, oldest first. */
  ofUser(userId: string): readonly ApiToken[] {
    const ids = [...this.#byId.values()].flatMap((token) => (token.userId === userId ? token.id : []));
    const found = ids.map((id) => this.get(id)).filter((token) => token !== undefined);
    return found.sort((a, b) => a.createdAt - b.createdAt);
  }

  now(): number {
    return this.#clock.now();
  }

  hasExpired({ expiresAt }: Pick<ApiToken, 'expiresAt'>): boolean {
    return this.now() >= expiresAt;
  }

  /** Whether it is there and has not expired. */
  isAlive(id: string): boolean {
    const token = this.#byId.get(id);
    return token !== undefined && !this.hasExpired(token);
  }

  /** Notes that a request has brought it; that is kept with when sessions were last seen. */
  touch(id: string): void {
    this.#used.set(id, this.now());
  }

  /** When those were last used of which that is not kept yet, by their ids. */
  used(): ReadonlyMap<string, number> {
    return this.#used;
  }

  /** Calls the listener when some have gone. Returns how to stop it. */
  onEnd(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #put(token: ApiToken): void {
    this.#byId.set(token.id, token);
    this.#byHash.set(token.hash, token);
    if ((this.#used.get(token.id) ?? Number.POSITIVE_INFINITY) <= (token.lastUsedAt ?? 0)) this.#used.delete(token.id);
  }

  #remove(id: string): boolean {
    const token = this.#byId.get(id);
    if (token === undefined) return false;
    this.#byId.delete(id);
    this.#byHash.delete(token.hash);
    this.#used.delete(id);
    return true;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** `Authorization: Bearer mrt_…`. A proof of it is of the token, and is limited to its scope. */
export class ApiTokenSignIn implements SignInWay {
  readonly name = 'token';
  readonly #tokens: ApiTokens;
  readonly #refuse: RefuseUnknown;

  constructor(tokens: ApiTokens, refuse: RefuseUnknown) {
    this.#tokens = tokens;
    this.#refuse = refuse;
  }

  takes(authorization: string): boolean {
    return /^bearer +mrt_/i.test(authorization);
  }

  prove(authorization: string, address: string): Proven {
    const secret = /^bearer +(mrt_[\w-]{43})$/i.exec(authorization)?.[1];
    const token = secret === undefined ? undefined : this.#tokens.find(secret);
    if (token === undefined) return this.#refuse(address);
    const { id, userId, expiresAt } = token;
    if (this.#tokens.hasExpired(token)) throw wrongToken('one that has expired');
    this.#tokens.touch(id);
    return { userId, proof: { way: this.name, id, expiresAt, scope: scopeOf(token) } };
  }

  stands({ proof: { id } }: Proven): boolean {
    return this.#tokens.isAlive(id);
  }
}

const scopeOf = ({ name, access, workspaces, domains }: ApiToken): Scope => ({ name, access, workspaces, domains });
