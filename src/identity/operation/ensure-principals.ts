import { Change, type ContentNode, moveTo } from '../../content/index.js';
import { operation } from '../../store/index.js';
import { ADMINISTRATOR } from '../administrators.js';
import { takenNames } from '../collections.js';
import { credentials, newCredential } from '../credential.js';
import { Homes } from '../homes.js';
import { KINDS, PROFILE } from '../profile.js';

/** A user that is made when the server starts, unless it is there. */
export interface GivenUser {
  readonly username: string;
  readonly displayName: string | null;
  /** Argon2id, in PHC form; null: nobody signs in by a password. */
  readonly password: string | null;
  /** Of the top; made where they are missing. */
  readonly groups: readonly string[];
  readonly roles: readonly string[];
}

interface EnsurePrincipals {
  readonly users: readonly GivenUser[];
  /** The administrator's password as the operator has set it, hashed; null: it has not been set anew. */
  readonly adminPassword: string | null;
}

const HOME = '/home';
const EVERYONE = 'everyone';
const ROLES = [ADMINISTRATOR, 'supervisor', 'operator', 'deployer', 'worker'];

/** Makes the principals that every server has, and the given ones, as far as they are not there. Run at every start, in `system`. */
export const ensurePrincipals = operation('ensurePrincipals', (state, input: EnsurePrincipals, { caller }) => {
  const homes = new Homes(new Change(state, caller, [], true));
  for (const path of [HOME, ...Object.values(KINDS).map(({ root }) => root)]) ensureHomes(homes, path);
  for (const role of ROLES) ensureNested(homes, 'role', role);
  ensureNested(homes, 'group', EVERYONE);
  const roles = [ADMINISTRATOR, 'supervisor'];
  ensureUser(homes, { username: 'admin', displayName: null, password: null, groups: [], roles });
  ensureUser(homes, { username: 'anonymous', displayName: null, password: null, groups: [], roles: [] });
  for (const user of input.users) ensureUser(homes, user);
  const { adminPassword } = input;
  if (adminPassword !== null) {
    const credential = newCredential(homes.change.draft, 'admin', adminPassword);
    homes.change.draft.put(credentials, { ...credential, givenHash: adminPassword });
  }
  return homes.change.decision(null);
});

/**
 * The folders of homes are of a type of their own: whoever moved one would move all that it holds. What groups and roles are for, and what they give,
 * is told as users, groups and roles are, not to whoever looks at nodes.
 */
function ensureHomes({ change }: Homes, path: string): void {
  const node = change.at(path);
  if (node.type === 'mi:homes') return;
  const mixins = node.mixins.filter((mixin) => mixin !== 'mi:anyChildren');
  const acl =
    node.acl ?? (path === HOME ? undefined : [{ principal: EVERYONE, privileges: ['jcr:read'], allow: false }]);
  change.put({ ...node, type: 'mi:homes', mixins, ...(acl !== undefined && { acl }) });
}

function ensureNested(homes: Homes, kind: 'group' | 'role', name: string): ContentNode {
  const found = homes.find(kind, name);
  if (found !== undefined) return found.profile;
  return homes.addNested(kind, homes.root(kind), { name, displayName: null, description: null, roles: [] }).profile;
}

function ensureUser(homes: Homes, user: GivenUser): void {
  const { username, displayName, password, groups, roles } = user;
  const { draft, tree } = homes.change;
  if (draft.get(takenNames, username) !== undefined) return;
  const present = tree.child(homes.root('user'), username);
  if (present !== undefined) clearProfile(homes, present);
  homes.addUser(
    {
      username,
      displayName,
      ...{ sn: null, givenName: null, mail: null, enabled: true, isService: false },
      roles: roles.map((role) => ensureNested(homes, 'role', role).id),
      memberOf: groups.map((group) => ensureNested(homes, 'group', group).id),
    },
    present,
  );
  if (password !== null) draft.put(credentials, newCredential(homes.change.draft, username, password));
}

/** What somebody has put where the profile of a home belongs stays, under another name. */
function clearProfile({ change }: Homes, home: ContentNode): void {
  const other = change.tree.child(home, PROFILE);
  if (other !== undefined) moveTo(change, other, home, `${PROFILE} of ${home.name}`);
}
