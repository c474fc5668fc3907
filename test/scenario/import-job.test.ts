import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { MODIFIED, zipped } from '../support/zipped.js';
import { archiveByJob, download, filledJob, importByJob, startJob, uploaded } from './support/jobs.js';

const TREE =
  'query ($path: String!) { children(path: $path, first: 100) { edges { node { path name nodeType mixins id created createdBy modified mimeType size properties { name propertyValue { __typename ... on StringPropertyValue { value } ... on ReferencePropertyValue { path } ... on LongPropertyValueArray { values } } } } } } }';

describe('jobs that import', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let ann: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }], env: { MILLRACE_IMPORT_ENTRIES_MAX: '100' } });
    admin = server.as('admin');
    ann = server.as('ann');
  });
  after(() => server.remove());

  interface Seen {
    readonly name: string;
    readonly children: Seen[];
    readonly [fact: string]: unknown;
  }

  /** All below a node, without what tells where it is. */
  const treeAt = async (path: string, facts: readonly string[]): Promise<Seen[]> => {
    const { children } = await admin.run(TREE, { path });
    const seen: Seen[] = [];
    for (const { node } of children.edges) {
      const all = node as unknown as Record<string, unknown>;
      const kept = Object.fromEntries(facts.map((name) => [name, all[name]]));
      seen.push({ name: node.name, ...kept, children: await treeAt(node.path, facts) });
    }
    return seen;
  };
  const isThere = async (path: string) =>
    (await admin.run('query ($path: String!) { node(path: $path) { id } }', { path })).node !== null;
  const reportOf = async (client: GraphqlClient, url: string | null | undefined) =>
    Buffer.from(await (await download(client, url ?? '')).arrayBuffer()).toString('utf8');
  const archiveOf = async (paths: readonly string[], input: object = {}) => {
    const end = await archiveByJob(admin, paths, { ...input });
    assert.equal(end.status, 'completed', end.errorMessage ?? '');
    return Buffer.from(await (await download(admin, end.downloadUrl ?? '')).arrayBuffer());
  };

  it('make files and folders of a plain ZIP, as old as they are there', async () => {
    const zip = await zipped({ 'a/': null, 'a/b/page.html': '<p>', 'c.txt': 'c'.repeat(5_000) });
    const end = await importByJob(admin, zip, { destinationPath: '/content/plain/new' });
    assert.equal(end.status, 'completed', end.errorMessage ?? '');
    assert.deepEqual(
      [end.itemsNew, end.itemsOverwritten, end.itemsSkipped, end.itemsError, end.itemsImported].map(Number),
      [2, 0, 0, 0, 2],
    );
    const tree = await treeAt('/content/plain/new', ['nodeType', 'mimeType', 'size', 'modified']);
    assert.deepEqual(
      tree.map(({ name, nodeType }) => [name, nodeType]),
      [
        ['a', 'nt:folder'],
        ['c.txt', 'nt:file'],
      ],
    );
    const page = tree[0]?.children[0]?.children[0];
    assert.deepEqual([page?.mimeType, Number(page?.size)], ['text/html', 3]);
    assert.equal(Date.parse(String(tree[1]?.modified)), MODIFIED.getTime());
    assert.match(
      await reportOf(admin, end.downloadUrl),
      /^\u{FEFF}path,status,message\r\n\/content\/plain\/new\/a\/b\/page.html,new,\r\n/u,
    );
    assert.equal((await download(ann, end.downloadUrl ?? '')).status, 403);
  });

  it('make the same tree again elsewhere', async () => {
    const create = 'mutation ($input: CreateNodeInput!) { createNode(input: $input) { id } }';
    for (const name of ['src', 'copy'])
      await admin.run(create, { input: { path: '/content', name, nodeType: 'nt:unstructured' } });
    const { createNode } = await admin.run(create, {
      input: { path: '/content/src', name: 'target', nodeType: 'nt:unstructured', mixins: ['mix:referenceable'] },
    });
    const properties = [
      { name: 'title', value: { stringValue: 'x'.repeat(20_000) } },
      { name: 'numbers', value: { longArrayValue: [3, 1, 2] } },
      { name: 'to', value: { referenceValue: createNode.id } },
      { name: 'picture', value: { binaryValue: Buffer.alloc(5_000, 7).toString('base64') } },
    ];
    await admin.run(create, {
      input: { path: '/content/src', name: 'holder', nodeType: 'nt:unstructured', properties },
    });
    for (const name of ['z', 'y', 'x'])
      await admin.run(create, { input: { path: '/content/src/holder', name, nodeType: 'nt:unstructured' } });
    const zip = await archiveOf(['/content/src']);
    const taken = await importByJob(admin, zip, { destinationPath: '/content/copy' });
    assert.equal(taken.status, 'failed');
    assert.match(taken.errorSamples?.[0] ?? '', /^\/content\/copy\/src\/target\tits identifier '.*' is taken$/);
    assert.equal(await isThere('/content/copy/src'), false);
    const end = await importByJob(admin, zip, { destinationPath: '/content/copy', uuidBehavior: 1 });
    assert.equal(end.status, 'completed', end.errorMessage ?? '');
    const facts = ['nodeType', 'mixins', 'created', 'createdBy', 'modified', 'size'];
    assert.deepEqual(await treeAt('/content/copy/src', facts), await treeAt('/content/src', facts));
    const [holder] = (await admin.run(TREE, { path: '/content/copy/src' })).children.edges.filter(
      ({ node }) => node.name === 'holder',
    );
    const byName = Object.fromEntries(
      (holder?.node.properties ?? []).map(({ name, propertyValue }) => [
        name,
        propertyValue as { value?: unknown; values?: unknown; path?: unknown },
      ]),
    );
    assert.equal(byName.title?.value, 'x'.repeat(20_000));
    assert.deepEqual(byName.numbers?.values, [3, 1, 2]);
    assert.equal(byName.to?.path, '/content/copy/src/target');
    assert.deepEqual(
      (await admin.run(TREE, { path: '/content/copy/src/holder' })).children.edges.map(({ node }) => node.name),
      ['z', 'y', 'x'],
    );
    const ids = await importByJob(admin, zip, { destinationPath: '/content/copy', uuidBehavior: 2, pathBehavior: 0 });
    assert.equal(ids.status, 'failed', 'the path is taken');
  });

  it('refuse what a type makes refer to nothing', async () => {
    const register = 'mutation ($cnd: String!) { registerNodeTypes(cnd: $cnd) { name } }';
    const create = 'mutation ($input: CreateNodeInput!) { createNode(input: $input) { id } }';
    await admin.run(register, { cnd: '[refers] - * (undefined)' });
    await admin.run(create, { input: { path: '/content', name: 'refers', nodeType: 'refers' } });
    const zip = await archiveOf(['/content/refers']);
    await admin.run('mutation { deleteNode(input: { path: "/content/refers" }) }');
    const none = '01234567-89ab-7def-8123-456789abcdef';
    await admin.run(register, { cnd: `[refers] - * (undefined) - to (reference) = '${none}' autocreated` });
    const end = await importByJob(admin, zip, { destPath: '/content', takenIdentifiers: 'NEW_FOR_ALL' });
    assert.equal(end.status, 'failed');
    assert.match(end.errorSamples?.[0] ?? '', /neither in the archive nor here: 01234567-/);
  });

  it('skip or replace what is there, or fail because of it', async () => {
    const destinationPath = '/content/merge';
    const first = await zipped({ 'd/one.txt': 'one', 'd/two.txt': 'two' });
    const second = await zipped({ 'd/two.txt': 'TWO!', 'd/three.txt': 'three' });
    const contentOf = async (name: string) =>
      (await download(admin, `/bin/download.cgi/web/content/merge/d/${name}`)).text();
    await importByJob(admin, first, { destinationPath });
    const refused = await importByJob(admin, second, { destinationPath });
    assert.equal(refused.status, 'failed');
    assert.match(refused.errorMessage ?? '', /nothing was imported/);
    assert.match(await reportOf(admin, refused.downloadUrl), /two.txt,error,/);
    assert.equal(await isThere('/content/merge/d/three.txt'), false);
    const skipped = await importByJob(admin, second, { destinationPath, pathBehavior: 1, locale: 'ja' });
    assert.equal(skipped.status, 'completed', skipped.errorMessage ?? '');
    assert.deepEqual([skipped.itemsNew, skipped.itemsOverwritten, skipped.itemsSkipped].map(Number), [1, 0, 1]);
    assert.equal(await contentOf('two.txt'), 'two');
    assert.match(
      await reportOf(admin, skipped.downloadUrl),
      /^\u{FEFF}パス,状態,メッセージ\r\n.*two.txt,スキップ,\r\n.*three.txt,新規,/u,
    );
    const { node } = await admin.run('{ node(path: "/content/merge/d/two.txt") { id } }');
    const replaced = await importByJob(admin, second, { destinationPath, pathBehavior: 2 });
    assert.equal(replaced.status, 'completed', replaced.errorMessage ?? '');
    assert.deepEqual([replaced.itemsNew, replaced.itemsOverwritten].map(Number), [0, 2]);
    assert.equal(await contentOf('two.txt'), 'TWO!');
    assert.equal((await admin.run('{ node(path: "/content/merge/d/two.txt") { id } }')).node?.id, node?.id);
    assert.equal(await contentOf('one.txt'), 'one');
  });

  it('take what to do by names, and new identifiers for all or where theirs are taken', async () => {
    await importByJob(admin, await zipped({ 'f.txt': 'f' }), { destPath: '/content/named' });
    const zip = await archiveOf(['/content/named/f.txt']);
    const imported = async (input: Readonly<Record<string, unknown>>) => {
      const { status, itemsSkipped, itemsOverwritten } = await importByJob(admin, zip, input);
      return [status, Number(itemsSkipped), Number(itemsOverwritten)];
    };
    const here = { destPath: '/content/named', takenIdentifiers: 'NEW_WHERE_TAKEN' };
    assert.equal((await imported({ ...here, takenPaths: 'FAIL' }))[0], 'failed');
    assert.deepEqual(await imported({ ...here, takenPaths: 'SKIP' }), ['completed', 1, 0]);
    assert.deepEqual(await imported({ ...here, takenPaths: 'REPLACE' }), ['completed', 0, 1]);
    for (const takenIdentifiers of ['NEW_WHERE_TAKEN', 'NEW_FOR_ALL'])
      assert.equal((await imported({ destPath: `/content/${takenIdentifiers}`, takenIdentifiers }))[0], 'completed');
  });

  it('only tell what would be, when asked', async () => {
    const zip = await zipped({ 'a.txt': 'a', 'bad[x.txt': 'b' });
    const end = await importByJob(admin, zip, { destinationPath: '/content/dry', dryRun: true });
    assert.equal(end.status, 'completed', end.errorMessage ?? '');
    assert.equal(end.dryRunHasErrors, true);
    assert.equal(Number(end.itemsError), 1);
    assert.equal(Number(end.dryRunNodeCount), 4);
    assert.equal(await isThere('/content/dry'), false);
  });

  it('take the ZIP out of the tree, and nobody else’s', async () => {
    const archivePath = await uploaded(admin, await zipped({ 'a.txt': 'a' }));
    const own = await filledJob(ann, 'ImportArchive');
    assert.equal(
      (await refusal(startJob(ann, 'ImportArchive', { jobId: own, archivePath, destinationPath: '/content/x' }))).code,
      'FORBIDDEN',
    );
    const jobId = await filledJob(admin, 'ImportArchive');
    const missing = { jobId, archivePath: '/content/none.zip', destinationPath: '/content/x' };
    assert.equal((await refusal(startJob(admin, 'ImportArchive', missing))).code, 'BAD_REQUEST');
    assert.equal(
      (await refusal(startJob(admin, 'ImportArchive', { ...missing, archivePath, uuidBehavior: 3 }))).code,
      'BAD_REQUEST',
    );
    for (const wrong of [
      { destPath: '/content/x' },
      { destinationPath: null },
      { uuidBehavior: 0, takenIdentifiers: 'FAIL' },
      { pathBehavior: 0, takenPaths: 'FAIL' },
    ])
      assert.equal(
        (await refusal(startJob(admin, 'ImportArchive', { ...missing, archivePath, ...wrong }))).code,
        'BAD_REQUEST',
      );
    await startJob(admin, 'ImportArchive', { jobId, archivePath, destinationPath: '/content/taken-out' });
    assert.equal(await isThere(archivePath), false);
  });

  it('are their maker’s: what others made becomes the importer’s, and what may not be written is not', async () => {
    const grant =
      'mutation ($path: String!) { setAccessControl(input: { path: $path, principal: "ann", privileges: ["jcr:all"] }) { entries { principal } } }';
    await admin.run('mutation { createFolder(input: { path: "/content", name: "anns" }) { id } }');
    await admin.run('mutation { createFolder(input: { path: "/content/others", name: "x" }) { id } }');
    for (const path of ['/content/anns', '/content/uploads']) await admin.run(grant, { path });
    const zip = await archiveOf(['/content/others']);
    const own = await importByJob(ann, zip, { destinationPath: '/content/anns' });
    assert.equal(own.status, 'completed', own.errorMessage ?? '');
    const [seen] = (await admin.run(TREE, { path: '/content/anns' })).children.edges;
    assert.deepEqual([seen?.node.name, seen?.node.createdBy], ['others', 'ann']);
    const foreign = await importByJob(ann, zip, { destinationPath: '/content/others' });
    assert.equal(foreign.status, 'failed');
    assert.match(foreign.errorMessage ?? '', /nothing may be added by you/);
    assert.equal(await isThere('/content/others/others'), false);
  });

  it('run with the rights of whoever made them', async () => {
    await admin.run('mutation { createFolder(input: { path: "/content", name: "uploads" }) { id } }').catch(() => {});
    await admin.run('mutation { createFolder(input: { path: "/content", name: "closed" }) { id } }');
    const zip = await zipped({ 'a.txt': 'a' });
    const end = await importByJob(admin, zip, { destinationPath: '/jcr:system/x' });
    assert.equal(end.status, 'failed');
    assert.match(end.errorMessage ?? '', /not granted|not be|may be added/);
  });

  it('refuse what is no ZIP, or has more entries than the server takes', async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, '']));
    for (const [zip, expected] of [
      [Buffer.from('no archive'), /expected a ZIP file/],
      [await zipped(many), /at most 100 entries/],
    ] as const) {
      const end = await importByJob(admin, zip, { destinationPath: '/content/refused' });
      assert.equal(end.status, 'failed');
      assert.match(end.errorMessage ?? '', expected);
      assert.equal(await isThere('/content/refused'), false);
    }
  });

  it('refuse principals that do not exist, and nothing else of access control', async () => {
    const sidecar = (principal: string) => ({
      '.cms-archive/manifest.json': '{"format":"cms-archive","version":1}',
      '.cms-archive/nodes.ndjson': JSON.stringify({ path: 'f', type: 'nt:folder' }),
      '.cms-archive/acl.ndjson': JSON.stringify({
        path: 'f',
        entries: [{ principal, privileges: ['jcr:read'], allow: false }],
      }),
    });
    const nobody = await importByJob(admin, await zipped(sidecar('nobody')), {
      destinationPath: '/content/acl',
      importAcl: true,
    });
    assert.equal(nobody.status, 'failed');
    assert.match(nobody.errorMessage ?? '', /'nobody'/);
    const known = await importByJob(admin, await zipped(sidecar('ann')), {
      destinationPath: '/content/acl',
      importAcl: true,
    });
    assert.equal(known.status, 'completed', known.errorMessage ?? '');
    assert.equal((await ann.run('{ node(path: "/content/acl/f") { id } }')).node, null);
  });
});
