import assert from 'node:assert/strict';
import { createFolder } from '../../../src/content/edit/create-node.js';
import { moveNode } from '../../../src/content/edit/move-node.js';
import { releaseSessionLocks } from '../../../src/content/lock/end-locks.js';
import { lockNode, refreshLock, unlockNode } from '../../../src/content/lock/lock-node.js';
import { nodes } from '../../../src/content/tree/node.js';
import { createFile } from '../../../src/content/upload/create-file.js';
import { type Caller, systemCaller } from '../../../src/shared/caller.js';
import { refused } from '../../support/refused.js';
import { MemoryRepository } from '../support/memory-repository.js';

const ADMIN = { ...systemCaller('test'), userId: 'admin' };
const ANN: Caller = { ...ADMIN, userId: 'ann', roles: [], sessionId: 'a' };
const BEN: Caller = { ...ANN, userId: 'ben', sessionId: 'b' };
const PATH = '/content/a';

describe('a lock', () => {
  let repository: MemoryRepository;
  let id: string;

  const lock = (input: object = {}, by = ANN) => repository.do(lockNode.operation, { path: PATH, ...input }, by);
  const unlock = (input: object = {}, by = ANN) => repository.do(unlockNode.operation, { path: PATH, ...input }, by);
  const refresh = (input: object = {}, by = ANN) => repository.do(refreshLock.operation, { path: PATH, ...input }, by);
  const folder = (path: string, name: string) => repository.do(createFolder.operation, { path, name }).nodeId;
  const held = () => repository.documents.all(nodes).find((one) => one.id === id)?.lock;
  const addBelow = (path: string, by = BEN) => repository.do(createFolder.operation, { path, name: 'new' }, by);
  const conflicts = (work: () => unknown, reason: string) => refused(work, 'CONFLICT', reason);

  beforeEach(() => {
    repository = new MemoryRepository();
    id = folder('/content', 'a');
    folder(PATH, 'b');
    repository.change((change) => {
      const everyone = { principal: 'everyone', privileges: ['jcr:all'], allow: true };
      change.put({ ...change.at('/content'), acl: [everyone] });
    });
  });

  it('keeps others from changing the node, and with deep all below it', () => {
    lock();
    conflicts(() => addBelow(PATH), 'locked');
    addBelow(`${PATH}/b`);
    unlock();
    lock({ isDeep: true });
    conflicts(() => repository.do(createFolder.operation, { path: `${PATH}/b`, name: 'more' }, BEN), 'locked');
    conflicts(
      () => repository.do(moveNode.operation, { sourcePath: `${PATH}/b`, destPath: '/content' }, BEN),
      'locked',
    );
    repository.do(createFolder.operation, { path: `${PATH}/b`, name: 'own' }, ANN);
  });

  it('of a file protects its content', () => {
    const content = { inline: 'aGk=', size: 2 };
    repository.do(createFile.operation, { path: '/content', name: 'f', content });
    lock({ path: '/content/f' });
    const put = (by: Caller) => repository.do(lockNode.operation, { path: '/content/f/jcr:content' }, by);
    conflicts(() => put(BEN), 'locked');
  });

  it('of a file does not come over the lock that somebody else has on its content', () => {
    const content = { inline: 'aGk=', size: 2 };
    repository.do(createFile.operation, { path: '/content', name: 'f', content });
    lock({ path: '/content/f/jcr:content' }, BEN);
    conflicts(() => lock({ path: '/content/f' }), 'locked_below');
    lock({ path: '/content/f' }, BEN);
  });

  it('with deep does not come over the lock of somebody else, wherever that is below', () => {
    lock({ path: `${PATH}/b` }, BEN);
    conflicts(() => lock({ isDeep: true }), 'locked_below');
    lock();
    unlock();
    lock({ isDeep: true }, BEN);
  });

  it('with deep is taken at once in a workspace of few locks, else a reader is asked', () => {
    for (let n = 0; n < 26; n++) folder('/content', `n${n}`);
    for (let n = 0; n < 25; n++) lock({ path: `/content/n${n}` }, BEN);
    lock({ isDeep: true });
    unlock();
    lock({ path: '/content/n25' }, BEN);
    assert.throws(() => lock({ isDeep: true }), /but it asks/);
  });

  it('is held once: nobody locks what is locked, at the node or above', () => {
    lock({ isDeep: true });
    conflicts(() => lock({}, BEN), 'locked');
    conflicts(() => lock({ path: `${PATH}/b` }, BEN), 'locked');
  });

  it('is taken away by its owner, by its token and by administrators, not by others', () => {
    lock();
    conflicts(() => unlock({}, BEN), 'locked');
    conflicts(() => unlock({ lockToken: 'another' }, BEN), 'locked');
    assert.equal(unlock({ lockToken: held()?.token }, BEN), true);
    conflicts(() => unlock(), 'not_locked');
    lock();
    assert.equal(unlock({}, { ...BEN, lockTokens: [held()?.token ?? ''] }), true);
    lock({ isSessionScoped: true });
    assert.equal(unlock({}, { ...ANN, sessionId: 'another' }), true);
    lock();
    assert.equal(unlock({}, { ...BEN, roles: ['administrator'] }), true);
  });

  it('is that of the node itself, where it is taken away', () => {
    lock({ isDeep: true });
    assert.throws(() => unlock({ path: `${PATH}/b` }), {
      message: `expected '${PATH}/b' to hold a lock, but it holds none itself: the lock is at '${PATH}'`,
    });
  });

  it('has a time, which may begin anew', () => {
    lock({ timeout: 10 });
    const first = held()?.expires ?? 0;
    refresh();
    assert.ok((held()?.expires ?? 0) > first);
    refresh({ timeout: 1 });
    assert.equal(held()?.timeoutMs, 1_000);
    conflicts(() => refresh({}, BEN), 'locked');
    for (const timeout of [0, -1, 1.5])
      assert.throws(() => refresh({ timeout }), /expected 'timeout' to be a whole number/);
  });

  it('without a time has none when it is refreshed', () => {
    lock();
    refresh();
    assert.deepEqual([held()?.expires, held()?.timeoutMs], [null, null]);
  });

  it('of a session ends with it, and needs one', () => {
    lock({ isSessionScoped: true });
    conflicts(() => addBelow(PATH, { ...ANN, sessionId: 'another' }), 'locked');
    assert.equal(repository.do(releaseSessionLocks, { sessionId: 'b' }), false);
    assert.notEqual(held(), undefined);
    assert.equal(repository.do(releaseSessionLocks, { sessionId: 'a' }), false);
    assert.equal(held(), undefined);
    const withoutOne = { ...ADMIN, sessionId: null };
    assert.throws(() => repository.do(lockNode.operation, { path: PATH, isSessionScoped: true }, withoutOne), {
      code: 'BAD_REQUEST',
    });
  });

  it('tells of its owner as much as fits', () => {
    lock({ ownerInfo: 'x'.repeat(255) });
    assert.equal(held()?.ownerInfo?.length, 255);
    unlock();
    assert.throws(() => lock({ ownerInfo: 'x'.repeat(256) }), { code: 'BAD_REQUEST' });
  });
});
