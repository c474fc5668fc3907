import assert from 'node:assert/strict';
import { identityApi } from '../../src/identity/identity.js';
import { MemoryIdentity } from './support/memory-identity.js';

describe('the directory', () => {
  let it_: MemoryIdentity;
  beforeEach(() => {
    it_ = new MemoryIdentity();
  });
  const groups = (user: string) => [...it_.directory.groupsOf(user)].sort();
  const roles = (user: string) => [...it_.directory.rolesOf(user)].sort();

  it('knows at the first start the administrator, the guest, and everyone', () => {
    assert.deepEqual(roles('admin'), ['administrator', 'supervisor']);
    assert.deepEqual([groups('anonymous'), roles('anonymous')], [['everyone'], []]);
    assert.deepEqual(it_.directory.describe('everyone'), { displayName: null, isGroup: true });
    assert.deepEqual([it_.directory.find('bob'), groups('bob'), roles('bob')], [undefined, [], []]);
  });

  it('gives a user the groups and roles that its own are nested in', () => {
    it_.group('staff');
    it_.group('staff/desk');
    it_.role('work');
    it_.role('work/clerk');
    it_.user('ann', { roles: ['work/clerk'], memberOf: ['staff/desk'] });
    assert.deepEqual(groups('ann'), ['desk', 'everyone', 'staff']);
    assert.deepEqual(roles('ann'), ['work', 'work/clerk']);
  });

  it('gives the members of a group, and of what is nested in it, the roles of the group', () => {
    it_.role('clerk');
    it_.send(identityApi.createGroup, { name: 'staff', roles: ['clerk', 'unknown'] });
    it_.group('staff/desk');
    it_.user('ann', { memberOf: ['staff/desk'] });
    assert.deepEqual(roles('ann'), ['clerk']);
  });

  it('counts the whole id of a role, not its name', () => {
    it_.role('x');
    it_.role('x/administrator');
    it_.user('ann', { roles: ['x/administrator'] });
    assert.deepEqual(roles('ann'), ['x', 'x/administrator']);
  });

  it('forgets what is removed, and passes over whatever still refers to it', () => {
    it_.group('staff');
    it_.role('clerk');
    it_.user('ann', { memberOf: ['staff'], roles: ['clerk'] });
    it_.send(identityApi.deleteGroup, { id: 'staff' });
    it_.send(identityApi.deleteRole, { id: 'clerk' });
    it_.freeNames();
    assert.deepEqual([groups('ann'), roles('ann')], [['everyone'], []]);
    it_.group('staff');
    it_.role('clerk');
    assert.deepEqual([groups('ann'), roles('ann')], [['everyone'], []]);
    it_.send(identityApi.deleteUser, { username: 'ann' });
    assert.deepEqual([it_.directory.find('ann'), groups('ann')], [undefined, []]);
  });

  it('tells when a user and its groups were made, by each name that they have, and of what every server has that it always was', () => {
    it_.group('staff');
    it_.group('staff/desk');
    it_.group('other');
    it_.user('ann', { memberOf: ['staff/desk', 'everyone'] });
    const made = (user: string) => Object.fromEntries(it_.directory.madeOf(user));
    const before = made('ann');
    assert.deepEqual(Object.keys(before).sort(), ['ann', 'desk', 'staff']);
    assert.ok(
      (before.staff ?? 0) < (before.desk ?? 0) && (before.desk ?? 0) < (before.ann ?? 0),
      JSON.stringify(before),
    );
    it_.send(identityApi.updateUser, { username: 'ann', displayName: 'Ann' });
    it_.send(identityApi.moveGroup, { groupId: 'staff/desk', newParentGroupId: 'staff', newName: 'table' });
    assert.deepEqual(made('ann'), { ...before, table: before.desk });
    it_.freeNames();
    const { desk: table, ...rest } = before;
    assert.deepEqual(made('ann'), { ...rest, table });
    assert.deepEqual([made('admin'), made('anonymous'), made('nobody')], [{}, {}, {}]);
    assert.deepEqual(it_.newDirectory().madeOf('ann'), it_.directory.madeOf('ann'));
  });

  it('follows a group that is moved and renamed, with what is nested in it', () => {
    it_.group('a');
    it_.group('a/b');
    it_.group('c');
    it_.user('ann', { memberOf: ['a/b'] });
    it_.send(identityApi.moveGroup, { groupId: 'a', newParentGroupId: 'c', newName: 'd' });
    assert.deepEqual(groups('ann'), ['a', 'b', 'c', 'd', 'everyone'], 'both names, until no document has the former');
    const again = it_.newDirectory();
    assert.deepEqual([...again.groupsOf('ann')].sort(), groups('ann'));
    assert.deepEqual(groups('admin'), ['everyone']);
    it_.freeNames();
    assert.deepEqual(groups('ann'), ['b', 'c', 'd', 'everyone']);
    assert.equal(it_.directory.describe('a'), undefined);
    assert.deepEqual(it_.directory.describe('d'), { displayName: null, isGroup: true });
  });

  it('knows who may sign in by which password', async () => {
    it_.user('ann', { enabled: false });
    it_.send(identityApi.createUser, { username: 'robot', service: true });
    const { directory } = it_;
    assert.deepEqual(
      [directory.find('ann')?.enabled, directory.find('robot')?.enabled, directory.find('admin')?.enabled],
      [false, true, true],
    );
    const tries = [
      ['ann', 'of ann'],
      ['ann', 'of admin'],
      ['robot', ''],
      ['anonymous', ''],
      ['nobody', ''],
    ] as const;
    const right = await Promise.all(tries.map(([user, password]) => directory.verifyPassword(user, password)));
    assert.deepEqual(right, [true, false, false, false, false]);
  });

  it('has another version of the credentials with each password', () => {
    it_.user('ann');
    const before = it_.directory.find('ann')?.credentialVersion;
    it_.send(identityApi.setPassword, { username: 'ann', password: 'another', knownVersion: null });
    const after = it_.directory.find('ann')?.credentialVersion;
    assert.ok(before !== after && (before ?? '') !== '' && (after ?? '') !== '', `${before} ${after}`);
  });

  it('is the same when it is read anew', () => {
    it_.role('clerk');
    it_.group('a');
    it_.group('a/b');
    it_.user('ann', { memberOf: ['a/b'], roles: ['clerk'] });
    for (let n = 0; n < 210; n++) it_.user(`user-${n}`, { memberOf: ['a'] });
    const anew = it_.newDirectory();
    for (const user of ['ann', 'admin', 'user-0', 'user-209'])
      assert.deepEqual(
        [anew.find(user), anew.groupsOf(user), anew.rolesOf(user), anew.describe(user)],
        [
          it_.directory.find(user),
          it_.directory.groupsOf(user),
          it_.directory.rolesOf(user),
          it_.directory.describe(user),
        ],
      );
    assert.equal([...anew.users()].length, [...it_.directory.users()].length);
  });
});
