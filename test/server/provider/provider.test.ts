import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPair } from 'jose';
import { Provider } from '../../../src/server/provider/provider.js';
import { type Otherwise, TokenIssuer } from '../../support/token-issuer.js';

/** What a provider answers at its discovery document. */
type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string };

const REDIRECT = 'http://127.0.0.1:1/callback';

describe('a provider', () => {
  let server: Server;
  let issuer: string;
  let answer: Answer;
  let asked: string[];
  let now: number;
  let provider: Provider;
  before(async () => {
    server = createServer((req, res) => {
      asked.push(req.url ?? '');
      res.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers }).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());
  const described = (more: object = {}) => ({
    body: JSON.stringify({
      ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
      ...{ jwks_uri: `${issuer}/keys`, response_types_supported: ['code'], ...more },
    }),
  });
  beforeEach(() => {
    asked = [];
    now = 0;
    answer = described();
    provider = new Provider({ issuer, clientId: 'me', scopes: 'openid profile' }, () => now);
  });
  const begin = () => provider.begin(REDIRECT, false);

  it('is led to with a state, a nonce and a challenge that are other ones each time', async () => {
    const [first, second] = [await begin(), await begin()];
    const asks = new URL(first.url).searchParams;
    assert.deepEqual(
      ['client_id', 'redirect_uri', 'response_type', 'scope', 'code_challenge_method', 'state', 'nonce', 'prompt'].map(
        (name) => asks.get(name),
      ),
      ['me', REDIRECT, 'code', 'openid profile', 'S256', first.challenge.state, first.challenge.nonce, null],
    );
    assert.equal(new URL((await provider.begin(REDIRECT, true)).url).searchParams.get('prompt'), 'login');
    for (const name of ['state', 'nonce', 'verifier'] as const) {
      assert.match(first.challenge[name], /^[\w-]{43,}$/);
      assert.notEqual(first.challenge[name], second.challenge[name]);
    }
    assert.ok(!first.url.includes(first.challenge.verifier));
  });

  it('is asked for its description once, by all at once too, and anew after an hour', async () => {
    await Promise.all([begin(), begin(), begin()]);
    await begin();
    assert.deepEqual(asked, ['/.well-known/openid-configuration']);
    now += 3_600_001;
    await begin();
    assert.equal(asked.length, 2);
  });

  it('that cannot be asked is UNAVAILABLE, and asked again after some seconds', async () => {
    for (const wrong of [
      { status: 503 },
      { body: 'x'.repeat(600 * 1024) },
      described({ issuer: 'https://evil.example' }),
      { body: '{' },
      { status: 302, headers: { location: `${issuer}/other` } },
    ]) {
      answer = wrong;
      const tries = asked.length;
      await assert.rejects(begin(), { code: 'UNAVAILABLE' });
      await assert.rejects(begin(), { code: 'UNAVAILABLE' });
      assert.equal(asked.length, tries + 1, 'nobody asks again at once');
      now += 5_001;
    }
    assert.ok(
      asked.every((path) => path.startsWith('/.well-known/')),
      'no redirect is followed',
    );
    answer = described();
    await begin();
  });

  it('that was known and cannot be asked anew goes on to be what it was', async () => {
    await begin();
    now += 3_600_001;
    answer = { status: 500 };
    const { url } = await begin();
    assert.ok(url.startsWith(`${issuer}/authorize?`));
    assert.equal(asked.length, 2);
    await begin();
    assert.equal(asked.length, 2);
  });

  it('is signed out of only where it says that one can', async () => {
    const back = { backTo: 'http://127.0.0.1:1/back', state: '/x' };
    assert.equal(await provider.endSessionUrl('token', back), undefined);
    now += 3_600_001;
    answer = described({ end_session_endpoint: `${issuer}/end` });
    const url = new URL((await provider.endSessionUrl('token', back)) ?? '');
    assert.deepEqual(
      [
        url.pathname,
        ...['id_token_hint', 'post_logout_redirect_uri', 'state', 'client_id'].map((name) =>
          url.searchParams.get(name),
        ),
      ],
      ['/end', 'token', back.backTo, '/x', 'me'],
    );
    const down = new Provider({ issuer: 'http://127.0.0.1:1', clientId: 'me', scopes: 'openid' }, () => now);
    assert.equal(await down.endSessionUrl(null, back), undefined);
  });
});

describe('an ID token', () => {
  let issuer: TokenIssuer;
  let provider: Provider;
  before(async () => {
    issuer = await TokenIssuer.start();
    provider = new Provider({ issuer: issuer.issuer, clientId: 'me', scopes: 'openid' }, () => 0);
  });
  after(() => issuer.close());

  /** Whom the provider vouches for by a token that differs from the right one. */
  const finish = async (otherwise: Otherwise = {}, answer: object = {}) => {
    const { challenge } = await provider.begin(REDIRECT, false);
    const claims = { aud: 'me', nonce: challenge.nonce, ...otherwise.claims };
    issuer.idToken = await issuer.token('ann', { ...otherwise, claims });
    const query = new URLSearchParams({ code: 'c', state: challenge.state, ...answer });
    return provider.finish(new URL(`${REDIRECT}?${query}`), challenge);
  };

  it('says who has signed in, and is kept for the sign-out', async () => {
    const { subject, claims, idToken } = await finish({ claims: { name: 'Ann' } });
    assert.deepEqual([subject, claims.name, idToken], ['ann', 'Ann', issuer.idToken]);
  });

  it('counts for nobody unless its signature, its audience, its issuer, its time and its nonce are right', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const secret = new TextEncoder().encode(await issuer.publicPem());
    const wrong: Otherwise[] = [
      { key: privateKey },
      { header: { alg: 'HS256' }, key: secret },
      { header: { kid: 'none' } },
      { claims: { aud: 'another' } },
      { claims: { aud: ['me', 'another'] } },
      { claims: { iss: 'https://evil.example' } },
      { claims: { exp: Math.floor(Date.now() / 1_000) - 60 } },
      { claims: { nonce: 'another' } },
      { claims: { sub: '' } },
      ...['nonce', 'aud', 'iss', 'exp', 'sub', 'iat'].map((name) => ({ without: [name] })),
    ];
    for (const otherwise of wrong)
      await assert.rejects(finish(otherwise), { code: 'UNAUTHORIZED' }, JSON.stringify(otherwise));
    const [, body] = (await issuer.token('ann', { claims: { aud: 'me' } })).split('.');
    issuer.idToken = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    const { challenge } = await provider.begin(REDIRECT, false);
    const url = new URL(`${REDIRECT}?code=c&state=${challenge.state}`);
    await assert.rejects(provider.finish(url, challenge), { code: 'UNAUTHORIZED' });
  });

  it('is not asked for where the answer is another one than the one that was asked for', async () => {
    for (const answer of [
      { state: 'another' },
      { error: 'access_denied' },
      { iss: 'https://evil.example' },
      { code: '' },
    ])
      await assert.rejects(finish({}, answer), { code: 'UNAUTHORIZED' }, JSON.stringify(answer));
  });
});
