import assert from 'node:assert/strict';
import { apiTokens, TOKENS_MAX } from '../../src/identity/api-token.js';
import { identityApi } from '../../src/identity/identity.js';
import { noteSeen } from '../../src/identity/operation/sessions.js';
import { systemCaller } from '../../src/shared/caller.js';
import { MemoryState } from '../support/memory-state.js';
import { MemoryIdentity } from './support/memory-identity.js';

const NOW = 1_700_000_000_000;
const DAY = 86_400_000;
const { createApiToken, revokeApiToken, createUser, deleteUser } = identityApi;
const input = {
  ...{ hash: 'hash of it', name: 'ci', username: 'ann', scopes: ['READ'] as const, workspaces: null, domains: null },
  ...{ now: NOW, expiresAt: null, ageMax: 30 * DAY, perUserMax: 3 },
};

describe('API tokens as they are kept', () => {
  let identity: MemoryIdentity;
  beforeEach(() => {
    identity = new MemoryIdentity();
    for (const name of ['ann', 'bob']) identity.user(name);
    identity.send(createUser, { username: 'robot', service: true });
  });
  const kept = () =>
    new MemoryState(identity.repository.documents, 'read', 0, 0).range(apiTokens, 'user', [''], TOKENS_MAX);
  const by = (userId: string) => identity.caller(userId);

  it('have what they were asked with, each thing once, and last as long as may be where no end is given', () => {
    const workspaces = ['w1', 'w1', 'w2'].map((id) => ({ name: `named ${id}`, id }));
    identity.send(createApiToken, { ...input, scopes: ['READ', 'READ'], domains: ['BPM'], workspaces }, by('ann'));
    const [{ id: _, ...token } = { id: '' }] = kept();
    assert.deepEqual(token, {
      ...{
        hash: 'hash of it',
        userId: 'ann',
        name: 'ci',
        access: ['READ'],
        workspaces: ['w1', 'w2'],
        domains: ['BPM'],
      },
      ...{ createdBy: 'ann', createdAt: NOW, expiresAt: NOW + 30 * DAY, lastUsedAt: null },
    });
  });

  it('are refused with the field that is wrong', () => {
    const wrong: readonly [string, object][] = [
      ['INVALID_INPUT name', { name: '' }],
      ['INVALID_INPUT name', { name: 'x'.repeat(1_001) }],
      ['INVALID_INPUT scopes', { scopes: [] }],
      ['INVALID_INPUT workspaces', { workspaces: [] }],
      ['NOT_FOUND workspaces', { workspaces: [{ name: 'gone', id: null }] }],
      ['INVALID_INPUT domains', { domains: [] }],
      ['INVALID_INPUT expiresAt', { expiresAt: NOW }],
      ['INVALID_INPUT expiresAt', { expiresAt: NOW + 30 * DAY + 1 }],
      ['ACCESS_DENIED username', { username: 'bob' }],
      ['ACCESS_DENIED username', { username: 'robot' }],
      ['ACCESS_DENIED username', { username: 'nobody' }],
    ];
    for (const [code, given] of wrong)
      assert.equal(identity.refused(createApiToken, { ...input, ...given }, by('ann')), code, JSON.stringify(given));
    assert.deepEqual(kept(), []);
  });

  it('of a service account are made by administrators alone, those of others by themselves', () => {
    identity.send(createApiToken, { ...input, username: 'robot' });
    assert.deepEqual(
      kept().map(({ userId, createdBy }) => [userId, createdBy]),
      [['robot', 'admin']],
    );
    assert.equal(identity.refused(createApiToken, input), 'ACCESS_DENIED username');
    assert.equal(identity.refused(createApiToken, { ...input, username: 'nobody' }), 'NOT_FOUND username');
  });

  it('are only so many of a user, until one is revoked', () => {
    for (let n = 0; n < 3; n++) identity.send(createApiToken, input, by('ann'));
    assert.equal(identity.refused(createApiToken, input, by('ann')), 'CONFLICT username');
    identity.send(createApiToken, { ...input, username: 'bob' }, by('bob'));
    const [{ id } = { id: '' }] = kept();
    assert.equal(identity.refused(revokeApiToken, { id }, by('bob')), 'NOT_FOUND id');
    assert.deepEqual(identity.send(revokeApiToken, { id }, by('ann')), { id });
    assert.equal(identity.refused(revokeApiToken, { id }, by('ann')), 'NOT_FOUND id');
    identity.send(createApiToken, input, by('ann'));
  });

  it('go with their user', () => {
    for (const username of ['ann', 'bob']) identity.send(createApiToken, { ...input, username }, by(username));
    identity.send(deleteUser, { username: 'ann' });
    assert.deepEqual(
      kept().map(({ userId }) => userId),
      ['bob'],
    );
  });

  it('are noted as used, never back in time, and none that is gone', () => {
    const { id } = identity.send(createApiToken, input, by('ann'));
    const note = (tokens: Record<string, number>) =>
      identity.send(noteSeen, { sessions: {}, tokens, ended: [] }, systemCaller('system'));
    note({ [id]: NOW + 2, gone: NOW + 2 });
    note({ [id]: NOW + 1 });
    assert.deepEqual(
      kept().map(({ lastUsedAt }) => lastUsedAt),
      [NOW + 2],
    );
  });
});
