import assert from 'node:assert/strict';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

const SHOWN = `identifier name title icon path relPath modified editor contentTypes category enableStartMenu isAdminOnly singleton customWindowControls
  minimumWidth minimumHeight actions { identifier label icon title handler }`;

describe('web applications', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    admin = server.as('admin');
    const described =
      'title: Tables\nicon: assets/t.svg\nisAdminOnly: true\nminimumWidth: 480\nactions:\n  open:\n    label: Open\n';
    await file('/content/apps/tables', 'app.yml', described);
    await file('/content/apps/tables', 'index.html', '<p>Tables</p>');
    await file('/content/apps/office/memo', 'app.yml', `title: Memo\n# ${'long '.repeat(1_000)}\n`);
    await file('/content/apps/office/memo', 'icon.svg', '<svg/>');
    await file('/content/apps/broken', 'app.yml', 'title: [a\n');
    await file('/content/apps/large', 'app.yml', 'a'.repeat(20_000));
    await file('/content/apps/none', 'other.yml', 'title: None');
    await file('/content/apps/secret', 'app.yml', 'title: Secret');
    await admin.run(
      'mutation { setAccessControl(path: "/content/apps/secret", entries: [{ principal: "everyone", privileges: ["jcr:all"], allow: false }]) { entries { allow } } }',
    );
    await admin.run('mutation { createFolder(path: "/content/apps/folder", name: "app.yml") { id } }');
  });
  after(() => server.remove());

  const file = (path: string, name: string, text: string) =>
    admin.run('mutation ($input: CreateFileInput!) { createFile(input: $input) { id } }', {
      input: { path, name, mimeType: 'text/plain', content: Buffer.from(text).toString('base64') },
    });
  const titles = async (path: string, as = admin, page = 'first: 100') => {
    const { apps } = await as.run(
      `query ($path: String!) { apps(path: $path, ${page}) { edges { node { title relPath } cursor } pageInfo { hasNextPage endCursor } totalCount } }`,
      { path },
    );
    return { ...apps, told: apps.edges.map(({ node }) => `${node.relPath}: ${node.title}`) };
  };

  it('are the folders with a descriptor below a path, as it describes them', async () => {
    const { apps } = await admin.run(`{ apps(path: "/content/apps/") { edges { node { ${SHOWN} } } totalCount } }`);
    assert.equal(apps.totalCount, 5);
    const [broken, , memo, , tables] = apps.edges.map(({ node }) => node);
    const { modified, ...rest } = tables ?? { modified: null };
    assert.match(modified ?? '', /^\d{4}-\d\d-\d\dT/);
    const none = {
      identifier: null,
      editor: false,
      contentTypes: [],
      category: null,
      enableStartMenu: null,
      singleton: false,
      customWindowControls: false,
    };
    assert.deepEqual(rest, {
      ...{
        ...none,
        name: 'tables',
        title: 'Tables',
        icon: 'assets/t.svg',
        path: '/content/apps/tables',
        relPath: 'tables',
      },
      ...{ isAdminOnly: true, minimumWidth: 480, minimumHeight: null },
      actions: [{ identifier: 'open', label: 'Open', icon: null, title: null, handler: null }],
    });
    assert.deepEqual([memo?.title, memo?.icon, memo?.relPath, memo?.name], ['Memo', 'icon.svg', 'office/memo', 'memo']);
    assert.deepEqual([broken?.title, broken?.name, broken?.actions], [null, 'broken', []]);
  });

  it('with a descriptor that cannot be read say why', async () => {
    const { apps } = await admin.run('{ apps(path: "/content/apps") { edges { node { name problem } } } }');
    const problems = Object.fromEntries(apps.edges.map(({ node }) => [node.name, node.problem]));
    assert.match(problems.broken ?? '', /^line \d, column \d+: /);
    assert.match(problems.large ?? '', /at most 16384 bytes, but there are 20000/);
    assert.deepEqual([problems.tables, problems.memo, problems.secret], [null, null, null]);
  });

  it('are those that the caller may read', async () => {
    const { told, totalCount } = await titles('/content/apps', server.as('ann'));
    assert.deepEqual(told, ['broken: null', 'large: null', 'office/memo: Memo', 'tables: Tables']);
    assert.equal(totalCount, 4);
    assert.deepEqual((await titles('/content/apps/secret', server.as('ann'))).told, []);
    assert.deepEqual((await titles('/content/apps/secret')).told, ['secret: Secret']);
  });

  it('are found from wherever it is asked, and by pages', async () => {
    assert.deepEqual((await titles('/')).told.length, 5);
    assert.equal((await titles('/')).told[4], 'content/apps/tables: Tables');
    assert.deepEqual((await titles('/content/apps/office')).told, ['memo: Memo']);
    assert.deepEqual((await titles('/content/nothing')).told, []);
    assert.deepEqual((await titles('/content/apps/tables/app.yml')).told, []);
    const first = await titles('/content/apps', admin, 'first: 2');
    assert.deepEqual([first.told, first.pageInfo.hasNextPage], [['broken: null', 'large: null'], true]);
    const rest = await titles('/content/apps', admin, `first: 3, after: "${first.pageInfo.endCursor}"`);
    assert.deepEqual([rest.told.length, rest.pageInfo.hasNextPage, rest.totalCount], [3, false, 5]);
    for (const [path, page] of [
      ['content/apps', 'first: 1'],
      ['/content/apps', 'first: -1'],
      ['/content/apps', 'after: "nonsense"'],
    ] as const)
      await assert.rejects(titles(path, admin, page), { code: 'BAD_REQUEST' }, `${path} ${page}`);
  });
});
