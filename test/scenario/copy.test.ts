import assert from 'node:assert/strict';
import { GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { makeTree, pathsBelow, transact } from './support/trees.js';

const COPY = `mutation ($input: CopyNodeInput!) { copyNode(input: $input) { id uuid path name nodeType mixins created createdBy isLocked isCheckedOut mimeType size } }`;
const NODE = `query ($path: String!) { node(path: $path) { id uuid version mixins properties { name propertyValue {
  ... on StringPropertyValue { value } ... on ReferencePropertyValue { value path } ... on WeakreferencePropertyValue { value path } } } } }`;
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('copying nodes', function () {
  this.timeout(60_000);
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    admin = server.as('admin');
  });
  after(() => server.remove());

  const copy = async (input: object, client = admin) => (await client.run(COPY, { input })).copyNode;
  const node = async (path: string) => (await admin.run(NODE, { path })).node;

  it('makes a deep copy with new identifiers, bytes and properties', async () => {
    await transact(admin, [
      { createFolder: { path: '/content/from', name: 'a' } },
      { createFile: { path: '/content/from/a', name: 'f.txt', content: base64('hello'), mimeType: 'text/plain' } },
      { setProperties: { path: '/content/from/a', properties: [{ name: 'title', value: { stringValue: 'T' } }] } },
    ]);
    const made = await copy({ sourcePath: '/content/from', destPath: '/content', name: 'to' });
    assert.deepEqual([made.path, made.nodeType, made.createdBy], ['/content/to', 'nt:folder', 'admin']);
    assert.deepEqual(await pathsBelow(admin, '/content/to'), await pathsBelow(admin, '/content/from', '/content/to'));
    const [source, copied] = [await node('/content/from/a/f.txt'), await node('/content/to/a/f.txt')];
    assert.notEqual(source?.id, copied?.id);
    assert.deepEqual((await node('/content/to/a'))?.properties, (await node('/content/from/a'))?.properties);
    const file = await copy({ sourcePath: '/content/from/a/f.txt', destPath: '/content/to' });
    assert.deepEqual([file.path, file.size, file.mimeType], ['/content/to/f.txt', 5, 'text/plain']);
  });

  it('leads references within the copy to the copies, others where they led', async () => {
    const unstructured = { nodeType: 'nt:unstructured', mixins: ['mix:referenceable'] };
    await transact(admin, [
      { createNode: { path: '/content', name: 'outside', ...unstructured } },
      { createNode: { path: '/content', name: 'refs', nodeType: 'nt:unstructured' } },
      { createNode: { path: '/content/refs', name: 'target', ...unstructured } },
    ]);
    const [target, outside] = [await node('/content/refs/target'), await node('/content/outside')];
    const properties = [
      { name: 'inner', value: { referenceValue: target?.id } },
      { name: 'weak', value: { weakReferenceValue: target?.id } },
      { name: 'outer', value: { referenceValue: outside?.id } },
    ];
    await transact(admin, [
      { createNode: { path: '/content/refs', name: 'holder', nodeType: 'nt:unstructured', properties } },
    ]);
    await copy({ sourcePath: '/content/refs', destPath: '/content', name: 'refs2' });
    const copied = await node('/content/refs2/holder');
    const paths = copied?.properties.map(({ name, propertyValue }) => [
      name,
      (propertyValue as { path?: string }).path,
    ]);
    assert.deepEqual(paths, [
      ['inner', '/content/refs2/target'],
      ['weak', '/content/refs2/target'],
      ['outer', '/content/outside'],
    ]);
    const { id, uuid } = (await node('/content/refs2/target')) ?? {};
    assert.equal(uuid, id);
    assert.equal(
      (await refusal(admin.run('mutation { deleteNode(input: { path: "/content/outside" }) }'))).code,
      'CONFLICT',
    );
  });

  it('keeps order and names that repeat', async () => {
    await transact(admin, [
      { createNode: { path: '/content', name: 'list', nodeType: 'nt:unstructured' } },
      ...['c', 'a', 'b', 'a'].map((name) => ({
        createNode: { path: '/content/list', name, nodeType: 'nt:unstructured', allowSameNameSiblings: true },
      })),
    ]);
    await copy({ sourcePath: '/content/list', destPath: '/content', name: 'list2' });
    assert.deepEqual(await pathsBelow(admin, '/content/list2'), [
      '/content/list2/c',
      '/content/list2/a',
      '/content/list2/b',
      '/content/list2/a[2]',
    ]);
  });

  it('refuses what cannot be', async () => {
    await transact(admin, [
      { createFolder: { path: '/content/x', name: 'below' } },
      { createNode: { path: '/content', name: 'loose', nodeType: 'nt:unstructured' } },
    ]);
    const code = async (input: object, client = admin) => (await refusal(copy(input, client))).code;
    assert.equal(await code({ sourcePath: '/content/x', destPath: '/content/x/below' }), 'BAD_REQUEST');
    assert.equal(await code({ sourcePath: '/content/x', destPath: '/content/x' }), 'BAD_REQUEST');
    assert.equal(await code({ sourcePath: '/content/x', destPath: '/content' }), 'ALREADY_EXISTS');
    assert.equal(await code({ sourcePath: '/content/nowhere', destPath: '/content' }), 'BAD_REQUEST');
    assert.equal(await code({ sourcePath: '/content/x', destPath: '/content/nowhere' }), 'BAD_REQUEST');
    assert.equal(await code({ sourcePath: '/', destPath: '/content', name: 'root' }), 'BAD_REQUEST');
    assert.equal(await code({ sourcePath: '/content/loose', destPath: '/content/x' }), 'BAD_REQUEST');
    assert.equal(await code({ sourcePath: '/content/x', destPath: '/content', name: 'a/b' }), 'BAD_REQUEST');
    const version = { sourcePath: '/content/x', destPath: '/content', name: 'y', expectedVersion: 1 };
    assert.equal(await code(version), 'CONFLICT');
    assert.equal(
      await code({ sourcePath: '/content/x', destPath: '/content', name: 'y' }, server.as('ann')),
      'FORBIDDEN',
    );
  });

  it('copies from another workspace with the rights there', async () => {
    const other = server.as('admin', 'system');
    await makeTree(other, '/content/there', { folders: 3, files: 4 });
    const made = await copy({ sourcePath: '/content/there', destPath: '/content', sourceWorkspace: 'system' });
    assert.equal(made.path, '/content/there');
    assert.deepEqual(await pathsBelow(admin, '/content/there'), await pathsBelow(other, '/content/there'));
    const unknown = { sourcePath: '/content/there', destPath: '/content', name: 'z', sourceWorkspace: 'nowhere' };
    assert.match((await refusal(copy(unknown))).message, /BAD_REQUEST: .*'nowhere'/);
    const hidden = { sourcePath: '/var/jobs', destPath: '/content', name: 'z', sourceWorkspace: 'system' };
    assert.match((await refusal(copy(hidden, server.as('ann')))).message, /FORBIDDEN|Source node not found/);
  });

  it('copies from no workspace that is out of the scope of a token', async () => {
    const create = (workspaces: string) =>
      server
        .as('admin', 'system')
        .run(
          `mutation { createApiToken(input: { name: "copies", scopes: [READ, WRITE], workspaces: ${workspaces} }) { secret } }`,
        );
    const by = async (workspaces: string) =>
      new GraphqlClient(admin.url, { token: (await create(workspaces)).createApiToken.secret ?? '' });
    const input = { sourcePath: '/content/there', destPath: '/content', name: 'by-token', sourceWorkspace: 'system' };
    const refused = await refusal(copy(input, await by('["web"]')));
    assert.deepEqual(refused.errors[0]?.extensions.details, { missing: { workspace: 'system' } });
    assert.equal((await copy(input, await by('["web", "system"]'))).path, '/content/by-token');
  });

  it('copies within itself where it is named as the other workspace', async () => {
    const made = await copy({ sourcePath: '/content/x', destPath: '/content', name: 'own', sourceWorkspace: 'web' });
    assert.equal(made.path, '/content/own');
  });

  for (const { files, what } of [
    { files: 1, what: 'a small copy' },
    { files: 100, what: 'a large copy' },
  ])
    it(`does not open what a list had closed: ${what} has the lists of its source`, async () => {
      const name = `closed-${files}`;
      const ann = server.as('ann');
      await admin.run(`mutation { createFolder(path: "/content/${name}", name: "inner") { id } }`);
      await makeTree(admin, `/content/${name}/inner`, { folders: 1, files });
      const list = 'mutation ($input: SetAccessControlInput!) { setAccessControl(input: $input) { __typename } }';
      const deny = { principal: 'everyone', privileges: ['jcr:read'], allow: false };
      await admin.run(list, { input: { path: `/content/${name}/inner`, entries: [deny] } });
      const sees = async (path: string, client = ann) =>
        (await client.run('query ($path: String!) { node(path: $path) { id } }', { path })).node !== null;
      await copy({ sourcePath: `/content/${name}`, destPath: '/content', name: `${name}-2` });
      assert.equal(await sees(`/content/${name}-2`), true);
      assert.equal(await sees(`/content/${name}-2/inner/d0`), false);
      assert.equal(await sees(`/content/${name}-2/inner/d0`, admin), true);
      const { accessControl } = await admin.run(
        `{ accessControl(path: "/content/${name}-2/inner") { entries { allow privileges } } }`,
      );
      assert.deepEqual(accessControl?.entries, [{ allow: false, privileges: ['jcr:read'] }]);

      // Whoever may not set lists gains nothing by a copy of one.
      await admin.run(list, {
        input: { path: `/content/${name}/inner`, entries: [{ principal: 'ann', privileges: ['jcr:all'] }] },
      });
      await admin.run(`mutation { createFolder(path: "/content", name: "${name}-open") { id } }`);
      await admin.run(list, {
        input: { path: `/content/${name}-open`, entries: [{ principal: 'ann', privileges: ['jcr:addChildNodes'] }] },
      });
      const input = { sourcePath: `/content/${name}/inner`, destPath: `/content/${name}-open` };
      const { extensions } = await ann.ask(COPY, { variables: { input } });
      assert.deepEqual(extensions?.copiesWithoutAccessControl, [`/content/${name}-open/inner`], 'that is said');
      const remove = ann.run(`mutation { deleteNode(input: { path: "/content/${name}-open/inner" }) }`);
      assert.equal((await refusal(remove)).code, 'FORBIDDEN');
      const steps = [
        { copyNode: { ...input, name: 'again' } },
        { copyNode: { ...input, sourcePath: `/content/${name}/inner/d0`, name: 'bare' } },
      ];
      const done = await ann.ask(
        'mutation ($steps: [ContentOperation!]!) { contentTransaction(operations: $steps) { results { ok } } }',
        { variables: { steps } },
      );
      assert.deepEqual(done.extensions?.copiesWithoutAccessControl, [`/content/${name}-open/again`]);
      const { extensions: none } = await admin.ask(COPY, { variables: { input: { ...input, name: 'whole' } } });
      assert.equal(none?.copiesWithoutAccessControl, undefined);
    });
});
