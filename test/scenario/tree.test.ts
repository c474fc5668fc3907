import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { makeTree } from './support/trees.js';

const NODE = 'path name nodeType id uuid created createdBy modified modifiedBy mimeType size version';
const FOLDER = `mutation ($input: CreateFolderInput!) { createFolder(input: $input) { ${NODE} } }`;
const FILE = `mutation ($input: CreateFileInput!) { createFile(input: $input) { ${NODE} downloadUrl } }`;
const GET = `query ($path: String!) { node(path: $path) { ${NODE} hasChildren parent { path } } }`;
const CHILDREN =
  'query ($path: String!, $first: Int, $after: String) { children(path: $path, first: $first, after: $after) { totalCount edges { cursor node { name path } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }';
const DELETE = 'mutation ($path: String!) { deleteNode(input: { path: $path }) }';
const CREATE =
  'mutation ($input: CreateNodeInput!) { createNode(input: $input) { path name nodeType mixins version properties { name propertyValue { __typename ... on StringPropertyValue { value } ... on LongPropertyValueArray { values } } } } }';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('the tree of nodes', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    admin = server.as('admin');
  });
  after(() => server.remove());

  const names = async (path: string, page: object = {}) => {
    const { children } = await admin.run(CHILDREN, { path, ...page });
    return children.edges.map(({ node }) => node.name);
  };

  it('has the standard folders from the first start', async () => {
    assert.deepEqual(await names('/'), ['content', 'etc', 'home', 'jcr:system', 'var']);
    const { node } = await admin.run(GET, { path: '/' });
    assert.equal(node?.name, '');
    assert.equal(node?.parent, null);
    assert.equal((await admin.run(GET, { path: '/nowhere' })).node, null);
  });

  it('takes folders, with those on the way, and files', async () => {
    const { createFolder } = await admin.run(FOLDER, { input: { path: '/content/a/b', name: 'c' } });
    assert.equal(createFolder.path, '/content/a/b/c');
    assert.equal(createFolder.nodeType, 'nt:folder');
    assert.equal(createFolder.createdBy, 'admin');
    const { createFile } = await admin.run(FILE, {
      input: { path: '/content/a', name: 'hello.txt', mimeType: 'text/plain', content: base64('hello') },
    });
    assert.equal(createFile.size, 5);
    assert.equal(createFile.mimeType, 'text/plain');
    assert.equal(createFile.modifiedBy, 'admin');
    assert.equal(createFile.downloadUrl, '/bin/download.cgi/web/content/a/hello.txt');
    const { node } = await admin.run(GET, { path: '/content/a' });
    assert.equal(node?.hasChildren, true);
    assert.deepEqual(await names('/content/a/hello.txt'), ['jcr:content']);
  });

  it('refuses a name that is taken, a missing parent, and what the types do not allow', async () => {
    await admin.run(FOLDER, { input: { path: '/content', name: 'taken' } });
    assert.equal(
      (await refusal(admin.run(FOLDER, { input: { path: '/content', name: 'taken' } }))).code,
      'ALREADY_EXISTS',
    );
    const orphan = { path: '/content/no/where', name: 'x', createParents: false };
    assert.equal((await refusal(admin.run(FOLDER, { input: orphan }))).code, 'BAD_REQUEST');
    const unstructured = { path: '/content/taken', name: 'x', nodeType: 'nt:unstructured' };
    const refused = await refusal(admin.run(CREATE, { input: unstructured }));
    assert.equal(refused.code, 'BAD_REQUEST');
    assert.match(refused.message, /nt:hierarchyNode/);
    assert.equal((await refusal(admin.run(FOLDER, { input: { path: '/content', name: 'a/b' } }))).code, 'BAD_REQUEST');
  });

  it('pages through children by name, with an exact total', async () => {
    for (let i = 0; i < 25; i++)
      await admin.run(FOLDER, { input: { path: '/content/many', name: `n${String(i).padStart(2, '0')}` } });
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { children } = await admin.run(CHILDREN, { path: '/content/many', first: 10, after });
      assert.equal(children.totalCount, 25);
      seen.push(...children.edges.map(({ node }) => node.name));
      after = children.pageInfo.hasNextPage ? (children.pageInfo.endCursor ?? null) : null;
    } while (after !== null);
    assert.deepEqual(
      seen,
      Array.from({ length: 25 }, (_, i) => `n${String(i).padStart(2, '0')}`),
    );
  });

  it('tells all of each file of a large page', async () => {
    await makeTree(admin, '/content/large', { folders: 1, files: 600 });
    const { children } = await admin.run(
      '{ children(path: "/content/large/d0", first: 1000) { edges { node { path mimeType size modified isLocked } } } }',
    );
    assert.equal(children.edges.length, 600);
    assert.ok(children.edges.every(({ node }) => node.size === 1 && node.isLocked === false));
  });

  it('keeps the order of an orderable parent, and lets names repeat there', async () => {
    await admin.run(CREATE, { input: { path: '/content', name: 'list', nodeType: 'nt:unstructured' } });
    for (const name of ['c', 'a', 'b', 'a'])
      await admin.run(CREATE, {
        input: { path: '/content/list', name, nodeType: 'nt:unstructured', allowSameNameSiblings: true },
      });
    const { children } = await admin.run(CHILDREN, { path: '/content/list' });
    assert.deepEqual(
      children.edges.map(({ node }) => node.path),
      ['/content/list/c', '/content/list/a', '/content/list/b', '/content/list/a[2]'],
    );
    await admin.run('mutation { orderNode(input: { path: "/content/list/a[2]", before: "c" }) { path } }');
    assert.deepEqual(await names('/content/list'), ['a', 'c', 'a', 'b']);
    await admin.run('mutation { orderNode(input: { path: "/content/list/c" }) { path } }');
    assert.deepEqual(await names('/content/list'), ['a', 'a', 'b', 'c']);
  });

  it('renames and moves a subtree by one write, and keeps identifiers', async () => {
    await admin.run(FOLDER, { input: { path: '/content/from/x/y', name: 'z' } });
    const { node: before } = await admin.run(GET, { path: '/content/from/x/y/z' });
    await admin.run('mutation { renameNode(input: { path: "/content/from/x", name: "w" }) { path } }');
    await admin.run('mutation { moveNode(input: { sourcePath: "/content/from/w", destPath: "/content/a" }) { path } }');
    const { node } = await admin.run(GET, { path: '/content/a/w/y/z' });
    assert.equal(node?.id, before?.id);
    const below = await refusal(
      admin.run('mutation { moveNode(input: { sourcePath: "/content/a", destPath: "/content/a/w" }) { path } }'),
    );
    assert.equal(below.code, 'BAD_REQUEST');
  });

  it('deletes a subtree; what is not there is false', async () => {
    assert.equal((await admin.run(DELETE, { path: '/content/a' })).deleteNode, true);
    assert.equal((await admin.run(DELETE, { path: '/content/a' })).deleteNode, false);
    assert.equal((await admin.run(GET, { path: '/content/a/w/y/z' })).node, null);
  });

  it('sets properties all or nothing', async () => {
    await admin.run(FILE, { input: { path: '/content', name: 'p.txt', content: base64('x') } });
    const SET =
      'mutation ($path: String!, $properties: [PropertyInput!]!) { setProperties(path: $path, properties: $properties) { node { version properties { name propertyValue { __typename ... on StringPropertyValue { value } ... on DatePropertyValue { value } ... on LongPropertyValueArray { values } ... on DecimalPropertyValue { value } } } } errors { propertyName message } } }';
    const properties = [
      { name: 'title', value: { stringValue: 'Grüße' } },
      { name: 'numbers', value: { longArrayValue: [1, '9223372036854775807'] } },
      { name: 'when', value: { dateValue: '2030-01-02T03:04:05.678+09:00' } },
      { name: 'exact', value: { decimalValue: '1.10' } },
    ];
    const { setProperties } = await admin.run(SET, { path: '/content/p.txt', properties });
    assert.deepEqual(setProperties.errors, []);
    assert.deepEqual(
      setProperties.node?.properties.map(({ name, propertyValue }) => [name, Object.values(propertyValue)[1]]),
      [
        ['title', 'Grüße'],
        ['numbers', [1, '9223372036854775807']],
        ['when', '2030-01-02T03:04:05.678+09:00'],
        ['exact', '1.10'],
      ],
    );
    const wrong = [
      { name: 'title', value: { stringValue: 'new' } },
      { name: 'jcr:data', value: { stringArrayValue: ['no', 'bytes'] } },
      { name: 'two', value: { stringValue: 'a', longValue: 1 } },
    ];
    const { setProperties: refused } = await admin.run(SET, { path: '/content/p.txt', properties: wrong });
    assert.deepEqual(
      refused.errors.map(({ propertyName }) => propertyName),
      ['two'],
    );
    const { setProperties: mistyped } = await admin.run(SET, { path: '/content/p.txt', properties: wrong.slice(0, 2) });
    assert.match(mistyped.errors[0]?.message ?? '', /jcr:data/);
    assert.equal(mistyped.node?.version, setProperties.node?.version);
  });

  it('makes a file of an upload, replaces its content when told to, and spends each upload once', async () => {
    const upload = async (text: string) => {
      const { initiateMultipartUpload } = await admin.run('mutation { initiateMultipartUpload { uploadId } }');
      const { uploadId } = initiateMultipartUpload;
      await admin.run(
        'mutation ($input: AppendMultipartUploadChunkInput!) { appendMultipartUploadChunk(input: $input) { totalSize } }',
        { input: { uploadId, data: base64(text) } },
      );
      return uploadId;
    };
    const COMPLETE = `mutation ($input: CompleteMultipartUploadInput!) { completeMultipartUpload(input: $input) { ${NODE} } }`;
    const at = { path: '/content/up/loaded', name: 'f.txt', mimeType: 'text/plain' };
    const first = await upload('one');
    const { completeMultipartUpload: made } = await admin.run(COMPLETE, { input: { ...at, uploadId: first } });
    assert.equal(made.size, 3);
    assert.equal((await refusal(admin.run(COMPLETE, { input: { ...at, uploadId: first } }))).code, 'BAD_REQUEST');
    const taken = await refusal(admin.run(COMPLETE, { input: { ...at, uploadId: await upload('two') } }));
    assert.equal(taken.code, 'BAD_REQUEST');
    const over = { ...at, mimeType: 'text/html', uploadId: await upload('three'), overwrite: true };
    const { completeMultipartUpload: replaced } = await admin.run(COMPLETE, { input: over });
    assert.deepEqual([replaced.size, replaced.mimeType, replaced.id], [5, 'text/plain', made.id]);
    const SET =
      'mutation ($path: String!, $properties: [PropertyInput!]!) { setProperties(path: $path, properties: $properties) { node { properties { name propertyValue { ... on BinaryPropertyValueArray { sizes mimeTypes } } } } errors { message } } }';
    const pictures = (value: object) => ({ path: made.path, properties: [{ name: 'pictures', value }] });
    const ids = [await upload('a'), await upload('bb')];
    await admin.run(SET, pictures({ binaryArrayUploadIds: ids }));
    const kept = { binaryArrayItems: [{ keepIndex: 1 }, { uploadId: await upload('ccc') }] };
    const { setProperties } = await admin.run(SET, pictures(kept));
    assert.deepEqual(setProperties.node?.properties[0]?.propertyValue, {
      sizes: [2, 3],
      mimeTypes: ['text/plain', 'text/plain'],
    });
  });

  it('refuses a change on another version than the one that was read', async () => {
    const { createFolder } = await admin.run(FOLDER, { input: { path: '/content', name: 'versioned' } });
    const rename = (name: string, from: string) =>
      admin.run('mutation ($input: RenameNodeInput!) { renameNode(input: $input) { version } }', {
        input: { path: from, name, expectedVersion: createFolder.version },
      });
    await rename('renamed', '/content/versioned');
    assert.equal((await refusal(rename('again', '/content/renamed'))).code, 'CONFLICT');
  });
});
