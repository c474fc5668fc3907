import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

const FOLDER = 'mutation ($path: String!, $name: String!) { createFolder(path: $path, name: $name) { path } }';
const SET =
  'mutation ($input: SetAccessControlInput!) { setAccessControl(input: $input) { entries { principal privileges allow } } }';
const READ =
  'query ($path: String!) { accessControl(path: $path) { path node { path } entries { principal { id displayName isGroup } privileges allow } effective { path entries { principal { id } } } } }';
const EFFECTIVE =
  'query ($path: String!) { effectiveAccessControl(path: $path) { path entries { principal { id } privileges allow } } }';
const PRIVILEGES = 'query ($path: String!) { privileges(path: $path) }';
const NODE = 'query ($path: String!) { node(path: $path) { path } }';

describe('access control', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let ann: GraphqlClient;
  let bob: GraphqlClient;
  before(async () => {
    server = await liveServer({
      users: [
        { userId: 'ann', displayName: 'Ann Miller', groups: ['clerks'] },
        { userId: 'bob', groups: ['guards'] },
      ],
    });
    admin = server.as('admin');
    ann = server.as('ann');
    bob = server.as('bob');
  });
  after(() => server.remove());

  const folder = (name: string, path = '/content') => admin.run(FOLDER, { path, name });
  const set = (input: object, client = admin) => client.run(SET, { input });
  const grant = (path: string, principal: string, ...privileges: string[]) => set({ path, principal, privileges });
  const deny = (path: string, principal: string, ...privileges: string[]) =>
    set({ path, principal, privileges, allow: false });
  const sees = async (client: GraphqlClient, path: string) => (await client.run(NODE, { path })).node !== null;

  it('sets a whole list, in its order, by any names of the privileges', async () => {
    await folder('list');
    const entries = [
      { principal: 'clerks', privileges: ['jcr:read', 'write'] },
      { principal: 'bob', privileges: ['{http://www.jcp.org/jcr/1.0}all', 'jcr:all'], allow: false },
    ];
    const { setAccessControl } = await set({ path: '/content/list', entries });
    assert.deepEqual(setAccessControl.entries, [
      { principal: 'clerks', privileges: ['jcr:read', 'jcr:write'], allow: true },
      { principal: 'bob', privileges: ['jcr:all'], allow: false },
    ]);
    const { accessControl } = await admin.run(READ, { path: '/content/list' });
    assert.equal(accessControl.path, '/content/list');
    assert.equal(accessControl.node.path, '/content/list');
    assert.deepEqual(
      accessControl.entries.map(({ principal }) => principal),
      [
        { id: 'clerks', displayName: null, isGroup: true },
        { id: 'bob', displayName: null, isGroup: false },
      ],
    );
    assert.deepEqual(
      accessControl.effective.map(({ path }) => path),
      ['/content/list', '/'],
    );
  });

  it('sets the entry of one principal, behind the others; takes its arguments one by one, too', async () => {
    await folder('one');
    await grant('/content/one', 'ann', 'jcr:read');
    await grant('/content/one', 'bob', 'jcr:read');
    const FLAT =
      'mutation { setAccessControl(path: "/content/one", principal: "ann", privileges: ["write"], allow: false) { entries { principal privileges allow } } }';
    const { setAccessControl } = await admin.run(FLAT);
    assert.deepEqual(setAccessControl.entries, [
      { principal: 'bob', privileges: ['jcr:read'], allow: true },
      { principal: 'ann', privileges: ['jcr:write'], allow: false },
    ]);
    const { accessControl } = await admin.run(READ, { path: '/content/one' });
    assert.deepEqual(accessControl.entries[1]?.principal, { id: 'ann', displayName: 'Ann Miller', isGroup: false });
  });

  it('takes the entries of a principal away, and the list with []', async () => {
    await folder('gone');
    await grant('/content/gone', 'ann', 'jcr:read');
    await grant('/content/gone', 'nobody-yet', 'jcr:read');
    const DELETE =
      'mutation ($principal: String!) { deleteAccessControl(path: "/content/gone", principal: $principal) }';
    assert.equal((await admin.run(DELETE, { principal: 'ann' })).deleteAccessControl, true);
    assert.equal((await refusal(admin.run(DELETE, { principal: 'ann' }))).code, 'BAD_REQUEST');
    const input = { path: '/content/gone', principal: 'nobody-yet' };
    await admin.run('mutation ($input: DeleteAccessControlInput!) { deleteAccessControl(input: $input) }', { input });
    assert.deepEqual((await set({ path: '/content/gone', entries: [] })).setAccessControl.entries, []);
    assert.deepEqual((await admin.run(READ, { path: '/content/gone' })).accessControl.entries, []);
  });

  it('evaluates from the root down: groups, deny, allow again', async () => {
    await folder('c', '/content/deep/a/b');
    await deny('/content/deep', 'everyone', 'jcr:all');
    await grant('/content/deep/a', 'clerks', 'jcr:read', 'jcr:write');
    await deny('/content/deep/a/b', 'ann', 'jcr:write');
    assert.equal(await sees(ann, '/content/deep'), false);
    assert.equal(await sees(ann, '/content/deep/a/b/c'), true);
    assert.equal(await sees(bob, '/content/deep/a'), false);
    const at = async (client: GraphqlClient, path: string) => (await client.run(PRIVILEGES, { path })).privileges;
    assert.deepEqual(await at(ann, '/content/deep/a/b'), ['jcr:read']);
    const write = ['jcr:modifyProperties', 'jcr:addChildNodes', 'jcr:removeNode', 'jcr:removeChildNodes'];
    assert.deepEqual(await at(ann, '/content/deep/a'), ['jcr:read', ...write, 'jcr:write']);
    assert.ok((await at(admin, '/content/deep/a')).includes('jcr:all'));
    assert.equal((await refusal(bob.run(PRIVILEGES, { path: '/content/deep/a' }))).code, 'BAD_REQUEST');
  });

  it('lets nobody but administrators in where a list locks out everybody', async () => {
    await folder('closed');
    await set({ path: '/content/closed', entries: [{ principal: 'everyone', privileges: ['jcr:all'], allow: false }] });
    assert.equal(await sees(ann, '/content/closed'), false);
    assert.equal(await sees(admin, '/content/closed'), true);
  });

  it('shows and changes lists to whoever has the right alone', async () => {
    await folder('rights');
    assert.equal((await refusal(ann.run(READ, { path: '/content/rights' }))).code, 'FORBIDDEN');
    assert.equal((await refusal(ann.run(EFFECTIVE, { path: '/content/rights' }))).code, 'FORBIDDEN');
    const mine = { path: '/content/rights', principal: 'ann', privileges: ['jcr:all'] };
    assert.equal((await refusal(set(mine, ann))).code, 'FORBIDDEN');
    const REMOVE = 'mutation { deleteAccessControl(path: "/content/rights", principal: "x") }';
    assert.equal((await refusal(ann.run(REMOVE))).code, 'FORBIDDEN');
    await grant('/content/rights', 'ann', 'jcr:readAccessControl', 'jcr:modifyAccessControl');
    await set({ ...mine, principal: 'bob', privileges: ['jcr:write'] }, ann);
    // The root's list is not hers to read, so it is left out.
    const { effectiveAccessControl } = await ann.run(EFFECTIVE, { path: '/content/rights' });
    assert.deepEqual(
      effectiveAccessControl.map(({ path }) => path),
      ['/content/rights'],
    );
    const all = (await admin.run(EFFECTIVE, { path: '/content/rights' })).effectiveAccessControl;
    assert.deepEqual(
      all.map(({ path }) => path),
      ['/content/rights', '/'],
    );
  });

  it('refuses unknown privileges, entries without any, no principal, both forms and neither', async () => {
    await folder('bad');
    const path = '/content/bad';
    const one = { principal: 'ann', privileges: ['jcr:read'] };
    const wrong = [
      { path, principal: 'ann', privileges: ['jcr:fly'] },
      { path, principal: 'ann', privileges: ['rep:write'] },
      { path, principal: 'ann', privileges: [] },
      { path, principal: ' ', privileges: ['jcr:read'] },
      { path, principal: 'x'.repeat(256), privileges: ['jcr:read'] },
      { path, principal: 'ann' },
      { path, privileges: ['jcr:read'] },
      { path },
      { path, ...one, entries: [one] },
      { path, entries: [{ principal: 'ann', privileges: ['nothing'] }] },
      { path: 'content/bad', ...one },
    ];
    for (const input of wrong)
      assert.equal((await refusal(set(input))).code, 'BAD_REQUEST', JSON.stringify(input).slice(0, 200));
    const many = Array.from({ length: 501 }, (_, i) => ({ principal: `p${i}`, privileges: ['jcr:read'] }));
    assert.equal((await refusal(set({ path, entries: many }))).code, 'LIMIT_EXCEEDED');
    assert.deepEqual((await admin.run(READ, { path })).accessControl.entries, []);
  });

  it('asks for the version that the client has read', async () => {
    await folder('versioned');
    const path = '/content/versioned';
    const input = { path, principal: 'ann', privileges: ['jcr:read'], expectedVersion: 1 };
    assert.equal((await refusal(set(input))).code, 'CONFLICT');
    const { node } = await admin.run('query ($path: String!) { node(path: $path) { version } }', { path });
    await set({ ...input, expectedVersion: node?.version });
  });

  it('keeps the system part read-only', async () => {
    const path = '/jcr:system';
    assert.equal((await refusal(grant(path, 'ann', 'jcr:all'))).code, 'FORBIDDEN');
    assert.deepEqual((await admin.run(PRIVILEGES, { path })).privileges, ['jcr:read', 'jcr:readAccessControl']);
  });

  it('hides a content that may not be read: its file shows none of it', async () => {
    const CREATE =
      'mutation { createFile(path: "/content", name: "sealed.txt", mimeType: "text/plain", content: "aGVsbG8=") { size } }';
    await admin.run(CREATE);
    await admin.run(
      'mutation { setProperties(path: "/content/sealed.txt", properties: [{ name: "title", value: { stringValue: "secret" } }]) { errors { message } } }',
    );
    await deny('/content/sealed.txt/jcr:content', 'ann', 'jcr:read');
    const FILE =
      '{ node(path: "/content/sealed.txt") { size mimeType modifiedBy properties { name } children { totalCount edges { node { name } } } } }';
    const { node } = await ann.run(FILE);
    assert.deepEqual(node, {
      size: null,
      mimeType: null,
      modifiedBy: 'admin',
      properties: [],
      children: { totalCount: 0, edges: [] },
    });
    assert.equal((await bob.run(FILE)).node?.size, 5);
  });
});
