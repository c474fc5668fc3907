import assert from 'node:assert/strict';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { AUDIENCE, type Otherwise, TokenIssuer } from '../support/token-issuer.js';

describe('a JSON Web Token of the configured issuer', () => {
  let issuer: TokenIssuer;
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    issuer = await TokenIssuer.start();
    server = await liveServer({
      users: [{ userId: 'ann' }, { userId: 'bob' }],
      env: {
        MILLRACE_JWT_ISSUER: issuer.issuer,
        MILLRACE_JWT_AUDIENCE: AUDIENCE,
        MILLRACE_JWT_CLOCK_TOLERANCE: '1ms',
        MILLRACE_SIGN_IN_FAILURES_PER_ACCOUNT_MAX: '5',
      },
    });
    admin = server.as('admin', 'system');
    await link('ann', 'a1');
    await link('bob', 'b1');
  });
  after(async () => {
    await server.remove();
    await issuer.close();
  });

  const link = async (username: string, subject: string) => {
    const input = `{ username: "${username}", issuer: "${issuer.issuer}", subject: "${subject}" }`;
    const { linkExternalIdentity } = await admin.run(
      `mutation { linkExternalIdentity(input: ${input}) { user { externalIdentities { id } } errors { code } } }`,
    );
    assert.equal(linkExternalIdentity.errors, null);
    return linkExternalIdentity.user?.externalIdentities[0]?.id ?? '';
  };
  const url = () => `${server.baseUrl}/bin/graphql.cgi/system`;
  const ask = async (subject: string, otherwise: Otherwise = {}, more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${await issuer.token(subject, otherwise)}`, ...more };
    const reply = await fetch(`${url()}?query=${encodeURIComponent('{ me { username } }')}`, { headers });
    const { data, errors } = (await reply.json()) as {
      data?: { me: { username: string } };
      errors?: { extensions: object }[];
    };
    return { status: reply.status, challenge: reply.headers.get('www-authenticate'), user: data?.me.username, errors };
  };
  const follow = async (subject: string, exp: number) => {
    const response = await fetch(url(), {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${await issuer.token(subject, { claims: { exp } })}` },
        ...{ 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      },
      body: JSON.stringify({ query: 'subscription { avatarChanged { userId } }' }),
    });
    assert.equal(response.status, 200);
    return { text: response.text().catch(() => '') };
  };
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

  it('is a sign-in with each request, also where there is no session otherwise', async () => {
    assert.deepEqual(await ask('a1'), { status: 200, challenge: null, user: 'ann', errors: undefined });
    const headers = { authorization: `Bearer ${await issuer.token('a1')}` };
    assert.equal((await fetch(`${server.baseUrl}/none`, { headers })).status, 404);
  });

  it('is of nobody where its subject is nobody here, has expired, or is not the issuer’s: never the one of a cookie', async () => {
    const login = await fetch(`${server.baseUrl}/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: 'bob', password: 'bob' }),
    });
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const wrong: [string, Otherwise][] = [
      ['ann', {}],
      ['a1', { claims: { exp: inSeconds(-5) } }],
      ['a1', { claims: { aud: 'x' } }],
    ];
    for (const [subject, otherwise] of wrong) {
      const { status, challenge } = await ask(subject, otherwise, { cookie });
      assert.equal(status, 401);
      assert.match(challenge ?? '', /^Bearer .*invalid_token/);
    }
  });

  it('ends its streams when it expires, without `complete`', async () => {
    const { text } = await follow('a1', inSeconds(2));
    assert.doesNotMatch(await text, /complete/);
  });

  it('ends its streams when its subject is unlinked, or the user is disabled', async () => {
    const id = await link('bob', 'b1');
    const stream = await follow('b1', inSeconds(600));
    await admin.run(`mutation { unlinkExternalIdentity(input: { id: "${id}" }) { errors { code } } }`);
    assert.doesNotMatch(await stream.text, /complete/);
    assert.equal((await ask('b1')).status, 401);
    await link('bob', 'b2');
    const other = await follow('b2', inSeconds(600));
    await admin.run('mutation { updateUser(input: { username: "bob", enabled: false }) { errors { code } } }');
    assert.doesNotMatch(await other.text, /complete/);
    assert.equal((await ask('b2')).status, 401);
  });

  it('that is a megabyte is refused, and the server goes on', async () => {
    const header = { authorization: `Bearer ${await issuer.token('a1')}${'x'.repeat(1_000_000)}` };
    const status = await fetch(url(), { headers: header }).then(
      (reply) => reply.status,
      () => 431,
    );
    assert.equal(status, 431);
    assert.equal((await ask('a1')).user, 'ann');
  });

  it('that is forged is counted as a failed sign-in; one that counts is taken all the same', async () => {
    const key = new TextEncoder().encode(await issuer.publicPem());
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries++) statuses.push((await ask('a1', { header: { alg: 'HS256' }, key })).status);
    assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
    assert.equal((await ask('a1')).user, 'ann');
  });

  it('cannot be checked where the keys cannot be had: 503, and no refusal', async () => {
    const down = await liveServer({
      env: { MILLRACE_JWT_ISSUER: 'http://127.0.0.1:1', MILLRACE_JWT_AUDIENCE: AUDIENCE },
    });
    const headers = { authorization: `Bearer ${await issuer.token('a1')}` };
    const reply = await fetch(`${down.baseUrl}/bin/graphql.cgi/system?query={__typename}`, { headers });
    assert.deepEqual([reply.status, reply.headers.get('retry-after')], [503, '5']);
    await down.remove();
  });
});
