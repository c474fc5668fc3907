import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ContentNode, nodes } from '../../../src/content/tree/node.js';
import { typePacks, typeStamps } from '../../../src/content/tree/stored-types.js';
import { readCnd } from '../../../src/content/type/cnd.js';
import { builtInNamespaces } from '../../../src/content/value/names.js';
import { isMultiple, type Property, valuesOf } from '../../../src/content/value/property.js';
import type { Caller } from '../../../src/shared/caller.js';
import { ADMIN, ANN, lockOf, type MemoryTree, memoryTree, nodeOf, reference } from '../support/tree.js';

describe('a copy', () => {
  let tree: MemoryTree;
  before(async () => {
    tree = await memoryTree();
    tree.store(nodeOf(tree.base.id, 'dest'));
  });

  let copies = 0;
  const copy = async (sourcePath: string, caller: Caller = ADMIN) => {
    const input = { sourcePath, destPath: '/content/dest', name: `copy${copies++}` };
    const { nodeId } = await tree.harness.run(tree.content.nodes.copyNode.operation, input, caller);
    return tree.get(nodeId) ?? assert.fail('expected the copy');
  };

  it('has children that types create and protect, with what they hold', async () => {
    const { types } = readCnd(
      '[keeps]\n+ kept (nt:unstructured) = nt:unstructured autocreated protected',
      builtInNamespaces,
    );
    tree.harness.documents.put(typePacks, { id: 'registered', types });
    tree.harness.documents.put(typeStamps, { id: 'types', stamp: 'kept by copies', namespaces: {} });
    const properties: Record<string, Property> = { x: { type: 'String', value: 'held' } };
    tree.store(nodeOf(tree.base.id, 'keeper', { type: 'keeps' }), nodeOf('keeper', 'kept', { properties }));
    const { id } = await copy('/content/keeper');
    assert.deepEqual(tree.child(id, 'kept')?.properties, properties);
  });

  it('has the shape of its source, whatever that is, and references within it lead within it', async () => {
    const shape = fc.array(
      fc.record({
        at: fc.nat(),
        order: fc.stringMatching(/^[a-z]{4}i$/),
        target: fc.nat(),
        weak: fc.boolean(),
        text: fc.string(),
      }),
      { minLength: 1, maxLength: 60 },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(shape, async (steps) => {
        const prefix = `r${run++}n`;
        const made = steps.map(({ at, order, target, weak, text }, n): ContentNode => {
          const id = `${prefix}${n}`;
          const parent = n === 0 ? tree.base.id : `${prefix}${at % n}`;
          const ids = [`${prefix}${target % steps.length}`, 'dest'];
          const properties: Record<string, Property> = {
            'jcr:uuid': { type: 'String', value: id },
            refs: { type: weak ? 'WeakReference' : 'Reference', values: ids },
            text: { type: 'String', value: text },
          };
          return nodeOf(parent, id, { order: `${order}${n}`, sns: true, mixins: ['mix:referenceable'], properties });
        });
        tree.store(...made);
        const root = await copy(`/content/${prefix}0`);
        assertSame(made[0] ?? root, root, new Map());
        tree.harness.documents.apply(
          tree.harness
            .all(nodes)
            .flatMap((it) =>
              it.name.startsWith(prefix) || it.id === root.id
                ? [{ collection: nodes as never, id: it.id, document: null }]
                : [],
            ),
        );
      }),
      { numRuns: 40 },
    );
  });

  function assertSame(source: ContentNode, root: ContentNode, pairs: Map<string, string>): void {
    const all = tree.harness.all(nodes);
    const below = (parent: string) => all.filter((node) => node.parent === parent);
    const pair = (a: ContentNode, b: ContentNode): void => {
      pairs.set(a.id, b.id);
      const [left, right] = [below(a.id), below(b.id)];
      assert.equal(left.length, right.length);
      for (const child of left)
        pair(child, right.find(({ name, order }) => name === child.name && order === child.order) ?? assert.fail());
    };
    pair(source, root);
    for (const [from, to] of pairs) {
      const [a, b] = [tree.get(from), tree.get(to)];
      assert.notEqual(from, to);
      assert.deepEqual([b?.type, b?.mixins], [a?.type, a?.mixins]);
      assert.deepEqual(b?.properties.text, a?.properties.text);
      assert.deepEqual(b?.properties['jcr:uuid'], { type: 'String', value: to });
      const led = valuesOf(a?.properties.refs ?? assert.fail()).map((id) => pairs.get(String(id)) ?? id);
      assert.ok(b?.properties.refs && isMultiple(b.properties.refs));
      assert.deepEqual(b.properties.refs.values, led);
    }
  }

  it('leaves out versions and locks, has lists for who may set them, and can be referred to as its source can', async () => {
    tree.store(
      nodeOf(tree.base.id, 'kept', {
        mixins: ['mix:versionable', 'mix:lockable', 'mix:title'],
        properties: {
          'jcr:uuid': { type: 'String', value: 'kept' },
          'jcr:lockOwner': { type: 'String', value: 'ann' },
          'jcr:lockIsDeep': { type: 'Boolean', value: true },
          'jcr:title': { type: 'String', value: 'Title' },
        },
        acl: [{ principal: 'ann', privileges: ['jcr:all'], allow: true }],
        lock: lockOf('admin', true),
        versioning: { checkedOut: true, baseVersion: 'v', predecessors: [] },
      }),
    );
    const made = await copy('/content/kept');
    assert.deepEqual(made.mixins, ['mix:lockable', 'mix:title', 'mix:referenceable']);
    assert.deepEqual(made.acl, [{ principal: 'ann', privileges: ['jcr:all'], allow: true }]);
    assert.deepEqual([made.lock, made.versioning], [undefined, undefined]);
    assert.deepEqual(made.properties, {
      'jcr:uuid': { type: 'String', value: made.id },
      'jcr:title': { type: 'String', value: 'Title' },
    });
  });

  it('is made by whoever copies, now; what a user wrote under such names stays', async () => {
    const old = {
      'jcr:created': { type: 'String', value: 'long ago' },
      'jcr:createdBy': { type: 'String', value: 'bob' },
    } as const;
    tree.store(
      nodeOf(tree.base.id, 'folder', { type: 'nt:folder', properties: old }),
      nodeOf(tree.base.id, 'free', { properties: old }),
    );
    assert.deepEqual((await copy('/content/folder')).properties, {
      'jcr:created': { type: 'Date', value: '2026-01-01T00:00:00.000Z' },
      'jcr:createdBy': { type: 'String', value: 'admin' },
    });
    assert.deepEqual((await copy('/content/free')).properties, old);
  });

  it('leaves out what the caller may not read, with all below it', async () => {
    const entry = (allow: boolean) => ({ principal: 'ann', privileges: ['jcr:all'], allow });
    tree.store(
      { ...tree.base, acl: [entry(true)] },
      nodeOf(tree.base.id, 'mixed'),
      nodeOf('mixed', 'hidden', { acl: [entry(false)] }),
      nodeOf('hidden', 'shown', { acl: [entry(true)] }),
      nodeOf('mixed', 'open', { properties: { ref: reference('shown') } }),
    );
    tree.store(nodeOf('hidden', 'shown', { acl: [entry(true)], mixins: ['mix:referenceable'] }));
    const made = await copy('/content/mixed', ANN);
    const below = tree.harness.all(nodes).filter(({ parent }) => parent === made.id);
    assert.deepEqual(
      below.map(({ name }) => name),
      ['open'],
    );
    assert.deepEqual(below[0]?.properties.ref, reference('shown'), 'it leads where it led');
  });
});
