import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { type LiveServer, liveServer } from '../support/server.js';
import { ADMIN_PASSWORD } from '../support/test-server.js';
import { openBrowser, signIn, visitsOf } from './support/browser.js';

// Slow: a browser starts for it.

/** Of the same site as {@link MILLRACE}, whose cookies browsers send along with what its pages ask for: the worst place that one can choose. */
const CONTENT_ORIGIN = 'http://content.millrace.example';
/** The server by a name without https, to which browsers do not say where a request comes from (`Sec-Fetch-Site`). */
const MILLRACE = 'http://millrace.example';

/** Files by their paths: the media type and the text of each. */
type Site = Readonly<Record<string, readonly [mimeType: string, text: string]>>;

/** A website as people make them: it tells what of it came to life in its page's `seen`. */
const WEBSITE: Site = {
  'index.html': [
    'text/html',
    `<!doctype html><title>site</title>
    <script>window.seen = { inline: true }</script>
    <link rel="stylesheet" href="style.css">
    <script src="classic.js"></script>
    <script type="module" src="module.js"></script>
    <img id="image" src="image.svg">
    <a id="next" href="more/other.html">more</a> <a id="file" href="file.zip">file</a> <a id="pdf" href="paper.pdf">paper</a>`,
  ],
  'style.css': [
    'text/css',
    '@font-face { font-family: own; src: url(own.woff2) } body { color: rgb(1, 2, 3); font-family: own }',
  ],
  'own.woff2': ['font/woff2', 'no font, but asked for as one'],
  'classic.js': ['text/javascript', 'seen.classic = true'],
  'module.js': [
    'text/javascript',
    `import { part } from './part.js';
    seen.module = part;
    seen.data = await (await fetch('data.json')).json();
    seen.missing = (await fetch('none.json')).status;
    seen.own = await fetch('own.json').then(({ status }) => status);
    seen.folder = (await fetch('more')).status;
    seen.storage = (() => { try { localStorage.setItem('a', 'b'); return true } catch { return false } })();
    seen.worker = await (async () => navigator.serviceWorker.register('worker.js'))().then(() => true, () => false);
    window.done = true;`,
  ],
  'part.js': ['text/javascript', "export const part = 'part'"],
  'worker.js': ['text/javascript', '1'],
  'data.json': ['application/json', '{"a":1}'],
  'own.json': ['application/json', '{"b":2}'],
  'image.svg': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>'],
  'file.zip': ['application/zip', 'PK'],
  'paper.pdf': [
    'application/pdf',
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj trailer<</Root 1 0 R>>',
  ],
  'more/other.html': ['text/html', "<title>dull</title><script>document.title = 'other'</script>"],
  'more/index.html': ['text/html', '<title>folder</title>'],
};

/** What comes to life of it where it is in a sandbox. */
const SANDBOXED_SITE = {
  inline: true,
  classic: true,
  module: 'part',
  data: { a: 1 },
  missing: 404,
  own: 404,
  folder: 200,
  storage: false,
  worker: false,
};

/** A page that wants to act for whoever looks at it. It tells how far it came in `seen`. `main`: the origin that it is after; none: its own. */
const planted = (main = ''): string => `<!doctype html><title>planted</title>
<iframe name="framed" src="${main}/bin/auth.cgi/saml2/login"></iframe>
<script type="module">
const main = '${main}';
const tried = async (work) => { try { return await work() } catch (thrown) { return thrown.name } };
const body = JSON.stringify({ query: 'mutation { createFolder(input: { path: "/", name: "planted" }) { path } }' });
const post = (more) => fetch(main + '/bin/graphql.cgi/system', { method: 'POST', credentials: 'include', body, ...more });
const textOf = (path) => tried(() => fetch(main + path, { credentials: 'include' }).then((response) => response.text()));
const loads = (tag, path) => new Promise((resolve) => {
  const element = document.createElement(tag);
  element.onload = () => resolve('loaded');
  element.onerror = () => resolve('refused');
  element.src = main + path;
  document.body.append(element);
});
window.seen = {
  json: await tried(() => post({ headers: { 'Content-Type': 'application/json' } }).then(({ status }) => status)),
  plain: await tried(() => post({ mode: 'no-cors' }).then(({ type }) => type)),
  query: await textOf('/bin/graphql.cgi/system?query={node(path:"/"){path}}'),
  private: await textOf('/bin/cms.cgi/web/content/private/note.html'),
  download: await textOf('/bin/download.cgi/web/content/private/note.html'),
  script: await loads('script', '/bin/graphql.cgi/system?query={node(path:"/"){path}}'),
  downloaded: await loads('script', '/bin/download.cgi/web/content/site/classic.js'),
  image: await loads('img', '/bin/download.cgi/web/content/site/image.svg'),
  events: await new Promise((resolve) => {
    const source = new EventSource(main + '/bin/graphql.cgi/system?query=subscription{nodeChanged(path:"/"){path}}', { withCredentials: true });
    source.onopen = () => resolve('open');
    source.onerror = () => { source.close(); resolve('refused') };
  }),
  framed: await tried(() => frames.framed.document.title),
  above: await tried(() => (opener ?? (parent === self ? undefined : parent))?.document.title ?? 'nobody'),
};
window.own = {
  origin: self.origin,
  cookie: await tried(() => document.cookie),
  storage: await tried(() => localStorage.length),
  database: await tried(() => typeof indexedDB.open('x')),
  worker: await tried(() => navigator.serviceWorker.register('worker.js').then(() => 'registered')),
  shared: await tried(() => typeof new SharedWorker('worker.js')),
};
window.done = true;
</script>`;

/** Forms of a page that wants others to send them. */
const forms = (main = ''): string => `<!doctype html><title>forms</title>
<form id="leave" method="post" action="${main}/auth/logout"></form>
<form id="enter" method="post" action="${main}/bin/auth.cgi/saml2/login">
  <input name="username" value="ann"><input name="password" value="ann">
</form>
<form id="change" method="post" enctype="text/plain" action="${main}/bin/graphql.cgi/system">
  <input name='{"query":"mutation { createFolder(input: { path: \\"/\\", name: \\"planted\\" }) { path } }","x":"' value='"}'>
</form>`;

/** How far it comes. What a request without credentials gives it might have: that is what everybody has. */
const NOWHERE = {
  json: 'TypeError',
  query: 'TypeError',
  private: 'TypeError',
  download: 'TypeError',
  script: 'refused',
  downloaded: 'refused',
  image: 'refused',
  events: 'refused',
  framed: 'SecurityError',
};

/** The original's web client in small: a page with a frame of its own, scripts beside it, and calls of the API. */
const DESKTOP: Site = {
  'index.html': [
    'text/html',
    `<!doctype html><title>desktop</title><link rel="stylesheet" href="style.css"><script type="module" src="app.js"></script>
    <iframe name="app" src="apps/tasks.html"></iframe>`,
  ],
  'style.css': ['text/css', 'body { color: rgb(1, 2, 3) }'],
  'app.js': [
    'text/javascript',
    `const call = (query) => fetch('/bin/graphql.cgi/system', {
      method: 'POST', credentials: 'include', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ query }),
    }).then((response) => response.json());
    localStorage.setItem('theme', 'dark');
    window.seen = { root: await call('{ node(path: "/") { path } }'), theme: localStorage.getItem('theme') };
    window.done = true;`,
  ],
  'apps/tasks.html': ['text/html', "<title>dull</title><script>parent.app = 'alive'</script>"],
};

describe('content in a browser', () => {
  let server: LiveServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;

  before(async function () {
    server = await liveServer({ users: [{ userId: 'ann' }], env: { MILLRACE_CONTENT_ORIGIN: CONTENT_ORIGIN } });
    const opened = await openBrowser(Number(new URL(server.baseUrl).port));
    if (opened === undefined) return this.skip();
    browser = opened;
    await put('web', '/content/site', WEBSITE);
    for (const workspace of ['system', 'web']) await put(workspace, '/content/webtop', DESKTOP);
    await put('web', '/content/d', {
      'planted.html': ['text/html', planted()],
      'planted.svg': [
        'image/svg+xml',
        `<svg xmlns="http://www.w3.org/2000/svg"><script>window.own = origin</script></svg>`,
      ],
      'planted.xhtml': [
        'application/xhtml+xml',
        '<html xmlns="http://www.w3.org/1999/xhtml"><script>window.own = origin</script></html>',
      ],
      'planted.xml': [
        'text/xml',
        '<a xmlns:h="http://www.w3.org/1999/xhtml"><h:script>window.own = origin</h:script></a>',
      ],
      'far.html': ['text/html', planted(MILLRACE)],
      'forms.html': ['text/html', forms()],
      'far-forms.html': ['text/html', forms(MILLRACE)],
      'leads.html': [
        'text/html',
        "<script>try { (opener ?? top).location = '/health/live' } catch {} window.done = true</script>",
      ],
      'worker.js': ['text/javascript', '1'],
      'shared.js': ['text/javascript', '1'],
    });
    await put('web', '/content/private', { 'note.html': ['text/html', 'a secret'] });
    const guests = { principal: 'anonymous', privileges: ['jcr:read'], allow: false };
    for (const path of ['/content/private', '/content/site/own.json']) await setAccess(path, [guests]);
    const signing = await browser.newContext();
    for (const origin of origins()) await signIn(await signing.newPage(), origin, 'admin', ADMIN_PASSWORD);
    signedIn = await signing.storageState();
    await signing.close();
  });
  after(async () => {
    await browser?.close();
    await server.remove();
  });
  beforeEach(async () => {
    context = await browser.newContext({ storageState: signedIn });
    page = await context.newPage();
  });
  afterEach(async () => {
    await context?.close();
    const { node } = await server.as('admin', 'system').run('{ node(path: "/planted") { path } }');
    assert.equal(node, null, 'expected no page to have acted for the administrator');
  });

  const put = async (workspace: string, root: string, files: Site) => {
    for (const [place, [mimeType, text]] of Object.entries(files)) {
      const at = `${root}/${place}`.lastIndexOf('/');
      const [path, name] = [`${root}/${place}`.slice(0, at), `${root}/${place}`.slice(at + 1)];
      await server
        .as('admin', workspace)
        .run('mutation ($input: CreateFileInput!) { createFile(input: $input) { path } }', {
          input: { path, name, mimeType, content: Buffer.from(text).toString('base64') },
        });
    }
  };
  const setAccess = (path: string, entries: readonly unknown[]) =>
    server
      .as('admin')
      .run('mutation ($input: SetAccessControlInput!) { setAccessControl(input: $input) { entries { principal } } }', {
        input: { path, entries },
      });
  /** What a page tells of itself when it has done all that it wanted. */
  const seenIn = async (where: Page | Frame, what: string) => {
    await where.waitForFunction('window.done === true');
    return (await where.evaluate(what)) as Record<string, unknown>;
  };
  const isSignedIn = async (origin: string) => {
    await page.goto(`${origin}/bin/graphql.cgi/system?query={node(path:"/"){path}}`);
    return (await page.textContent('body')) === '{"data":{"node":{"path":"/"}}}';
  };
  const origins = () => [server.baseUrl, MILLRACE];

  describe('is a website', () => {
    it('whose scripts, styles, images, data and fonts are there, whichever way a person comes to it', async () => {
      const fonts: string[] = [];
      page.on('requestfinished', (request) => {
        if (request.resourceType() === 'font') fonts.push(request.url());
      });
      await context.clearCookies();
      const url = `${server.baseUrl}/bin/cms.cgi/web/content/site/index.html`;
      for (const visit of visitsOf(page, url, `${server.baseUrl}/health/live`)) {
        await visit.go();
        assert.deepEqual(await seenIn(page, 'seen'), SANDBOXED_SITE, visit.name);
        assert.equal(await page.evaluate('getComputedStyle(document.body).color'), 'rgb(1, 2, 3)', visit.name);
        assert.equal(await page.evaluate('image.naturalWidth'), 7, visit.name);
      }
      assert.ok(fonts.length > 0, 'expected its font to be loaded');
    });

    it('for those who are signed in, too, who are nobody to it', async () => {
      for (const origin of origins()) {
        await page.goto(`${origin}/bin/cms.cgi/web/content/site/`);
        assert.deepEqual(await seenIn(page, 'seen'), SANDBOXED_SITE, origin);
      }
    });

    it('whose links lead to its pages, its files and its papers', async () => {
      const url = `${server.baseUrl}/bin/cms.cgi/web/content/site/index.html`;
      await page.goto(url);
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#file')]);
      assert.equal(download.suggestedFilename(), 'file.zip');
      await Promise.all([page.waitForURL('**/paper.pdf'), page.click('#pdf')]);
      assert.equal(await page.evaluate('document.contentType'), 'application/pdf');
      await page.goto(url);
      await Promise.all([page.waitForURL('**/more/other.html'), page.click('#next')]);
      assert.equal(await page.title(), 'other');
    });

    it('that has storage and its own origin at the origin of content, with neither sign-in nor API', async () => {
      await page.goto(`${CONTENT_ORIGIN}/bin/cms.cgi/web/content/site/`);
      assert.deepEqual(await seenIn(page, 'seen'), { ...SANDBOXED_SITE, storage: true });
      assert.equal(await page.evaluate('origin'), CONTENT_ORIGIN);
      for (const path of [
        '/bin/graphql.cgi/system',
        '/bin/download.cgi/web/content/site/data.json',
        '/auth/login',
        '/',
      ]) {
        assert.equal(await page.evaluate(`fetch('${path}').then(({ status }) => status)`), 404, path);
      }
    });
  });

  describe('that was planted', () => {
    for (const kind of ['svg', 'xhtml', 'xml']) {
      it(`as ${kind} is of no origin`, async () => {
        await page.goto(`${server.baseUrl}/bin/cms.cgi/web/content/d/planted.${kind}`);
        assert.equal(await page.evaluate('own'), 'null');
      });
    }

    it('reaches neither the API nor what the browser keeps of the server', async () => {
      for (const origin of origins()) {
        await page.goto(`${origin}/bin/cms.cgi/web/content/d/planted.html`);
        const seen = await seenIn(page, 'seen');
        assert.deepEqual(seen, { ...NOWHERE, plain: 'TypeError', above: 'nobody' }, origin);
        const { worker, ...own } = await seenIn(page, 'own');
        assert.match(String(worker), /^(SecurityError|TypeError)$/);
        const none = 'SecurityError';
        assert.deepEqual(own, { origin: 'null', cookie: none, storage: none, database: none, shared: none });
        assert.equal(await isSignedIn(origin), true);
      }
    });

    it('at the origin of content reaches nothing of the server that is of the same site', async () => {
      await page.goto(`${CONTENT_ORIGIN}/bin/cms.cgi/web/content/d/far.html`);
      assert.deepEqual(await seenIn(page, 'seen'), { ...NOWHERE, plain: 'TypeError', above: 'nobody' });
      assert.equal((await seenIn(page, 'own')).cookie, '');
      assert.equal(await isSignedIn(MILLRACE), true);
    });

    it("sends no form with the visitor's cookie", async () => {
      for (const [origin, path] of [
        [server.baseUrl, `${server.baseUrl}/bin/cms.cgi/web/content/d/forms.html`],
        [MILLRACE, `${MILLRACE}/bin/cms.cgi/web/content/d/forms.html`],
        [MILLRACE, `${CONTENT_ORIGIN}/bin/cms.cgi/web/content/d/far-forms.html`],
      ] as const) {
        for (const form of ['leave', 'enter', 'change']) {
          await page.goto(path);
          const [response] = await Promise.all([page.waitForNavigation(), page.evaluate(`${form}.submit()`)]);
          assert.equal(response?.status(), 403, `${form} from ${path}`);
        }
        assert.equal(await isSignedIn(origin), true, path);
      }
    });

    it('has no hold of a page that opens it or frames it, nor of one that it opens', async () => {
      const desktop = `${server.baseUrl}/bin/cms.cgi/system/content/webtop/index.html`;
      const content = `${server.baseUrl}/bin/cms.cgi/web/content/d`;
      for (const name of ['planted.html', 'leads.html']) {
        await page.goto(desktop);
        await seenIn(page, 'seen');
        const [popup] = await Promise.all([
          page.waitForEvent('popup'),
          page.evaluate(`void open('${content}/${name}')`),
        ]);
        await seenIn(popup, 'window.seen');
        const path = `${content}/${name}`;
        const frame = `Object.assign(document.createElement('iframe'), { src: '${path}' })`;
        const [framed] = await Promise.all([
          page.waitForEvent('framenavigated', (one) => one.url() === path),
          page.evaluate(`document.body.append(${frame})`),
        ]);
        await seenIn(framed, 'window.seen');
        if (name === 'planted.html') {
          for (const where of [popup, framed]) assert.equal((await seenIn(where, 'seen')).above, 'SecurityError');
        }
        assert.equal(page.url(), desktop);
      }
      await page.goto(`${content}/planted.html`);
      await seenIn(page, 'seen');
      const [opened] = await Promise.all([
        page.waitForEvent('popup'),
        page.evaluate(`void (window.theirs = open('${desktop}'))`),
      ]);
      await opened.waitForLoadState();
      assert.equal(await opened.evaluate('origin'), 'null');
      assert.equal(
        await page.evaluate('(() => { try { return theirs.document.title } catch { return "refused" } })()'),
        'refused',
      );
    });
  });

  describe('of the web desktop', () => {
    it('loads, keeps its settings and calls the API, whichever way a person comes to it', async () => {
      for (const origin of origins()) {
        const url = `${origin}/bin/cms.cgi/system/content/webtop/index.html`;
        for (const visit of visitsOf(page, url, `${origin}/health/live`)) {
          await visit.go();
          const expected = { root: { data: { node: { path: '/' } } }, theme: 'dark' };
          assert.deepEqual(await seenIn(page, 'seen'), expected, visit.name);
          assert.equal(await page.evaluate('app'), 'alive', visit.name);
          assert.equal(await page.evaluate('getComputedStyle(document.body).color'), 'rgb(1, 2, 3)', visit.name);
        }
      }
    });

    it('works in each workspace, as its menu of workspaces leads there', async () => {
      await page.goto(`${server.baseUrl}/bin/cms.cgi/web/content/webtop/index.html`);
      assert.deepEqual(await seenIn(page, 'seen'), { root: { data: { node: { path: '/' } } }, theme: 'dark' });
      assert.equal(await page.evaluate('app'), 'alive');
    });

    it('has no worker that would stay when it is gone', async () => {
      await page.goto(`${server.baseUrl}/bin/cms.cgi/system/content/webtop/index.html`);
      for (const path of [
        'app.js',
        '/bin/cms.cgi/web/content/d/worker.js',
        '/bin/download.cgi/web/content/d/worker.js',
      ]) {
        const register = `navigator.serviceWorker.register('${path}').then(() => 'registered', ({ message }) => message)`;
        assert.match(String(await page.evaluate(register)), /bad HTTP response code \(403\)/, path);
      }
    });

    it('is what the root leads to', async () => {
      await page.goto(`${server.baseUrl}/`);
      assert.equal(page.url(), `${server.baseUrl}/bin/cms.cgi/system/content/webtop/index.html`);
    });

    it('calls nothing any more as soon as others may write it, also where a browser has it', async () => {
      const url = `${server.baseUrl}/bin/cms.cgi/system/content/webtop/apps/tasks.html`;
      await page.goto(url);
      assert.equal(await page.evaluate('origin'), server.baseUrl);
      const change = (arguments_: string) =>
        server
          .as('admin', 'system')
          .run(
            `mutation { setAccessControl(input: { path: "/content/webtop", entries: ${arguments_} }) { entries { principal } } }`,
          );
      await change('[{ principal: "ann", privileges: ["jcr:modifyProperties"], allow: true }]');
      for (const visit of visitsOf(page, url, `${server.baseUrl}/health/live`).slice(1)) {
        await visit.go();
        assert.equal(await page.evaluate('origin'), 'null', visit.name);
      }
      await change('[]');
      await page.goto(url);
      assert.equal(await page.evaluate('origin'), server.baseUrl);
    });
  });
});
