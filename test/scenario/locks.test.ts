import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { sessionClient } from '../support/session-client.js';
import { Events } from './support/events.js';

const FOLDER = 'mutation ($path: String!, $name: String!) { createFolder(path: $path, name: $name) { path } }';
const LOCK_FIELDS =
  'isLocked mixins lockOwner isDeep isSessionScoped isLockOwningSession lockInfo { lockOwner lockOwnerDisplayName ownerInfo isDeep isSessionScoped isLockOwningSession isLockOwner lockToken expires }';
const LOCK = `mutation ($input: LockNodeInput!) { lockNode(input: $input) { path ${LOCK_FIELDS} } }`;
const UNLOCK = 'mutation ($input: UnlockNodeInput!) { unlockNode(input: $input) }';
const REFRESH = 'mutation ($input: RefreshLockInput!) { refreshLock(input: $input) { lockInfo { expires } } }';
const STATE = `query ($path: String!) { node(path: $path) { ${LOCK_FIELDS} } }`;
const SET =
  'mutation ($path: String!) { setProperties(path: $path, properties: [{ name: "jcr:mimeType", value: { stringValue: "text/x" } }]) { errors { message } } }';
const ADVANCE = 'mutation ($by: String!) { advanceClock(by: $by) }';
const ALL = ['jcr:all'];

/** What somebody else's lock keeps from happening to /content/<area>/locked and what lies below. */
const WRITES: Readonly<Record<string, string>> = {
  createFolder: 'createFolder(path: "/content/AREA/locked", name: "new") { path }',
  createFile: 'createFile(path: "/content/AREA/locked", name: "new", content: "") { path }',
  createNode: 'createNode(input: { path: "/content/AREA/locked", name: "new", nodeType: "nt:folder" }) { path }',
  'createFolder deeper': 'createFolder(path: "/content/AREA/locked/sub/on/the/way", name: "new") { path }',
  deleteNode: 'deleteNode(input: { path: "/content/AREA/locked" })',
  'deleteNode of a child': 'deleteNode(input: { path: "/content/AREA/locked/sub" })',
  'deleteNode of what is above': 'deleteNode(input: { path: "/content/AREA" })',
  renameNode: 'renameNode(input: { path: "/content/AREA/locked", name: "other" }) { path }',
  'renameNode of a child': 'renameNode(input: { path: "/content/AREA/locked/sub", name: "other" }) { path }',
  moveNode: 'moveNode(input: { sourcePath: "/content/AREA/locked", destPath: "/content" }) { path }',
  'moveNode of a child': 'moveNode(input: { sourcePath: "/content/AREA/locked/sub", destPath: "/content" }) { path }',
  'moveNode into it':
    'moveNode(input: { sourcePath: "/content/AREA/free", destPath: "/content/AREA/locked" }) { path }',
  setProperties:
    'setProperties(path: "/content/AREA/locked", properties: [{ name: "jcr:createdBy", value: null }]) { errors { message } }',
  'setProperties of a file':
    'setProperties(path: "/content/AREA/locked/sub/file", properties: [{ name: "jcr:mimeType", value: null }]) { errors { message } }',
  addMixin: 'addMixin(path: "/content/AREA/locked", mixinType: "mix:referenceable") { path }',
  deleteMixin: 'deleteMixin(path: "/content/AREA/locked", mixinType: "mix:title") { path }',
  setAccessControl: 'setAccessControl(path: "/content/AREA/locked", entries: []) { entries { principal } }',
  deleteAccessControl: 'deleteAccessControl(path: "/content/AREA/locked", principal: "clerks")',
  lockNode: 'lockNode(path: "/content/AREA/locked") { path }',
  'lockNode deeply above': 'lockNode(path: "/content/AREA", isDeep: true) { path }',
  unlockNode: 'unlockNode(input: { path: "/content/AREA/locked" })',
  refreshLock: 'refreshLock(input: { path: "/content/AREA/locked", timeout: 5 }) { path }',
};

describe('locks', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let ann: GraphqlClient;
  let bob: GraphqlClient;
  before(async () => {
    const users = [
      { userId: 'ann', displayName: 'Ann Miller' },
      { userId: 'bob', groups: ['clerks'] },
      { userId: 'eve' },
    ];
    server = await liveServer({ users });
    admin = server.as('admin');
    ann = server.as('ann');
    bob = server.as('bob');
    const entries = ['ann', 'bob'].map((principal) => ({ principal, privileges: ALL }));
    await admin.run(
      'mutation ($input: SetAccessControlInput!) { setAccessControl(input: $input) { entries { principal } } }',
      { input: { path: '/content', entries } },
    );
  });
  after(() => server.remove());

  const folder = (path: string, name: string) => admin.run(FOLDER, { path, name });
  const file = (path: string, name: string) =>
    admin.run(`mutation { createFile(path: "${path}", name: "${name}", content: "eA==") { path } }`);
  const lock = async (client: GraphqlClient, path: string, options: object = {}) =>
    (await client.run(LOCK, { input: { path, ...options } })).lockNode;
  const unlock = (client: GraphqlClient, path: string, lockToken?: string | null) =>
    client.run(UNLOCK, { input: { path, lockToken } });
  const stateOf = async (path: string, client = admin) => (await client.run(STATE, { path })).node;
  const codeOf = async (call: Promise<unknown>) => (await refusal(call)).code;

  it('belong to whoever locks; others see them without the token', async () => {
    await folder('/content', 'mine');
    const locked = await lock(ann, '/content/mine', { ownerInfo: 'the editor on the third floor' });
    assert.deepEqual(locked.mixins, ['mix:lockable']);
    const token = locked.lockInfo?.lockToken;
    assert.ok(token);
    assert.deepEqual(locked.lockInfo, {
      lockOwner: 'ann',
      lockOwnerDisplayName: 'Ann Miller',
      ownerInfo: 'the editor on the third floor',
      isDeep: false,
      isSessionScoped: false,
      isLockOwningSession: true,
      isLockOwner: true,
      lockToken: token,
      expires: null,
    });
    const seen = await stateOf('/content/mine', bob);
    assert.equal(seen?.isLocked, true);
    assert.equal(seen?.lockInfo?.lockToken, null);
    assert.equal(seen?.lockInfo?.isLockOwner, false);
    assert.equal(seen?.isLockOwningSession, false);
    assert.equal((await unlock(ann, '/content/mine')).unlockNode, true);
    const free = await stateOf('/content/mine');
    assert.deepEqual([free?.isLocked, free?.lockInfo, free?.mixins], [false, null, ['mix:lockable']]);
  });

  it('are held once: not by somebody else, nor twice, nor below a deep one', async () => {
    await folder('/content/once/a', 'b');
    await lock(ann, '/content/once', { isDeep: true });
    const again = await refusal(lock(ann, '/content/once'));
    assert.equal(again.code, 'CONFLICT');
    assert.match(again.message, /^CONFLICT: expected '\/content\/once' to be unlocked, but ann holds a lock$/);
    assert.equal(await codeOf(lock(bob, '/content/once')), 'CONFLICT');
    assert.equal(await codeOf(lock(ann, '/content/once/a/b')), 'CONFLICT');
    assert.equal((await stateOf('/content/once/a/b'))?.isDeep, true);
    const through = await refusal(unlock(ann, '/content/once/a'));
    assert.equal(through.code, 'CONFLICT');
    assert.match(through.message, /the lock is at '\/content\/once'/);
    await unlock(ann, '/content/once');
    assert.equal(await codeOf(unlock(ann, '/content/once')), 'CONFLICT');
  });

  it("that are deep take one's own locks in, and no others", async () => {
    await folder('/content/nest/a', 'b');
    await lock(ann, '/content/nest/a/b');
    assert.equal(await codeOf(lock(bob, '/content/nest', { isDeep: true })), 'CONFLICT');
    await lock(bob, '/content/nest');
    await unlock(bob, '/content/nest');
    await lock(ann, '/content/nest', { isDeep: true });
    await unlock(ann, '/content/nest');
    assert.equal((await stateOf('/content/nest/a'))?.isLocked, false);
    assert.equal((await stateOf('/content/nest/a/b'))?.isLocked, true);
  });

  it('of a file protect its content', async () => {
    await file('/content/files', 'f');
    await lock(ann, '/content/files/f');
    assert.equal(await codeOf(bob.run(SET, { path: '/content/files/f' })), 'CONFLICT');
    assert.equal((await stateOf('/content/files/f/jcr:content'))?.isLocked, true);
    assert.deepEqual((await ann.run(SET, { path: '/content/files/f' })).setProperties.errors, []);
    await unlock(ann, '/content/files/f');
    await lock(bob, '/content/files/f/jcr:content');
    assert.equal(await codeOf(lock(ann, '/content/files/f')), 'CONFLICT');
  });

  for (const deep of [true, false]) {
    const area = deep ? 'deep' : 'flat';
    describe(`${deep ? 'deep' : 'plain'}, and what others then cannot do`, () => {
      before(async () => {
        await folder(`/content/${area}`, 'free');
        await file(`/content/${area}/locked/sub`, 'file');
        await admin.run(
          `mutation { setAccessControl(path: "/content/${area}/locked", principal: "clerks", privileges: ["jcr:read"]) { entries { principal } } }`,
        );
        await admin.run(`mutation { addMixin(path: "/content/${area}/locked", mixinType: "mix:title") { path } }`);
        await lock(ann, `/content/${area}/locked`, { isDeep: deep });
      });

      // What lies deeper is not protected by a lock that is not deep.
      const isDeeper = (name: string) => name === 'setProperties of a file' || name === 'createFolder deeper';
      for (const [name, field] of Object.entries(WRITES).filter(([one]) => deep || !isDeeper(one))) {
        it(name, async () => {
          const refused = await refusal(bob.run(`mutation { ${field.replaceAll('AREA', area)} }`));
          assert.equal(refused.code, 'CONFLICT', refused.message);
          assert.match(refused.message, /ann holds a lock|somebody else holds one/);
        });
      }

      it('nor can an administrator, before the lock is broken', async () => {
        assert.equal(await codeOf(folder(`/content/${area}/locked`, 'new')), 'CONFLICT');
        await unlock(admin, `/content/${area}/locked`);
        await folder(`/content/${area}/locked`, 'new');
      });
    });
  }

  it('leave alone what is beside and what is below one that is not deep', async () => {
    await file('/content/beside/sub', 'file');
    await folder('/content/beside', 'other');
    await lock(ann, '/content/beside/sub');
    await bob.run(SET, { path: '/content/beside/sub/file' });
    await bob.run(FOLDER, { path: '/content/beside', name: 'new' });
    await bob.run('mutation { renameNode(input: { path: "/content/beside/other", name: "renamed" }) { path } }');
    await bob.run(
      'mutation { moveNode(input: { sourcePath: "/content/beside", destPath: "/content", name: "moved" }) { path } }',
    );
    assert.equal((await stateOf('/content/moved/sub'))?.lockOwner, 'ann');
  });

  it('go with what is deleted by their holder', async () => {
    await folder('/content/temporary', 'a');
    await lock(ann, '/content/temporary/a');
    assert.equal((await ann.run('mutation { deleteNode(input: { path: "/content/temporary" }) }')).deleteNode, true);
  });

  it('are passed on by their token: in the request, and for unlocking', async () => {
    await folder('/content', 'passed');
    const { lockInfo } = await lock(ann, '/content/passed');
    const token = lockInfo?.lockToken ?? '';
    const create = 'mutation { createFolder(path: "/content/passed", name: "by-bob") { path } }';
    assert.equal((await bob.ask(create, { lockTokens: ['another'] })).errors?.[0]?.extensions.code, 'CONFLICT');
    const { data, errors } = await bob.ask(create, { lockTokens: ['another', token] });
    assert.deepEqual([errors, data?.createFolder.path], [undefined, '/content/passed/by-bob']);
    const shown = await bob.ask(`{ node(path: "/content/passed") { isLockOwningSession lockInfo { isLockOwner } } }`, {
      lockTokens: [token],
    });
    assert.deepEqual(shown.data?.node, { isLockOwningSession: true, lockInfo: { isLockOwner: false } });
    assert.equal(await codeOf(unlock(bob, '/content/passed', 'another')), 'CONFLICT');
    assert.equal((await unlock(bob, '/content/passed', token)).unlockNode, true);
    for (const lockTokens of ['text', [1], Array.from({ length: 101 }, () => 'x'), [{}], ['x'.repeat(256)]]) {
      const { status } = await bob.ask(create, { lockTokens });
      assert.equal(status, 400, JSON.stringify(lockTokens).slice(0, 50));
    }
  });

  it('end at their time, by themselves, and can be refreshed', async () => {
    await folder('/content', 'timed');
    const path = '/content/timed';
    const { lockInfo } = await lock(ann, path, { timeout: 60 });
    const expires = Date.parse(String(lockInfo?.expires));
    await admin.run(ADVANCE, { by: 'PT50S' });
    const { refreshLock } = await ann.run(REFRESH, { input: { path } });
    assert.equal(Date.parse(String(refreshLock.lockInfo?.expires)), expires + 50_000);
    assert.equal(await codeOf(bob.run(REFRESH, { input: { path } })), 'CONFLICT');
    await admin.run(ADVANCE, { by: 'PT59S' });
    assert.equal((await stateOf(path))?.isLocked, true);
    const { node: before } = await admin.run(`{ node(path: "${path}") { version } }`);
    await admin.run(ADVANCE, { by: 'PT1S' });
    assert.equal((await stateOf(path))?.isLocked, false);
    const { node: after } = await admin.run(`{ node(path: "${path}") { version } }`);
    assert.notEqual(after?.version, before?.version, 'the job has taken the lock away');
    assert.equal((await admin.run('{ jobs(type: "lockTimeout") { totalCount } }')).jobs.totalCount, 0);
    assert.equal(await codeOf(ann.run(REFRESH, { input: { path } })), 'CONFLICT');
    await lock(bob, path, { timeout: 5 });
    for (const timeout of [0, -1]) assert.equal(await codeOf(lock(ann, '/content', { timeout })), 'BAD_REQUEST');
  });

  it('of a session end with it', async () => {
    await folder('/content', 'session');
    const basic = await refusal(lock(ann, '/content/session', { isSessionScoped: true }));
    assert.equal(basic.code, 'BAD_REQUEST');
    assert.match(basic.message, /the request has none/);
    const first = await sessionClient(server, 'ann');
    const second = await sessionClient(server, 'ann');
    const locked = await lock(first, '/content/session', { isSessionScoped: true, isDeep: true });
    assert.equal(locked.isSessionScoped, true);
    const create = { path: '/content/session', name: 'x' };
    assert.equal(await codeOf(second.run(FOLDER, create)), 'CONFLICT');
    await first.run(FOLDER, create);
    await first.signOut();
    while ((await stateOf('/content/session'))?.isLocked === true) await new Promise(setImmediate);
    await second.run(FOLDER, { ...create, name: 'y' });
  });

  it('need jcr:lockManagement, which is enough to make a node lockable', async () => {
    await folder('/content', 'managed');
    const path = '/content/managed';
    const grant =
      'mutation ($entries: [AccessControlEntryInput!]) { setAccessControl(path: "/content/managed", entries: $entries) { entries { principal } } }';
    const eve = server.as('eve');
    await admin.run(grant, { entries: [{ principal: 'eve', privileges: ['read'] }] });
    assert.equal(await codeOf(lock(eve, path)), 'FORBIDDEN');
    await admin.run(grant, { entries: [{ principal: 'eve', privileges: ['read', 'lockManagement'] }] });
    assert.deepEqual((await lock(eve, path)).mixins, ['mix:lockable']);
    assert.equal(await codeOf(admin.run(grant, { entries: [] })), 'CONFLICT');
    await unlock(admin, path);
    await admin.run(grant, { entries: [] });
    await lock(admin, path);
    assert.equal(await codeOf(unlock(eve, path)), 'FORBIDDEN');
  });

  it('keep mix:lockable while they last', async () => {
    await folder('/content', 'kept');
    await lock(ann, '/content/kept', { timeout: 10 });
    const REMOVE = 'mutation { deleteMixin(path: "/content/kept", mixinType: "mix:lockable") { mixins } }';
    assert.equal(await codeOf(ann.run(REMOVE)), 'CONFLICT');
    await unlock(ann, '/content/kept');
    assert.deepEqual((await ann.run(REMOVE)).deleteMixin.mixins, []);
  });

  it('are told as events when they are taken, and when they end in whatever way', async () => {
    for (const name of ['a', 'b', 'c']) await folder('/content/told', name);
    const FOLLOW =
      'subscription ($after: String) { nodeChanged(path: "/content/told", deep: true, after: $after) { eventType path userId } }';
    const { extensions } = await admin.ask(FOLDER, { variables: { path: '/content/told', name: 'd' } });
    const session = await sessionClient(server, 'ann');
    const events = new Events(ann, true);
    try {
      const told = events.follow(FOLLOW, { after: extensions?.position });
      await events.connected(1);
      await lock(ann, '/content/told/a');
      await unlock(admin, '/content/told/a');
      await lock(bob, '/content/told/b', { timeout: 1 });
      await admin.run(ADVANCE, { by: 'PT1S' });
      await lock(session, '/content/told/c', { isSessionScoped: true });
      await session.signOut();
      assert.deepEqual(
        (await told.events(6)).map(({ eventType, path, userId }) => `${eventType} ${path} ${userId}`),
        [
          'LOCKED /content/told/a ann',
          'UNLOCKED /content/told/a admin',
          'LOCKED /content/told/b bob',
          'UNLOCKED /content/told/b bob',
          'LOCKED /content/told/c ann',
          'UNLOCKED /content/told/c system',
        ],
      );
    } finally {
      events.close();
    }
  });

  it('are passed on by their token on an event stream, too', async () => {
    await folder('/content', 'streamed');
    const { lockInfo } = await lock(ann, '/content/streamed');
    const stream = `${bob.url}/stream`;
    const token = await (await fetch(stream, { method: 'PUT', headers: bob.headers })).text();
    const ended = new AbortController();
    await fetch(`${stream}?token=${token}`, { headers: bob.headers, signal: ended.signal });
    const query = 'mutation { createFolder(path: "/content/streamed", name: "by-bob") { path } }';
    const extensions = { operationId: '1', lockTokens: [lockInfo?.lockToken] };
    const { status } = await fetch(`${stream}?token=${token}`, {
      method: 'POST',
      headers: { ...bob.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, extensions }),
    });
    assert.equal(status, 202);
    while ((await stateOf('/content/streamed/by-bob')) === null) await new Promise(setImmediate);
    ended.abort();
  });

  it('are found below a deep one however many there are', async function () {
    this.timeout(60_000);
    await folder('/content/crowd', 'a');
    await folder('/content/crowd', 'b');
    const MANY = 60;
    for (let i = 0; i < MANY; i++) {
      await folder('/content/crowd/a', `n${i}`);
      await lock(ann, `/content/crowd/a/n${i}`);
    }
    assert.equal(await codeOf(lock(bob, '/content/crowd/a', { isDeep: true })), 'CONFLICT');
    assert.equal(await codeOf(lock(bob, '/content/crowd', { isDeep: true })), 'CONFLICT');
    await lock(bob, '/content/crowd/b', { isDeep: true });
    await lock(ann, '/content/crowd/a', { isDeep: true });
  });

  it('are taken on a checked-in file, as they change nothing that its versions keep', async () => {
    await file('/content', 'versioned.txt');
    const path = '/content/versioned.txt';
    await admin.run('mutation ($input: AddVersionControlInput!) { addVersionControl(input: $input) { path } }', {
      input: { path },
    });
    const locked = await lock(ann, path, { isDeep: true });
    assert.deepEqual(locked.mixins, ['mix:versionable', 'mix:lockable']);
    assert.equal(
      await codeOf(bob.run('mutation ($path: String!) { checkout(input: { path: $path }) }', { path })),
      'CONFLICT',
    );
    const { exportXml } = await admin.run('query ($path: String!) { exportXml(path: $path, view: SYSTEM) }', { path });
    assert.match(exportXml, /sv:name="jcr:lockOwner" sv:type="String"><sv:value>ann</);
    assert.match(exportXml, /sv:name="jcr:lockIsDeep" sv:type="Boolean"><sv:value>true</);
    await unlock(ann, path);
    assert.equal((await stateOf(path))?.isLocked, false);
    const unlocked = await admin.run('query ($path: String!) { exportXml(path: $path, view: SYSTEM) }', { path });
    assert.doesNotMatch(unlocked.exportXml, /jcr:lock/);
  });
});

describe('locks of sessions that ended while the server did not run', () => {
  it('are released at the start; those of living sessions are not', async () => {
    const users = [{ userId: 'ann', roles: ['administrator'] }];
    const isLocked = async (server: LiveServer) =>
      (await server.as('ann').run('{ node(path: "/content") { isLocked } }')).node?.isLocked;
    const first = await liveServer({ users });
    let server = first;
    try {
      const ann = await sessionClient(first, 'ann');
      await ann.run(LOCK, { input: { path: '/content', isSessionScoped: true } });
      await first.end();
      server = await liveServer({ users, folder: first.folder });
      assert.equal(await isLocked(server), true);
      await server.end();
      // The session has longer to go on than any may now.
      server = await liveServer({
        users,
        folder: first.folder,
        env: { MILLRACE_SESSION_IDLE: '1m', MILLRACE_SESSION_ABSOLUTE: '1h' },
      });
      while (await isLocked(server)) await new Promise(setImmediate);
    } finally {
      await server.end();
      await first.remove();
    }
  });
});
