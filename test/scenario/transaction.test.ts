import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { makeTree } from './support/trees.js';

const TRANSACTION = `mutation ($operations: [ContentOperation!]!) {
  contentTransaction(operations: $operations) { results { operation ok node { path name nodeType version properties { name } } } }
}`;
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a transaction on the tree', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    admin = server.as('admin');
  });
  after(() => server.remove());

  const run = async (operations: readonly object[], client = admin) =>
    (await client.run(TRANSACTION, { operations })).contentTransaction.results;
  const exists = async (path: string) =>
    (await admin.run('query ($path: String!) { node(path: $path) { path } }', { path })).node != null;

  it('does all of it as one commit, each operation on what the ones before it did', async () => {
    const results = await run([
      { createFolder: { path: '/content/t', name: 'a' } },
      { createFile: { path: '/content/t/a', name: 'f.txt', content: base64('hello'), mimeType: 'text/plain' } },
      { setProperties: { path: '/content/t/a/f.txt', properties: [{ name: 'title', value: { stringValue: 'T' } }] } },
      { copyNode: { sourcePath: '/content/t/a', destPath: '/content/t', name: 'b' } },
      { renameNode: { path: '/content/t/a', name: 'c' } },
      { moveNode: { sourcePath: '/content/t/b/f.txt', destPath: '/content/t/c', name: 'g.txt' } },
      { deleteNode: { path: '/content/t/b' } },
      { deleteNode: { path: '/content/t/nowhere' } },
    ]);
    assert.deepEqual(
      results.map(({ operation, ok, node }) => [operation, ok, node?.path ?? null]),
      [
        ['createFolder', true, '/content/t/c'],
        ['createFile', true, '/content/t/c/f.txt'],
        ['setProperties', true, '/content/t/c/f.txt'],
        ['copyNode', true, null],
        ['renameNode', true, '/content/t/c'],
        ['moveNode', true, '/content/t/c/g.txt'],
        ['deleteNode', true, null],
        ['deleteNode', false, null],
      ],
    );
    assert.deepEqual(results[5]?.node?.properties, [{ name: 'title' }]);
    assert.equal(new Set(results.flatMap(({ node }) => node?.version ?? [])).size, 1, 'one commit, one version');
  });

  it('does nothing when one is refused, and says which', async () => {
    const refused = await refusal(
      run([
        { createFolder: { path: '/content', name: 'lost' } },
        { createFolder: { path: '/content/lost', name: 'x' } },
        { renameNode: { path: '/content/nowhere', name: 'y' } },
      ]),
    );
    assert.equal(refused.code, 'BAD_REQUEST');
    assert.match(refused.message, /operations\[2\]\.renameNode: Node not found/);
    assert.deepEqual(refused.errors[0]?.extensions.details, { index: 2, field: 'renameNode' });
    assert.equal(refused.errors[0]?.extensions.reason, 'node_not_found');
    assert.equal(await exists('/content/lost'), false);
  });

  it('asks the types at its end: a file may come before its content', async () => {
    const file = { createNode: { path: '/content', name: 'whole', nodeType: 'nt:file' } };
    const content = {
      createNode: {
        path: '/content/whole',
        name: 'jcr:content',
        nodeType: 'nt:resource',
        properties: [{ name: 'jcr:data', value: { binaryValue: base64('x') } }],
      },
    };
    const title = {
      setProperties: { path: '/content/whole', properties: [{ name: 'x', value: { stringValue: 'y' } }] },
    };
    const alone = await refusal(run([file]));
    assert.match(alone.message, /operations\[0\]\.createNode: .*jcr:content/);
    await run([file, content, title]);
    assert.equal(await exists('/content/whole/jcr:content'), true);
  });

  it('takes a property that cannot be set as a refusal of all', async () => {
    await run([{ createFolder: { path: '/content', name: 'props' } }]);
    const properties = [{ name: 'jcr:created', value: { stringValue: 'now' } }];
    const refused = await refusal(
      run([
        { createFolder: { path: '/content/props', name: 'x' } },
        { setProperties: { path: '/content/props', properties } },
      ]),
    );
    assert.match(refused.message, /operations\[1\]\.setProperties: jcr:created/);
    const two = [{ name: 'both', value: { stringValue: 'a', longValue: 1 } }];
    const malformed = await refusal(run([{ setProperties: { path: '/content/props', properties: two } }]));
    assert.match(malformed.message, /operations\[0\]\.setProperties: both: expected exactly one field/);
    assert.equal(await exists('/content/props/x'), false);
  });

  it('takes 1 to 100 operations, each with exactly one field', async () => {
    assert.equal((await refusal(run([]))).code, 'BAD_REQUEST');
    const folder = (n: number) => ({ createFolder: { path: '/content/hundred', name: `f${n}` } });
    const hundred = Array.from({ length: 100 }, (_, n) => folder(n));
    assert.equal((await refusal(run([...hundred, folder(100)]))).code, 'LIMIT_EXCEEDED');
    assert.equal((await run(hundred)).length, 100);
    const both = { ...folder(1), deleteNode: { path: '/content' } };
    assert.equal((await admin.ask(TRANSACTION, { variables: { operations: [both] } })).errors?.length, 1);
    assert.equal((await admin.ask(TRANSACTION, { variables: { operations: [{}] } })).errors?.length, 1);
    assert.equal(
      (await admin.ask(TRANSACTION, { variables: { operations: [{ deleteNode: null }] } })).errors?.length,
      1,
    );
    const literal =
      'mutation { contentTransaction(operations: [{ deleteNode: { path: "/x" }, createFolder: { path: "/", name: "y" } }]) { results { ok } } }';
    assert.equal((await admin.ask(literal)).errors?.[0]?.extensions.code, 'GRAPHQL_VALIDATION_FAILED');
  });

  it('works in deep trees: what it reads twice counts once', async () => {
    const path = `/content/deep${'/level'.repeat(12)}`;
    const many = Array.from({ length: 100 }, (_, n) => ({ createFolder: { path, name: `d${n}` } }));
    await run(many);
    const moves = Array.from({ length: 100 }, (_, n) => ({ renameNode: { path: `${path}/d${n}`, name: `e${n}` } }));
    assert.equal((await run(moves)).length, 100);
  });

  it('happens once for one idempotency key', async () => {
    const operations = [{ createFolder: { path: '/content', name: 'once' } }];
    const first = await admin.ask(TRANSACTION, { variables: { operations }, idempotencyKey: 'k1' });
    const again = await admin.ask(TRANSACTION, { variables: { operations }, idempotencyKey: 'k1' });
    assert.deepEqual(again.data, first.data);
    assert.ok(first.extensions?.position);
    assert.equal((await refusal(run(operations))).code, 'ALREADY_EXISTS');
  });

  it('gives dates their zone, and needs the rights that its operations need', async () => {
    const when = { name: 'when', value: { dateValue: '2030-01-02T03:04:05.678+09:00' } };
    await run([{ createNode: { path: '/content', name: 'dated', nodeType: 'nt:unstructured', properties: [when] } }]);
    const { node } = await admin.run(
      '{ node(path: "/content/dated") { properties { propertyValue { ... on DatePropertyValue { value } } } } }',
    );
    assert.deepEqual(node?.properties[0]?.propertyValue, { value: '2030-01-02T03:04:05.678+09:00' });
    const refused = await refusal(run([{ deleteNode: { path: '/content/dated' } }], server.as('ann')));
    assert.equal(refused.code, 'FORBIDDEN');
    assert.match(refused.message, /^FORBIDDEN: operations\[0\]\.deleteNode: /);
  });

  it('locks and grants within it, and is refused by the locks of others', async () => {
    const grant = { principal: 'ann', privileges: ['jcr:all'] };
    const results = await run([
      { createFolder: { path: '/content', name: 'guarded' } },
      { setAccessControl: { path: '/content/guarded', ...grant } },
      { createFolder: { path: '/content/guarded', name: 'below' } },
      { lockNode: { path: '/content/guarded', isDeep: true } },
    ]);
    assert.deepEqual(
      results.map(({ node }) => node?.path),
      ['/content/guarded', '/content/guarded', '/content/guarded/below', '/content/guarded'],
    );
    const rename = { renameNode: { path: '/content/guarded/below', name: 'b' } };
    assert.match((await refusal(run([rename], server.as('ann')))).message, /^CONFLICT: operations\[0\]\.renameNode: /);
    const unlocked = await run([{ unlockNode: { path: '/content/guarded' } }]);
    assert.deepEqual(
      unlocked.map(({ ok, node }) => [ok, node]),
      [[true, null]],
    );
    await run([rename, { deleteAccessControl: { path: '/content/guarded', principal: 'ann' } }], server.as('ann'));
    assert.equal(
      (await refusal(run([{ deleteNode: { path: '/content/guarded/b' } }], server.as('ann')))).code,
      'FORBIDDEN',
    );
    const unknown = { setAccessControl: { path: '/content/guarded', principal: 'ann', privileges: ['jcr:fly'] } };
    assert.match((await refusal(run([unknown]))).message, /operations\[0\]\.setAccessControl: .*jcr:fly/);
  });

  it('spends an upload when all goes well, and keeps it when not', async () => {
    const { initiateMultipartUpload } = await admin.run('mutation { initiateMultipartUpload { uploadId } }');
    const { uploadId } = initiateMultipartUpload;
    await admin.run(
      'mutation ($input: AppendMultipartUploadChunkInput!) { appendMultipartUploadChunk(input: $input) { totalSize } }',
      { input: { uploadId, data: base64('uploaded') } },
    );
    const complete = {
      completeMultipartUpload: { uploadId, path: '/content', name: 'up.txt', mimeType: 'text/plain' },
    };
    await refusal(run([complete, { renameNode: { path: '/content/nowhere', name: 'x' } }]));
    const [made] = await run([complete]);
    assert.equal(made?.node?.path, '/content/up.txt');
  });

  it('asks at its end what refers to what it has deleted', async () => {
    const make = async (name: string, to: Readonly<Record<string, string>> = {}) => {
      const properties = Object.entries(to).map(([property, id]) => ({
        name: property,
        value: { referenceValue: id },
      }));
      const input = { path: '/content', name, nodeType: 'nt:unstructured', mixins: ['mix:referenceable'], properties };
      const made = await admin.run('mutation ($input: CreateNodeInput!) { createNode(input: $input) { id } }', {
        input,
      });
      return made.createNode.id;
    };
    const refer = (name: string, to: string | null) => ({
      setProperties: {
        path: `/content/${name}`,
        properties: [{ name: 'to', value: to === null ? null : { referenceValue: to } }],
      },
    });
    const remove = (name: string) => ({ deleteNode: { path: `/content/${name}` } });
    const one = await make('one');
    await make('two', { to: one });
    await run([refer('one', (await admin.run('{ node(path: "/content/two") { id } }')).node?.id ?? '')]);
    assert.equal(
      (await refusal(admin.run('mutation { deleteNode(input: { path: "/content/one" }) }'))).code,
      'CONFLICT',
    );
    const half = await refusal(run([remove('one'), { createFolder: { path: '/content', name: 'other' } }]));
    assert.equal(half.code, 'CONFLICT');
    assert.match(
      half.message,
      /operations\[0\].deleteNode: '\/content\/one' cannot be removed: '\/content\/two' refers to it/,
    );
    assert.equal(half.errors[0]?.extensions.reason, 'referenced');
    assert.ok(await exists('/content/one'));
    await run([remove('one'), remove('two')]);
    assert.equal(await exists('/content/one'), false);
    assert.equal(await exists('/content/two'), false);

    // The reference is taken away behind the deletion.
    await make('holder', { to: await make('target') });
    await run([remove('target'), refer('holder', null)]);
    assert.ok(await exists('/content/holder'));
    // Nobody can refer to what is deleted already.
    const gone = await make('gone');
    assert.equal((await refusal(run([remove('gone'), refer('holder', gone)]))).code, 'BAD_REQUEST');
  });

  it('deletes large trees that refer to each other, and is refused where something else refers to them', async function () {
    this.timeout(60_000);
    for (const name of ['east', 'west']) {
      await admin.run(`mutation { createFolder(path: "/content", name: "${name}") { id } }`);
      await makeTree(admin, `/content/${name}`, { folders: 8, files: 10 });
      await admin.run(`mutation { addMixin(path: "/content/${name}/d3/f4", mixinType: "mix:referenceable") { id } }`);
    }
    const idOf = async (path: string) => (await admin.run(`{ node(path: "${path}") { id } }`)).node?.id;
    const refer = (path: string, id: string | undefined) => ({
      setProperties: { path, properties: [{ name: 'to', value: { referenceValue: id } }] },
    });
    const [east, west] = [await idOf('/content/east/d3/f4'), await idOf('/content/west/d3/f4')];
    await run([refer('/content/east/d1/f1', west), refer('/content/west/d2/f2', east)]);
    const both = ['east', 'west'].map((name) => ({ deleteNode: { path: `/content/${name}` } }));
    assert.equal((await refusal(run(both.slice(0, 1)))).code, 'CONFLICT');
    await admin.run('mutation { createFolder(path: "/content", name: "third") { id } }');
    await run([refer('/content/third', west)]);
    assert.match(
      (await refusal(run(both))).message,
      /'\/content\/west\/d3\/f4' cannot be removed: '\/content\/third' refers/,
    );
    assert.ok(await exists('/content/east/d3/f4'));
    await run([...both, { deleteNode: { path: '/content/third' } }]);
    assert.equal(await exists('/content/east'), false);
    assert.equal(await exists('/content/west'), false);
  });
});
