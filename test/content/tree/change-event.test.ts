import assert from 'node:assert/strict';
import { setAccessControl } from '../../../src/content/edit/access-control.js';
import { contentTransaction } from '../../../src/content/edit/content-transaction.js';
import { createNode } from '../../../src/content/edit/create-node.js';
import { addMixin } from '../../../src/content/edit/mixins.js';
import { moveNode, renameNode } from '../../../src/content/edit/move-node.js';
import { setProperties } from '../../../src/content/edit/set-properties.js';
import { deleteNode } from '../../../src/content/large/delete-node.js';
import { lockNode, refreshLock, unlockNode } from '../../../src/content/lock/lock-node.js';
import { nodeOperations } from '../../../src/content/operations.js';
import { isStructural, type NodeChanged, type SeenChange, seenChange } from '../../../src/content/tree/change-event.js';
import { ContentView } from '../../../src/content/tree/content-view.js';
import { type ContentNode, ROOT_ID } from '../../../src/content/tree/node.js';
import { createFile } from '../../../src/content/upload/create-file.js';
import { checkin, checkout } from '../../../src/content/version/check-in.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { MemoryRepository } from '../support/memory-repository.js';

const ANN = { ...systemCaller('test'), userId: 'ann', roles: [], groups: [] };

describe('a change of a node', () => {
  const before: ContentNode = {
    ...{ id: 'n', parent: 'p', name: 'n', order: null, version: 1 },
    ...{ type: 'nt:folder', mixins: ['mix:title', 'mix:created'], properties: {} },
  };
  const changes: readonly (readonly [string, ContentNode | undefined, boolean])[] = [
    ['leaves', undefined, true],
    ['is detached', { ...before, parent: null }, true],
    ['moves', { ...before, parent: 'q' }, true],
    ['is renamed', { ...before, name: 'm' }, true],
    ['gets another type', { ...before, type: 'nt:unstructured' }, true],
    ['loses a mixin', { ...before, mixins: ['mix:title'] }, true],
    ['stays with other properties', { ...before, properties: { p: { type: 'Long', value: 1 } }, version: 2 }, false],
    ['is put elsewhere among its siblings', { ...before, order: 'a' }, false],
    ['stays as it is', { ...before, mixins: [...before.mixins] }, false],
  ];
  for (const [what, after, expected] of changes) {
    it(`that ${what} is ${expected ? '' : 'not '}one of the structure`, () => {
      assert.equal(isStructural({ before, after }), expected);
    });
  }

  it('that has come is not one of the structure', () => {
    assert.equal(isStructural({ before: undefined, after: before }), false);
  });
});

describe('events', () => {
  let repository: MemoryRepository;

  const create = (path: string, name: string, more: object = {}) =>
    repository.do(createNode.operation, { path, name, nodeType: 'nt:unstructured', ...more }).nodeId;
  const set = (path: string, text = 'x') => {
    const value = { type: 'String' as const, multiple: false, values: [text] };
    return repository.do(setProperties.operation, { path, properties: [{ name: 'jcr:mimeType', value }] });
  };
  const file = (path: string, name: string) =>
    repository.do(createFile.operation, { path, name, content: { inline: 'aGk=', size: 2 } }).nodeId;
  const move = (sourcePath: string, destPath: string) =>
    repository.do(moveNode.operation, { sourcePath, destPath }).nodeId;
  const remove = (path: string) => repository.do(deleteNode.operation, { path });
  const access = (path: string, allow: boolean | null, principal = 'ann') =>
    repository.do(setAccessControl.operation, {
      path,
      entries: allow === null ? [] : [{ principal, privileges: ['jcr:read'], allow }],
    });
  const send = (...steps: readonly (readonly [field: string, input: object])[]) =>
    repository.do(
      contentTransaction(nodeOperations),
      steps.map(([field, input]) => ({ field, input })),
    );
  const changed = () => repository.events.map(({ data }) => data as NodeChanged);
  /** What the last commit tells. */
  const told = () =>
    changed().map(({ eventType, path, sourcePath }) => [eventType, path, sourcePath].filter(Boolean).join(' '));
  const idAt = (path: string) => repository.change((change) => change.at(path).id);

  beforeEach(() => {
    repository = new MemoryRepository();
  });

  describe('of a commit', () => {
    it('tell what happened to each node', () => {
      create('/content', 'a');
      assert.deepEqual(told(), ['CREATED /content/a']);
      set('/content/a');
      assert.deepEqual(told(), ['MODIFIED /content/a']);
      set('/content/a', 'y');
      assert.deepEqual(told(), ['MODIFIED /content/a']);
      repository.do(renameNode.operation, { path: '/content/a', name: 'b' });
      assert.deepEqual(told(), ['MOVED /content/b /content/a']);
      create('/content', 'other');
      move('/content/b', '/content/other');
      assert.deepEqual(told(), ['MOVED /content/other/b /content/b']);
      remove('/content/other/b');
      assert.deepEqual(told(), ['DELETED /content/other/b']);
    });

    it('name the node, its type, the user and the time', () => {
      const id = create('/content', 'a');
      const [{ identifier, nodeType, userId, timestamp, before }] = changed() as [NodeChanged];
      assert.deepEqual([identifier, nodeType, userId, before], [id, 'nt:unstructured', 'admin', null]);
      assert.ok(timestamp > 1_000);
    });

    it('tell of a lock and of a check-in, where that is all', () => {
      create('/content', 'a');
      const path = '/content/a';
      repository.do(lockNode.operation, { path, timeout: 10 });
      assert.deepEqual(told(), ['LOCKED /content/a'], 'what makes lockable comes with it');
      repository.do(refreshLock.operation, { path, timeout: 20 });
      assert.deepEqual(told(), ['MODIFIED /content/a']);
      repository.do(unlockNode.operation, { path });
      assert.deepEqual(told(), ['UNLOCKED /content/a']);
      repository.do(addMixin.operation, { path, mixinType: 'mix:versionable' });
      assert.deepEqual(told(), ['MODIFIED /content/a']);
      repository.do(checkin.operation, { path });
      assert.deepEqual(told(), ['CHECKED_IN /content/a']);
      repository.do(checkout.operation, { path });
      assert.deepEqual(told(), ['CHECKED_OUT /content/a']);
      send(['lockNode', { path }], ['addMixin', { path, mixinType: 'mix:title' }]);
      assert.deepEqual(told(), ['MODIFIED /content/a'], 'more than a lock');
      create('/content', 'b');
      repository.do(addMixin.operation, { path: '/content/b', mixinType: 'mix:lockable' });
      assert.deepEqual(told(), ['MODIFIED /content/b'], 'no lock');
    });

    it('take a file and its content for one', () => {
      const id = file('/content', 'f');
      assert.deepEqual(told(), ['CREATED /content/f']);
      assert.equal(changed()[0]?.identifier, id);
      set('/content/f', 'text/plain');
      assert.deepEqual(told(), ['MODIFIED /content/f']);
      assert.deepEqual([changed()[0]?.identifier, changed()[0]?.nodeType], [id, 'nt:file']);
      const properties = [{ name: 'jcr:mimeType', value: null }];
      send(['setProperties', { path: '/content/f', properties }], ['renameNode', { path: '/content/f', name: 'g' }]);
      assert.deepEqual(told(), ['MOVED /content/g /content/f']);
      remove('/content/g');
      assert.deepEqual(told(), ['DELETED /content/g']);
      create('/content', 'plain');
      create('/content/plain', 'jcr:content');
      assert.deepEqual(told(), ['CREATED /content/plain/jcr:content'], 'no file');
    });

    it('tell of the topmost of what is removed', () => {
      for (const path of ['/content', '/content/a', '/content/a/a']) create(path, 'a');
      remove('/content/a');
      assert.deepEqual(told(), ['DELETED /content/a']);
      for (const path of ['/content', '/content/a', '/content/a/a']) create(path, 'a');
      repository.change((change) => {
        const [top, below] = [change.at('/content/a'), change.at('/content/a/a/a')];
        change.detach(top);
        change.remove(below);
      });
      assert.deepEqual(told(), ['DELETED /content/a']);
    });

    it('tell nothing of what is not in the tree, and of what comes into it that it is new', () => {
      create('/content', 'a');
      repository.change((change) => change.detach(change.at('/content/a')));
      const [detached] = repository.tree(changed()[0]?.identifier ?? '') as readonly { readonly id: string }[];
      const id = detached?.id ?? assert.fail();
      const again = (parent: string | null, name: string) =>
        repository.change((change) => {
          const node = change.tree.get(id) ?? assert.fail();
          change.put({ ...node, parent, name });
        });
      again(null, 'b');
      assert.deepEqual(told(), []);
      again(idAt('/content'), 'c');
      assert.deepEqual(told(), ['CREATED /content/c']);
      repository.change((change) => change.detach(change.at('/content/c')));
      repository.change((change) => change.remove(change.tree.get(id) ?? assert.fail()));
      assert.deepEqual(told(), []);
    });

    it('say who could read the node before, where that may have changed', () => {
      const contentId = idAt('/content');
      create('/content', 'a');
      set('/content/a');
      assert.equal(changed()[0]?.before, null);
      access('/content/a', false);
      assert.deepEqual(told(), ['MODIFIED /content/a']);
      assert.deepEqual(changed()[0]?.before, { parentId: contentId, acl: null });
      const acl = [{ principal: 'ann', privileges: ['jcr:read'], allow: false }];
      access('/content/a', null);
      assert.deepEqual(changed()[0]?.before, { parentId: contentId, acl });
      create('/content', 'other');
      move('/content/a', '/content/other');
      assert.deepEqual(changed()[0]?.before, { parentId: contentId, acl: null });
      const other = idAt('/content/other');
      remove('/content/other/a');
      assert.deepEqual(changed()[0]?.before, { parentId: other, acl: null });
      access('/', true, 'everyone');
      repository.do(setAccessControl.operation, { path: '/', principal: 'ann', privileges: ['jcr:read'] });
      assert.deepEqual([changed()[0]?.identifier, changed()[0]?.before], [ROOT_ID, null]);
    });
  });

  describe('for a subscriber', () => {
    /** What the last commit is for ann, who follows the path; undefined: nothing. */
    const seen = (path: string, deep: boolean): SeenChange | undefined => {
      const [event] = changed();
      return seenChange(event ?? assert.fail(), { path, deep }, () => new ContentView(repository.state(), ANN));
    };
    const shown = (path = '/content', deep = true) => {
      const found = seen(path, deep);
      return found && [found.eventType, found.path, found.sourcePath, found.nodeType];
    };
    const NODE = 'nt:unstructured';

    it('are those at the path, of its children, and with deep of all below', () => {
      create('/content', 'a');
      create('/content/a', 'b');
      for (const [path, deep, isSeen] of [
        ['/content/a/b', false, true],
        ['/content/a', false, true],
        ['/content', false, false],
        ['/content', true, true],
        ['/', true, true],
        ['/', false, false],
        ['/content/a/b/c', true, false],
        ['/content/a/', true, false],
        ['/conten', true, false],
      ] as const)
        assert.equal(seen(path, deep) !== undefined, isSeen, `${path} ${deep}`);
      repository.do(createNode.operation, { path: '/', name: 'top', nodeType: NODE });
      assert.notEqual(seen('/', false), undefined);
    });

    it('that are not followed are not looked at', () => {
      create('/content', 'a');
      const [event] = changed();
      const look = () => assert.fail('expected nobody to look');
      assert.equal(seenChange(event ?? assert.fail(), { path: '/etc', deep: true }, look), undefined);
    });

    it('are followed from where a node was, too', () => {
      for (const name of ['a', 'b', 'c']) create('/content', name);
      create('/content/a', 'x');
      move('/content/a/x', '/content/b');
      const moved = ['MOVED', '/content/b/x', '/content/a/x', NODE];
      assert.deepEqual(shown('/content/a'), moved);
      assert.deepEqual(shown('/content/b'), moved);
      assert.equal(shown('/content/c'), undefined);
    });

    it('tell a deleted node to whoever could read it', () => {
      create('/content', 'a');
      create('/content/a', 'b');
      remove('/content/a/b');
      assert.deepEqual(shown(), ['DELETED', '/content/a/b', null, null]);
      create('/content/a', 'b');
      access('/content/a/b', false);
      remove('/content/a/b');
      assert.equal(shown(), undefined);
      create('/content/a', 'b');
      access('/content/a', false);
      access('/content/a/b', true);
      remove('/content/a/b');
      assert.deepEqual(shown(), ['DELETED', null, null, null], 'where it was is hidden');
    });

    it('tell a node that can be read no more as deleted', () => {
      create('/content', 'a');
      access('/content/a', false);
      assert.deepEqual(shown(), ['DELETED', null, null, null]);
      set('/content/a');
      assert.equal(shown(), undefined);
      access('/content/a', true);
      assert.deepEqual(shown(), ['MODIFIED', '/content/a', null, NODE]);
    });

    it('tell a node that goes into hiding with where it was, and one that comes out without', () => {
      create('/content', 'a');
      create('/content/a', 'x');
      create('/content', 'hidden');
      access('/content/hidden', false);
      move('/content/a/x', '/content/hidden');
      assert.deepEqual(shown(), ['DELETED', '/content/a/x', null, null]);
      move('/content/hidden/x', '/content/a');
      assert.deepEqual(shown(), ['MOVED', '/content/a/x', null, NODE]);
    });

    it('name node, user and time', () => {
      const identifier = create('/content', 'a');
      const { timestamp, userId } = changed()[0] ?? assert.fail();
      const found = seen('/content', true);
      assert.deepEqual([found?.identifier, found?.userId, found?.timestamp], [identifier, userId, timestamp]);
    });
  });
});
