import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fillAsStarted } from '../../support/first-start.js';
import { ADMIN_PASSWORD, type Reply, type TestServer, testServer } from '../../support/test-server.js';

const LOGIN = '/bin/auth.cgi/saml2/login';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const reasonOf = (reply: Reply) =>
  (reply.json() as { errors: { extensions: { reason: string } }[] }).errors[0]?.extensions.reason;

describe('the paths of the original sign-in', () => {
  let server: TestServer;
  before(async () => {
    server = await testServer({ fill: fillAsStarted });
  });
  after(() => server.remove());
  const submit = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    server.call(LOGIN, {
      method: 'POST',
      headers: { ...FORM, ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  const right = { username: 'admin', password: ADMIN_PASSWORD };

  it('show a form that carries where to go', async () => {
    const reply = await server.call(`${LOGIN}?RelayState=${encodeURIComponent('/desk?a="<b>&c')}`);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(reply.text, /name="RelayState" value="\/desk\?a=&quot;&lt;b&gt;&amp;c"/);
    assert.match(String(reply.headers['content-security-policy']), /style-src 'self' 'sha256-/);
  });

  it('sign in by the form and lead on', async () => {
    const reply = await submit({
      ...right,
      RelayState: `${server.baseUrl}/bin/cms.cgi/system/content/webtop/?x=1#top`,
    });
    assert.equal(reply.status, 302);
    assert.equal(reply.headers.location, '/bin/cms.cgi/system/content/webtop/?x=1#top');
    assert.match(String(reply.headers['set-cookie']), /^millrace=/);
    assert.equal((await submit({ ...right, redirect_uri: '/here' })).headers.location, '/here');
    assert.equal((await submit(right)).headers.location, '/');
  });

  it('never lead to another site', async () => {
    const own = new URL(server.baseUrl);
    const wanted = [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      `${server.baseUrl}//evil.example`,
      'javascript:alert(1)',
    ];
    for (const relay of wanted) {
      const { location } = (await submit({ ...right, RelayState: relay })).headers;
      assert.equal(new URL(String(location), own).host, own.host, relay);
    }
  });

  it('never lead to another site, whatever is asked for', async () => {
    const own = new URL(server.baseUrl);
    const relay = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.constantFrom('/', '\\', '//', '\t/', 'http:').chain((a) => fc.string().map((b) => a + b)),
    );
    await fc.assert(
      fc.asyncProperty(relay, async (wanted) => {
        const reply = await server.call(
          `/bin/auth.cgi/saml2/logout?RelayState=${encodeURIComponent(Buffer.from(wanted).toString())}`,
        );
        if (reply.status === 302) assert.equal(new URL(String(reply.headers.location), own).host, own.host);
        else assert.equal(reply.status, 200);
      }),
      { numRuns: 60 },
    );
  });

  it('show the form again when user or password is wrong', async () => {
    const reply = await submit({ username: 'admin', password: '<script>', RelayState: '/x' });
    assert.equal(reply.status, 401);
    assert.match(reply.text, /<p role="alert">User or password is wrong\.<\/p>/);
    assert.doesNotMatch(reply.text, /<script>/);
    assert.equal((await submit({})).status, 401);
  });

  it('take no form from another site', async () => {
    assert.equal((await submit(right, { Origin: 'https://evil.example' })).status, 403);
  });

  it('sign out and lead on, but not at the wish of another site', async () => {
    const cookie = String((await submit(right)).headers['set-cookie']).split(';')[0] ?? '';
    const out = (headers: Record<string, string>) =>
      server.call('/bin/auth.cgi/saml2/logout?RelayState=/', { headers: { Cookie: cookie, ...headers } });
    const isSignedIn = async () =>
      (await server.call('/bin/graphql.cgi/web', { headers: { Cookie: cookie } })).status === 200;
    assert.equal((await out({ 'Sec-Fetch-Site': 'cross-site' })).status, 302);
    assert.equal(await isSignedIn(), true);
    const reply = await out({});
    assert.equal(reply.headers.location, '/');
    assert.equal(await isSignedIn(), false);
    assert.equal((await server.call('/bin/auth.cgi/saml2/logout')).status, 200);
  });

  it("answer the original client's API of its provider", async () => {
    assert.equal((await server.call('/idp/api/sp')).status, 204);
    const reply = await server.call('/idp/api/logout', { method: 'POST' });
    assert.deepEqual([reply.status, reply.json()], [200, { status: 'success' }]);
  });

  it('say that there is no SAML provider', async () => {
    for (const path of ['/bin/auth.cgi/saml2/descriptor', '/idp/metadata', '/idp/sso', '/idp/api/login']) {
      const reply = await server.call(path);
      assert.deepEqual([reply.status, reasonOf(reply)], [404, 'no_saml_provider'], path);
    }
    const reply = await submit({ SAMLResponse: 'PHNhbWw+' });
    assert.deepEqual([reply.status, reasonOf(reply)], [404, 'no_saml_provider']);
  });
});
