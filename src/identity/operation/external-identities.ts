import { type ContentNode, nodes } from '../../content/index.js';
import {
  EXTERNAL_IDENTITIES_MAX,
  type ExternalIdentity,
  externalIdentities,
  externalIdOf,
} from '../external-identity.js';
import { type Homes, type Principal, requireNameOf } from '../homes.js';
import { type UserProfile, userProfileOf } from '../profile.js';
import { refusal } from '../refusal.js';
import { administratorOperation, identityOperation, type UserAnswer } from './identity-operation.js';
import { changeUser } from './users.js';

/** Somebody whom a provider vouches for, as its claims say it. */
export interface ExternalSignIn extends Pick<UserProfile, 'displayName' | 'sn' | 'givenName' | 'mail'> {
  readonly issuer: string;
  readonly subject: string;
  /** The name of the user that is made at the first sign-in; null: the claims have none, so none is made. */
  readonly username: string | null;
  /** Ids of groups and roles that the claims give. Those that there are not are passed over. */
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  /** Whether a service account may sign in by it. */
  readonly isProgram: boolean;
}

/**
 * Somebody signs in by a provider. The first time that makes a user. What the provider says of it is noted; groups and roles that it gave before
 * and gives no longer are taken back, others stay.
 * @throws ACCESS_DENIED (disabled, a service account), INVALID_INPUT (no name, or one that none can have), ALREADY_EXISTS (the name is another's),
 * CONFLICT (nobody would be left who administers the server)
 */
export const signInExternally = identityOperation('signInExternally', (homes, input: ExternalSignIn): UserAnswer => {
  const id = externalIdOf(input.issuer, input.subject);
  const known = homes.change.draft.get(externalIdentities, id);
  const found = known && userOf(homes, known.profileId);
  const user = found ?? addUser(homes, input);
  const external = (found && known) ?? newLink(homes, input, user.profile);
  const before = userProfileOf(user.profile);
  requireSignIn(before, input.isProgram);
  const { displayName, sn, givenName, mail } = input;
  const profile = { ...before, ...given({ displayName, sn, givenName, mail }) };
  writeGiven(homes, user, { external, profile, wanted: wantedOf(homes, input) });
  return { username: before.username };
});

const given = (texts: Pick<UserProfile, 'displayName' | 'sn' | 'givenName' | 'mail'>): Partial<UserProfile> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null));

function userOf(homes: Homes, profileId: string): Principal | undefined {
  const node = homes.change.draft.get(nodes, profileId);
  return node && homes.find('user', userProfileOf(node).username);
}

/** @throws INVALID_INPUT, ALREADY_EXISTS */
function addUser(homes: Homes, { username, displayName, sn, givenName, mail }: ExternalSignIn): Principal {
  if (username === null)
    throw refusal('INVALID_INPUT', 'expected a claim that names the user, but there is none', 'username');
  requireNameOf('user', username, 'username');
  const shown = { displayName, sn, givenName, mail };
  return homes.addUser({ username, ...shown, enabled: true, isService: false, roles: [], memberOf: [] });
}

const newLink = (
  { change }: Homes,
  { issuer, subject }: Pick<ExternalSignIn, 'issuer' | 'subject'>,
  profile: ContentNode,
): ExternalIdentity => ({
  ...{ id: externalIdOf(issuer, subject), issuer, subject, profileId: profile.id },
  ...{ since: change.now, given: [] },
});

/** @throws ACCESS_DENIED */
function requireSignIn({ username, enabled, isService }: UserProfile, isProgram: boolean): void {
  if (!enabled) throw refusal('ACCESS_DENIED', `expected a user who may sign in, but '${username}' is disabled here`);
  if (isService && !isProgram)
    throw refusal('ACCESS_DENIED', `expected a person to sign in, but '${username}' is a service account`);
}

/** Ids of profiles. */
interface Wanted {
  readonly groups: readonly string[];
  readonly roles: readonly string[];
}

const wantedOf = (homes: Homes, { groups, roles }: ExternalSignIn): Wanted => ({
  groups: homes.profilesOf('group', groups).map(({ id }) => id),
  roles: homes.profilesOf('role', roles).map(({ id }) => id),
});

interface Giving {
  readonly external: ExternalIdentity;
  /** As it is to be, but for groups and roles. */
  readonly profile: UserProfile;
  readonly wanted: Wanted;
}

/** Gives what is wanted, and takes back what this identity has given before. What the user had by somebody's hand is never counted as given. */
function writeGiven(homes: Homes, user: Principal, { external, profile, wanted }: Giving): void {
  const { draft } = homes.change;
  const others = new Set(
    externalOf(homes, user)
      .filter(({ id }) => id !== external.id)
      .flatMap((other) => other.given),
  );
  const before = new Set(external.given);
  const all = [...wanted.groups, ...wanted.roles];
  const present = new Set([...profile.memberOf, ...profile.roles]);
  const isGiven = (id: string) => !present.has(id) || before.has(id) || others.has(id);
  const next = { ...external, given: all.filter(isGiven) };
  const kept = (id: string) => !before.has(id) || others.has(id) || all.includes(id);
  changeUser(homes, user, () => ({
    ...profile,
    memberOf: [...new Set([...profile.memberOf.filter(kept), ...wanted.groups])],
    roles: [...new Set([...profile.roles.filter(kept), ...wanted.roles])],
  }));
  const stored = draft.get(externalIdentities, next.id);
  if (JSON.stringify(stored) !== JSON.stringify(next)) draft.put(externalIdentities, next);
}

const externalOf = ({ change }: Homes, { profile }: Principal): ExternalIdentity[] =>
  change.draft.find(externalIdentities, 'user', [profile.id], { limit: EXTERNAL_IDENTITIES_MAX });

interface LinkInput extends UserAnswer {
  readonly issuer: string;
  readonly subject: string;
}

/** Lets whom a provider knows by the subject sign in as a user that there is. @throws NOT_FOUND, INVALID_INPUT, ALREADY_EXISTS (it is another user's) */
export const linkExternalIdentity = administratorOperation(
  'linkExternalIdentity',
  (homes, { username, issuer, subject }: LinkInput): UserAnswer => {
    const user = homes.require('user', username, 'username');
    requirePart(issuer, 'issuer');
    requirePart(subject, 'subject');
    const known = homes.change.draft.get(externalIdentities, externalIdOf(issuer, subject));
    const whose = known && userOf(homes, known.profileId);
    if (whose?.profile.id === user.profile.id) return { username };
    if (whose !== undefined)
      throw refusal(
        'ALREADY_EXISTS',
        `expected an identity that is nobody's, but '${userProfileOf(whose.profile).username}' signs in by it; unlink it there first`,
        'subject',
      );
    if (externalOf(homes, user).length >= EXTERNAL_IDENTITIES_MAX)
      throw refusal(
        'INVALID_INPUT',
        `expected a user to have at most ${EXTERNAL_IDENTITIES_MAX} identities`,
        'subject',
      );
    homes.change.draft.put(externalIdentities, newLink(homes, { issuer, subject }, user.profile));
    return { username };
  },
);

/** @throws INVALID_INPUT */
function requirePart(text: string, field: string): void {
  if (text !== '' && text.length <= PART_MAX) return;
  throw refusal('INVALID_INPUT', `expected 1 to ${PART_MAX} characters in '${field}', but found ${text.length}`, field);
}

/** The longest issuer, and the longest subject. */
export const PART_MAX = 500;

/** The identity signs nobody in any more; groups and roles that it gave are taken back. @throws NOT_FOUND, CONFLICT (the last administrator) */
export const unlinkExternalIdentity = administratorOperation(
  'unlinkExternalIdentity',
  (homes, { id }: { readonly id: string }): UserAnswer => {
    const external = homes.change.draft.get(externalIdentities, id);
    const user = external && userOf(homes, external.profileId);
    if (external === undefined || user === undefined)
      throw refusal('NOT_FOUND', `expected an external identity '${id}', but there is none`, 'id');
    const profile = userProfileOf(user.profile);
    writeGiven(homes, user, { external, profile, wanted: { groups: [], roles: [] } });
    homes.change.draft.remove(externalIdentities, id);
    return { username: profile.username };
  },
);
