import type { Access, Caller, ScopedDomain } from '../../shared/caller.js';
import { mayAdminister } from '../../shared/rights/roles.js';
import { operation, remove } from '../../store/index.js';
import { type ApiToken, apiTokens } from '../api-token.js';
import type { Homes } from '../homes.js';
import { userProfileOf } from '../profile.js';
import { refusal } from '../refusal.js';
import { identityOperation, requireText } from './identity-operation.js';

interface CreateApiTokenInput {
  /** SHA-256 of the secret, base64url. */
  readonly hash: string;
  readonly name: string;
  /** Whose it is. */
  readonly username: string;
  readonly scopes: readonly Access[];
  /** Names, with the ids of their partitions where there are such workspaces. Null: all. */
  readonly workspaces: readonly { readonly name: string; readonly id: string | null }[] | null;
  readonly domains: readonly ScopedDomain[] | null;
  /** The present time, ms, by the clock that tokens expire by. */
  readonly now: number;
  /** Null: as late as may be. */
  readonly expiresAt: number | null;
  /** How long one may last, ms. */
  readonly ageMax: number;
  /** How many a user may have. */
  readonly perUserMax: number;
}

/** Which token. */
interface TokenAnswer {
  readonly id: string;
}

/** A token of one's own; administrators make those of service accounts, too. @throws INVALID_INPUT, NOT_FOUND, ACCESS_DENIED, CONFLICT (there are too many) */
export const createApiToken = identityOperation(
  'createApiToken',
  (homes, input: CreateApiTokenInput, { caller }): TokenAnswer => {
    const { hash, username, perUserMax, now } = input;
    requireOwner(homes, caller, username);
    const { draft } = homes.change;
    if (draft.find(apiTokens, 'user', [username], { limit: perUserMax }).length >= perUserMax)
      throw refusal('CONFLICT', `expected fewer than ${perUserMax} tokens of '${username}'; revoke one`, 'username');
    const token: ApiToken = {
      ...{ id: draft.ids.next(), hash, userId: username, name: nameIn(input) },
      access: someOf(input.scopes, 'scopes'),
      workspaces: input.workspaces && someOf(input.workspaces.map(idOf), 'workspaces'),
      domains: input.domains && someOf(input.domains, 'domains'),
      ...{ createdBy: caller.userId, createdAt: now, expiresAt: endOf(input), lastUsedAt: null },
    };
    draft.put(apiTokens, token);
    return { id: token.id };
  },
);

/** @throws ACCESS_DENIED, NOT_FOUND */
function requireOwner(homes: Homes, caller: Caller, username: string): void {
  if (username === caller.userId) return;
  if (!mayAdminister(caller))
    throw refusal('ACCESS_DENIED', `expected an administrator to make a token of '${username}'`, 'username');
  const { profile } = homes.require('user', username, 'username');
  if (!userProfileOf(profile).isService)
    throw refusal('ACCESS_DENIED', `expected a service account, but '${username}' makes its own tokens`, 'username');
}

function nameIn({ name }: CreateApiTokenInput): string {
  if (name.trim() === '') throw refusal('INVALID_INPUT', 'expected a name, but it is empty', 'name');
  return requireText(name, 'name');
}

/** Each once. @throws INVALID_INPUT */
function someOf<T>(given: readonly T[], field: string): readonly T[] {
  if (given.length > 0) return [...new Set(given)];
  throw refusal('INVALID_INPUT', `expected at least one in '${field}', but it is empty`, field);
}

function idOf({ name, id }: { readonly name: string; readonly id: string | null }): string {
  if (id !== null) return id;
  throw refusal('NOT_FOUND', `expected a workspace '${name}', but there is none`, 'workspaces');
}

function endOf({ now, expiresAt, ageMax }: CreateApiTokenInput): number {
  const latest = now + ageMax;
  if (expiresAt === null) return latest;
  if (expiresAt > now && expiresAt <= latest) return expiresAt;
  const expected = `an instant between now and ${new Date(latest).toISOString()}`;
  throw refusal('INVALID_INPUT', `expected ${expected}, but found ${new Date(expiresAt).toISOString()}`, 'expiresAt');
}

/** Ends a token: one's own, or, for administrators, anybody's. @throws NOT_FOUND */
export const revokeApiToken = operation('revokeApiToken', (state, { id }: TokenAnswer, { caller }) => {
  const token = state.get(apiTokens, id);
  if (token === undefined || (token.userId !== caller.userId && !mayAdminister(caller)))
    throw refusal('NOT_FOUND', `expected a token '${id}', but there is none`, 'id');
  return { write: [remove(apiTokens, id)], answer: { id } };
});
