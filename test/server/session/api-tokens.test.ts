import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type ApiToken, apiTokens } from '../../../src/identity/api-token.js';
import { ApiTokenSignIn, ApiTokens, newTokenSecret } from '../../../src/server/session/api-tokens.js';
import { sessionCookie } from '../../../src/server/session/cookies.js';
import { MemorySessionStore } from '../../../src/server/session/session-store.js';
import { Sessions } from '../../../src/server/session/sessions.js';
import { SignIn } from '../../../src/server/session/sign-in.js';
import { VirtualClock } from '../../../src/shared/clock.js';
import type { Document } from '../../../src/store/index.js';
import { MemoryDocuments, MemoryState } from '../../support/memory-state.js';

const START = 1_700_000_000_000;

/** Users that are all there, unless they are disabled. */
const users = (disabled: ReadonlySet<string>) => ({
  version: 0,
  find: (userId: string) => ({ userId, principalId: userId, enabled: !disabled.has(userId), credentialVersion: '1' }),
  describe: () => undefined,
  externalUser: () => undefined,
  groupsOf: () => ['everyone'],
  rolesOf: () => [],
  madeOf: () => new Map(),
  verifyPassword: async () => false,
});

const tokenOf = (id: string, hash: string, more: Partial<ApiToken> = {}): ApiToken => ({
  ...{ id, hash, userId: 'ann', name: `called ${id}`, access: ['READ'], workspaces: null, domains: ['BPM'] },
  ...{ createdBy: 'ann', createdAt: START, expiresAt: START + 60_000, lastUsedAt: null },
  ...more,
});

describe('API tokens in memory', () => {
  let clock: VirtualClock;
  let tokens: ApiTokens;
  let signIn: SignIn;
  let sessions: Sessions;
  const disabled = new Set<string>();
  beforeEach(() => {
    clock = new VirtualClock(START);
    tokens = new ApiTokens(clock);
    disabled.clear();
    const principals = users(disabled);
    const limits = { idleMs: 60_000, absoluteMs: 600_000, perUserMax: 2 };
    sessions = new Sessions(new MemorySessionStore(), principals, clock, limits);
    signIn = new SignIn({
      principals,
      sessions,
      cookie: sessionCookie('http:'),
      clock,
      attempts: { perAccountMax: 3, perAddressMax: 100, windowMs: 60_000 },
      ...{ basicCacheMs: 60_000, proxyHops: 0 },
      bearers: (refuse) => [new ApiTokenSignIn(tokens, refuse)],
    });
  });
  const commit = (id: string, document: ApiToken | null) =>
    tokens.committed({ writes: [{ collection: apiTokens, id, document: document as Document | null }] as never });
  const ask = (authorization: string, remoteAddress = '10.0.0.1', cookie = '') =>
    signIn.authenticate({
      headers: { authorization, cookie },
      socket: { remoteAddress },
    } as unknown as IncomingMessage);
  const made = (id: string, more: Partial<ApiToken> = {}) => {
    const { secret, hash } = newTokenSecret();
    commit(id, tokenOf(id, hash, more));
    return secret;
  };

  it('have secrets of 256 random bits, of which the hash is known', () => {
    const { secret, hash } = newTokenSecret();
    assert.match(secret, /^mrt_[\w-]{43}$/);
    assert.equal(hash, createHash('sha256').update(secret).digest('base64url'));
    assert.equal(new Set(Array.from({ length: 100 }, () => newTokenSecret().secret)).size, 100);
  });

  it('show who sends a request, and what it is limited to', async () => {
    const secret = made('t1', { userId: 'bob', workspaces: ['w1'] });
    const scope = { name: 'called t1', access: ['READ'], workspaces: ['w1'], domains: ['BPM'] };
    assert.deepEqual(await ask(`Bearer ${secret}`), {
      ...{ userId: 'bob', principalId: 'bob', groups: ['everyone'], roles: [], made: new Map(), sessionId: null },
      proof: { way: 'token', id: 't1', expiresAt: START + 60_000, scope },
    });
    assert.equal((await ask(`bearer  ${secret}`))?.userId, 'bob');
  });

  it('count until they end, are gone, or their user is disabled', async () => {
    const [one, other] = [made('t1'), made('t2')];
    let ended = 0;
    tokens.onEnd(() => ended++);
    const caller = await ask(`Bearer ${one}`);
    assert.ok(caller !== undefined && (await signIn.stands(caller)));
    disabled.add('ann');
    assert.equal(await signIn.stands(caller), false);
    await assert.rejects(async () => ask(`Bearer ${one}`), { code: 'UNAUTHORIZED' });
    disabled.clear();
    clock.set(START + 60_000);
    assert.equal(await signIn.stands(caller), false);
    await assert.rejects(async () => ask(`Bearer ${one}`), { code: 'UNAUTHORIZED', message: /has expired/ });
    assert.equal(ended, 0);
    commit('t2', null);
    assert.equal(ended, 1);
    await assert.rejects(async () => ask(`Bearer ${other}`), { code: 'UNAUTHORIZED', message: /is not known/ });
  });

  it('that nobody was given are refused with 429 after some, from one network; right and expired ones are not', async () => {
    const [right, expired] = [made('t1'), made('t2', { expiresAt: START })];
    const unknown = [`mrt_${'A'.repeat(43)}`, 'mrt_', `${right}x`];
    for (const secret of unknown)
      await assert.rejects(async () => ask(`Bearer ${secret}`), {
        code: 'UNAUTHORIZED',
        info: { reason: 'wrong_token' },
      });
    for (const secret of unknown) await assert.rejects(async () => ask(`Bearer ${secret}`), { code: 'RATE_LIMITED' });
    await assert.rejects(async () => ask(`Bearer ${unknown[0]}`, '10.0.1.1'), { code: 'UNAUTHORIZED' });
    assert.equal((await ask(`Bearer ${right}`))?.userId, 'ann');
    for (let n = 0; n < 5; n++) await assert.rejects(async () => ask(`Bearer ${expired}`), { code: 'UNAUTHORIZED' });
  });

  it('win over a cookie; a bearer of nothing that there is signs nobody in', async () => {
    const { secret } = await sessions.begin({ userId: 'cleo', credentialVersion: '1', address: null, agent: null });
    const cookie = `millrace=${secret}`;
    assert.equal((await ask('', '10.0.0.1', cookie))?.userId, 'cleo');
    assert.equal((await ask(`Bearer ${made('t1')}`, '10.0.0.1', cookie))?.userId, 'ann');
    await assert.rejects(async () => ask('Bearer of.some.thing', '10.0.0.1', cookie), { code: 'UNAUTHORIZED' });
  });

  it('are 10,000 at little cost: one is found at once, all are read at a start', () => {
    const documents = new MemoryDocuments();
    const secrets = Array.from({ length: 10_000 }, (_, n) => {
      const { secret, hash } = newTokenSecret();
      documents.put(apiTokens, tokenOf(`t${n}`, hash, { userId: `u${n % 101}` }));
      return secret;
    });
    tokens.fill({ read: ({ readMax } = {}) => new MemoryState(documents, 'read', 0, 0, readMax) });
    for (const n of [0, 5_000, 9_999]) assert.equal(tokens.find(secrets[n] ?? '')?.id, `t${n}`);
    assert.equal(tokens.ofUser('u100').length, 99);
  });
});
