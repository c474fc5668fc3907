import assert from 'node:assert/strict';
import { externalIdOf } from '../../src/identity/external-identity.js';
import { identityApi } from '../../src/identity/identity.js';
import { type ExternalSignIn, signInExternally } from '../../src/identity/operation/external-identities.js';
import { systemCaller } from '../../src/shared/caller.js';
import { MemoryIdentity } from './support/memory-identity.js';

const ISSUER = 'https://login.example';
const system = systemCaller('system');

describe('external identities', () => {
  let it_: MemoryIdentity;
  beforeEach(() => {
    it_ = new MemoryIdentity();
    it_.group('staff');
    it_.group('staff/desk');
    it_.role('clerk');
    it_.user('ann');
  });
  const { linkExternalIdentity, unlinkExternalIdentity, deleteUser, updateUser, assignRoles } = identityApi;
  const said = (subject: string, more: Partial<ExternalSignIn> = {}): ExternalSignIn => ({
    ...{ issuer: ISSUER, subject, username: subject, displayName: null, sn: null, givenName: null, mail: null },
    ...{ groups: [], roles: [], isProgram: false, ...more },
  });
  const signIn = (subject: string, more?: Partial<ExternalSignIn>) =>
    it_.send(signInExternally, said(subject, more), system).username;
  const refusedSignIn = (subject: string, more?: Partial<ExternalSignIn>) =>
    it_.refused(signInExternally, said(subject, more), system);
  const externalUser = (subject: string, issuer = ISSUER) =>
    it_.directory.externalUser(externalIdOf(issuer, subject))?.username;
  const rights = (username: string) => [it_.directory.groupsOf(username).slice(1), it_.directory.rolesOf(username)];

  it('make a user at the first sign-in, which is the same one afterwards, whatever the claims call it', () => {
    assert.equal(signIn('bob', { displayName: 'Bob', mail: 'bob@example.com' }), 'bob');
    assert.equal(signIn('bob', { username: 'robert', displayName: 'Robert', mail: 'robert@example.com' }), 'bob');
    const { displayName, mail, isService, enabled } = it_.directory.user('bob') ?? {};
    assert.deepEqual([displayName, mail, isService, enabled], ['Robert', 'robert@example.com', false, true]);
    assert.equal(it_.directory.user('robert'), undefined);
    signIn('bob');
    assert.equal(it_.directory.user('bob')?.mail, 'robert@example.com', 'what is not said stays');
  });

  it('are of one issuer: the subject of another one is somebody else', () => {
    signIn('bob');
    assert.equal(refusedSignIn('bob', { issuer: 'https://other.example' }), 'ALREADY_EXISTS');
    assert.equal(signIn('bob', { issuer: 'https://other.example', username: 'bob2' }), 'bob2');
    assert.deepEqual([externalUser('bob'), externalUser('bob', 'https://other.example')], ['bob', 'bob2']);
  });

  it('make no user of a name that is taken, reserved, none, or not there', () => {
    for (const name of ['ann', 'staff', 'desk']) assert.equal(refusedSignIn('x', { username: name }), 'ALREADY_EXISTS');
    for (const name of ['system', 'Ѕystem', 'everyone', 'admin', 'anonymous', 'a/b', ' x', null])
      assert.equal(refusedSignIn('x', { username: name }), 'INVALID_INPUT username', String(name));
    assert.equal(externalUser('x'), undefined);
  });

  it('write nothing when nothing has changed', () => {
    signIn('bob', { displayName: 'Bob', groups: ['staff'] });
    signIn('bob', { displayName: 'Bob', groups: ['staff'] });
    assert.deepEqual(it_.repository.writes, []);
  });

  it('give groups and roles, and take back what they gave, but nothing that somebody gave by hand', () => {
    signIn('bob', { groups: ['staff/desk', 'none'], roles: ['clerk'] });
    assert.deepEqual(rights('bob'), [['staff', 'desk'], ['clerk']]);
    it_.send(assignRoles, { username: 'bob', roles: ['supervisor'] });
    signIn('bob', { groups: ['staff'], roles: ['supervisor'] });
    assert.deepEqual(rights('bob'), [['staff'], ['supervisor']]);
    signIn('bob');
    assert.deepEqual(rights('bob'), [[], ['supervisor']]);
  });

  it('of one user take nothing from each other', () => {
    const other = 'https://other.example';
    signIn('bob', { roles: ['clerk'] });
    it_.send(linkExternalIdentity, { username: 'bob', issuer: other, subject: '1' });
    signIn('1', { issuer: other, roles: ['clerk'] });
    signIn('bob');
    assert.deepEqual(rights('bob')[1], ['clerk']);
    signIn('1', { issuer: other });
    assert.deepEqual(rights('bob')[1], []);
  });

  it('keep the last administrator', () => {
    signIn('bob', { roles: ['administrator'] });
    const bob = it_.caller('bob');
    it_.send(updateUser, { username: 'admin', enabled: false }, bob);
    assert.equal(refusedSignIn('bob'), 'CONFLICT');
    assert.deepEqual(rights('bob')[1], ['administrator']);
  });

  it('let nobody in who is disabled here, and change nothing of it; nor a service account, but for programs', () => {
    signIn('bob', { displayName: 'Bob' });
    it_.send(updateUser, { username: 'bob', enabled: false });
    assert.equal(refusedSignIn('bob', { displayName: 'B', roles: ['clerk'] }), 'ACCESS_DENIED');
    assert.equal(it_.directory.user('bob')?.displayName, 'Bob');
    it_.send(identityApi.createUser, { username: 'robot', service: true });
    it_.send(linkExternalIdentity, { username: 'robot', issuer: ISSUER, subject: 'r' });
    assert.equal(refusedSignIn('r'), 'ACCESS_DENIED');
    assert.equal(signIn('r', { isProgram: true }), 'robot');
  });

  it('are linked and unlinked by administrators alone', () => {
    const link = { username: 'ann', issuer: ISSUER, subject: '42' };
    assert.equal(it_.refused(linkExternalIdentity, link, it_.caller('ann')), 'ACCESS_DENIED');
    it_.send(linkExternalIdentity, link);
    it_.send(linkExternalIdentity, link);
    assert.equal(signIn('42', { username: 'anna', roles: ['clerk'] }), 'ann');
    assert.equal(it_.refused(linkExternalIdentity, { ...link, username: 'admin' }), 'ALREADY_EXISTS subject');
    assert.equal(it_.refused(linkExternalIdentity, { ...link, username: 'none' }), 'NOT_FOUND username');
    assert.equal(it_.refused(linkExternalIdentity, { ...link, subject: '' }), 'INVALID_INPUT subject');
    assert.equal(it_.refused(linkExternalIdentity, { ...link, issuer: 'x'.repeat(501) }), 'INVALID_INPUT issuer');
    const id = externalIdOf(ISSUER, '42');
    assert.equal(it_.refused(unlinkExternalIdentity, { id }, it_.caller('ann')), 'ACCESS_DENIED');
    it_.send(unlinkExternalIdentity, { id });
    assert.equal(externalUser('42'), undefined);
    assert.deepEqual(rights('ann')[1], []);
    assert.equal(it_.refused(unlinkExternalIdentity, { id }), 'NOT_FOUND id');
    for (let n = 0; n < 20; n++) it_.send(linkExternalIdentity, { ...link, subject: `n${n}` });
    assert.equal(it_.refused(linkExternalIdentity, link), 'INVALID_INPUT subject');
  });

  it('go with their user, and are not those of another one of the name', () => {
    signIn('bob');
    it_.send(deleteUser, { username: 'bob' });
    assert.equal(externalUser('bob'), undefined);
    assert.equal(refusedSignIn('bob'), 'ALREADY_EXISTS', 'the name is only just being given up');
    it_.freeNames();
    it_.user('bob');
    assert.deepEqual([externalUser('bob'), refusedSignIn('bob')], [undefined, 'ALREADY_EXISTS']);
  });

  it('are there again after a start, and tell whose they are when they change', () => {
    signIn('bob');
    const touched: string[] = [];
    it_.directory.onChange((usernames) => touched.push(...usernames));
    assert.equal(it_.newDirectory().externalUser(externalIdOf(ISSUER, 'bob'))?.username, 'bob');
    it_.send(unlinkExternalIdentity, { id: externalIdOf(ISSUER, 'bob') });
    assert.ok(touched.includes('bob'));
  });
});
