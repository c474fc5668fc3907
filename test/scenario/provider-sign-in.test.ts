import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readConfig } from '../../src/server/settings/config.js';
import { Browser, type Shown } from '../support/browser.js';
import { GraphqlClient } from '../support/graphql-client.js';
import { AUDIENCE, CLIENT, IdentityProvider, ROBOT } from '../support/identity-provider.js';
import { type LiveServer, liveServer } from '../support/server.js';

const LOGIN = '/bin/auth.cgi/saml2/login';
const LOGOUT = '/bin/auth.cgi/saml2/logout';
const ME =
  '{ me { username displayName mail memberOf { groupId } roles { roleId } externalIdentities { id issuer subject } } }';
const isCallback = (url: string) => url.includes('/oidc/callback');

describe('sign-in with a provider', () => {
  let provider: IdentityProvider;
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    provider = await IdentityProvider.start();
    server = await liveServer({
      users: [{ userId: 'taken' }, { userId: 'local' }],
      env: {
        ...exampleOfDocs(),
        MILLRACE_OIDC_ISSUER: provider.issuer,
        MILLRACE_OIDC_CLIENT_SECRET: CLIENT.secret,
        MILLRACE_JWT_AUDIENCE: AUDIENCE,
        MILLRACE_SIGN_IN_FAILURES_PER_ACCOUNT_MAX: '100',
      },
    });
    admin = server.as('admin', 'system');
    await provider.serve(server.baseUrl);
    await admin.run('mutation { createGroup(input: { name: "staff" }) { errors { code } } }');
  });
  after(async () => {
    await server.remove();
    await provider.close();
  });

  const url = (path: string) => `${server.baseUrl}${path}`;
  const graphql = (browser: Browser) => {
    const [cookie] = [...(browser.cookies.get(new URL(server.baseUrl).host) ?? [])].filter(
      ([name]) => name === 'millrace',
    );
    return new GraphqlClient(url('/bin/graphql.cgi/system'), { cookie: `millrace=${cookie?.[1] ?? ''}` });
  };
  const me = async (browser: Browser) => (await graphql(browser).ask(ME)).data?.me ?? null;
  const signIn = (browser: Browser, account: string | null, relayState = '/docs/') => {
    provider.account = account;
    return browser.open(url(`${LOGIN}?RelayState=${encodeURIComponent(relayState)}`));
  };
  /** Goes as far as the provider's answer, which is not taken to the server. */
  const answered = async (browser: Browser, account: string) => {
    provider.account = account;
    return (await browser.open(url(`${LOGIN}?RelayState=/docs/`), { stopAt: isCallback })).url;
  };
  const change = async (query: string) => {
    const payloads = (await admin.run(query)) as unknown as Record<string, { errors: unknown }>;
    for (const { errors } of Object.values(payloads)) assert.equal(errors, null);
  };
  const textOf = ({ text }: Shown) => text.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]+>/g, ' ');

  it('makes a user at the first sign-in, with the groups that are mapped', async () => {
    provider.accounts.set('a1', {
      ...{ preferred_username: 'ann', name: 'Ann Example', email: 'ann@example.com', email_verified: true },
      groups: ['staff', 'others'],
    });
    const browser = new Browser();
    assert.equal((await signIn(browser, 'a1')).url, url('/docs/'));
    const found = await me(browser);
    assert.deepEqual(
      [found?.username, found?.displayName, found?.mail, found?.memberOf, found?.roles],
      ['ann', 'Ann Example', 'ann@example.com', [{ groupId: 'staff' }], []],
    );
    const { externalIdentities = [] } = found ?? {};
    assert.deepEqual(
      externalIdentities.map(({ issuer, subject }) => [issuer, subject]),
      [[provider.issuer, 'a1']],
    );
    const { mySessions } = await graphql(browser).run('{ mySessions { issuer } }');
    assert.deepEqual(mySessions, [{ issuer: provider.issuer }]);
  });

  it('finds the same user again under another name and address, and takes back what the claims gave', async () => {
    await change('mutation { assignRoles(input: { username: "ann", roles: ["supervisor"] }) { errors { code } } }');
    provider.accounts.set('a1', {
      preferred_username: 'taken',
      name: 'Ann Other',
      email: 'other@example.com',
      groups: ['it'],
    });
    const browser = new Browser();
    await signIn(browser, 'a1');
    const former = graphql(browser);
    await signIn(browser, 'a1');
    assert.equal((await former.ask(ME)).status, 401, 'the session that the browser had has ended');
    const found = await me(browser);
    assert.deepEqual(
      [found?.username, found?.displayName, found?.mail, found?.memberOf, found?.roles],
      ['ann', 'Ann Other', 'other@example.com', [], [{ roleId: 'supervisor' }, { roleId: 'administrator' }]],
    );
    provider.accounts.set('a1', { preferred_username: 'ann', groups: ['staff'] });
    await signIn(new Browser(), 'a1');
    assert.deepEqual((await me(browser))?.roles, [{ roleId: 'supervisor' }], 'also of sessions that go on');
  });

  it('makes no user of a name that is taken or reserved: the page says what an administrator can do, and that helps', async () => {
    const browser = new Browser();
    for (const [subject, name] of [
      ['t2', 'ѕystem'],
      ['t3', 'everyone'],
      ['t4', 'admin'],
      ['t1', 'taken'],
    ] as const) {
      provider.accounts.set(subject, { preferred_username: name, email: 'taken@example.com' });
      const page = await signIn(browser, subject);
      assert.equal(page.status, 403, name);
      assert.match(textOf(page), new RegExp(`knows you as ${subject}.*linkExternalIdentity`, 's'));
    }
    const input = `{ username: "taken", issuer: "${provider.issuer}", subject: "t1" }`;
    await change(`mutation { linkExternalIdentity(input: ${input}) { errors { code } } }`);
    await signIn(browser, 't1');
    const found = await me(browser);
    assert.equal(found?.username, 'taken');
    const stream = await follow(graphql(browser));
    const id = found?.externalIdentities[0]?.id;
    await change(`mutation { unlinkExternalIdentity(input: { id: "${id}" }) { errors { code } } }`);
    assert.doesNotMatch(await stream.text, /complete/);
    assert.equal(await me(browser), null);
  });

  it('keeps out who is disabled here', async () => {
    provider.accounts.set('d1', { preferred_username: 'dora' });
    const browser = new Browser();
    await signIn(browser, 'd1');
    await change('mutation { updateUser(input: { username: "dora", enabled: false }) { errors { code } } }');
    assert.equal(await me(browser), null);
    const page = await signIn(new Browser(), 'd1');
    assert.equal(page.status, 403);
    assert.match(textOf(page), /dora&#39; is disabled here/);
  });

  it('takes no answer that was not asked for in this browser, and none twice', async () => {
    const [ann, mallory] = [new Browser(), new Browser()];
    const callback = await answered(ann, 'a1');
    const refused = async (browser: Browser, at: string) => {
      const page = await browser.open(at);
      assert.equal(page.status, 401, at);
      assert.equal(browser.cookies.get(new URL(at).host)?.has('millrace') ?? false, false);
    };
    await refused(mallory, callback);
    const withState = (state: string) => {
      const other = new URL(callback);
      other.searchParams.set('state', state);
      return other.href;
    };
    await refused(ann, withState('x'.repeat(43)));
    await refused(ann, withState(''));
    await refused(new Browser(), url('/bin/auth.cgi/oidc/callback'));
    const held = new Map(ann.cookies.get(new URL(server.baseUrl).host));
    assert.equal((await ann.open(callback)).url, url('/docs/'));
    ann.cookies.set(new URL(server.baseUrl).host, held);
    await refused(ann, callback);
  });

  it('takes no ID token that was made for another sign-in, and no cookie that was changed', async () => {
    const browser = new Browser();
    provider.account = 'a1';
    const start = await browser.open(url(LOGIN), { stopAt: (to) => to.startsWith(provider.issuer) });
    const changed = new URL(start.url);
    changed.searchParams.set('nonce', 'another');
    const page = await browser.open(changed.href);
    assert.equal(page.status, 401);
    const callback = await answered(browser, 'a1');
    const cookies = browser.cookies.get(new URL(server.baseUrl).host) ?? new Map<string, string>();
    for (const [name, value] of cookies)
      cookies.set(name, `${value.slice(0, -3)}${value.endsWith('AAA') ? 'BBB' : 'AAA'}`);
    assert.equal((await browser.open(callback)).status, 401);
  });

  it('says so where the provider does not confirm', async () => {
    const page = await signIn(new Browser(), null);
    assert.equal(page.status, 401);
    assert.match(textOf(page), /it did not: access_denied/);
  });

  it('leads nowhere but to this server', async () => {
    const wanted = [
      ...['https://evil.example/', '//evil.example', '/\\evil.example', '\\\\evil.example', 'https:/evil.example'],
      ...['https:evil.example', 'javascript:alert(1)', '/\t/evil.example', '\u0000//evil.example', '/.//evil.example'],
      ...['%2f%2fevil.example', '/%2fevil.example', ' //evil.example', `${server.baseUrl}@evil.example/`],
      ...[`${server.baseUrl}.evil.example/`, `/${'x'.repeat(2_000)}`, 'data:text/html,x', '/\r\nSet-Cookie: x=y'],
    ];
    const own = new URL(server.baseUrl).host;
    const browser = new Browser();
    for (const relayState of wanted) {
      const shown = await signIn(browser, 'a1', relayState);
      assert.equal(new URL(shown.url).host, own, relayState);
      assert.ok(
        [...shown.way].every((at) => [own, new URL(provider.issuer).host].includes(new URL(at).host)),
        relayState,
      );
      const back = await browser.open(url(`/bin/auth.cgi/oidc/signed-out?state=${encodeURIComponent(relayState)}`));
      assert.equal(new URL(back.url).host, own, relayState);
    }
  });

  it('is over at the provider, too, after a sign-out, which leads back', async () => {
    const browser = new Browser();
    await signIn(browser, 'a1');
    const { asked } = provider;
    await signIn(browser, 'a1');
    assert.equal(provider.asked, asked, 'it knows who has signed in there');
    const { url: at, text } = await browser.open(url(`${LOGOUT}?RelayState=/docs/x`));
    assert.ok(at.startsWith(`${provider.issuer}/session/end?`));
    assert.equal(await me(browser), null);
    const [, action = ''] = /action="([^"]+)"/.exec(text) ?? [];
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(text) ?? [];
    const body = new URLSearchParams({ xsrf, logout: 'yes' });
    assert.equal((await browser.open(action, { method: 'POST', body })).url, url('/docs/x'));
    await signIn(browser, 'a1');
    assert.equal(provider.asked, asked + 1);
  });

  it('is asked for anew after a sign-out by a script, which is told where it goes on', async () => {
    const browser = new Browser();
    await signIn(browser, 'a1');
    const { asked } = provider;
    const reply = await browser.fetch(url('/idp/api/logout'), { method: 'POST' });
    const { status, data } = (await reply.json()) as { status: string; data: { logoutUrl: string } };
    assert.equal(status, 'success');
    assert.ok(data.logoutUrl.startsWith(`${provider.issuer}/session/end?`));
    assert.equal(await me(browser), null);
    await signIn(browser, 'a1');
    assert.equal(provider.asked, asked + 1);
    await signIn(browser, 'a1');
    assert.equal(provider.asked, asked + 1, 'once');
  });

  it('leaves the form to users of this server, whose sign-out ends here', async () => {
    const browser = new Browser();
    assert.match((await browser.open(url('/bin/auth.cgi/login?RelayState=/docs/'))).text, /name="password"/);
    const body = new URLSearchParams({ username: 'local', password: 'local', RelayState: '/docs/' });
    assert.equal((await browser.open(url(LOGIN), { method: 'POST', body })).url, url('/docs/'));
    assert.equal((await me(browser))?.username, 'local');
    assert.equal((await browser.open(url(`${LOGOUT}?RelayState=/docs/`))).url, url('/docs/'));
    for (const path of ['/bin/auth.cgi/saml2/descriptor', '/idp/metadata'])
      assert.equal((await browser.open(url(path))).status, 404);
    assert.equal((await browser.open(url('/idp/api/sp'))).status, 204);
  });

  it('is in the audit log: who signed in, and who was not let in', async () => {
    const { auditLog } = await admin.run(
      '{ auditLog(first: 200, type: "signIn") { edges { node { userId outcome } } } }',
    );
    const entries = new Set(auditLog.edges.map(({ node }) => `${node.userId} ${node.outcome}`));
    for (const entry of ['ann DONE', `${provider.issuer} UNAUTHORIZED`, `${provider.issuer} ALREADY_EXISTS`])
      assert.ok(entries.has(entry), entry);
    const made = await admin.run('{ auditLog(first: 200, type: "signInExternally") { edges { node { targets } } } }');
    const targets = made.auditLog.edges.map(({ node }) => node.targets);
    assert.ok(targets.at(-1)?.includes('/home/users/ann'), 'the first was made');
    const changes = targets.filter((some) => some.includes('/home/users/ann/profile'));
    assert.equal(
      changes.length,
      3,
      'made, and given other rights and texts twice; a sign-in that changes nothing is none',
    );
  });

  it('lets programs in by tokens of the provider, as what they are linked with', async () => {
    const token = await provider.tokenOfRobot();
    const robot = new GraphqlClient(url('/bin/graphql.cgi/system'), { token });
    assert.equal((await robot.ask(ME)).status, 401);
    await change('mutation { createUser(input: { username: "robot", service: true }) { errors { code } } }');
    const input = `{ username: "robot", issuer: "${provider.issuer}", subject: "${ROBOT}" }`;
    await change(`mutation { linkExternalIdentity(input: ${input}) { errors { code } } }`);
    assert.equal((await robot.run(ME)).me?.username, 'robot');
  });

  it('says so on a page while the provider is down', async () => {
    const browser = new Browser();
    const callback = await answered(browser, 'a1');
    provider.stop();
    const page = await browser.open(callback);
    assert.deepEqual([page.status, page.headers.get('retry-after')], [503, '5']);
    assert.match(textOf(page), /provider of sign-in.*cannot be asked now/s);
    assert.match(page.text, /href="\/bin\/auth\.cgi\/login\?RelayState=%2Fdocs%2F"/);
  });
});

/** The settings that the documentation shows, but for where everything is. */
function exampleOfDocs(): Record<string, string> {
  const [, block = ''] = /```sh provider\n(.*?)```/s.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];
  const all = Object.fromEntries(
    [...block.matchAll(/^(\w+)='(.*)'$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  assert.deepEqual(readConfig(all, () => 'a secret').warnings, []);
  const { MILLRACE_BASE_URL: _, MILLRACE_OIDC_CLIENT_SECRET_FILE: __, ...rest } = all;
  return rest;
}

/** A stream that has begun; its text, when it has ended. */
async function follow({ url, headers }: GraphqlClient): Promise<{ readonly text: Promise<string> }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { avatarChanged { userId } }' }),
  });
  assert.equal(response.status, 200);
  return { text: response.text().catch(() => '') };
}
