import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { KillableServer } from './support/killable-server.js';
import { partitionOf, reading, storedBelow, storedCount } from './support/stored-trees.js';
import { makeTree, transact } from './support/trees.js';

const VERSIONED = 'mutation ($path: String!) { addVersionControl(input: { path: $path }) { id } }';
const CHECKOUT = 'mutation ($path: String!) { checkout(input: { path: $path }) }';
const RESTORE =
  'mutation ($path: String!, $versionName: String) { restoreVersion(input: { path: $path, versionName: $versionName }) { isCheckedOut } }';
const UNCHECKOUT = 'mutation ($path: String!) { uncheckout(input: { path: $path }) }';
const DELETE = 'mutation ($path: String!) { deleteNode(input: { path: $path }) }';
const NODE = 'query ($path: String!) { node(path: $path) { id path children(first: 0) { totalCount } } }';
const PATH = '/content/large';

describe('versions of large trees', function () {
  this.timeout(180_000);
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    admin = server.as('admin');
    await makeTree(admin, PATH, { folders: 20, files: 40 }); // 1,621 nodes
    await admin.run(VERSIONED, { path: PATH });
    await admin.run(CHECKOUT, { path: PATH });
  });
  after(() => server.remove());

  const below = () => reading(server.folder, partitionOf(server.folder), (database) => storedBelow(database, PATH, ''));
  const count = (sql: string) => storedCount(server.folder, sql);
  const remove = (path: string) => admin.run(DELETE, { path });
  const childrenOf = async (path: string) => (await admin.run(NODE, { path })).node?.children.totalCount;

  it('are restored whole, whatever went, came and moved', async () => {
    const whole = below();
    const { node } = await admin.run(NODE, { path: `${PATH}/d3/f3` });
    for (let n = 0; n < 10; n++) await remove(`${PATH}/d${n}`);
    await transact(admin, [
      { moveNode: { sourcePath: `${PATH}/d11`, destPath: '/content' } },
      { moveNode: { sourcePath: `${PATH}/d12`, destPath: `${PATH}/d13` } },
      { renameNode: { path: `${PATH}/d14`, name: 'renamed' } },
      { createFolder: { path: PATH, name: 'come' } },
    ]);
    await makeTree(admin, `${PATH}/come`, { folders: 2, files: 40 });
    const { restoreVersion } = await admin.run(RESTORE, { path: PATH, versionName: '1.0' });
    assert.equal(restoreVersion?.isCheckedOut, false);
    assert.deepEqual(below(), whole);
    const { node: again } = await admin.run(NODE, { path: `${PATH}/d3/f3` });
    assert.equal(again?.id, node?.id, 'a node comes back as itself');
    assert.equal((await admin.run(NODE, { path: '/content/d11' })).node, null);
    assert.equal((await admin.run(NODE, { path: `${PATH}/come` })).node, null);
    assert.equal(await childrenOf(PATH), 20);
    await eventually(
      'what was taken out is swept',
      async () => count('SELECT count(*) AS count FROM d_detachedTree') === 0,
      60_000,
    );
    assert.equal(count(`SELECT count(*) AS count FROM d_node WHERE c_name = 'come'`), 0);
  });

  it('come back when a checkout is discarded', async () => {
    const whole = below();
    await admin.run(CHECKOUT, { path: PATH });
    for (let n = 0; n < 3; n++) await remove(`${PATH}/d${n}`);
    await admin.run(UNCHECKOUT, { path: PATH });
    assert.deepEqual(below(), whole);
  });

  it('are not restored by who may not, nor below the lock of another, nor where a reference would break', async () => {
    await admin.run(CHECKOUT, { path: PATH });
    for (let n = 0; n < 3; n++) await remove(`${PATH}/d${n}`);
    const ann = server.as('ann');
    await transact(admin, [{ setAccessControl: { path: PATH, principal: 'ann', privileges: ['jcr:read'] } }]);
    const restore = (client: GraphqlClient) => refusal(client.run(RESTORE, { path: PATH, versionName: '1.0' }));
    assert.equal((await restore(ann)).code, 'FORBIDDEN');
    await transact(admin, [
      { setAccessControl: { path: PATH, principal: 'ann', privileges: ['jcr:all'] } },
      { createFolder: { path: PATH, name: 'come' } },
    ]);
    await makeTree(admin, `${PATH}/come`, { folders: 2, files: 40 });
    await transact(admin, [{ lockNode: { path: `${PATH}/come/d1/f1` } }]);
    const now = below();
    const locked = await restore(ann);
    assert.equal(locked.code, 'CONFLICT');
    assert.match(locked.message, /come\/d1\/f1' to be unlocked, but admin holds a lock/);
    await transact(admin, [{ unlockNode: { path: `${PATH}/come/d1/f1` } }]);
    await admin.run(`mutation { addMixin(path: "${PATH}/come/d1/f1", mixinType: "mix:referenceable") { path } }`);
    const { node } = await admin.run(NODE, { path: `${PATH}/come/d1/f1` });
    const properties = [{ name: 'ref', value: { referenceValue: node?.id } }];
    const holder = { createNode: { path: '/content', name: 'holder', nodeType: 'nt:unstructured', properties } };
    await transact(admin, [holder]);
    const referred = await restore(admin);
    assert.equal(referred.code, 'CONFLICT');
    assert.match(referred.message, /come\/d1\/f1' cannot be removed: '\/content\/holder' refers to it/);
    assert.deepEqual(below(), now);
    await remove('/content/holder');
    await admin.run(RESTORE, { path: PATH, versionName: '1.0' });
    assert.equal(await childrenOf(PATH), 20);
  });

  it('are restored in a transaction by themselves alone', async () => {
    await admin.run(CHECKOUT, { path: PATH });
    await remove(`${PATH}/d1`);
    const restored = { restoreVersion: { path: PATH, versionName: '1.0' } };
    const refused = await refusal(transact(admin, [{ deleteNode: { path: `${PATH}/d2` } }, restored]));
    assert.equal(refused.code, 'LIMIT_EXCEEDED');
    assert.equal(await childrenOf(PATH), 19);
    await transact(admin, [{ createFolder: { path: '/content', name: 'beside' } }, restored]);
    assert.equal(await childrenOf(PATH), 20);
  });
});

describe('a server that is killed while a large tree is restored', function () {
  this.timeout(180_000);
  let server: KillableServer;
  before(() => {
    server = new KillableServer();
  });
  after(() => server.remove());

  const count = (sql: string): number => storedCount(server.folder, sql);
  const total = () => count('SELECT count(*) AS count FROM d_node');
  const detached = () => count('SELECT count(*) AS count FROM d_detachedTree');
  const below = () => reading(server.folder, partitionOf(server.folder), (database) => storedBelow(database, PATH, ''));

  it('shows nothing of it, sweeps what was staged, and restores it when it is asked again', async () => {
    await server.start();
    const admin = server.client('admin');
    await makeTree(admin, PATH, { folders: 20, files: 60 });
    await admin.run(VERSIONED, { path: PATH });
    await admin.run(CHECKOUT, { path: PATH });
    const whole = below();
    for (let n = 0; n < 19; n++) await admin.run(DELETE, { path: `${PATH}/d${n}` });
    const left = below();
    const before = total();
    const lost = admin.run(RESTORE, { path: PATH, versionName: '1.0' });
    lost.catch(() => {});
    await eventually('some of it is staged', async () => total() > before);
    await server.end('SIGKILL');
    await server.start();
    assert.deepEqual(below(), left);
    await eventually('it is swept', async () => detached() === 0 && total() === before);
    await server.client('admin').run(RESTORE, { path: PATH, versionName: '1.0' });
    assert.deepEqual(below(), whole);
  });
});
