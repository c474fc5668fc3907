import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { ADMIN_PASSWORD } from '../support/test-server.js';
import { openBrowser, signIn, statusesOf, visitsOf } from './support/browser.js';

/** A file of the same folder, so that the server's own policy would let it run. */
const ATTACK = `document.querySelector('title').textContent = 'ran';
fetch('/bin/graphql.cgi/system', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ query: 'mutation { createFolder(input: { path: "/", name: "planted" }) { path } }' }),
});`;

/** A PDF of one empty page. */
const PAPER = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj
trailer<</Root 1 0 R>>`;

/** What a page is like that was come to once more: as it was at first. */
describe('a page that a browser has in its cache', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  before(async function () {
    server = await liveServer();
    admin = server.as('admin');
    const opened = await openBrowser(Number(new URL(server.baseUrl).port));
    if (opened === undefined) return this.skip();
    browser = opened;
    await put('attack.js', 'text/javascript', ATTACK);
  });
  after(async () => {
    await browser?.close();
    await server.remove();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
  });
  afterEach(() => context?.close());

  const put = (name: string, mimeType: string, text: string) =>
    admin.run('mutation ($input: CreateFileInput!) { createFile(input: $input) { path } }', {
      input: { path: '/content/d', name, mimeType, content: Buffer.from(text).toString('base64') },
    });
  const elsewhere = () => `${server.baseUrl}/health/live`;
  const folders = async () => (await server.as('admin', 'system').run('{ node(path: "/planted") { path } }')).node;

  for (const [name, mimeType, text] of [
    ['page.html', 'text/html', '<title>shown</title><script src="attack.js"></script>'],
    [
      'page.svg',
      'image/svg+xml',
      '<svg xmlns="http://www.w3.org/2000/svg"><title>shown</title><script href="attack.js"/></svg>',
    ],
  ] as const) {
    it(`runs no script of an uploaded ${mimeType}, whichever way a person comes to it`, async () => {
      await put(name, mimeType, text);
      await signIn(page, server.baseUrl, 'admin', ADMIN_PASSWORD);
      const url = `${server.baseUrl}/bin/download.cgi/web/content/d/${name}`;
      const statuses = await statusesOf(page);
      for (const visit of visitsOf(page, url, elsewhere())) {
        const [response] = await Promise.all([page.waitForResponse(url), visit.go()]);
        assert.equal(response.headers()['content-security-policy'], 'sandbox', visit.name);
        const title = await page.evaluate("document.querySelector('title').textContent");
        assert.equal(title, 'shown', visit.name);
        assert.equal(await page.evaluate('origin'), 'null', visit.name);
      }
      assert.ok(statuses.filter((status) => status === 304).length >= 2, `the server answered with ${statuses}`);
      assert.equal(await folders(), null);
    });
  }

  it('is not taken for what it is no longer, where its type is another one and its date the same', async () => {
    await put('turned.html', 'text/html', '<title>shown</title><script src="attack.js"></script>');
    await signIn(page, server.baseUrl, 'admin', ADMIN_PASSWORD);
    const url = `${server.baseUrl}/bin/download.cgi/web/content/d/turned.html`;
    await page.goto(url);
    await admin.run(
      `mutation ($p: [PropertyInput!]!) {
        setProperties(path: "/content/d/turned.html/jcr:content", properties: $p) { errors { message } }
      }`,
      { p: [{ name: 'jcr:mimeType', value: { stringValue: 'text/plain' } }] },
    );
    for (const visit of visitsOf(page, url, elsewhere()).slice(1)) {
      await visit.go();
      assert.equal(await page.evaluate('document.contentType'), 'text/plain', visit.name);
    }
    assert.equal(await folders(), null);
  });

  it('is saved, not shown, where nobody knows its type, and a paper is shown, each in its turn', async () => {
    await put('data.unknown', 'application/x-unknown', 'data');
    await put('paper.pdf', 'application/pdf', PAPER);
    await signIn(page, server.baseUrl, 'admin', ADMIN_PASSWORD);
    const root = `${server.baseUrl}/bin/download.cgi/web/content/d`;
    for (let time = 0; time < 2; time++) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.evaluate(`void (location.href = '${root}/data.unknown')`),
      ]);
      assert.equal(download.suggestedFilename(), 'data.unknown');
      assert.equal(await download.failure(), null);
      // The browser's own reader, which is an extension.
      const isReader = (frame: Frame) => frame.url().startsWith('chrome-extension://');
      await Promise.all([page.waitForEvent('framenavigated', isReader), page.goto(`${root}/paper.pdf`)]);
      assert.equal(await page.evaluate('document.contentType'), 'application/pdf');
      await page.goto(elsewhere());
    }
  });

  it('runs the scripts of a website, whichever way a person comes to it', async () => {
    await put('site.html', 'text/html', "<title>dull</title><script>document.title = 'alive'</script>");
    const url = `${server.baseUrl}/bin/cms.cgi/web/content/d/site.html`;
    for (const visit of visitsOf(page, url, elsewhere())) {
      await visit.go();
      assert.equal(await page.title(), 'alive', visit.name);
    }
  });
});
