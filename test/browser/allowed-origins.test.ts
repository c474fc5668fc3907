import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { type LiveServer, liveServer } from '../support/server.js';
import { ADMIN_PASSWORD } from '../support/test-server.js';
import { openBrowser } from './support/browser.js';

/** A front end that lies elsewhere: it signs in, changes something, hears of it, and downloads it. */
const frontEnd = (api: string): string => `<!doctype html><title>front end</title>
<script src="/graphql-sse.js"></script>
<script type="module">
const api = '${api}';
const credentials = 'include';
const post = (path, body, headers = {}) =>
  fetch(api + path, { method: 'POST', credentials, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) });
const heard = (singleConnection, headers = {}) => new Promise((resolve, reject) => {
  const url = api + '/bin/graphql.cgi/web' + (singleConnection ? '/stream' : '');
  const client = graphqlSse.createClient({ url, singleConnection, credentials, headers: { ...headers }, retryAttempts: 0 });
  const query = 'subscription { nodeChanged(path: "/content", deep: true) { path } }';
  client.subscribe({ query }, { next: ({ data }) => { resolve(data.nodeChanged.path); client.dispose() }, error: reject, complete() {} });
  window.changing = setInterval(() => create('n' + performance.now(), headers), 300);
}).finally(() => clearInterval(window.changing));
const create = (name, headers) =>
  post('/bin/graphql.cgi/web', { query: 'mutation ($name: String!) { createFile(input: { path: "/content", name: $name, content: "aGk=" }) { path } }', variables: { name } },
    { 'X-Front-End': 'mine', ...headers }).then((answer) => answer.json());
const tried = async (work) => { try { return await work() } catch (thrown) { return 'failed: ' + thrown } };
const kind = location.hash.slice(1);
const headers = kind === 'basic' ? { Authorization: 'Basic ' + btoa('admin:${ADMIN_PASSWORD}') } : {};
window.seen = {
  signedIn: kind === 'basic' ? 200 : await tried(() => post('/auth/login', { username: 'admin', password: '${ADMIN_PASSWORD}' }).then(({ status }) => status)),
  created: await tried(() => create('mine.txt', headers).then(({ data }) => data.createFile.path)),
  distinct: await tried(() => heard(false, headers)),
  single: await tried(() => heard(true, headers)),
  download: await tried(() => fetch(api + '/bin/download.cgi/web/content/mine.txt', { credentials, headers }).then((answer) => answer.text())),
};
window.done = true;
</script>`;

/** Serves the front end on a port of its own. */
async function frontEndServer(api: () => string): Promise<Server> {
  const client = readFileSync('node_modules/graphql-sse/umd/graphql-sse.min.js');
  const server = createServer((req, res) => {
    if (req.url === '/graphql-sse.js') res.setHeader('Content-Type', 'text/javascript').end(client);
    else res.setHeader('Content-Type', 'text/html').end(frontEnd(api()));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

describe('a front end on another port', function () {
  this.timeout(60_000);
  let browser: Browser | undefined;
  let server: LiveServer;
  let allowed: Server;
  let other: Server;
  const origin = (of: Server, host = '127.0.0.1') => `http://${host}:${(of.address() as AddressInfo).port}`;
  before(async function () {
    allowed = await frontEndServer(() => server.baseUrl);
    other = await frontEndServer(() => server.baseUrl);
    const origins = `${origin(allowed)}, ${origin(allowed, 'front.example')}`;
    server = await liveServer({ clock: 'system', env: { MILLRACE_ALLOWED_ORIGINS: origins } });
    browser = await openBrowser((allowed.address() as AddressInfo).port);
    if (browser === undefined) this.skip();
  });
  after(async () => {
    await browser?.close();
    await server?.remove();
    for (const one of [allowed, other]) one.close().closeAllConnections();
  });

  const seenAt = async (url: string) => {
    const context = await browser?.newContext();
    const page = await context?.newPage();
    await page?.goto(url);
    await page?.waitForFunction('window.done', undefined, { timeout: 20_000 });
    const seen = await page?.evaluate('window.seen');
    await context?.close();
    return seen as Record<string, string>;
  };

  it('that is allowed signs in, changes, subscribes in both modes and downloads', async () => {
    const { distinct = '', single = '', ...seen } = await seenAt(`${origin(allowed)}/`);
    assert.deepEqual(seen, { signedIn: 200, created: '/content/mine.txt', download: 'hi' });
    for (const path of [distinct, single]) assert.match(path, /^\/content\/n/);
  });

  it('of another site, whose requests carry no cookies, does so by HTTP Basic', async () => {
    await server.as('admin').run('mutation { deleteNode(input: { path: "/content/mine.txt" }) }');
    const { distinct = '', single = '', ...seen } = await seenAt(`${origin(allowed, 'front.example')}/#basic`);
    assert.deepEqual(seen, { signedIn: 200, created: '/content/mine.txt', download: 'hi' });
    for (const path of [distinct, single]) assert.match(path, /^\/content\/n/);
  });

  it('that is not allowed gets nowhere', async () => {
    const none = 'failed: TypeError: Failed to fetch';
    const { distinct, single, ...seen } = await seenAt(`${origin(other)}/#basic`);
    assert.deepEqual(seen, { signedIn: 200, created: none, download: none });
    for (const failed of [distinct, single]) assert.match(failed ?? '', /^failed: /);
  });
});
