import assert from 'node:assert/strict';
import { fillAsStarted as fill } from '../../support/first-start.js';
import { ADMIN_PASSWORD, basic, type Reply, type TestServer, testServer } from '../../support/test-server.js';

const users = [
  { userId: 'ann', password: 'hunter2 hunter2', groups: ['clerks'], roles: ['designer'] },
  { userId: 'zoë:', password: 'p:w with colons ✓' },
];
const ME = '/bin/graphql.cgi/web';
const JSON_BODY = { 'Content-Type': 'application/json' };

const login = (server: TestServer, username: string, password: string, headers: Record<string, string> = {}) =>
  server.call('/auth/login', {
    method: 'POST',
    headers: { ...JSON_BODY, ...headers },
    body: JSON.stringify({ username, password }),
  });
const setCookie = (reply: Reply) => [reply.headers['set-cookie'] ?? []].flat()[0] ?? '';
const cookieOf = (reply: Reply) => setCookie(reply).split(';')[0] ?? '';
const errorOf = (reply: Reply) =>
  (reply.json() as { errors: { message: string; extensions: { code: string; reason: string } }[] }).errors[0];
const userOf = async (server: TestServer, headers: Record<string, string>) =>
  ((await server.call(ME, { headers })).json() as { userId: string } | null)?.userId;

describe('signing in', () => {
  let server: TestServer;
  before(async () => {
    server = await testServer({ fill, users });
  });
  after(() => server.remove());

  it('takes user and password and gives a cookie that scripts and other sites cannot use', async () => {
    const reply = await login(server, 'ann', 'hunter2 hunter2');
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.json(), { userId: 'ann' });
    assert.match(setCookie(reply), /^millrace=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
    const me = (await server.call(ME, { headers: { Cookie: cookieOf(reply) } })).json() as Record<string, unknown>;
    assert.deepEqual([me.userId, me.groups, me.roles], ['ann', ['everyone', 'clerks'], ['designer']]);
    assert.equal(typeof me.sessionId, 'string');
    assert.ok(!cookieOf(reply).includes(me.sessionId as string), 'the name of a session is not its secret');
  });

  it('knows the administrator', async () => {
    const reply = await server.call(ME, { headers: basic('admin', ADMIN_PASSWORD) });
    const { proof, principalId, ...me } = reply.json() as { proof: Record<string, unknown>; principalId: string };
    assert.equal(proof.way, 'basic');
    assert.match(principalId, /^[\da-f-]{36}$/);
    assert.deepEqual(me, {
      userId: 'admin',
      groups: ['everyone'],
      roles: ['administrator', 'supervisor'],
      made: {},
      sessionId: null,
    });
  });

  it('finds the cookie among others', async () => {
    const cookie = cookieOf(await login(server, 'ann', 'hunter2 hunter2'));
    assert.equal(await userOf(server, { Cookie: `theme=dark; ${cookie}; xmillrace=1` }), 'ann');
  });

  it('answers the same to a wrong password and to a user who is unknown or may never sign in', async () => {
    const replies = [
      await login(server, 'ann', 'wrong'),
      await login(server, 'bob', 'wrong'),
      await login(server, 'anonymous', ''),
    ];
    assert.deepEqual(
      replies.map(({ status }) => status),
      [401, 401, 401],
    );
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal(errorOf(replies[0] as Reply)?.extensions.code, 'UNAUTHORIZED');
    assert.deepEqual(replies.map(setCookie), ['', '', '']);
  });

  it('gives a new session at each sign-in and ends the one that the request brought', async () => {
    const planted = cookieOf(await login(server, 'ann', 'hunter2 hunter2'));
    const own = cookieOf(await login(server, 'admin', ADMIN_PASSWORD, { Cookie: planted }));
    assert.notEqual(own, planted);
    assert.equal(await userOf(server, { Cookie: planted }), undefined);
    assert.equal(await userOf(server, { Cookie: own }), 'admin');
  });

  it('knows no session that it did not give', async () => {
    for (const secret of ['', 'x', 'A'.repeat(43), '../../etc/passwd', 'A'.repeat(4000)]) {
      assert.equal(await userOf(server, { Cookie: `millrace=${secret}` }), undefined, secret);
    }
  });

  it('ends with sign-out, for whoever has the cookie', async () => {
    const cookie = cookieOf(await login(server, 'ann', 'hunter2 hunter2'));
    const reply = await server.call('/auth/logout', { method: 'POST', headers: { Cookie: cookie } });
    assert.equal(reply.status, 204);
    assert.match(setCookie(reply), /^millrace=; Max-Age=0;/);
    assert.equal(await userOf(server, { Cookie: cookie }), undefined);
    assert.equal((await server.call('/auth/logout', { method: 'POST' })).status, 204);
  });

  it('refuses what is no sign-in, saying what was expected', async () => {
    const post = (body: string, headers: Record<string, string>) =>
      server.call('/auth/login', { method: 'POST', headers, body });
    assert.equal((await post('{"username":"ann"}', JSON_BODY)).status, 400);
    assert.equal((await post('{"username":["ann"],"password":{}}', JSON_BODY)).status, 400);
    assert.equal((await post('null', JSON_BODY)).status, 400);
    assert.equal((await post('{', JSON_BODY)).status, 400);
    assert.equal((await post('username=ann', { 'Content-Type': 'text/plain' })).status, 415);
    assert.equal((await post(`"${'x'.repeat(20_000)}"`, JSON_BODY)).status, 413);
    assert.match(
      errorOf(await post('[]', JSON_BODY))?.message ?? '',
      /expected a JSON object with the texts "username" and "password"/,
    );
  });

  it('takes no sign-in or sign-out that another site made a browser send', async () => {
    const foreign = [{ Origin: 'https://evil.example' }, { Origin: 'null' }, { 'Sec-Fetch-Site': 'cross-site' }];
    const cookie = cookieOf(await login(server, 'ann', 'hunter2 hunter2'));
    for (const headers of foreign) {
      assert.equal((await login(server, 'ann', 'hunter2 hunter2', headers)).status, 403);
      const out = await server.call('/auth/logout', { method: 'POST', headers: { Cookie: cookie, ...headers } });
      assert.equal(out.status, 403);
    }
    assert.equal(await userOf(server, { Cookie: cookie }), 'ann');
    assert.equal((await login(server, 'ann', 'hunter2 hunter2', { Origin: server.baseUrl })).status, 200);
  });
});

describe('HTTP Basic', () => {
  let server: TestServer;
  before(async () => {
    server = await testServer({ fill, users });
  });
  after(() => server.remove());

  it('signs in with every request, and leaves no session', async () => {
    assert.equal(await userOf(server, basic('ann', 'hunter2 hunter2')), 'ann');
    assert.equal(
      (await server.call(ME, { headers: basic('ann', 'hunter2 hunter2') })).headers['set-cookie'],
      undefined,
    );
  });

  it('takes colons and letters of all kinds in the password', async () => {
    assert.equal((await server.call(ME, { headers: basic('ann', 'hunter2:hunter2') })).status, 401);
    const withColon = await testServer({ fill, users: [{ userId: 'zoë', password: 'p:w ✓' }] });
    assert.equal(await userOf(withColon, basic('zoë', 'p:w ✓')), 'zoë');
    await withColon.remove();
  });

  it('wins over a session, so that nobody acts as somebody else by accident', async () => {
    const cookie = cookieOf(await login(server, 'ann', 'hunter2 hunter2'));
    assert.equal(await userOf(server, { Cookie: cookie, ...basic('admin', ADMIN_PASSWORD) }), 'admin');
    assert.equal((await server.call(ME, { headers: { Cookie: cookie, ...basic('admin', 'wrong') } })).status, 401);
  });

  it('refuses what it cannot read', async () => {
    for (const value of ['Basic', 'Basic !!!', 'Basic YW5u', 'basic  ']) {
      assert.equal((await server.call(ME, { headers: { Authorization: value } })).status, 401, value);
    }
    assert.equal((await server.call(ME, { headers: { Authorization: 'Bearer abc' } })).status, 401);
  });
});

describe('guessing passwords', () => {
  const env = { MILLRACE_SIGN_IN_FAILURES_PER_ACCOUNT_MAX: '3', MILLRACE_SIGN_IN_FAILURES_PER_ADDRESS_MAX: '5' };
  let server: TestServer;
  beforeEach(async () => {
    server = await testServer({ fill, users, env });
  });
  afterEach(() => server.remove());

  it('ends with 429 after some failures, the right password included, in the same words for unknown users', async () => {
    const tries = async (at: TestServer, user: string) => {
      for (let failure = 0; failure < 3; failure++)
        assert.equal((await login(at, user, `wrong ${failure}`)).status, 401);
      return login(at, user, 'hunter2 hunter2');
    };
    const known = await tries(server, 'ann');
    assert.equal(known.status, 429);
    assert.equal(errorOf(known)?.extensions.code, 'RATE_LIMITED');
    const wait = Number(known.headers['retry-after']);
    assert.ok(wait > 800 && wait <= 900, `Retry-After is ${wait}`);
    assert.equal((await server.call(ME, { headers: basic('ann', 'hunter2 hunter2') })).status, 429);
    const other = await testServer({ fill, env });
    assert.equal((await tries(other, 'nobody')).text, known.text);
    await other.remove();
  });

  it('is limited per address over all accounts', async () => {
    for (let failure = 0; failure < 5; failure++)
      assert.equal((await login(server, `user-${failure}`, 'x')).status, 401);
    assert.equal((await login(server, 'user-6', 'x')).status, 429);
  });

  it('is limited also when all tries come at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => login(server, 'ann', `wrong ${n}`)));
    assert.equal(replies.filter(({ status }) => status === 401).length, 3);
    assert.equal(replies.filter(({ status }) => status === 429).length, 17);
  });

  it('does not count sign-ins that succeed', async () => {
    for (let round = 0; round < 8; round++) assert.equal((await login(server, 'ann', 'hunter2 hunter2')).status, 200);
  });

  it("counts a client's address as the proxy saw it, when there is one", async () => {
    const proxied = await testServer({ fill, users, env: { ...env, MILLRACE_PROXY_HOPS: '1' } });
    const from = (address: string) => ({ 'X-Forwarded-For': `6.6.6.6, ${address}` });
    for (let failure = 0; failure < 3; failure++) await login(proxied, 'ann', `wrong ${failure}`, from('10.0.0.1'));
    assert.equal((await login(proxied, 'ann', 'hunter2 hunter2', from('10.0.0.1'))).status, 429);
    assert.equal((await login(proxied, 'ann', 'hunter2 hunter2', from('10.0.0.2'))).status, 429);
    assert.equal((await login(proxied, 'ann', 'hunter2 hunter2', from('10.0.1.1'))).status, 200);
    await proxied.remove();
  });
});

describe('a server that takes no passwords', () => {
  it('refuses them at each way in, right or wrong, and leads to the provider', async () => {
    const provider = { MILLRACE_OIDC_ISSUER: 'http://127.0.0.1:1', MILLRACE_OIDC_CLIENT_ID: 'me' };
    const server = await testServer({ fill, users, env: { ...provider, MILLRACE_LOCAL_SIGN_IN: 'off' } });
    const form = await server.call('/bin/auth.cgi/saml2/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'username=ann&password=hunter2+hunter2',
    });
    const replies = [
      await login(server, 'ann', 'hunter2 hunter2'),
      form,
      await server.call(ME, { headers: basic('ann', 'hunter2 hunter2') }),
      await server.call('/none', { headers: basic('admin', ADMIN_PASSWORD) }),
    ];
    assert.deepEqual(
      replies.map((reply) => [reply.status, errorOf(reply)?.extensions.reason, setCookie(reply)]),
      replies.map(() => [401, 'local_sign_in_off', '']),
    );
    const { status, headers } = await server.call('/none');
    assert.deepEqual([status, headers['www-authenticate']], [401, 'Bearer realm="millrace"']);
    for (const path of ['/bin/auth.cgi/login', '/bin/auth.cgi/saml2/login']) {
      const { status, text } = await server.call(path);
      assert.equal(status, 503, 'the provider is down, and the server is not');
      assert.doesNotMatch(text, /by a password/);
    }
    await server.remove();
  });
});

describe('a restart', () => {
  it('keeps people signed in, and forgets those who signed out', async () => {
    const first = await testServer({ fill, users });
    const stays = cookieOf(await login(first, 'ann', 'hunter2 hunter2'));
    const leaves = cookieOf(await login(first, 'admin', ADMIN_PASSWORD));
    await first.call('/auth/logout', { method: 'POST', headers: { Cookie: leaves } });
    await first.end();
    const second = await testServer({ users, folder: first.folder });
    assert.equal(await userOf(second, { Cookie: stays }), 'ann');
    assert.equal(await userOf(second, { Cookie: leaves }), undefined);
    await second.remove();
    await first.remove();
  });
});

describe('behind https', () => {
  it('binds the cookie to host and encryption', async () => {
    const server = await testServer({ fill, users, env: { MILLRACE_BASE_URL: 'https://flow.example' } });
    const reply = await login(server, 'ann', 'hunter2 hunter2', { Origin: 'https://flow.example' });
    assert.match(
      setCookie(reply),
      /^__Host-millrace=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    assert.equal(reply.headers['strict-transport-security'], 'max-age=31536000');
    assert.equal(await userOf(server, { Cookie: cookieOf(reply) }), 'ann');
    assert.equal(await userOf(server, { Cookie: cookieOf(reply).replace('__Host-', '') }), undefined);
    await server.remove();
  });
});
