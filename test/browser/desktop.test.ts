import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { endOf, importByJob } from '../scenario/support/jobs.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { zipped } from '../support/zipped.js';
import { openBrowser, statusesOf } from './support/browser.js';

// Slow: a browser starts for it.

const PAGE =
  '<!doctype html><title>boot</title><link rel="stylesheet" href="style.css?v=1"><script type="module" src="desktop.js?v=1"></script>';

/**
 * What the original's web client does on its way to a desktop, in its order and with its requests: who am I, in `system`; else to sign-in, and back
 * to this very address; then one stream of `system` and one of the own workspace, each with operations that have their arguments in their text.
 */
const SCRIPT = `
const workspace = location.pathname.split('/')[3];
window.ask = async (query, variables, where = 'system') => {
  const response = await fetch('/bin/graphql.cgi/' + where, {
    method: 'POST', headers: { 'Content-Type': 'application/json', Accept: 'application/json' }, credentials: 'include',
    body: JSON.stringify({ query, variables }),
  });
  if (!response.ok) throw new Error('HTTP ' + response.status);
  const { data, errors } = await response.json();
  if (errors?.length) throw new Error(errors[0].message);
  return data;
};
window.told = [];
window.opened = 0;
const follow = async (where, documents) => {
  const stream = '/bin/graphql.cgi/' + where + '/stream';
  const reserved = await fetch(stream, { method: 'PUT', credentials: 'include' });
  const token = (await reserved.text()).trim();
  const source = new EventSource(stream + '?token=' + token, { withCredentials: true });
  source.addEventListener('next', ({ data }) => told.push(Object.values(JSON.parse(data).payload.data)[0]));
  source.addEventListener('complete', () => told.push('complete'));
  source.onerror = () => { source.close(); follow(where, documents); };
  await new Promise((resolve) => (source.onopen = resolve));
  for (const [at, query] of documents.entries()) {
    const operation = { query: 'subscription { ' + query + ' }', extensions: { operationId: String(at) } };
    const posted = await fetch(stream + '?token=' + token, {
      method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: JSON.stringify(operation),
    });
    if (posted.status !== 202) throw new Error('stream ' + posted.status);
  }
  opened++;
};
const { me } = await ask('query GetMe { me { username roles { roleId name } effectiveGroups { groupId } } }').catch(() => ({ me: null }));
if (me === null) location.href = '/bin/auth.cgi/saml2/login?RelayState=' + encodeURIComponent(location.href);
else {
  const user = JSON.stringify(me.username);
  await Promise.all([
    follow(workspace, ['taskAssigned(assignee: ' + user + ') { task { id } }', 'nodeChanged(path: "/content/shared", deep: false) { path eventType }']),
    follow('system', [
      'preferenceChanged(userId: ' + user + ') { category data userId }',
      'wallpaperChanged(userId: ' + user + ') { filename action }',
      'avatarChanged(userId: ' + user + ') { userId }',
    ]),
  ]);
  document.title = 'desktop of ' + me.username;
}`;

/** Puts a picture into the user's home, as the client does: in pieces, then as a file that replaces what was there. */
const UPLOAD = `(async (folder, name) => {
  const { initiateMultipartUpload: { uploadId } } = await ask('mutation ($input: InitiateMultipartUploadInput) { initiateMultipartUpload(input: $input) { uploadId totalSize } }', { input: {} });
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>';
  for (const data of [btoa(picture.slice(0, 30)), btoa(picture.slice(30))]) {
    await ask('mutation ($input: AppendMultipartUploadChunkInput!) { appendMultipartUploadChunk(input: $input) { totalSize } }', { input: { uploadId, data } });
  }
  await ask('mutation ($input: CompleteMultipartUploadInput!) { completeMultipartUpload(input: $input) { path size } }',
    { input: { uploadId, path: folder, name, mimeType: 'image/svg+xml', overwrite: true } });
  const { node } = await ask('query ($path: String!) { node(path: $path) { downloadUrl modified } }', { path: folder + '/' + name });
  const image = new Image();
  image.src = node.downloadUrl + '?t=' + Date.parse(node.modified);
  await image.decode();
  return image.naturalWidth;
})`;

describe('the web desktop in a browser', () => {
  let server: LiveServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  before(async function () {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    const opened = await openBrowser(Number(new URL(server.baseUrl).port));
    if (opened === undefined) return this.skip();
    browser = opened;
    // As an administrator puts it there: a ZIP of its files, which are replaced where there are some.
    const files = { 'index.gsp': PAGE, 'desktop.js': SCRIPT, 'style.css': 'body { color: rgb(1, 2, 3) }' };
    const zip = await zipped(Object.fromEntries(Object.entries(files).map(([name, text]) => [`webtop/${name}`, text])));
    for (const workspace of ['system', 'web']) {
      const input = { destPath: '/content', takenPaths: 'REPLACE' };
      const { status, errorMessage } = await importByJob(server.as('admin', workspace), zip, input);
      assert.equal(status, 'completed', errorMessage ?? '');
    }
    const texts = await zipped({ 'en.json': '{}' });
    assert.equal(
      (await importByJob(server.as('admin', 'system'), texts, { destPath: '/etc/i18n' })).status,
      'completed',
    );
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

  const desktop = (workspace: string) => `${server.baseUrl}/bin/cms.cgi/${workspace}/content/webtop/index.gsp`;
  const shown = (where: Page, userId = 'ann') =>
    where.waitForFunction(`document.title === 'desktop of ${userId}' && opened === 2`);
  /** Comes from the root, signs in where the page leads, and is back on it. */
  const boot = async (password = 'ann') => {
    await page.goto(`${server.baseUrl}/`);
    await page.waitForURL(/\/bin\/auth\.cgi\/saml2\/login\?RelayState=/);
    await page.fill('#username', 'ann');
    await page.fill('#password', password);
    await page.click('button');
    await shown(page);
  };
  const told = (where: Page, count: number) =>
    where.waitForFunction(`told.length >= ${count}`).then(() => where.evaluate('told.splice(0)')) as Promise<
      readonly unknown[]
    >;

  it('is come to from the root by way of sign-in, which leads back to its very address', async () => {
    const at = `${desktop('system')}?desk=1&of=${encodeURIComponent('a b')}#top`;
    await page.goto(at);
    await page.waitForURL(/\/bin\/auth\.cgi\/saml2\/login/);
    await page.fill('#username', 'ann');
    await page.fill('#password', 'ann');
    await page.click('button');
    await shown(page);
    assert.equal(page.url(), at);
    await page.goto(`${server.baseUrl}/`);
    await shown(page);
    assert.equal(page.url(), desktop('system'));
    const cookies = await context.cookies();
    assert.deepEqual(
      cookies.map(({ httpOnly, sameSite, path }) => ({ httpOnly, sameSite, path })),
      [{ httpOnly: true, sameSite: 'Lax', path: '/' }],
    );
  });

  it('loads once what has a version in its address', async () => {
    await boot();
    const statuses = await statusesOf(page);
    const asked: string[] = [];
    page.on('response', (response) => asked.push(new URL(response.url()).pathname.split('/').at(-1) ?? ''));
    await page.goto(desktop('system'));
    await shown(page);
    assert.deepEqual(
      ['desktop.js', 'style.css'].map((name) => asked.includes(name)),
      [true, true],
    );
    // The page, which is the same, who am I, and both streams with their operations: no style, no script.
    assert.deepEqual([...statuses].sort(), [200, 200, 200, 201, 201, 202, 202, 202, 202, 202, 304]);
  });

  it('tells every page of the user what was changed in one of them', async () => {
    await boot();
    const other = await context.newPage();
    await other.goto(desktop('web'));
    await shown(other);
    const set = `ask('mutation ($input: UpdatePreferencesInput!) { updatePreferences(input: $input) { category data errors { code } } }', { input: { username: 'ann', category: 'appearance', data: { theme: 'dark' } } })`;
    assert.deepEqual(await page.evaluate(set), {
      updatePreferences: { category: 'appearance', data: { theme: 'dark' }, errors: null },
    });
    for (const one of [page, other]) {
      assert.deepEqual(await told(one, 1), [{ category: 'appearance', data: { theme: 'dark' }, userId: 'ann' }]);
    }
    assert.equal(await page.evaluate(`${UPLOAD}('/home/users/ann', 'avatar')`), 7);
    assert.equal(await page.evaluate(`${UPLOAD}('/home/users/ann/wallpapers', 'wallpaper_1')`), 7);
    const events = [{ userId: 'ann' }, { filename: 'wallpaper_1', action: 'added' }];
    for (const one of [page, other]) assert.deepEqual(await told(one, 2), events);
    const remove = `ask('mutation ($input: DeleteNodeInput!) { deleteNode(input: $input) }', { input: { path: '/home/users/ann/avatar' } })`;
    assert.deepEqual(await page.evaluate(remove), { deleteNode: true });
    for (const one of [page, other]) assert.deepEqual(await told(one, 1), [{ userId: 'ann' }]);
  });

  it('follows what happens in the workspace that it is of', async () => {
    await boot();
    const other = await context.newPage();
    await other.goto(desktop('web'));
    await shown(other);
    for (const workspace of ['web', 'system']) {
      await server
        .as('admin', workspace)
        .run('mutation { createFolder(input: { path: "/content/shared", name: "made" }) { path } }');
    }
    for (const one of [page, other]) {
      const events = (await told(one, 1)) as readonly { path: string }[];
      assert.equal(events[0]?.path, '/content/shared');
    }
    const there = `ask('{ node(path: "/home/users/ann/Desktop") { nodeType } me { username } }', undefined, 'web')`;
    assert.deepEqual(await other.evaluate(there), { node: { nodeType: 'nt:folder' }, me: null });
  });

  it('is in a new workspace, too, as its menu of workspaces leads there', async () => {
    const admin = server.as('admin', 'system');
    const { createWorkspace } = await admin.run(
      'mutation { createWorkspace(input: { name: "shop" }) { jobId errors { message } } }',
    );
    assert.equal((await endOf(admin, createWorkspace.jobId ?? '')).status, 'completed');
    await boot();
    await page.goto(desktop('shop'));
    await shown(page);
    const texts = `ask('{ node(path: "/etc/i18n/en.json") { mimeType } }', undefined, 'shop')`;
    assert.deepEqual(await page.evaluate(texts), { node: { mimeType: 'application/json' } });
  });

  it('goes on with another session when the own password is another one, and its streams come back by themselves', async () => {
    await boot();
    const change = (from: string, to: string) =>
      page.evaluate(
        `ask('mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { user { username } errors { code } } }', { input: { username: 'ann', currentPassword: '${from}', newPassword: '${to}' } })`,
      );
    assert.deepEqual(await change('wrong', 'another'), {
      changePassword: { user: null, errors: [{ code: 'INVALID_CREDENTIALS' }] },
    });
    assert.deepEqual(await change('ann', 'another'), { changePassword: { user: { username: 'ann' }, errors: null } });
    await page.waitForFunction('opened === 4');
    assert.deepEqual(await page.evaluate(`ask('{ me { username } }')`), { me: { username: 'ann' } });
    assert.deepEqual(await page.evaluate('told'), []);
    await change('another', 'ann');
    await page.waitForFunction('opened === 6');
  });

  it('is left by sign-out, which ends its streams, and leads to sign-in again', async () => {
    await boot();
    await page.evaluate(`void (location.href = '/bin/auth.cgi/saml2/logout?RelayState=' + encodeURIComponent('/'))`);
    await page.waitForURL(/\/bin\/auth\.cgi\/saml2\/login\?RelayState=/);
    assert.deepEqual(await context.cookies(), []);
  });
});
