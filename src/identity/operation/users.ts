import { removeSubtree } from '../../content/index.js';
import { apiTokens, TOKENS_MAX } from '../api-token.js';
import { credentials, newCredential, type PasswordInput } from '../credential.js';
import { EXTERNAL_IDENTITIES_MAX, externalIdentities } from '../external-identity.js';
import { type Homes, type Principal, requireNameOf } from '../homes.js';
import { isReserved } from '../names.js';
import { type UserProfile, userProfileOf, userProperties } from '../profile.js';
import { refusal } from '../refusal.js';
import { lastSignIns } from '../session.js';
import { administratorOperation, requireOther, requireText, type UserAnswer } from './identity-operation.js';
import { changePrincipals } from './principal-changes.js';

/** Texts of a user that it is shown by. */
const SHOWN = ['displayName', 'sn', 'givenName', 'mail'] as const;

type Shown = { readonly [Name in (typeof SHOWN)[number]]?: string | null };

interface CreateUserInput extends Shown, Partial<PasswordInput> {
  readonly username: string;
  /** Default: true. */
  readonly enabled?: boolean | null;
  /** Whether it is a service account, which has no password. Default: false. */
  readonly service?: boolean | null;
  /** Ids of roles; those that there are not are passed over. */
  readonly roles?: readonly string[] | null;
  /** Ids of groups; those that there are not are passed over. */
  readonly memberOf?: readonly string[] | null;
}

/** Adds a user with a home; a service account has no password, all others must. @throws INVALID_INPUT, ALREADY_EXISTS, ACCESS_DENIED */
export const createUser = administratorOperation('createUser', (homes, input: CreateUserInput): UserAnswer => {
  const { username, password, enabled, service, roles, memberOf } = input;
  requireNameOf('user', username, 'username');
  if (service === true && password !== undefined)
    throw refusal('INVALID_INPUT', 'expected a service account to have no password', 'password');
  if (service !== true && password === undefined) throw refusal('INVALID_INPUT', 'expected a password', 'password');
  homes.addUser({
    username,
    ...shownOf(input, { displayName: null, sn: null, givenName: null, mail: null }),
    enabled: enabled ?? true,
    isService: service ?? false,
    roles: homes.profilesOf('role', roles ?? []).map(({ id }) => id),
    memberOf: homes.profilesOf('group', memberOf ?? []).map(({ id }) => id),
  });
  if (password !== undefined)
    homes.change.draft.put(credentials, newCredential(homes.change.draft, username, password));
  return { username };
});

/** The texts as they are to be: those that were given, else as they were. @throws INVALID_INPUT */
function shownOf(given: Shown, before: Pick<UserProfile, keyof Shown>): Pick<UserProfile, keyof Shown> {
  const texts = { ...before };
  for (const name of SHOWN) {
    const text = given[name];
    if (text != null) texts[name] = requireText(text, name);
  }
  return texts;
}

interface UpdateUserInput extends Shown {
  readonly username: string;
  readonly enabled?: boolean | null;
}

/** Changes a user; fields that are not given stay as they are. @throws SELF_MODIFICATION_FORBIDDEN, NOT_FOUND, INVALID_INPUT, CONFLICT (the last administrator) */
export const updateUser = administratorOperation(
  'updateUser',
  (homes, input: UpdateUserInput, { caller }): UserAnswer => {
    requireOther(caller, input.username);
    const user = homes.require('user', input.username, 'username');
    changeUser(homes, user, (profile) => ({
      ...profile,
      ...shownOf(input, profile),
      enabled: input.enabled ?? profile.enabled,
    }));
    return { username: input.username };
  },
);

// A start makes it anew, the administrator with its password and its rights.
const needed = (username: string) =>
  refusal(
    'CONFLICT',
    `expected another user than '${username}', which the server itself needs; it can be disabled`,
    'username',
  );

/** Writes what a user's profile says now, if that is something else. */
export function changeUser(homes: Homes, { profile }: Principal, change: (profile: UserProfile) => UserProfile): void {
  const before = userProfileOf(profile);
  const after = change(before);
  if (JSON.stringify(before) !== JSON.stringify(after)) homes.write(profile, userProperties(after));
}

/**
 * Removes the user with its home; a job takes its name out of all workspaces.
 * @throws SELF_MODIFICATION_FORBIDDEN, NOT_FOUND, CONFLICT (the server needs it, the last administrator, something in it is locked)
 */
export const deleteUser = administratorOperation('deleteUser', (homes, { username }: UserAnswer, context) => {
  requireOther(context.caller, username);
  const { home, profile } = homes.require('user', username, 'username');
  if (isReserved(username)) throw needed(username);
  const { change } = homes;
  change.remove(profile);
  change.draft.remove(credentials, username);
  change.draft.remove(lastSignIns, username);
  for (const { id } of change.draft.find(apiTokens, 'user', [username], { limit: TOKENS_MAX }))
    change.draft.remove(apiTokens, id);
  for (const { id } of change.draft.find(externalIdentities, 'user', [profile.id], { limit: EXTERNAL_IDENTITIES_MAX }))
    change.draft.remove(externalIdentities, id);
  const left = { kind: 'user', from: username, to: null, profileId: profile.id } as const;
  return removeSubtree(change, home) ?? { username, jobId: changePrincipals(homes, [left], context) };
});
