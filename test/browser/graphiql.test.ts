import assert from 'node:assert/strict';
import { parse, validate } from 'graphql';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { apiResolvers, makeSchema, readTypeDefs } from '../../src/graphql/index.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { ADMIN_PASSWORD, call } from '../support/test-server.js';
import { openBrowser } from './support/browser.js';

describe('GraphiQL', function () {
  this.timeout(60_000);
  let server: LiveServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** What the page's policy refused, and what failed in it. */
  let refused: string[];

  before(async function () {
    server = await liveServer({ clock: 'system' });
    const opened = await openBrowser(Number(new URL(server.baseUrl).port));
    if (opened === undefined) return this.skip();
    browser = opened;
  });
  after(async () => {
    await browser?.close();
    await server.remove();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
    refused = [];
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    page.on('pageerror', (error) => refused.push(error.message));
  });
  afterEach(() => context?.close());

  /** Follows the link of the first page, and signs in on the way. */
  const open = async (link = 'GraphiQL') => {
    await page.goto(`${server.baseUrl}/`);
    await page.getByRole('link', { name: link, exact: true }).click();
    await page.fill('#username', 'admin');
    await page.fill('#password', ADMIN_PASSWORD);
    await page.click('button');
    await page.waitForSelector('.graphiql-query-editor .CodeMirror');
  };
  const run = async (query: string) => {
    await page.evaluate(
      `document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.setValue(${JSON.stringify(query)})`,
    );
    // With several operations, as the first text has, it is a menu.
    await page.click('.graphiql-execute-button:not([aria-haspopup])');
  };
  const shows = (text: string) => page.locator('.result-window .CodeMirror-line', { hasText: text }).first().waitFor();

  it('is reached from the first page, signs in, and knows the schema', async () => {
    await open();
    assert.equal(await page.title(), 'web · GraphiQL · Millrace');
    const first = await page.evaluate(
      `document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.getValue()`,
    );
    const { schema } = makeSchema({ typeDefs: readTypeDefs(), resolvers: apiResolvers });
    assert.deepEqual(validate(schema, parse(String(first))), [], 'what it begins with can be run');
    await page.click('[aria-label="Show Documentation Explorer"]');
    await page.waitForSelector('.graphiql-doc-explorer >> text=Subscription');
    assert.deepEqual(refused, []);
  });

  it('asks, changes, and is told of events as they come', async () => {
    await open();
    await run('{ processDefinitions(first: 1) { totalCount } }');
    await shows('"totalCount": 5');
    await run('subscription { nodeChanged(path: "/content", deep: true) { path } }');
    await page.waitForSelector('.graphiql-execute-button[aria-label^="Stop"]');
    const make = setInterval(() => {
      const name = `n${performance.now()}`;
      void server.as('admin').run(`mutation { createFolder(input: { path: "/content", name: "${name}" }) { path } }`);
    }, 200);
    await shows('"path": "/content/n').finally(() => clearInterval(make));
    await page.click('.graphiql-execute-button');
    await run('mutation { createFolder(input: { path: "/content", name: "mine" }) { path } }');
    await shows('"path": "/content/mine"');
    assert.deepEqual(refused, []);
  });

  it('is of the workspace that is asked for', async () => {
    await open('GraphiQL of system');
    assert.equal(await page.title(), 'system · GraphiQL · Millrace');
    await run('{ processDefinitions { totalCount } }');
    await shows('"totalCount": 0');
  });

  it('leads to the sign-in again where the session has ended', async () => {
    await open();
    await context.clearCookies();
    await run('{ __typename }');
    await page.waitForURL(/\/bin\/auth\.cgi\/saml2\/login\?RelayState=%2Fgraphiql/);
  });
});

describe('the files of GraphiQL', () => {
  let server: LiveServer;
  before(async () => {
    server = await liveServer();
  });
  after(() => server.remove());

  const get = (path: string, headers: Record<string, string> = {}) =>
    call(Number(new URL(server.baseUrl).port), path, { headers });

  it('are compressed for those who take it, and asked for again by their time', async () => {
    const plain = await get('/graphiql/react.production.min.js');
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.match(plain.text, /React/);
    const packed = await get('/graphiql/react.production.min.js', { 'Accept-Encoding': 'gzip, br' });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.equal(packed.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.ok(Number(packed.headers['content-length']) < Number(plain.headers['content-length']) / 2);
    const since = { 'Accept-Encoding': 'gzip', 'If-Modified-Since': String(packed.headers['last-modified']) };
    assert.equal((await get('/graphiql/react.production.min.js', since)).status, 304);
  });

  it('are these alone', async () => {
    assert.match((await get('/graphiql/licenses.txt')).text, /^graphiql\n\nMIT License/);
    for (const path of [
      '/graphiql/graphiql-routes.js',
      '/graphiql/..%2fserver.js',
      '/graphiql/boot.js.gz',
      '/graphiql/none',
    ])
      assert.equal((await get(path)).status, 404, path);
  });
});
