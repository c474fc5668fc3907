import assert from 'node:assert/strict';
import { identityApi } from '../../src/identity/identity.js';
import { MemoryIdentity } from './support/memory-identity.js';

describe('operations on users, groups and roles', () => {
  let it_: MemoryIdentity;
  beforeEach(() => {
    it_ = new MemoryIdentity();
    it_.group('staff');
    it_.group('staff/desk');
    it_.role('clerk');
    it_.role('clerk/junior');
    it_.user('ann');
  });
  const { createUser, updateUser, deleteUser, assignRoles, revokeRoles, setPassword } = identityApi;
  const { createGroup, createRole, deleteGroup, deleteRole, moveGroup, addGroupMembers, removeGroupMembers } =
    identityApi;

  it('are the administrator’s alone', () => {
    const ann = it_.caller('ann');
    const all = [
      it_.refused(createUser, { username: 'bob', password: 'x' }, ann),
      it_.refused(updateUser, { username: 'admin', enabled: false }, ann),
      it_.refused(deleteUser, { username: 'admin' }, ann),
      it_.refused(assignRoles, { username: 'ann', roles: ['administrator'] }, ann),
      it_.refused(revokeRoles, { username: 'admin', roles: ['administrator'] }, ann),
      it_.refused(createGroup, { name: 'x' }, ann),
      it_.refused(createRole, { name: 'x' }, ann),
      it_.refused(deleteGroup, { id: 'staff' }, ann),
      it_.refused(deleteRole, { id: 'clerk' }, ann),
      it_.refused(moveGroup, { groupId: 'staff' }, ann),
      it_.refused(addGroupMembers, { groupId: 'staff', usernames: ['ann'] }, ann),
      it_.refused(removeGroupMembers, { groupId: 'staff', usernames: ['ann'] }, ann),
      it_.refused(setPassword, { username: 'admin', password: 'x', knownVersion: null }, ann),
    ];
    assert.deepEqual([...new Set(all)], ['ACCESS_DENIED']);
  });

  it('refuse names that are none, taken, or read as one that means something else', () => {
    const named = (username: string) => it_.refused(createUser, { username, password: 'x' });
    for (const name of [
      '',
      'a/b',
      'a:b',
      'a[1]',
      ' a',
      'a ',
      'a\u200bb',
      'a\nb',
      '.',
      '..',
      '{x}',
      'e\u0301',
      'x'.repeat(129),
    ])
      assert.equal(named(name), 'INVALID_INPUT username', JSON.stringify(name));
    for (const name of [
      'system',
      'System',
      'ѕуѕтем',
      'ｓｙｓｔｅｍ',
      'everyone',
      'evеryone',
      'Admin',
      'adm1n',
      'anonymous',
    ])
      assert.equal(named(name), 'INVALID_INPUT username', JSON.stringify(name));
    for (const name of ['ann', 'staff', 'desk']) assert.equal(named(name), 'ALREADY_EXISTS', name);
    assert.equal(it_.refused(createGroup, { name: 'ann', parentId: 'staff' }), 'ALREADY_EXISTS');
    assert.equal(it_.refused(createGroup, { name: 'desk' }), 'ALREADY_EXISTS');
    assert.equal(it_.refused(createRole, { name: 'clerk' }), 'ALREADY_EXISTS');
    for (const name of ['Ann', 'x'.repeat(128), 'zoë', '小明', 'o.neil@example.com'])
      assert.equal(named(name), 'not refused', name);
  });

  it('need a password for a user, and none for a service account', () => {
    assert.equal(it_.refused(createUser, { username: 'bob' }), 'INVALID_INPUT password');
    assert.equal(it_.refused(createUser, { username: 'bob', password: 'x', service: true }), 'INVALID_INPUT password');
    assert.equal(it_.refused(createUser, { username: 'bob', service: true }), 'not refused');
    assert.equal(
      it_.refused(setPassword, { username: 'bob', password: 'x', knownVersion: null }),
      'INVALID_INPUT username',
    );
  });

  it('do not change the own account by what is for those of others', () => {
    const all = [
      it_.refused(updateUser, { username: 'admin', displayName: 'A' }),
      it_.refused(deleteUser, { username: 'admin' }),
      it_.refused(assignRoles, { username: 'admin', roles: ['clerk'] }),
      it_.refused(revokeRoles, { username: 'admin', roles: ['administrator'] }),
    ];
    assert.deepEqual([...new Set(all)], ['SELF_MODIFICATION_FORBIDDEN username']);
  });

  it('leave at least one enabled administrator, however the last one came by it', () => {
    it_.send(createGroup, { name: 'bosses', roles: ['administrator'] });
    it_.group('bosses/deputies');
    it_.user('eva', { memberOf: ['bosses/deputies'] });
    const eva = it_.caller('eva');
    assert.equal(it_.refused(updateUser, { username: 'admin', enabled: false }, eva), 'not refused');
    const lost = [
      it_.refused(removeGroupMembers, { groupId: 'bosses/deputies', usernames: ['eva'] }, eva),
      it_.refused(deleteGroup, { id: 'bosses', recursive: true }, eva),
      it_.refused(moveGroup, { groupId: 'bosses/deputies', newParentGroupId: null }, eva),
      it_.refused(deleteRole, { id: 'administrator' }, eva),
    ];
    assert.deepEqual(lost, ['CONFLICT', 'CONFLICT', 'CONFLICT', 'CONFLICT roleId']);
    assert.deepEqual(it_.directory.rolesOf('eva'), ['administrator']);
    assert.equal(it_.refused(updateUser, { username: 'admin', enabled: true }, eva), 'not refused');
    assert.equal(it_.refused(deleteGroup, { id: 'bosses', recursive: true }, eva), 'not refused');
  });

  it('never remove who would be there again at the next start, with all rights', () => {
    it_.user('eva', { roles: ['administrator'] });
    const eva = it_.caller('eva');
    for (const username of ['admin', 'anonymous'])
      assert.equal(it_.refused(deleteUser, { username }, eva), 'CONFLICT username');
    assert.equal(it_.refused(updateUser, { username: 'admin', enabled: false }, eva), 'not refused');
  });

  it('set the own password only for who knows it', () => {
    const { directory } = it_;
    const ann = it_.caller('ann');
    const version = directory.find('ann')?.credentialVersion ?? '';
    const set = (knownVersion: string | null) =>
      it_.refused(setPassword, { username: 'ann', password: 'new', knownVersion }, ann);
    assert.equal(set(null), 'INVALID_CREDENTIALS currentPassword');
    assert.equal(set('another'), 'INVALID_CREDENTIALS currentPassword');
    assert.equal(set(version), 'not refused');
    assert.equal(set(version), 'INVALID_CREDENTIALS currentPassword');
    assert.equal(
      it_.refused(setPassword, { username: 'ann', password: 'x', knownVersion: version }),
      'INVALID_CREDENTIALS currentPassword',
    );
    assert.equal(it_.refused(setPassword, { username: 'ann', password: 'x', knownVersion: null }), 'not refused');
  });

  it('remove what something is nested in only with all of it', () => {
    assert.equal(it_.refused(deleteGroup, { id: 'staff' }), 'HAS_CHILDREN recursive');
    assert.equal(it_.refused(deleteRole, { id: 'clerk' }), 'HAS_CHILDREN recursive');
    assert.equal(it_.refused(deleteGroup, { id: 'staff', recursive: true }), 'not refused');
    assert.equal(it_.refused(deleteRole, { id: 'clerk', recursive: true }), 'not refused');
    assert.equal(it_.refused(deleteGroup, { id: 'staff/desk' }), 'NOT_FOUND groupId');
    assert.equal(it_.directory.describe('desk'), undefined);
    assert.equal(it_.refused(deleteGroup, { id: 'everyone' }), 'CONFLICT groupId');
  });

  it('change whoever referred to what is gone by now as all others', () => {
    const { updateGroup } = identityApi;
    it_.send(addGroupMembers, { groupId: 'staff/desk', usernames: ['ann'] });
    it_.send(assignRoles, { username: 'ann', roles: ['clerk/junior', 'supervisor'] });
    it_.group('sales');
    it_.send(updateGroup, { id: 'sales', roles: ['clerk/junior'] });
    it_.send(deleteGroup, { id: 'staff', recursive: true });
    it_.send(deleteRole, { id: 'clerk', recursive: true });
    it_.send(updateUser, { username: 'ann', enabled: false });
    it_.send(addGroupMembers, { groupId: 'sales', usernames: ['ann'] });
    it_.send(updateGroup, { id: 'sales', displayName: 'Sales' });
    it_.send(moveGroup, { groupId: 'sales', newName: 'trade' });
    assert.equal(it_.directory.find('ann')?.enabled, false);
    assert.ok(it_.directory.groupsOf('ann').includes('trade'));
    assert.deepEqual(it_.directory.rolesOf('ann'), ['supervisor']);
  });

  it('give a group other roles, or none, and leave what is not given', () => {
    const { updateGroup } = identityApi;
    it_.send(addGroupMembers, { groupId: 'staff/desk', usernames: ['ann'] });
    const rolesAfter = (input: { roles?: string[]; displayName?: string }) => {
      it_.send(updateGroup, { id: 'staff', ...input });
      return it_.directory.rolesOf('ann').join(' ');
    };
    assert.equal(rolesAfter({ roles: ['clerk', 'none'] }), 'clerk');
    assert.equal(rolesAfter({ displayName: 'Staff' }), 'clerk');
    assert.equal(rolesAfter({ roles: ['supervisor'] }), 'supervisor');
    assert.equal(rolesAfter({ roles: [] }), '');
    it_.send(updateGroup, { id: 'staff', roles: ['administrator'] });
    it_.send(revokeRoles, { username: 'admin', roles: ['administrator'] }, it_.caller('ann'));
    assert.equal(it_.refused(updateGroup, { id: 'staff', roles: [] }, it_.caller('ann')), 'CONFLICT');
  });

  it('nest a group in none of its own', () => {
    const into = (newParentGroupId: string) => it_.refused(moveGroup, { groupId: 'staff', newParentGroupId });
    assert.deepEqual([into('staff'), into('staff/desk')], Array(2).fill('CIRCULAR_REFERENCE newParentGroupId'));
    assert.equal(into('nowhere'), 'NOT_FOUND parentId');
  });

  it('pass over users, groups and roles that there are not', () => {
    it_.send(assignRoles, { username: 'ann', roles: ['clerk/junior', 'nothing'] });
    it_.send(addGroupMembers, { groupId: 'staff/desk', usernames: ['ann', 'nobody', 'ann'] });
    assert.deepEqual([...it_.directory.rolesOf('ann')].sort(), ['clerk', 'clerk/junior']);
    assert.deepEqual([...it_.directory.groupsOf('ann')].sort(), ['desk', 'everyone', 'staff']);
    it_.send(removeGroupMembers, { groupId: 'staff/desk', usernames: ['ann'] });
    it_.send(revokeRoles, { username: 'ann', roles: ['clerk/junior', 'clerk'] });
    assert.deepEqual([it_.directory.rolesOf('ann'), it_.directory.groupsOf('ann')], [[], ['everyone']]);
    assert.equal(it_.refused(addGroupMembers, { groupId: 'none', usernames: [] }), 'NOT_FOUND groupId');
  });
});
