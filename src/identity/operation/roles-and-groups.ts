import { type ContentNode, moveTo } from '../../content/index.js';
import type { CommandContext } from '../../store/index.js';
import { ADMINISTRATOR } from '../administrators.js';
import { type Homes, type Principal, requireNameOf } from '../homes.js';
import { nestedProfileOf, nestedProperties, PROFILE } from '../profile.js';
import { refusal } from '../refusal.js';
import { administratorOperation, requireText } from './identity-operation.js';
import { changePrincipals, type LeftName, requireNotChanging } from './principal-changes.js';

type Nested = 'group' | 'role';

/** How many groups or roles one call removes. */
const REMOVED_MAX = 50;

interface CreateNestedInput {
  readonly name: string;
  /** Id of the one that it is nested in. Default: none. */
  readonly parentId?: string | null;
  readonly displayName?: string | null;
  readonly description?: string | null;
  /** Of a group: ids of roles that its members have; those that there are not are passed over. */
  readonly roles?: readonly string[] | null;
}

/** Answer of operations on a group or a role. */
interface NestedAnswer {
  /** The names from the top, with slashes between. */
  readonly id: string;
}

interface DeletedAnswer extends NestedAnswer {
  /** The long job that takes the names out of all workspaces; null: nothing has such a name. */
  readonly jobId: string | null;
}

/** @throws INVALID_INPUT, ALREADY_EXISTS, NOT_FOUND (what it is nested in) */
const creating =
  (kind: Nested) =>
  (homes: Homes, input: CreateNestedInput): NestedAnswer => {
    const { name, parentId, displayName, description, roles } = input;
    requireNameOf(kind, name, 'name');
    homes.addNested(kind, homeAbove(homes, kind, parentId), {
      name,
      displayName: displayName == null ? null : requireText(displayName, 'displayName'),
      description: description == null ? null : requireText(description, 'description'),
      roles: homes.profilesOf('role', roles ?? []).map(({ id }) => id),
    });
    return { id: idBelow(parentId, name) };
  };

const homeAbove = (homes: Homes, kind: Nested, parentId: string | null | undefined): ContentNode =>
  isTop(parentId) ? homes.root(kind) : homes.require(kind, parentId, 'parentId').home;

const isTop = (parentId: string | null | undefined): parentId is null | undefined | '' =>
  parentId == null || parentId === '';

const idBelow = (parentId: string | null | undefined, name: string): string =>
  isTop(parentId) ? name : `${parentId}/${name}`;

export const createRole = administratorOperation('createRole', creating('role'));
export const createGroup = administratorOperation('createGroup', creating('group'));

interface UpdateNestedInput {
  readonly id: string;
  readonly displayName?: string | null;
  readonly description?: string | null;
  /** Of a group: ids of the roles that its members have; those that there are not are passed over. */
  readonly roles?: readonly string[] | null;
}

/** What is not given stays as it is. @throws NOT_FOUND, INVALID_INPUT, CONFLICT (the last administrator) */
const updating =
  (kind: Nested) =>
  (homes: Homes, input: UpdateNestedInput): NestedAnswer => {
    const { profile } = homes.require(kind, input.id, `${kind}Id`);
    const before = nestedProfileOf(profile);
    const { displayName, description, roles } = input;
    homes.write(
      profile,
      nestedProperties(kind, {
        ...before,
        displayName: displayName == null ? before.displayName : requireText(displayName, 'displayName'),
        description: description == null ? before.description : requireText(description, 'description'),
        roles: roles == null ? before.roles : homes.profilesOf('role', roles).map((role) => role.id),
      }),
    );
    return { id: input.id };
  };

export const updateRole = administratorOperation('updateRole', updating('role'));
export const updateGroup = administratorOperation('updateGroup', updating('group'));

interface DeleteNestedInput {
  readonly id: string;
  /** Whether what is nested in it goes, too. Default: false. */
  readonly recursive?: boolean | null;
}

/** Whoever refers to it is as if it did not. @throws NOT_FOUND, HAS_CHILDREN, CONFLICT (the server needs it) */
const deleting =
  (kind: Nested) =>
  (homes: Homes, { id, recursive }: DeleteNestedInput, context: CommandContext): DeletedAnswer => {
    const { home } = homes.require(kind, id, `${kind}Id`);
    requireNotNeeded(kind, id);
    const all = [home, ...nestedIn(homes, kind, home)];
    if (all.length > 1 && recursive !== true)
      throw refusal('HAS_CHILDREN', `expected nothing to be nested in ${kind} '${id}', but something is`, 'recursive');
    const left = all.reverse().flatMap((one) => remove(homes, kind, one));
    return { id, jobId: left.length === 0 ? null : changePrincipals(homes, left, context) };
  };

/** All that is nested in it, what is above before what is below. @throws CONFLICT there is too much */
function nestedIn(homes: Homes, kind: Nested, home: ContentNode): ContentNode[] {
  const found = homes.below(kind, home, REMOVED_MAX + 1);
  for (const one of found) {
    found.push(...homes.below(kind, one, REMOVED_MAX + 1));
    if (found.length > REMOVED_MAX)
      throw refusal('CONFLICT', `expected at most ${REMOVED_MAX} ${kind}s to be removed at once, but there are more`);
  }
  return found;
}

/** Gives the name of a group that has left. @throws CONFLICT it is only just being renamed */
function remove(homes: Homes, kind: Nested, home: ContentNode): LeftName[] {
  const { change } = homes;
  const profile = change.tree.child(home, PROFILE);
  if (profile !== undefined) {
    requireNotChanging(homes, profile.id, `${kind}Id`);
    change.remove(profile);
  }
  change.remove(home);
  return kind === 'group' ? [{ kind, from: home.name, to: null, profileId: profile?.id ?? '' }] : [];
}

/** @throws CONFLICT */
function requireNotNeeded(kind: Nested, id: string): void {
  if (!(NEEDED[kind] as readonly string[]).includes(id)) return;
  throw refusal('CONFLICT', `expected another ${kind} than '${id}', which the server itself needs`, `${kind}Id`);
}

/** Groups and roles that stay. */
const NEEDED = { group: ['everyone'], role: [ADMINISTRATOR, 'supervisor', 'operator', 'deployer', 'worker'] } as const;

export const deleteRole = administratorOperation('deleteRole', deleting('role'));
export const deleteGroup = administratorOperation('deleteGroup', deleting('group'));

interface MoveGroupInput {
  readonly groupId: string;
  /** Empty or null: to the top. */
  readonly newParentGroupId?: string | null;
  /** Default: its name. */
  readonly newName?: string | null;
}

/**
 * With another name a job gives it that in all workspaces; until then its members have both.
 * @throws NOT_FOUND, CIRCULAR_REFERENCE, ALREADY_EXISTS, INVALID_INPUT, CONFLICT (the server needs it; it is only just being renamed)
 */
export const moveGroup = administratorOperation('moveGroup', (homes, input: MoveGroupInput, context) => {
  const { groupId, newParentGroupId, newName } = input;
  const group = homes.require('group', groupId, 'groupId');
  requireNotNeeded('group', groupId);
  const above = homeAbove(homes, 'group', newParentGroupId);
  if (homes.change.tree.isWithin(above, group.home.id))
    throw refusal('CIRCULAR_REFERENCE', `expected '${groupId}' not to be moved into itself`, 'newParentGroupId');
  const name = newName ?? group.home.name;
  const left = rename(homes, group, name);
  moveTo(homes.change, homes.change.tree.get(group.home.id) ?? group.home, above, name);
  const jobId = left === undefined ? null : changePrincipals(homes, [left], context);
  return { id: idBelow(newParentGroupId, name), previousGroupId: groupId, jobId };
});

/** Gives the name that it had, if it was another. */
function rename(homes: Homes, { profile }: Principal, name: string): LeftName | undefined {
  const before = nestedProfileOf(profile);
  if (before.name === name) return undefined;
  requireNameOf('group', name, 'newName');
  requireNotChanging(homes, profile.id, 'groupId');
  homes.take('group', name, profile.id);
  homes.write(profile, nestedProperties('group', { ...before, name }));
  return { kind: 'group', from: before.name, to: name, profileId: profile.id };
}
