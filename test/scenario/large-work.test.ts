import assert from 'node:assert/strict';
import type { Database } from '../../src/store/sqlite.js';
import { eventually } from '../support/eventually.js';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { KillableServer } from './support/killable-server.js';
import { partitionOf, reading, storedBelow, storedCount } from './support/stored-trees.js';
import { makeTree, pathsBelow, transact } from './support/trees.js';

// Slow: thousands of nodes are copied and deleted, and servers killed within it.

const COPY = 'mutation ($input: CopyNodeInput!) { copyNode(input: $input) { id path } }';
const DELETE = 'mutation ($path: String!) { deleteNode(input: { path: $path }) }';
const NODE = 'query ($path: String!) { node(path: $path) { id version } }';

const TOTAL = '{ node(path: "/content/copied") { children(first: 0) { totalCount } } }';
/** How often others are answered, at least, while large work is done: had it the server for itself, it were once or twice. */
const OTHERS_MIN = 5;

describe('large subtrees', function () {
  this.timeout(180_000);
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    admin = server.as('admin');
    await makeTree(admin, '/content/large', { folders: 50, files: 50 }); // 5,051 nodes
  });
  after(() => server.remove());

  const copy = (sourcePath: string, name: string, client = admin) =>
    client.run(COPY, { input: { sourcePath, destPath: '/content', name } });
  const remove = async (path: string) => (await admin.run(DELETE, { path })).deleteNode;
  const isThere = async (path: string) => (await admin.run(NODE, { path })).node != null;
  const web = <T>(work: (database: Database) => T): T => reading(server.folder, partitionOf(server.folder), work);
  const countOf = (sql: string) => storedCount(server.folder, sql);
  const below = (path: string, as = path) => web((database) => storedBelow(database, path, as));
  const swept = () =>
    eventually(
      'what was detached is swept',
      async () => countOf('SELECT count(*) AS count FROM d_detachedTree') === 0,
      60_000,
    );

  it('are copied and deleted whole, while others read and write', async () => {
    const seen = new Set<number>();
    let answered = 0;
    let isOver = false;
    const others = (async () => {
      for (let n = 0; !isOver; n++) {
        await transact(admin, [{ createFolder: { path: '/content/others', name: `o${n}` } }]);
        const { data } = await admin.ask(TOTAL);
        seen.add(data?.node?.children.totalCount ?? -1);
        answered++;
      }
    })();
    await copy('/content/large', 'copied');
    assert.ok(answered >= OTHERS_MIN, `others had their turn ${answered} times`);
    const source = below('/content/large', '/content/copied');
    assert.deepEqual(below('/content/copied'), source);
    assert.equal(source.length, 5_050);
    assert.equal(await remove('/content/copied'), true);
    assert.equal(await isThere('/content/copied'), false);
    assert.equal(await isThere('/content/copied/d1/f1'), false);
    isOver = true;
    await others;
    assert.deepEqual(
      [...seen].sort((a, b) => a - b),
      [-1, 50],
      'all of it or nothing',
    );
    await swept();
    assert.equal(
      countOf('SELECT count(*) AS count FROM d_node WHERE c_parent IS NULL'),
      1,
      'the root alone has no parent',
    );
  });

  it('give their name free at once, and are swept behind', async () => {
    await copy('/content/large', 'again');
    assert.equal(await remove('/content/again'), true);
    await transact(admin, [{ createFolder: { path: '/content', name: 'again' } }]);
    assert.deepEqual(await pathsBelow(admin, '/content/again'), []);
    assert.equal(await remove('/content/again'), true);
    await swept();
  });

  it('are not deleted while a reference from outside points into them', async () => {
    await copy('/content/large', 'referred');
    await admin.run('mutation { addMixin(path: "/content/referred/d7/f7", mixinType: "mix:referenceable") { path } }');
    const { node } = await admin.run(NODE, { path: '/content/referred/d7/f7' });
    const properties = [{ name: 'ref', value: { referenceValue: node?.id } }];
    await transact(admin, [
      { createNode: { path: '/content', name: 'holder', nodeType: 'nt:unstructured', properties } },
    ]);
    const refused = await refusal(remove('/content/referred'));
    assert.equal(refused.code, 'CONFLICT');
    assert.match(refused.message, /d7\/f7' cannot be removed: '\/content\/holder' refers to it/);
    assert.equal(refused.errors[0]?.extensions.reason, 'referenced');
    await remove('/content/holder');
    assert.equal(await remove('/content/referred'), true);
    await swept();
  });

  it('are not deleted against a lock or a right below', async () => {
    const ann = server.as('ann');
    await copy('/content/large', 'guarded');
    const all = { principal: 'ann', privileges: ['jcr:all'] };
    await transact(admin, [
      { setAccessControl: { path: '/content', ...all } },
      { lockNode: { path: '/content/guarded/d9/f9' } },
    ]);
    const asAnn = (path: string) => refusal(ann.run(DELETE, { path }));
    assert.match((await asAnn('/content/guarded')).message, /CONFLICT: .*d9\/f9.*admin holds a lock/);
    await transact(admin, [
      { unlockNode: { path: '/content/guarded/d9/f9' } },
      { setAccessControl: { path: '/content/guarded/d9/f9', ...all, allow: false } },
    ]);
    const denied = await asAnn('/content/guarded');
    assert.equal(denied.code, 'FORBIDDEN');
    assert.doesNotMatch(denied.message, /f9/, 'what is hidden is not told');
    const input = { sourcePath: '/content/guarded', destPath: '/content', name: 'less' };
    await ann.run(COPY, { input });
    const [whole, less] = [below('/content/guarded', ''), below('/content/less', '')];
    assert.deepEqual(
      whole.filter((path) => !less.includes(path)),
      ['/d9/f9', '/d9/f9/jcr:content'],
    );
    await remove('/content/guarded');
    await ann.run(DELETE, { path: '/content/less' });
    await transact(admin, [{ deleteAccessControl: { path: '/content', principal: 'ann' } }]);
  });

  it('are copied as they were at one moment, while they change', async () => {
    await makeTree(admin, '/content/restless', { folders: 10, files: 30 });
    const files = Array.from({ length: 10 }, (_, n) => `d${n}/f${n}`);
    let isOver = false;
    const mover = (async () => {
      for (let n = 0; !isOver; n++) {
        const [from, name] = (files[n % 10] ?? '').split('/');
        const at = `/content/restless/${from}`;
        const to = { sourcePath: `${at}/${name}`, destPath: '/content/restless', name: `moved-${name}` };
        await transact(admin, [{ moveNode: to }, { createFolder: { path: at, name: `gap-${name}` } }]);
        const back = { sourcePath: `/content/restless/moved-${name}`, destPath: at, name };
        await transact(admin, [{ moveNode: back }, { deleteNode: { path: `${at}/gap-${name}` } }]);
      }
    })();
    for (let n = 0; n < 4; n++) {
      await copy('/content/restless', `still${n}`);
      const paths = below(`/content/still${n}`, '').map((path) => path.replace(/^\/moved-f(\d+)/, '/d$1/f$1'));
      const gaps = paths.filter((path) => path.includes('gap-'));
      assert.ok(gaps.length <= 1, 'each commit whole, or not at all');
      assert.equal(new Set(paths).size, paths.length);
      assert.equal(paths.length - gaps.length, 10 * 61, 'nothing twice, nothing missing');
    }
    isOver = true;
    await mover;
    for (const name of ['still0', 'still1', 'still2', 'still3', 'restless']) await remove(`/content/${name}`);
  });

  it('are deleted while they change', async () => {
    await makeTree(admin, '/content/busy', { folders: 10, files: 30 });
    let isOver = false;
    const writer = (async () => {
      for (let n = 0; !isOver; n++) {
        const made = { createFolder: { path: `/content/busy/d${n % 10}`, name: `n${n}`, createParents: false } };
        await transact(admin, [made]).catch((thrown: { code: string }) => assert.equal(thrown.code, 'BAD_REQUEST'));
      }
    })();
    assert.equal(await remove('/content/busy'), true);
    isOver = true;
    await writer;
    assert.equal(await isThere('/content/busy'), false);
    await swept();
  });

  it('are part of a transaction unless that changes them', async () => {
    await copy('/content/large', 'part');
    const name = '/content/part';
    const changed = await refusal(
      transact(admin, [
        { createFolder: { path: '/content', name: 'p1' } },
        { renameNode: { path: name, name: 'p2' } },
        { deleteNode: { path: '/content/p2' } },
      ]),
    );
    assert.equal(changed.code, 'LIMIT_EXCEEDED');
    assert.match(changed.message, /operations\[2\]\.deleteNode: .* by itself/);
    assert.equal(await isThere('/content/p1'), false);
    await transact(admin, [
      { createFolder: { path: '/content', name: 'p1' } },
      { moveNode: { sourcePath: `${name}/d3`, destPath: '/content/p1' } },
      { copyNode: { sourcePath: '/content/large', destPath: '/content/p1' } },
      { deleteNode: { path: name } },
    ]);
    assert.equal(await isThere(name), false);
    assert.equal(below('/content/p1').length, 101 + 5_051);
    await remove('/content/p1');
    await swept();
  });

  it('are copied from another workspace', async () => {
    const system = server.as('admin', 'system');
    await system.run(COPY, {
      input: { sourcePath: '/content/large', destPath: '/content', name: 'moved', sourceWorkspace: 'web' },
    });
    const copied = reading(server.folder, 'system', (database) => storedBelow(database, '/content/moved'));
    assert.deepEqual(copied, below('/content/large', '/content/moved'));
    await system.run(DELETE, { path: '/content/moved' });
  });

  it('leave nothing behind when the copy is refused at its end', async () => {
    const both = await Promise.allSettled([copy('/content/large', 'twin'), copy('/content/large', 'twin')]);
    const outcomes = both.map((one) => (one.status === 'fulfilled' ? 'made' : (one.reason as { code: string }).code));
    assert.deepEqual(outcomes.sort(), ['ALREADY_EXISTS', 'made']);
    await remove('/content/twin');
  });
});

describe('a server that is killed within large work', function () {
  this.timeout(180_000);
  let server: KillableServer;
  beforeEach(() => {
    server = new KillableServer();
  });
  afterEach(() => server.remove());

  const count = (sql: string): number => storedCount(server.folder, sql);
  const detached = () => count('SELECT count(*) AS count FROM d_detachedTree');
  const total = () => count('SELECT count(*) AS count FROM d_node');

  it('shows no part of a copy, sweeps what was staged, and goes on with a sweep', async () => {
    await server.start();
    await makeTree(server.client('admin'), '/content/large', { folders: 15, files: 40 });
    const before = total();
    const lost = server
      .client('admin')
      .run(COPY, { input: { sourcePath: '/content/large', destPath: '/content', name: 'copied' } });
    lost.catch(() => {});
    await eventually('some of it is staged', async () => total() > before);
    await server.end('SIGKILL');
    await server.start();
    assert.equal((await server.client('admin').run(NODE, { path: '/content/copied' })).node, null);
    await eventually('it is swept', async () => detached() === 0 && total() === before);

    await server
      .client('admin')
      .run(COPY, { input: { sourcePath: '/content/large', destPath: '/content', name: 'copied' } });
    const deleting = server.client('admin').run(DELETE, { path: '/content/copied' });
    deleting.catch(() => {});
    await eventually('it is out of the tree', async () => detached() > 0);
    await server.end('SIGKILL');
    await server.start();
    assert.equal((await server.client('admin').run(NODE, { path: '/content/copied' })).node, null);
    await eventually('it is swept', async () => detached() === 0 && total() === before);
  });
});
