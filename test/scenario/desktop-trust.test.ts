import assert from 'node:assert/strict';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

/** An entry of an access control list, as the API takes it. */
interface Entry {
  readonly principal: string;
  readonly privileges: readonly string[];
  readonly allow?: boolean;
}

const USERS = [{ userId: 'ann', groups: ['staff'] }, { userId: 'bob' }, { userId: 'eve', roles: ['administrator'] }];
const allow = (principal: string, ...privileges: string[]): Entry => ({ principal, privileges, allow: true });
const deny = (principal: string, ...privileges: string[]): Entry => ({ principal, privileges, allow: false });

describe('the web desktop is trusted', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: USERS });
    admin = server.as('admin', 'system');
    for (const path of ['/content/webtop/apps/tasks', '/content/webtop', '/content/other', '/content/webtop2']) {
      await put(admin, path, 'index.html');
    }
    await put(server.as('admin', 'web'), '/content/webtop', 'index.html');
  });
  after(() => server.remove());

  const put = (as: GraphqlClient, path: string, name: string) =>
    as.run('mutation ($input: CreateFileInput!) { createFile(input: $input) { path } }', {
      input: { path, name, mimeType: 'text/html', content: Buffer.from('<p>page</p>').toString('base64') },
    });
  const set = (path: string, ...entries: Entry[]) => setIn(admin, path, ...entries);
  const setIn = (as: GraphqlClient, path: string, ...entries: Entry[]) =>
    as.run('mutation ($input: SetAccessControlInput!) { setAccessControl(input: $input) { entries { principal } } }', {
      input: { path, entries },
    });
  const policyOf = async (path: string) => {
    const response = await fetch(`${server.baseUrl}/bin/cms.cgi${path}`);
    assert.equal(response.status, 200, path);
    return response.headers.get('content-security-policy') ?? '';
  };
  /** Both pages, as trust is of the folder as a whole. */
  const isTrusted = async () => {
    const found: boolean[] = [];
    for (const path of ['/system/content/webtop/index.html', '/system/content/webtop/apps/tasks/index.html']) {
      const policy = await policyOf(path);
      assert.match(policy, /^(frame-ancestors 'self'|sandbox allow-scripts allow-forms allow-popups .*)$/);
      found.push(!policy.startsWith('sandbox'));
    }
    assert.equal(found[0], found[1]);
    return found[0];
  };

  it('as it is at first, and what lies elsewhere is not', async () => {
    assert.equal(await isTrusted(), true);
    for (const path of ['/system/content/other/index.html', '/system/content/webtop2/index.html']) {
      assert.match(await policyOf(path), /^sandbox allow-scripts allow-forms allow-popups/, path);
    }
  });

  it('in each workspace by the rights there', async () => {
    const web = server.as('admin', 'web');
    const isTrustedThere = async () => !(await policyOf('/web/content/webtop/index.html')).startsWith('sandbox');
    assert.equal(await isTrustedThere(), true);
    await setIn(web, '/content/webtop', allow('bob', 'jcr:write'));
    assert.deepEqual([await isTrustedThere(), await isTrusted()], [false, true]);
    await setIn(web, '/content/webtop');
    await set('/content/webtop', allow('bob', 'jcr:write'));
    assert.deepEqual([await isTrustedThere(), await isTrusted()], [true, false]);
    await set('/content/webtop');
    assert.equal(await isTrusted(), true);
  });

  const cases: readonly (readonly [what: string, path: string, entries: readonly Entry[], trusted: boolean])[] = [
    ['while others only read', '/content/webtop', [allow('ann', 'jcr:read', 'jcr:readAccessControl')], true],
    ['while administrators alone write by name', '/content/webtop', [allow('eve', 'jcr:all')], true],
    ...['jcr:write', 'jcr:addChildNodes', 'jcr:modifyProperties', 'jcr:removeNode', 'jcr:modifyAccessControl'].map(
      (privilege) =>
        [`not while somebody has ${privilege}`, '/content/webtop', [allow('bob', privilege)], false] as const,
    ),
    ['not while a group writes', '/content/webtop', [allow('staff', 'jcr:write')], false],
    ['not while everyone writes', '/content/webtop', [allow('everyone', 'jcr:write')], false],
    ['not while somebody writes who may come', '/content/webtop', [allow('nobody-yet', 'jcr:write')], false],
    ['not while somebody writes above', '/content', [allow('bob', 'jcr:write')], false],
    ['not while somebody writes within', '/content/webtop/apps', [allow('bob', 'jcr:write')], false],
    ['not while somebody writes one file', '/content/webtop/apps/tasks/index.html', [allow('bob', 'jcr:write')], false],
    [
      'not while somebody writes the content of one file',
      '/content/webtop/index.html/jcr:content',
      [allow('bob', 'jcr:modifyProperties')],
      false,
    ],
    [
      'while what was granted is taken away again',
      '/content/webtop',
      [allow('bob', 'jcr:write'), deny('everyone', 'jcr:write')],
      true,
    ],
    [
      'not while it is taken away from somebody else',
      '/content/webtop',
      [allow('staff', 'jcr:write'), deny('bob', 'jcr:write')],
      false,
    ],
  ];
  for (const [what, path, entries, trusted] of cases) {
    it(what, async () => {
      await set(path, ...entries);
      assert.equal(await isTrusted(), trusted);
      await set(path);
      assert.equal(await isTrusted(), true);
    });
  }

  it('again where what was granted above is taken away at its folder, and not where that is given within', async () => {
    await set('/content', allow('bob', 'jcr:write'));
    assert.equal(await isTrusted(), false);
    await set('/content/webtop', deny('bob', 'jcr:write'));
    assert.equal(await isTrusted(), true);
    await set('/content/webtop/apps', allow('bob', 'jcr:write'));
    assert.equal(await isTrusted(), false);
    for (const path of ['/content/webtop/apps', '/content', '/content/webtop']) await set(path);
    assert.equal(await isTrusted(), true);
  });

  it('not while something lies there that was moved there with rights of its own, until it is gone', async () => {
    await put(admin, '/content/other/deep/folder', 'index.html');
    await set('/content/other/deep/folder', allow('bob', 'jcr:write'));
    assert.equal(await isTrusted(), true);
    await admin.run('mutation ($input: MoveNodeInput!) { moveNode(input: $input) { path } }', {
      input: { sourcePath: '/content/other/deep', destPath: '/content/webtop' },
    });
    assert.equal(await isTrusted(), false);
    await admin.run('mutation { deleteNode(input: { path: "/content/webtop/deep" }) }');
    assert.equal(await isTrusted(), true);
  });

  it('not in the folder that takes the place of the one that was', async () => {
    await put(admin, '/content/next', 'index.html');
    await put(admin, '/content/next/apps/tasks', 'index.html');
    await set('/content/next/apps', allow('bob', 'jcr:write'));
    const rename = (path: string, name: string) =>
      admin.run('mutation ($input: RenameNodeInput!) { renameNode(input: $input) { path } }', {
        input: { path, name },
      });
    assert.equal(await isTrusted(), true);
    await rename('/content/webtop', 'before');
    await rename('/content/next', 'webtop');
    assert.equal(await isTrusted(), false);
    await rename('/content/webtop', 'next');
    await rename('/content/before', 'webtop');
    assert.equal(await isTrusted(), true);
  });

  it('after many changes elsewhere, which say nothing about it', async () => {
    for (let at = 0; at < 3; at++) {
      const operations = Array.from({ length: 40 }, (_, n) => ({
        createFolder: { path: '/content/other', name: `f${at}-${n}` },
      }));
      await admin.run(
        'mutation ($operations: [ContentOperation!]!) { contentTransaction(operations: $operations) { __typename } }',
        { operations },
      );
      assert.equal(await isTrusted(), true);
    }
  });
});
