import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { transact } from './support/trees.js';

const ROWS = 2_500;
const IMPORT = 'mutation ($input: ImportXmlInput!) { importXml(input: $input) { created } }';
const EXPORT = 'query ($path: String!) { exportXml(path: $path, view: SYSTEM) }';
const NODE =
  'query ($path: String!) { node(path: $path) { id path properties { name propertyValue { __typename ... on LongPropertyValue { value } } } } }';
const CHILDREN =
  'query ($path: String!, $first: Int, $after: String) { children(path: $path, first: $first, after: $after) { totalCount edges { node { path } } pageInfo { hasNextPage endCursor } } }';
const CREATE = 'mutation ($input: CreateNodeInput!) { createNode(input: $input) { id path } }';
const DELETE = 'mutation ($path: String!) { deleteNode(input: { path: $path }) }';
const ORDER =
  'mutation ($path: String!, $before: String) { orderNode(input: { path: $path, before: $before }) { path } }';
const MOVE =
  'mutation ($from: String!, $to: String!) { moveNode(input: { sourcePath: $from, destPath: $to }) { path } }';
const COPY =
  'mutation ($from: String!, $to: String!, $allow: Boolean = true) { copyNode(input: { sourcePath: $from, destPath: $to, allowSameNameSiblings: $allow }) { path } }';
const VERSIONED =
  'mutation ($path: String!) { addMixin(input: { path: $path, mixinType: "mix:versionable" }) { path } }';
const CHECKIN = 'mutation ($path: String!) { checkin(input: { path: $path }) { name } }';
const CHECKOUT = 'mutation ($path: String!) { checkout(input: { path: $path }) }';
const RESTORE =
  'mutation ($path: String!, $name: String!) { restoreVersion(input: { path: $path, versionName: $name }) { path } }';

const SV =
  'xmlns:sv="http://www.jcp.org/jcr/sv/1.0" xmlns:jcr="http://www.jcp.org/jcr/1.0" xmlns:nt="http://www.jcp.org/jcr/nt/1.0"';
const property = (name: string, type: string, value: string | number) =>
  `<sv:property sv:name="${name}" sv:type="${type}"><sv:value>${value}</sv:value></sv:property>`;
const TYPED = property('jcr:primaryType', 'Name', 'nt:unstructured');
const listOf = (rows: number) =>
  `<sv:node ${SV} sv:name="list">${TYPED}\n${Array.from({ length: rows }, (_, n) => `<sv:node sv:name="row">${TYPED}${property('n', 'Long', n + 1)}</sv:node>`).join('\n')}</sv:node>`;

describe('thousands of siblings of one name', function () {
  this.timeout(60_000);
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    admin = server.as('admin');
    const { importXml } = await admin.run(IMPORT, { input: { path: '/content', xml: listOf(ROWS) } });
    assert.equal(importXml.created, ROWS + 1);
  });
  after(() => server.remove());

  const row = (n: number) => `/content/list/row${n === 1 ? '' : `[${n}]`}`;
  /** What the n-th row says of its number. */
  const numberAt = async (n: number) => {
    const { node } = await admin.run(NODE, { path: row(n) });
    if (node != null) assert.equal(node.path, row(n));
    const value = node?.properties.find(({ name }) => name === 'n')?.propertyValue;
    return value === undefined ? undefined : Number(Object.values(value)[1]);
  };

  it('are found by their paths, and tell them', async () => {
    for (const n of [1, 2, 999, 1_000, 1_001, 1_200, ROWS]) assert.equal(await numberAt(n), n);
    for (const n of [ROWS + 1, 99_999]) assert.equal((await admin.run(NODE, { path: row(n) })).node, null);
    assert.equal((await refusal(admin.run(NODE, { path: '/content/list/row[0]' }))).code, 'BAD_REQUEST');
  });

  it('are listed page by page with their paths', async () => {
    const paths: string[] = [];
    for (let after: string | null = null, isMore = true; isMore; ) {
      const { children } = await admin.run(CHILDREN, { path: '/content/list', first: 700, after });
      assert.equal(children.totalCount, ROWS);
      paths.push(...children.edges.map(({ node }) => node.path));
      after = children.pageInfo.endCursor ?? null;
      isMore = children.pageInfo.hasNextPage;
    }
    assert.deepEqual(
      paths,
      Array.from({ length: ROWS }, (_, n) => row(n + 1)),
    );
  });

  it('are added, removed, put in order and moved away', async () => {
    const input = { path: '/content/list', name: 'row', nodeType: 'nt:unstructured', allowSameNameSiblings: true };
    const { createNode } = await admin.run(CREATE, { input });
    assert.equal(createNode.path, row(ROWS + 1));
    assert.equal((await admin.run(DELETE, { path: row(ROWS + 1) })).deleteNode, true);
    assert.equal((await admin.run(DELETE, { path: row(ROWS + 1) })).deleteNode, false);

    assert.equal((await admin.run(ORDER, { path: row(2_000), before: 'row[1001]' })).orderNode.path, row(1_001));
    assert.deepEqual([await numberAt(1_001), await numberAt(1_002), await numberAt(2_001)], [2_000, 1_001, 2_001]);
    assert.equal((await admin.run(ORDER, { path: row(1_001), before: 'row[2001]' })).orderNode.path, row(2_000));
    assert.equal((await admin.run(ORDER, { path: row(1_500), before: null })).orderNode.path, row(ROWS));
    assert.equal((await admin.run(ORDER, { path: row(ROWS), before: 'row[1500]' })).orderNode.path, row(1_500));
    assert.equal(await numberAt(1_500), 1_500);

    await admin.run(CREATE, { input: { path: '/content', name: 'other', nodeType: 'nt:unstructured' } });
    const { moveNode } = await admin.run(MOVE, { from: row(1_234), to: '/content/other' });
    assert.equal(moveNode.path, '/content/other/row');
    assert.equal(await numberAt(1_234), 1_235);
    const back = await admin.run(MOVE, { from: '/content/other/row', to: '/content/list' });
    assert.equal(back.moveNode.path, row(ROWS));
    assert.equal((await admin.run(ORDER, { path: row(ROWS), before: 'row[1234]' })).orderNode.path, row(1_234));
  });

  it('are changed several in one transaction, of which each step sees the one before', async () => {
    await transact(admin, [
      { deleteNode: { path: row(1_300) } },
      { setProperties: { path: row(1_300), properties: [{ name: 'n', value: { longValue: 1_300 } }] } },
      ...Array.from({ length: 20 }, () => ({
        createNode: { path: '/content/list', name: 'row', nodeType: 'nt:unstructured', allowSameNameSiblings: true },
      })),
      { setProperties: { path: row(ROWS + 19), properties: [{ name: 'n', value: { longValue: 7 } }] } },
      { deleteNode: { path: row(ROWS + 1) } },
    ]);
    assert.deepEqual([await numberAt(1_300), await numberAt(1_301), await numberAt(ROWS + 18)], [1_300, 1_302, 7]);
    const { exportXml } = await admin.run(EXPORT, { path: row(1_300) });
    assert.match(exportXml, /sv:name="row"/);
  });

  it('are copied, and found in the versions that froze them', async () => {
    const { copyNode } = await admin.run(COPY, { from: row(1_111), to: '/content/list' });
    assert.match(copyNode.path, /row\[\d{4}\]$/);
    await admin.run(DELETE, { path: copyNode.path });
    await admin.run(VERSIONED, { path: '/content/list' });
    const { checkin } = await admin.run(CHECKIN, { path: '/content/list' });
    const { node } = await admin.run(NODE, { path: '/content/list' });
    const frozen = `/jcr:system/jcr:versionStorage/${node?.id}/${checkin.name}/jcr:frozenNode`;
    const { node: row1200 } = await admin.run(NODE, { path: `${frozen}/row[1200]` });
    assert.equal(row1200?.path, `${frozen}/row[1200]`);
    const { children } = await admin.run(CHILDREN, { path: frozen, first: 1_500 });
    assert.equal(children.edges[1_399]?.node.path, `${frozen}/row[1400]`);
    const after = children.pageInfo.endCursor;
    const { children: next } = await admin.run(CHILDREN, { path: frozen, first: 3, after });
    assert.equal(next.edges[0]?.node.path, `${frozen}/row[1501]`);
    assert.equal((await admin.run(NODE, { path: `${frozen}/row[9999]` })).node, null);
    await admin.run(CHECKOUT, { path: '/content/list' });
    await admin.run(DELETE, { path: row(1_500) });
    await admin.run(RESTORE, { path: '/content/list', name: checkin.name });
    assert.equal(await numberAt(1_500), 1_501);
  });
});

describe('a name that is taken', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer();
    admin = server.as('admin');
    for (const path of ['/content', '/content/list'])
      await admin.run(CREATE, { input: { path, name: 'list', nodeType: 'nt:unstructured' } });
  });
  after(() => server.remove());

  const answered = async (mutation: string, variables: Record<string, unknown>) => {
    const { code, errors } = await refusal(admin.run(mutation, variables));
    return [code, errors[0]?.extensions.reason, errors[0]?.message];
  };
  const TAKEN = ['ALREADY_EXISTS', 'node_exists', "there is a node 'list' in '/content/list' already"];

  it('is refused alike, whoever makes a node of it and whatever the type would let repeat', async () => {
    const folder = 'mutation ($input: CreateFolderInput) { createFolder(input: $input) { path } }';
    const place = { path: '/content/list', name: 'list' };
    assert.deepEqual(await answered(folder, { input: place }), TAKEN);
    const node = { ...place, nodeType: 'nt:unstructured' };
    assert.deepEqual(await answered(CREATE, { input: node }), TAKEN);
    assert.deepEqual(await answered(CREATE, { input: { ...node, allowSameNameSiblings: false } }), TAKEN);
    assert.deepEqual(await answered(COPY, { from: '/content/list/list', to: '/content/list', allow: false }), TAKEN);
    const { errors } = await refusal(transact(admin, [{ createNode: node }]));
    assert.equal(errors[0]?.extensions.code, 'ALREADY_EXISTS');
  });

  it('is taken again where that is asked for and the type lets names repeat', async () => {
    const node = { path: '/content/list', name: 'list', nodeType: 'nt:unstructured', allowSameNameSiblings: true };
    assert.equal((await admin.run(CREATE, { input: node })).createNode.path, '/content/list/list[2]');
    const copy = await admin.run(COPY, { from: '/content/list/list', to: '/content/list' });
    assert.equal(copy.copyNode.path, '/content/list/list[3]');
    assert.equal((await answered(CREATE, { input: { ...node, path: '/content' } }))[0], 'ALREADY_EXISTS');
  });

  describe('by a node that is renamed, moved or imported', () => {
    const RENAME =
      'mutation ($path: String!, $name: String!) { renameNode(input: { path: $path, name: $name }) { path } }';
    const MIXED = '[mixed] orderable + * (nt:folder) = nt:folder + * (nt:unstructured) = nt:unstructured sns';
    const make = (path: string, name: string, nodeType = 'nt:unstructured') =>
      admin.run(CREATE, { input: { path, name, nodeType, allowSameNameSiblings: true } });
    const namesIn = async (path: string) =>
      (await admin.run(CHILDREN, { path, first: 50 })).children.edges.map(({ node }) =>
        node.path.slice(path.length + 1),
      );
    const documentOf = (name: string, type: string, inner = '') =>
      `<${name} xmlns:jcr="http://www.jcp.org/jcr/1.0" xmlns:nt="http://www.jcp.org/jcr/nt/1.0" jcr:primaryType="${type}">${inner}</${name}>`;
    const isTaken = async (mutation: string, variables: Record<string, unknown>) => {
      const [code, reason, message] = await answered(mutation, variables);
      assert.deepEqual([code, reason], ['ALREADY_EXISTS', 'node_exists']);
      assert.match(String(message), /there is a node '\w+' in '[\w/]+' already/);
    };
    before(() => admin.run('mutation ($cnd: String!) { registerNodeTypes(cnd: $cnd) { name } }', { cnd: MIXED }));
    beforeEach(async () => {
      for (const name of ['shared', 'folder', 'mixed']) await admin.run(DELETE, { path: `/content/${name}` });
      await make('/content', 'shared');
      await make('/content', 'folder', 'nt:folder');
      await make('/content', 'mixed', 'mixed');
      for (const name of ['b', 'a', 'c', 'a']) await make('/content/shared', name);
      for (const name of ['a', 'b']) await make('/content/folder', name, 'nt:folder');
      await make('/content/mixed', 'folder', 'nt:folder');
      await make('/content/mixed', 'free');
    });

    it('is shared where the type of its parent says so, and those that have it keep their places', async () => {
      const renamed = await admin.run(RENAME, { path: '/content/shared/b', name: 'a' });
      assert.equal(renamed.renameNode.path, '/content/shared/a[3]');
      assert.deepEqual(await namesIn('/content/shared'), ['a', 'c', 'a[2]', 'a[3]']);
      assert.equal(
        (await admin.run(RENAME, { path: '/content/shared/a[2]', name: 'a' })).renameNode.path,
        '/content/shared/a[2]',
      );
      const moved = await admin.run(MOVE, { from: '/content/folder/a', to: '/content/shared' });
      assert.equal(moved.moveNode.path, '/content/shared/a[4]');
      await admin.run(IMPORT, { input: { path: '/content/shared', xml: documentOf('a', 'nt:unstructured') } });
      const many = documentOf('a', 'nt:unstructured', documentOf('row', 'nt:unstructured').repeat(300));
      await admin.run(IMPORT, { input: { path: '/content/shared', xml: many } });
      assert.deepEqual(await namesIn('/content/shared'), ['a', 'c', 'a[2]', 'a[3]', 'a[4]', 'a[5]', 'a[6]']);
      assert.equal((await namesIn('/content/shared/a[6]')).at(-1), 'row[50]');
    });

    it('is refused where it says that names are unique', async () => {
      await isTaken(RENAME, { path: '/content/folder/b', name: 'a' });
      await make('/content/shared/c', 'a', 'nt:folder');
      await isTaken(MOVE, { from: '/content/shared/c/a', to: '/content/folder' });
      await isTaken(IMPORT, { input: { path: '/content/folder', xml: documentOf('a', 'nt:folder') } });
      const twice = documentOf('row', 'nt:folder').repeat(2);
      const many = Array.from({ length: 300 }, (_, n) => documentOf(`row${n}`, 'nt:folder')).join('');
      for (const inner of [twice, `${many}${twice}`])
        assert.equal(
          (await answered(IMPORT, { input: { path: '/content', xml: documentOf('new', 'nt:folder', inner) } }))[0],
          'ALREADY_EXISTS',
        );
      assert.deepEqual(await namesIn('/content/folder'), ['a', 'b']);
      const indexed = await answered(RENAME, { path: '/content/shared/b', name: 'a[2]' });
      assert.equal(indexed[0], 'BAD_REQUEST');
    });

    it('is refused, as in Jackrabbit, where one of the two may share it and the other may not', async () => {
      const folder = { path: '/content/mixed', name: 'folder', nodeType: 'nt:unstructured' };
      await isTaken(CREATE, { input: { ...folder, allowSameNameSiblings: true } });
      await isTaken(CREATE, { input: { ...folder, name: 'free', nodeType: 'nt:folder', allowSameNameSiblings: true } });
      await isTaken(RENAME, { path: '/content/mixed/free', name: 'folder' });
      await isTaken(RENAME, { path: '/content/mixed/folder', name: 'free' });
      await isTaken(COPY, { from: '/content/folder', to: '/content/mixed' });
      await isTaken(IMPORT, { input: { path: '/content/mixed', xml: documentOf('folder', 'nt:unstructured') } });
      await make('/content/mixed', 'free');
      assert.deepEqual(await namesIn('/content/mixed'), ['folder', 'free', 'free[2]']);
    });
  });
});
