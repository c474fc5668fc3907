import assert from 'node:assert/strict';
import { identityApi } from '../../../src/identity/identity.js';
import { idOf, isWithin, type ModelNested } from './model.js';
import type { Scene } from './scene.js';

const USERS_MAX = 8;
const GROUPS_MAX = 8;

export function addUser(scene: Scene): void {
  const name = scene.name('u');
  scene.do(identityApi.createUser, { username: name, service: true });
  scene.model.users.push({ name, enabled: true, roles: new Set(), memberOf: new Set() });
}

function removeUser(scene: Scene): void {
  const { users } = scene.model;
  const [user] = users.splice(scene.random.below(users.length), 1);
  scene.do(identityApi.deleteUser, { username: user?.name ?? '' });
}

export function addGroup(scene: Scene): void {
  const { groups } = scene.model;
  const parent = groups.length > 0 && scene.random.chance(0.6) ? scene.group() : null;
  const name = scene.name('g');
  scene.do(identityApi.createGroup, { name, parentId: parent && idOf(parent) });
  groups.push({ name, parent, roles: new Set() });
}

export function addRole(scene: Scene, parent: ModelNested | null, name = scene.name('r')): void {
  scene.do(identityApi.createRole, { name, parentId: parent && idOf(parent) });
  scene.model.roles.push({ name, parent, roles: new Set() });
}

/** With all that is nested in it; one group at least stays. */
function removeGroup(scene: Scene): void {
  const group = scene.group();
  const { groups, users } = scene.model;
  const gone = groups.filter((one) => isWithin(one, group));
  if (gone.length === groups.length) return;
  scene.do(identityApi.deleteGroup, { id: idOf(group), recursive: true });
  for (const one of gone) {
    groups.splice(groups.indexOf(one), 1);
    for (const { memberOf } of users) memberOf.delete(one);
  }
}

function moveGroup(scene: Scene): void {
  const group = scene.group();
  const parent = scene.random.chance(0.3) ? null : scene.group();
  const input = { groupId: idOf(group), newParentGroupId: parent && idOf(parent) };
  if (parent !== null && isWithin(parent, group)) {
    assert.equal(scene.refused(identityApi.moveGroup, input), 'CIRCULAR_REFERENCE newParentGroupId');
    return;
  }
  scene.do(identityApi.moveGroup, input);
  group.parent = parent;
}

function enable(scene: Scene): void {
  const user = scene.user();
  user.enabled = !user.enabled;
  scene.do(identityApi.updateUser, { username: user.name, enabled: user.enabled });
}

function joinOrLeave(scene: Scene): void {
  const [user, group] = [scene.user(), scene.group()];
  const input = { groupId: idOf(group), usernames: [user.name] };
  if (user.memberOf.delete(group)) scene.do(identityApi.removeGroupMembers, input);
  else {
    scene.do(identityApi.addGroupMembers, input);
    user.memberOf.add(group);
  }
}

/** At most one, so that not everybody is soon an administrator. */
function assignOrRevoke(scene: Scene): void {
  const [user, role] = [scene.user(), scene.random.pick(scene.model.roles)];
  const input = { username: user.name, roles: [idOf(role)] };
  if (user.roles.delete(role)) scene.do(identityApi.revokeRoles, input);
  else if (user.roles.size === 0) {
    scene.do(identityApi.assignRoles, input);
    user.roles.add(role);
  }
}

function giveGroupRoles(scene: Scene): void {
  const group = scene.group();
  group.roles.clear();
  if (scene.random.chance(0.3)) group.roles.add(scene.random.pick(scene.model.roles));
  scene.do(identityApi.updateGroup, { id: idOf(group), roles: [...group.roles].map(idOf) });
}

/** Changes of users, groups and roles. */
export const identitySteps: readonly ((scene: Scene) => void)[] = [
  (scene) => (scene.model.users.length < USERS_MAX ? addUser(scene) : removeUser(scene)),
  (scene) => (scene.model.groups.length < GROUPS_MAX ? addGroup(scene) : removeGroup(scene)),
  ...[enable, moveGroup, moveGroup, joinOrLeave, joinOrLeave, joinOrLeave, assignOrRevoke, giveGroupRoles],
];
