import type { Caller } from '../../shared/caller.js';
import { credentials, newCredential, type PasswordInput } from '../credential.js';
import type { Homes } from '../homes.js';
import { userProfileOf } from '../profile.js';
import { refusal } from '../refusal.js';
import {
  administratorOperation,
  identityOperation,
  requireAdministrator,
  type UserAnswer,
} from './identity-operation.js';

interface SetPasswordInput extends PasswordInput {
  readonly username: string;
  /** The version of the credential that the caller has shown to know the password of; null: none was shown. */
  readonly knownVersion: string | null;
}

/** The own password needs the present one to be known; that of others is an administrator's. @throws ACCESS_DENIED, INVALID_CREDENTIALS, NOT_FOUND */
export const setPassword = identityOperation(
  'setPassword',
  (homes, input: SetPasswordInput, { caller }): UserAnswer => {
    const { username, knownVersion } = input;
    if (caller.userId !== username) requireAdministrator(caller, `set the password of '${username}'`);
    if (knownVersion !== null || caller.userId === username) requireKnown(homes, caller, username, knownVersion);
    writePassword(homes, input);
    return { username };
  },
);

/** @throws INVALID_CREDENTIALS */
function requireKnown(homes: Homes, caller: Caller, username: string, knownVersion: string | null): void {
  if (homes.change.draft.get(credentials, username)?.version === knownVersion) return;
  throw refusal(
    'INVALID_CREDENTIALS',
    `expected '${caller.userId}' to give the present password of '${username}', but it was not given or is not the right one`,
    'currentPassword',
  );
}

interface ResetPasswordInput extends PasswordInput {
  readonly username: string;
}

/** @throws ACCESS_DENIED, NOT_FOUND, INVALID_INPUT (a service account) */
export const resetPassword = administratorOperation('resetPassword', (homes, input: ResetPasswordInput): UserAnswer => {
  writePassword(homes, input);
  return { username: input.username };
});

/** @throws NOT_FOUND, INVALID_INPUT */
function writePassword(homes: Homes, { username, password }: ResetPasswordInput): void {
  const { profile } = homes.require('user', username, 'username');
  if (userProfileOf(profile).isService)
    throw refusal('INVALID_INPUT', 'expected a user, but a service account has no password', 'username');
  const { draft } = homes.change;
  const { givenHash } = draft.get(credentials, username) ?? {};
  const credential = newCredential(homes.change.draft, username, password);
  draft.put(credentials, { ...credential, ...(givenHash !== undefined && { givenHash }) });
}
