import assert from 'node:assert/strict';
import { type ContentNode, nodes, ROOT_ID } from '../../../src/content/tree/node.js';
import { type Mount, Tree } from '../../../src/content/tree/tree.js';
import { MemoryDocuments, MemoryState } from '../../support/memory-state.js';

const nodeOf = (id: string, parent: string | null): ContentNode => ({
  id,
  parent,
  name: parent === null ? '' : id,
  order: null,
  type: 'nt:unstructured',
  mixins: [],
  properties: {},
  version: 1,
});

/** Shows below `shelf` a node `<parent>-<name>` for each name that is asked for; tells of which nodes it was asked. */
function mountOn(shelf: string) {
  const asked: string[] = [];
  const mount: Mount = {
    rootId: shelf,
    get: (_, id) => (id.startsWith(`${shelf}-`) ? nodeOf(id, id.slice(0, id.lastIndexOf('-'))) : undefined),
    child: (_, parent, name) => {
      asked.push(parent.id);
      return nodeOf(`${parent.id}-${name}`, parent.id);
    },
    children: () => [],
  };
  return { mount, asked };
}

describe('a mount', () => {
  const root = nodeOf(ROOT_ID, null);
  const [shelf, plain] = [nodeOf('shelf', ROOT_ID), nodeOf('plain', ROOT_ID)];
  const stored = nodeOf('book', 'shelf');
  const documents = new MemoryDocuments();
  for (const node of [root, shelf, plain, stored]) documents.put(nodes, node);
  const treeWith = (...mounts: Mount[]) => new Tree(new MemoryState(documents, '0'.repeat(32), 0), mounts);

  it('is asked for children of its root, and of what mounts show, but not of other nodes that are stored', () => {
    const { mount, asked } = mountOn('shelf');
    const tree = treeWith(mount);
    assert.equal(tree.child(plain, 'x'), undefined);
    assert.equal(tree.child(root, 'x'), undefined);
    assert.deepEqual(asked, []);
    const shown = tree.child(shelf, 'x');
    assert.equal(shown?.id, 'shelf-x');
    assert.equal(tree.child(shown, 'y')?.id, 'shelf-x-y');
    assert.deepEqual(asked, ['shelf', 'shelf-x']);
  });

  it('is not asked for a child that is stored, nor for a second of a name where it has no such', () => {
    const { mount, asked } = mountOn('shelf');
    const tree = treeWith(mount);
    assert.deepEqual(tree.child(shelf, 'book'), stored);
    assert.equal(tree.child(shelf, 'x', 2), undefined);
    assert.deepEqual(asked, []);
    assert.equal(treeWith({ ...mount, index: () => undefined }).child(shelf, 'x', 2)?.id, 'shelf-x');
  });

  it('that does not begin there is not asked for children of the root of another', () => {
    const [here, elsewhere] = [mountOn('shelf'), mountOn('plain')];
    assert.equal(treeWith(elsewhere.mount, here.mount).child(shelf, 'x')?.id, 'shelf-x');
    assert.deepEqual([here.asked, elsewhere.asked], [['shelf'], []]);
  });
});
