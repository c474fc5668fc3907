import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as requestTls, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeWire } from '../../src/server/wire/wire.js';
import { certificates, hasOpenssl, textOf } from '../support/certificates.js';
import { fillAsStarted } from '../support/first-start.js';
import { logSettings } from '../support/log-of-run.js';
import { temporaryFolder } from '../support/temporary.js';
import { ADMIN_PASSWORD, basic, type TestServer, testServer } from '../support/test-server.js';
import { tlsProxy } from '../support/tls-proxy.js';

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Received {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

const received = async (message: IncomingMessage): Promise<Received> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return { status: message.statusCode ?? 0, headers: message.headers, text: Buffer.concat(chunks).toString() };
};

const JSON_BODY = { 'content-type': 'application/json' };
const LOGIN = { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ username: 'ann', password: 'ann' }) };
const COOKIE = /^__Host-millrace=([\w-]{43}); Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax; Secure$/;

describe('a server behind a proxy that speaks TLS', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let proxy: Server;
  let server: TestServer;
  let ca: string;
  let origin: string;
  before(async function () {
    if (!hasOpenssl()) return this.skip();
    folder = temporaryFolder();
    const made = certificates(folder.path);
    ca = textOf(made.ca);
    proxy = await tlsProxy(made.server, () => `http://127.0.0.1:${server.port}`);
    origin = `https://localhost:${(proxy.address() as AddressInfo).port}`;
    const data = join(folder.path, 'data');
    mkdirSync(data);
    await fillAsStarted(data);
    const env = { MILLRACE_BASE_URL: origin, MILLRACE_PROXY_HOPS: '1', ...(await logSettings(data)) };
    server = await testServer({ wire: makeWire, users: [{ userId: 'ann', password: 'ann' }], folder: data, env });
  });
  after(async () => {
    proxy?.close();
    proxy?.closeAllConnections();
    await server?.remove();
    folder?.remove();
  });

  const call = (path: string, { method = 'GET', headers = {}, body }: Sent = {}) =>
    new Promise<Received>((resolve, reject) => {
      const req = requestTls(`${origin}${path}`, { method, headers: { ...headers }, ca, agent: false }, (answer) =>
        received(answer).then(resolve, reject),
      );
      req.on('error', reject);
      req.end(body);
    });
  const setCookie = ({ headers }: Received) => headers['set-cookie']?.[0] ?? '';
  const cookieOf = (reply: Received) => setCookie(reply).split(';')[0] ?? '';
  const ask = (query: string, headers: Readonly<Record<string, string>>) =>
    call('/bin/graphql.cgi/system', {
      method: 'POST',
      headers: { ...JSON_BODY, ...headers },
      body: JSON.stringify({ query }),
    });

  it('gives a cookie that no other host and no plain connection can set, and takes no other', async () => {
    const login = await call('/auth/login', LOGIN);
    assert.match(setCookie(login), COOKIE);
    assert.equal(login.headers['strict-transport-security'], 'max-age=31536000');
    const cookie = cookieOf(login);
    const { text } = await ask('{ mySessions { address } }', { cookie, 'x-forwarded-for': '6.6.6.6' });
    assert.deepEqual(JSON.parse(text).data, { mySessions: [{ address: '127.0.0.1' }] });
    const secret = cookie.slice(cookie.indexOf('=') + 1);
    for (const other of [`millrace=${secret}`, `__host-millrace=${secret}`, `__Host-millrace =${secret}`])
      assert.equal((await ask('{ __typename }', { cookie: other })).status, 401, other);
    assert.equal((await ask('{ __typename }', { cookie: `millrace=planted; ${cookie}; x=y` })).status, 200);
  });

  it('serves routes, which know the address that was asked for', async () => {
    const yaml =
      '- route: { id: where, from: { uri: "platform-http:/where?authentication=none", steps: [{ setBody: { simple: "${header.CamelHttpUrl}" } }] } }';
    const query =
      'mutation ($yaml: String!) { createRoute(input: { routeId: "where", autoStart: true, yaml: $yaml }) { status } }';
    const created = await call('/bin/graphql.cgi/web', {
      method: 'POST',
      headers: { ...JSON_BODY, ...basic('admin', ADMIN_PASSWORD) },
      body: JSON.stringify({ query, variables: { yaml } }),
    });
    assert.deepEqual(JSON.parse(created.text).data, { createRoute: { status: 'Started' } }, created.text);
    const { status, text } = await call('/routes/web/where?a=1');
    assert.deepEqual([status, text], [200, `${origin}/routes/web/where?a=1`]);
  });

  it('gives it by the form, too, and anew with another password, and takes it away', async () => {
    const form = await call('/bin/auth.cgi/saml2/login?RelayState=%2Fgraphiql', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
      body: 'username=ann&password=ann',
    });
    assert.match(setCookie(form), COOKIE);
    const changed = await ask(
      'mutation { changePassword(input: { username: "ann", currentPassword: "ann", newPassword: "ann" }) { errors { code } } }',
      { cookie: cookieOf(form) },
    );
    assert.match(
      setCookie(changed),
      /^__Host-millrace=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const cookie = cookieOf(changed);
    assert.notEqual(cookie, cookieOf(form));
    const out = await call('/auth/logout', { method: 'POST', headers: { cookie, origin } });
    assert.equal(setCookie(out), '__Host-millrace=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure');
    assert.equal((await ask('{ __typename }', { cookie })).status, 401);
  });

  it('takes what its own pages send, and nothing of a page that looks like them', async () => {
    const cookie = cookieOf(await call('/auth/login', LOGIN));
    const foreign = [
      'null',
      origin.replace('https:', 'http:'),
      `${origin}.evil.example`,
      origin.replace('localhost', 'localhost.evil.example'),
      origin.replace(/:\d+$/, ''),
      origin.replace('localhost', '127.0.0.1'),
      'https://evil.example',
      'file://',
      '',
    ];
    const asked = async (headers: Readonly<Record<string, string>>) => [
      (await ask('{ __typename }', { cookie, ...headers })).status,
      (await call('/bin/graphql.cgi/system/stream', { method: 'PUT', headers: { cookie, ...headers } })).status,
      (await call('/auth/login', { ...LOGIN, headers: { ...JSON_BODY, ...headers } })).status,
      (await call('/idp/api/logout', { method: 'POST', headers })).status,
    ];
    for (const one of foreign) assert.deepEqual(await asked({ origin: one }), [403, 403, 403, 403], one);
    for (const site of ['cross-site', 'same-site'])
      assert.deepEqual(await asked({ 'sec-fetch-site': site }), [403, 403, 403, 403], site);
    assert.deepEqual(await asked({ origin, 'sec-fetch-site': 'same-origin' }), [200, 201, 200, 200]);
    for (const one of foreign) {
      const { headers } = await call('/bin/download.cgi/web/content', { headers: { cookie, origin: one } });
      assert.equal(headers['access-control-allow-origin'], undefined);
    }
  });
});
