import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { makeTree, pathsBelow } from './support/trees.js';

const VERSION = 'name created createdBy frozenNodePath predecessors successors labels';
const HISTORY = `query ($path: String!) { versionHistory(path: $path) { totalCount versionableUuid baseVersion { name created } versions { ${VERSION} } edges { cursor node { name } } pageInfo { hasNextPage startCursor endCursor } } }`;
const NODE =
  'id path nodeType mixins isVersionable isCheckedOut baseVersionName properties { name propertyValue { __typename ... on StringPropertyValue { value } } }';

describe('versions of nodes', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    admin = server.as('admin');
  });
  after(() => server.remove());

  const create = async (path: string, name: string, more: object = {}) => {
    const input = { path, name, nodeType: 'nt:unstructured', allowSameNameSiblings: true, ...more };
    return (await admin.run(`mutation ($input: CreateNodeInput!) { createNode(input: $input) { ${NODE} } }`, { input }))
      .createNode;
  };
  const set = (path: string, name: string, value: string) =>
    admin.run(
      'mutation ($path: String!, $properties: [PropertyInput!]!) { setProperties(path: $path, properties: $properties) { errors { message } } }',
      { path, properties: [{ name, value: { stringValue: value } }] },
    );
  const on = (field: string, path: string, more: object = {}, selection = '') =>
    admin.run(
      `mutation ($input: ${field[0]?.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) ${selection} }`,
      { input: { path, ...more } },
    );
  const addVersionControl = (path: string) => on('addVersionControl', path, {}, `{ ${NODE} }`);
  const checkin = async (path: string) => (await on('checkin', path, {}, `{ ${VERSION} }`)).checkin;
  const checkout = (path: string) => on('checkout', path);
  const restore = (path: string, more: object) => on('restoreVersion', path, more, `{ ${NODE} }`);
  const versionHistory = async (path: string) => {
    const { versionHistory: found } = await admin.run(HISTORY, { path });
    assert.ok(found);
    return found;
  };
  const get = async (path: string, client = admin) =>
    (await client.run(`query ($path: String!) { node(path: $path) { ${NODE} } }`, { path })).node;
  const children = async (path: string, client = admin) =>
    (
      await client.run(
        'query ($path: String!) { children(path: $path) { totalCount edges { node { name path nodeType id } } } }',
        { path },
      )
    ).children;
  const names = async (path: string) => (await children(path)).edges.map(({ node }) => node.name);
  const property = async (path: string, name: string) => {
    const found = (await get(path))?.properties.find((one) => one.name === name)?.propertyValue;
    return found === undefined ? undefined : Object.values(found)[1];
  };
  const grant = (path: string, principal: string, privileges: readonly string[], allow = true) =>
    admin.run('mutation ($input: SetAccessControlInput!) { setAccessControl(input: $input) { __typename } }', {
      input: { path, principal, privileges, allow },
    });
  const code = async (call: Promise<unknown>) => (await refusal(call)).code;

  it('begin with 1.0, and go on while the node is checked in and out', async () => {
    await create('/content', 'doc', { properties: [{ name: 'title', value: { stringValue: 'one' } }] });
    assert.equal((await get('/content/doc'))?.isVersionable, false);
    assert.equal(await code(versionHistory('/content/doc')), 'BAD_REQUEST');
    const { data } = await admin.ask(
      '{ versionHistory(path: "/content/doc") { totalCount } node(path: "/content/doc") { name } }',
    );
    assert.deepEqual(data, { versionHistory: null, node: { name: 'doc' } });
    assert.equal(await code(checkin('/content/doc')), 'BAD_REQUEST');
    const { addVersionControl: node } = await addVersionControl('/content/doc');
    assert.deepEqual([node.isVersionable, node.isCheckedOut, node.baseVersionName], [true, false, '1.0']);
    assert.equal(await code(addVersionControl('/content/doc')), 'BAD_REQUEST');
    assert.equal(await code(set('/content/doc', 'title', 'two')), 'CONFLICT');
    assert.equal(await code(checkin('/content/doc')), 'UNAVAILABLE');
    assert.equal((await checkout('/content/doc')).checkout, true);
    assert.equal(await code(checkout('/content/doc')), 'UNAVAILABLE');
    await set('/content/doc', 'title', 'two');
    const version = await checkin('/content/doc');
    assert.equal(version.name, '1.1');
    assert.deepEqual(version.predecessors, ['1.0']);
    assert.equal(version.createdBy, 'admin');
    const history = await versionHistory('/content/doc');
    assert.deepEqual(
      history.versions.map(({ name, successors }) => [name, successors]),
      [
        ['1.0', ['1.1']],
        ['1.1', []],
      ],
    );
    assert.deepEqual(history.versions[0]?.predecessors, []);
    assert.equal(history.versionableUuid, node.id);
    assert.equal(history.baseVersion?.name, '1.1');
    assert.equal(history.totalCount, 2);
    assert.equal(history.pageInfo.hasNextPage, false);
    assert.equal(Buffer.from(history.edges[1]?.cursor ?? '', 'base64').toString(), 'version:1');
    const { node: again } = await admin.run(
      '{ node(path: "/content/doc") { versionHistory { versions { name } } parent { versionHistory { totalCount } } } }',
    );
    assert.equal(again?.versionHistory?.versions.length, 2);
    assert.equal(again?.parent?.versionHistory, null);
  });

  it('branch behind an older version', async () => {
    await create('/content', 'branch');
    await addVersionControl('/content/branch');
    const next = async () => {
      await checkout('/content/branch');
      return (await checkin('/content/branch')).name;
    };
    assert.deepEqual([await next(), await next()], ['1.1', '1.2']);
    await restore('/content/branch', { versionName: '1.0' });
    assert.equal(await next(), '1.0.0');
    assert.equal(await next(), '1.0.1');
    await restore('/content/branch', { versionName: '1.0' });
    assert.equal(await next(), '1.0.0.0');
    const { versions } = await versionHistory('/content/branch');
    assert.deepEqual(versions[0]?.successors, ['1.1', '1.0.0', '1.0.0.0']);
  });

  it('restore properties and children, and leave the node checked in', async () => {
    await create('/content', 'book', { properties: [{ name: 'title', value: { stringValue: 'old' } }] });
    const kept = await create('/content/book', 'kept');
    const moved = await create('/content/book', 'moved');
    const deleted = await create('/content/book', 'deleted');
    await create('/content/book/deleted', 'below');
    await addVersionControl('/content/book');
    await checkout('/content/book');
    await set('/content/book', 'title', 'new');
    await set('/content/book', 'extra', 'new');
    await admin.run('mutation { deleteNode(input: { path: "/content/book/deleted" }) }');
    await admin.run('mutation { renameNode(input: { path: "/content/book/kept", name: "renamed" }) { path } }');
    await admin.run(
      'mutation { moveNode(input: { sourcePath: "/content/book/moved", destPath: "/content" }) { path } }',
    );
    await create('/content/book', 'added');
    await create('/content/moved', 'child of the moved');
    const { restoreVersion: node } = await restore('/content/book', { versionName: '1.0' });
    assert.deepEqual([node.isCheckedOut, node.baseVersionName], [false, '1.0']);
    assert.equal(await property('/content/book', 'title'), 'old');
    assert.equal(await property('/content/book', 'extra'), undefined);
    assert.deepEqual(await names('/content/book'), ['kept', 'moved', 'deleted']);
    assert.equal((await get('/content/book/kept'))?.id, kept.id);
    assert.equal((await get('/content/book/moved'))?.id, moved.id);
    assert.equal((await get('/content/book/deleted'))?.id, deleted.id);
    assert.deepEqual(await names('/content/book/deleted'), ['below']);
    assert.deepEqual(await names('/content/book/moved'), []);
    assert.equal(await get('/content/moved'), null);
    assert.equal(await code(restore('/content/book', { versionName: '9.9' })), 'NOT_FOUND');
    assert.equal(await code(restore('/content/book', { versionName: 'jcr:rootVersion' })), 'BAD_REQUEST');
    assert.equal(await code(restore('/content/book', {})), 'BAD_REQUEST');
    assert.equal(await code(restore('/content/book', { versionName: '1.0', label: 'x' })), 'BAD_REQUEST');
  });

  it('follow a node that is moved and renamed', async () => {
    await create('/content', 'wanderer', { properties: [{ name: 'title', value: { stringValue: 'one' } }] });
    await addVersionControl('/content/wanderer');
    await admin.run('mutation { renameNode(input: { path: "/content/wanderer", name: "walker" }) { path } }');
    await checkout('/content/walker');
    await set('/content/walker', 'title', 'two');
    await restore('/content/walker', { versionName: '1.0' });
    assert.equal(await property('/content/walker', 'title'), 'one');
  });

  it('have labels, by which they are restored', async () => {
    await create('/content', 'labelled', { properties: [{ name: 'title', value: { stringValue: 'one' } }] });
    await addVersionControl('/content/labelled');
    await checkout('/content/labelled');
    await set('/content/labelled', 'title', 'two');
    await checkin('/content/labelled');
    const label = (versionName: string, more: object = {}) =>
      on('addVersionLabel', '/content/labelled', { versionName, label: 'released', ...more }, `{ ${VERSION} }`);
    assert.deepEqual((await label('1.0')).addVersionLabel.labels, ['released']);
    assert.equal(await code(label('1.1')), 'ALREADY_EXISTS');
    assert.deepEqual((await label('1.1', { moveLabel: true })).addVersionLabel.labels, ['released']);
    assert.deepEqual((await versionHistory('/content/labelled')).versions[0]?.labels, []);
    await label('1.0', { moveLabel: true });
    await restore('/content/labelled', { label: 'released' });
    assert.equal(await property('/content/labelled', 'title'), 'one');
    const remove = () => on('removeVersionLabel', '/content/labelled', { label: 'released' }, `{ ${VERSION} }`);
    assert.equal((await remove()).removeVersionLabel.name, '1.0');
    assert.equal(await code(remove()), 'NOT_FOUND');
    assert.equal(await code(restore('/content/labelled', { label: 'released' })), 'NOT_FOUND');
    assert.equal(await code(label('7.0')), 'NOT_FOUND');
    assert.equal(await code(label('1.0', { label: 'a/b' })), 'BAD_REQUEST');
  });

  it('are discarded by uncheckout, and made in passing by checkpoint', async () => {
    await create('/content', 'draft', { properties: [{ name: 'title', value: { stringValue: 'one' } }] });
    await addVersionControl('/content/draft');
    const uncheckout = () => on('uncheckout', '/content/draft');
    const checkpoint = () => on('checkpoint', '/content/draft', {}, `{ ${VERSION} }`);
    assert.equal(await code(uncheckout()), 'BAD_REQUEST');
    assert.equal(await code(checkpoint()), 'BAD_REQUEST');
    await checkout('/content/draft');
    await set('/content/draft', 'title', 'two');
    assert.equal((await uncheckout()).uncheckout, true);
    assert.equal(await property('/content/draft', 'title'), 'one');
    assert.equal((await get('/content/draft'))?.isCheckedOut, false);
    await checkout('/content/draft');
    assert.equal((await checkpoint()).checkpoint.name, '1.1');
    const node = await get('/content/draft');
    assert.deepEqual([node?.isCheckedOut, node?.baseVersionName], [true, '1.1']);
  });

  it('begin with a mixin that is added or given at creation', async () => {
    const made = await create('/content', 'fresh', { mixins: ['mix:versionable'] });
    assert.deepEqual([made.isVersionable, made.isCheckedOut, made.baseVersionName], [true, true, 'jcr:rootVersion']);
    assert.equal((await versionHistory('/content/fresh')).totalCount, 0);
    assert.equal((await versionHistory('/content/fresh')).baseVersion, null);
    assert.equal(await code(on('uncheckout', '/content/fresh')), 'BAD_REQUEST');
    assert.equal((await checkin('/content/fresh')).name, '1.0');
  });

  it('can be read as nodes', async () => {
    await create('/content', 'shown', { properties: [{ name: 'title', value: { stringValue: 'one' } }] });
    for (const name of ['a', 'b', 'a']) await create('/content/shown', name);
    await addVersionControl('/content/shown');
    await on('addVersionLabel', '/content/shown', { versionName: '1.0', label: 'first' }, '{ name }');
    const [version] = (await versionHistory('/content/shown')).versions;
    const path = version?.frozenNodePath ?? '';
    const frozen = await get(path);
    assert.equal(frozen?.nodeType, 'nt:frozenNode');
    assert.equal(frozen?.path, path);
    assert.equal(await property(path, 'title'), 'one');
    const { edges, totalCount } = await children(path);
    assert.equal(totalCount, 3);
    assert.deepEqual(
      edges.map(({ node }) => node.path.slice(path.length)),
      ['/a', '/b', '/a[2]'],
    );
    for (const { node } of edges) assert.equal((await get(node.path))?.id, node.id);
    const history = path.split('/').slice(0, -2).join('/');
    assert.deepEqual(await names(history), ['1.0', 'jcr:rootVersion', 'jcr:versionLabels']);
    assert.equal((await get(`${history}/1.0`))?.nodeType, 'nt:version');
    assert.ok((await names('/jcr:system/jcr:versionStorage')).includes(history.split('/').at(-1) ?? ''));
    assert.equal(await code(set(path, 'title', 'two')), 'FORBIDDEN');
    assert.equal(await code(admin.run(`mutation { deleteNode(input: { path: "${path}" }) }`)), 'FORBIDDEN');
    const page =
      'query ($path: String!, $after: String) { children(path: $path, first: 1, after: $after) { edges { cursor node { name } } pageInfo { hasNextPage endCursor } } }';
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { children: one } = await admin.run(page, { path, after });
      seen.push(...one.edges.map(({ node }) => node.name));
      after = one.pageInfo.hasNextPage ? (one.pageInfo.endCursor ?? null) : null;
    } while (after !== null);
    assert.deepEqual(seen, ['a', 'b', 'a']);
  });

  it('go with their node when it is deleted', async () => {
    await create('/content', 'gone');
    await create('/content/gone', 'child', { mixins: ['mix:versionable'] });
    await checkin('/content/gone/child');
    const [version] = (await versionHistory('/content/gone/child')).versions;
    assert.ok(await get(version?.frozenNodePath ?? ''));
    await admin.run('mutation { deleteNode(input: { path: "/content/gone" }) }');
    assert.equal(await get(version?.frozenNodePath ?? ''), null);
  });

  it('keep a versionable child by its own history', async () => {
    await create('/content', 'parent', { mixins: ['mix:versionable'] });
    await create('/content/parent', 'child', {
      mixins: ['mix:versionable'],
      properties: [{ name: 'title', value: { stringValue: 'one' } }],
    });
    await checkin('/content/parent/child');
    const before = await checkin('/content/parent');
    const frozen = await children(before.frozenNodePath ?? '');
    assert.deepEqual(
      frozen.edges.map(({ node }) => [node.name, node.nodeType]),
      [['child', 'nt:versionedChild']],
    );
    await checkout('/content/parent/child');
    await set('/content/parent/child', 'title', 'two');
    await checkout('/content/parent');
    await restore('/content/parent', { versionName: '1.0' });
    assert.equal(await property('/content/parent/child', 'title'), 'two');
    assert.equal((await get('/content/parent/child'))?.isCheckedOut, true);
    const child = await get('/content/parent/child');
    // A version without it: the restore takes it away, another one brings it back from its history.
    await create('/content', 'elsewhere');
    await admin.run(
      'mutation { checkout(input: { path: "/content/parent" }) moveNode(input: { sourcePath: "/content/parent/child", destPath: "/content/elsewhere" }) { path } }',
    );
    assert.equal((await checkin('/content/parent')).name, '1.1');
    await restore('/content/parent', { versionName: '1.0' });
    assert.equal((await get('/content/parent/child'))?.id, child?.id);
    await restore('/content/parent', { versionName: '1.1' });
    assert.equal(await get('/content/parent/child'), null);
    await restore('/content/parent', { versionName: '1.0' });
    const back = await get('/content/parent/child');
    assert.deepEqual([back?.id, back?.isCheckedOut, back?.baseVersionName], [child?.id, false, '1.0']);
    assert.equal(await property('/content/parent/child', 'title'), 'one');
  });

  it('outlive their node as long as a version of a folder names it, and come back with it', async () => {
    const text = (content: string) => Buffer.from(content).toString('base64');
    await admin.run('mutation { createFolder(path: "/content", name: "library") { id } }');
    await admin.run(
      `mutation { createFile(path: "/content/library", name: "a.txt", content: "${text('one')}") { id } }`,
    );
    const path = '/content/library/a.txt';
    await addVersionControl(path);
    await checkout(path);
    await set(path, 'title', 'second');
    await checkin(path);
    const before = await get(path);
    await addVersionControl('/content/library');
    await checkout('/content/library');
    await admin.run(`mutation { deleteNode(input: { path: "${path}" }) }`);
    const storage = `/jcr:system/jcr:versionStorage/${before?.id}`;
    assert.equal((await get(storage))?.nodeType, 'nt:versionHistory');
    await restore('/content/library', { versionName: '1.0' });
    const back = await get(path);
    assert.deepEqual([back?.id, back?.isCheckedOut, back?.baseVersionName], [before?.id, false, '1.1']);
    assert.equal(await property(path, 'title'), 'second');
    const { totalCount } = await versionHistory(path);
    assert.equal(totalCount, 2);
    await restore(path, { versionName: '1.0' });
    assert.equal(await property(path, 'title'), undefined);
  });

  it('of a large folder in a versioned one come back as well', async () => {
    await admin.run('mutation { createFolder(path: "/content", name: "archive") { id } }');
    await admin.run('mutation { createFolder(path: "/content/archive", name: "large") { id } }');
    await makeTree(admin, '/content/archive/large', { folders: 4, files: 30 });
    const { id } = (await get('/content/archive/large')) ?? {};
    await addVersionControl('/content/archive/large');
    await addVersionControl('/content/archive');
    await checkout('/content/archive');
    await admin.run('mutation { deleteNode(input: { path: "/content/archive/large" }) }');
    await restore('/content/archive', { versionName: '1.0' });
    assert.equal((await get('/content/archive/large'))?.id, id);
    assert.equal((await pathsBelow(admin, '/content/archive/large')).length, 4 + 4 * 30 * 2);
    assert.equal((await versionHistory('/content/archive/large')).totalCount, 1);
  });

  it('are needed of a child that is to come back: without any the restore is refused', async () => {
    await create('/content', 'strict', { mixins: ['mix:versionable'] });
    await create('/content/strict', 'never', { mixins: ['mix:versionable'] });
    await checkin('/content/strict');
    await checkout('/content/strict');
    await admin.run('mutation { deleteNode(input: { path: "/content/strict/never" }) }');
    const refused = await refusal(restore('/content/strict', { versionName: '1.0' }));
    assert.equal(refused.errors[0]?.extensions.reason, 'child_without_version');
    assert.match(
      refused.message,
      /expected 'never', which the version has and is gone, to come back with its own versions/,
    );
  });

  it('can be deleted unless the node follows them', async () => {
    await create('/content', 'many');
    await addVersionControl('/content/many');
    for (let i = 0; i < 2; i++) {
      await checkout('/content/many');
      await checkin('/content/many');
    }
    const remove = (versionName: string) => on('deleteVersion', '/content/many', { versionName });
    assert.equal(await code(remove('1.2')), 'CONFLICT');
    assert.equal(await code(remove('jcr:rootVersion')), 'BAD_REQUEST');
    assert.equal((await remove('1.1')).deleteVersion, true);
    assert.equal(await code(remove('1.1')), 'NOT_FOUND');
    const { versions } = await versionHistory('/content/many');
    assert.deepEqual(
      versions.map(({ name, predecessors, successors }) => [name, predecessors, successors]),
      [
        ['1.0', [], ['1.2']],
        ['1.2', ['1.0'], []],
      ],
    );
    await restore('/content/many', { versionName: '1.0' });
  });

  it('are part of a transaction', async () => {
    await create('/content', 'together');
    const operations = [
      { addMixin: { path: '/content/together', mixinType: 'mix:versionable' } },
      { setProperties: { path: '/content/together', properties: [{ name: 'title', value: { stringValue: 'one' } }] } },
      { checkin: { path: '/content/together' } },
      { addVersionLabel: { path: '/content/together', versionName: '1.0', label: 'first' } },
    ];
    await admin.run(
      'mutation ($operations: [ContentOperation!]!) { contentTransaction(operations: $operations) { results { ok } } }',
      { operations },
    );
    const { versions } = await versionHistory('/content/together');
    assert.deepEqual([versions[0]?.name, versions[0]?.labels], ['1.0', ['first']]);
    assert.equal(await property(versions[0]?.frozenNodePath ?? '', 'title'), 'one');
  });

  it('of files bring their bytes back', async () => {
    const file = {
      path: '/content',
      name: 'v.txt',
      mimeType: 'text/plain',
      content: Buffer.from('x'.repeat(5_000)).toString('base64'),
    };
    await admin.run('mutation ($input: CreateFileInput!) { createFile(input: $input) { path } }', { input: file });
    await addVersionControl('/content/v.txt');
    await checkout('/content/v.txt');
    await admin.run(
      'mutation ($path: String!, $properties: [PropertyInput!]!) { setProperties(path: $path, properties: $properties) { errors { message } } }',
      { path: '/content/v.txt', properties: [{ name: 'jcr:data', value: { binaryValue: 'AAAA' } }] },
    );
    const size = async () => (await admin.run('{ node(path: "/content/v.txt") { size } }')).node?.size;
    assert.equal(await size(), 3);
    await restore('/content/v.txt', { versionName: '1.0' });
    assert.equal(await size(), 5_000);
  });

  it('are shown to those who may read their node, and made by those who may', async () => {
    const ann = server.as('ann');
    await create('/content', 'secret', { properties: [{ name: 'title', value: { stringValue: 'one' } }] });
    await create('/content/secret', 'hidden');
    await addVersionControl('/content/secret');
    const [version] = (await versionHistory('/content/secret')).versions;
    const path = version?.frozenNodePath ?? '';
    assert.ok(await get(path, ann));
    assert.equal(await code(ann.run('mutation { checkout(input: { path: "/content/secret" }) }')), 'FORBIDDEN');
    assert.equal((await children(path, ann)).totalCount, 1);
    await checkout('/content/secret');
    await grant('/content/secret', 'ann', ['jcr:versionManagement']);
    assert.equal(
      (await ann.run('mutation { checkpoint(input: { path: "/content/secret" }) { name } }')).checkpoint.name,
      '1.1',
    );
    // What may not be read now may not be read as it was.
    await grant('/content/secret/hidden', 'ann', ['jcr:read'], false);
    assert.equal((await children(path, ann)).totalCount, 0);
    assert.equal((await children(path)).totalCount, 1);
    assert.equal(await get(`${path}/hidden`, ann), null);
    await admin.run('mutation { checkin(input: { path: "/content/secret" }) { name } }');
    await checkout('/content/secret');
    await admin.run('mutation { deleteNode(input: { path: "/content/secret/hidden" }) }');
    const newest = path.replace('/1.0/', '/1.2/');
    assert.equal(await get(`${newest}/hidden`, ann), null, 'it could not be read when it was frozen');
    assert.ok(await get(`${newest}/hidden`));
    await grant('/content/secret', 'ann', ['jcr:read'], false);
    assert.equal(await get(path, ann), null);
    assert.equal(await code(ann.run('{ versionHistory(path: "/content/secret") { totalCount } }')), 'BAD_REQUEST');
    const storage = await children('/jcr:system/jcr:versionStorage', ann);
    assert.ok(!storage.edges.some(({ node }) => path.startsWith(node.path)));
  });

  it('are not made of a node that somebody else has locked', async () => {
    const ann = server.as('ann');
    await create('/content', 'locked', { mixins: ['mix:versionable', 'mix:lockable'] });
    await grant('/content/locked', 'ann', ['jcr:versionManagement']);
    await admin.run('mutation { lockNode(input: { path: "/content/locked" }) { path } }');
    assert.equal(await code(ann.run('mutation { checkin(input: { path: "/content/locked" }) { name } }')), 'CONFLICT');
    assert.equal((await checkin('/content/locked')).name, '1.0');
    await restore('/content/locked', { versionName: '1.0' });
    const { node } = await admin.run('{ node(path: "/content/locked") { isLocked } }');
    assert.equal(node?.isLocked, true);
  });

  it('say of what lies below a checked-in node that it cannot be changed, and why', async () => {
    await create('/content', 'shelf');
    await create('/content/shelf', 'book');
    await create('/content/shelf', 'own', { mixins: ['mix:versionable'] });
    const said = async (path: string, client = admin) => {
      const { node } = await client.run('query ($path: String!) { node(path: $path) { isWritable checkedInBy } }', {
        path,
      });
      return [node?.isWritable, node?.checkedInBy];
    };
    assert.deepEqual(await said('/content/shelf/book'), [true, null]);
    await addVersionControl('/content/shelf');
    assert.deepEqual(await said('/content/shelf'), [false, '/content/shelf']);
    assert.deepEqual(await said('/content/shelf/book'), [false, '/content/shelf']);
    assert.deepEqual(await said('/content/shelf/own'), [true, null]);
    assert.equal(await code(set('/content/shelf/book', 'title', 'x')), 'CONFLICT');
    await checkout('/content/shelf');
    assert.deepEqual(await said('/content/shelf/book'), [true, null]);
    assert.deepEqual(await said('/content/shelf/book', server.as('ann')), [false, null]);
    assert.deepEqual(await said('/jcr:system'), [false, null]);
  });

  it('leave alone what no version keeps: it may change while the node is checked in', async () => {
    const cnd = "<g='http://example.org/ignored'>\n[g:read] mixin\n  - g:times (long) ignore\n  - g:title (string)";
    await admin.run('mutation ($cnd: String!) { registerNodeTypes(cnd: $cnd) { name } }', { cnd });
    await create('/content', 'counted', { mixins: ['g:read', 'mix:lastModified'] });
    await addVersionControl('/content/counted');
    const write = async (...properties: object[]) =>
      (
        await admin.run(
          'mutation ($properties: [PropertyInput!]!) { setProperties(path: "/content/counted", properties: $properties) { errors { message } } }',
          { properties },
        )
      ).setProperties.errors;
    const times = (value: object | null) => ({ name: 'g:times', value });
    const title = { name: 'g:title', value: { stringValue: 'x' } };
    assert.deepEqual(await write(times({ longValue: 1 })), []);
    assert.equal(await property('/content/counted', 'g:times'), undefined);
    assert.match((await write(times({ stringValue: 'many' })))[0]?.message ?? '', /'g:times'/);
    for (const given of [[title], [times({ longValue: 2 }), title], [{ name: 'other', value: null }]])
      assert.equal(await code(write(...given)), 'CONFLICT');
    assert.deepEqual(await write(times({ longValue: 2 })), []);
    await restore('/content/counted', { versionName: '1.0' });
    const { node } = await admin.run(
      '{ node(path: "/content/counted") { isCheckedOut properties { name propertyValue { ... on LongPropertyValue { value } } } } }',
    );
    assert.equal(node?.isCheckedOut, false);
    assert.deepEqual(node?.properties, [{ name: 'g:times', propertyValue: { value: 2 } }]);
    assert.deepEqual(await write(times(null)), []);
  });
});
