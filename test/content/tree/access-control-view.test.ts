import assert from 'node:assert/strict';
import { type ContentView, contentFiles } from '../../../src/content/index.js';
import { foreignLock } from '../../../src/content/lock/locks-below.js';
import {
  accessControlOf,
  changersBelow,
  effectiveAccessControlOf,
  privilegesAt,
} from '../../../src/content/tree/access-control-view.js';
import type { Caller } from '../../../src/shared/caller.js';
import type { ReaderQuery } from '../../../src/store/index.js';
import { openSubject } from '../support/open-subject.js';
import { ADMIN, ANN } from '../support/tree.js';

const BEN: Caller = { ...ANN, userId: 'ben' };

describe('a tree in which not everybody may do everything', () => {
  const subject = openSubject();

  const send = (name: string, input: object, by = ADMIN) => subject.send(name, input, by);
  const create = (path: string, name: string, nodeType = 'nt:unstructured') =>
    send('createNode', { path, name, nodeType });
  const file = (path: string, name: string, text = 'text') =>
    send('createFile', { path, name, content: { inline: Buffer.from(text).toString('base64'), size: text.length } });
  const entries = (path: string, ...given: readonly (readonly [principal: string, allow: boolean, ...string[]])[]) =>
    send('setAccessControl', {
      path,
      entries: given.map(([principal, allow, ...privileges]) => ({ principal, allow, privileges })),
    });
  const view = (by: Caller): ContentView => subject.view(by);
  const idAt = (path: string) => view(ADMIN).require(path).id;
  const ask = <A, R>(query: ReaderQuery<A, R>, args: object, by = ADMIN) =>
    subject.query(query, { partition: 'test', now: subject.now, ...args } as A, by).answer;

  describe('tells its lists', () => {
    before(async () => {
      for (const [path, name] of [
        ['/content', 'a'],
        ['/content/a', 'b'],
        ['/content/a/b', 'c'],
      ] as const)
        await create(path, name);
      await entries('/content/a', ['ann', true, 'readAccessControl']);
      await entries('/content/a/b/c', ['ann', false, 'readAccessControl'], ['ben', true, 'write']);
    });

    it('to whoever may read them', () => {
      const { path, node, entries: found } = accessControlOf(view(ANN), '/content/a');
      assert.deepEqual([path, node.name, found.map(({ principal }) => principal)], ['/content/a', 'a', ['ann']]);
      assert.deepEqual(accessControlOf(view(ANN), '/content/a/b').entries, []);
      assert.throws(() => accessControlOf(view(BEN), '/content/a'), {
        code: 'FORBIDDEN',
        message: "expected jcr:readAccessControl at '/content/a', but it is not granted",
      });
      assert.throws(() => accessControlOf(view(ANN), '/content/none'), { code: 'BAD_REQUEST' });
    });

    it('that decide about a node, the deepest first, as far as they may be read', () => {
      const of = (by: Caller) =>
        effectiveAccessControlOf(view(by), view(ADMIN).require('/content/a/b/c')).map(({ path }) => path);
      assert.deepEqual(of(ADMIN), ['/content/a/b/c', '/content/a', '/']);
      assert.deepEqual(of(ANN), ['/content/a']);
      assert.deepEqual(of(BEN), []);
    });

    it('and what one may do', () => {
      assert.deepEqual(privilegesAt(view(ANN), '/content/a'), ['jcr:read', 'jcr:readAccessControl']);
      assert.deepEqual(privilegesAt(view(ANN), '/content/a/b/c'), ['jcr:read']);
      assert.ok(privilegesAt(view(BEN), '/content/a/b/c').includes('jcr:write'));
      assert.ok(!privilegesAt(view(BEN), '/content/a/b/c').includes('jcr:all'));
      assert.ok(privilegesAt(view(ADMIN), '/content').includes('jcr:all'));
    });

    it('by those whom they let change something below a node', () => {
      const below = (path: string) =>
        ask(changersBelow, { nodeId: idAt(path) }).map(({ principal, nodeId }) => [principal, nodeId]);
      assert.deepEqual(below('/content/a'), [['ben', idAt('/content/a/b/c')]]);
      assert.deepEqual(below('/content/a/b/c'), [], 'its own list is not below it');
    });

    it('by the first thousand of those', async () => {
      await create('/content', 'many');
      for (const name of ['x', 'y', 'z']) {
        await create('/content/many', name);
        const users = Array.from({ length: 500 }, (_, n) => [`${name}${n}`, true, 'write'] as const);
        await entries(`/content/many/${name}`, ...users);
      }
      assert.equal(ask(changersBelow, { nodeId: idAt('/content/many') }).length, 1_000);
    });
  });

  describe('shows files', () => {
    const paths = (roots: readonly string[], endings: readonly string[], by = ADMIN) =>
      ask(contentFiles, { roots, endings }, by).map(({ path }) => path);
    before(async () => {
      await send('createFolder', { path: '/content/files/below', name: 'deep' });
      await file('/content/files', 'one.txt', 'one');
      await file('/content/files', 'two.xml');
      await file('/content/files/below/deep', 'three.txt', 'x'.repeat(10));
      await create('/content/files', 'no.txt', 'nt:folder');
      await entries('/content/files/below/deep/three.txt', ['ann', false, 'read']);
    });

    it('below all roots that are there, by the ends of their names', () => {
      const [one, two, three] = ['one.txt', 'two.xml', 'below/deep/three.txt'].map((name) => `/content/files/${name}`);
      assert.deepEqual(paths(['/content/files'], ['.txt']), [three, one]);
      assert.deepEqual(paths(['/content/files'], ['.txt', '.xml']), [three, one, two]);
      assert.deepEqual(paths(['/content/none', '/content/files/below'], ['.txt']), [three]);
      assert.deepEqual(paths(['/content/files'], ['.pdf']), []);
    });

    it('with their bytes', () => {
      const [found] = ask(contentFiles, { roots: ['/content/files/one.txt'], endings: ['.txt'] });
      assert.deepEqual(found, {
        nodeId: idAt('/content/files/one.txt'),
        path: '/content/files/one.txt',
        name: 'one.txt',
        data: { inline: 'b25l', size: 3 },
      });
    });

    it('that one may read', () => {
      assert.deepEqual(paths(['/content/files'], ['.txt'], ANN), ['/content/files/one.txt']);
      assert.deepEqual(paths(['/content/files/below/deep/three.txt'], ['.txt'], ANN), []);
    });
  });

  describe('knows the lock of somebody else below a node', () => {
    const found = (path: string, by: Caller, now = subject.now) =>
      subject.query(foreignLock, { nodeId: idAt(path), now }, by).answer;
    before(async () => {
      for (const [path, name] of [
        ['/content', 'l'],
        ['/content/l', 'm'],
        ['/content/l/m', 'n'],
        ['/content', 'k'],
      ] as const)
        await create(path, name);
      await entries('/content/l', ['ann', true, 'all'], ['ben', true, 'all']);
      await send('lockNode', { path: '/content/l/m/n', timeout: 60 }, ANN);
    });

    it('however deep, but not at it, not of the user, and not where it is over', () => {
      const holder = idAt('/content/l/m/n');
      assert.equal(found('/content/l', BEN), holder);
      assert.equal(found('/content/l/m', BEN), holder);
      assert.equal(found('/content/l/m/n', BEN), null);
      assert.equal(found('/content/k', BEN), null);
      assert.equal(found('/content/l', ANN), null);
      assert.equal(found('/content/l', BEN, subject.now + 60_000), null);
      assert.equal(found('/content/l', { ...BEN, lockTokens: [view(ADMIN).get(holder)?.lock?.token ?? ''] }), null);
    });
  });
});
