import assert from 'node:assert/strict';
import fc from 'fast-check';
import { moveTo } from '../../../src/content/edit/move-node.js';
import { removeSubtree } from '../../../src/content/large/delete-node.js';
import { addNode } from '../../../src/content/tree/add-node.js';
import { Change } from '../../../src/content/tree/change.js';
import { isAsking } from '../../../src/content/tree/content-operation.js';
import { detachedTrees } from '../../../src/content/tree/detached.js';
import { type ContentNode, nodes } from '../../../src/content/tree/node.js';
import { entriesOf } from '../../../src/content/version/frozen-tree.js';
import { frozenTrees, versions } from '../../../src/content/version/version.js';
import { versionOperations } from '../../../src/content/version/version-operations.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { put } from '../../../src/store/index.js';
import { MemoryRepository } from '../support/memory-repository.js';

type Step =
  | { readonly kind: 'add'; readonly at: number; readonly value: string }
  | { readonly kind: 'set'; readonly at: number; readonly value: string }
  | { readonly kind: 'remove'; readonly at: number; readonly value: string }
  | { readonly kind: 'move'; readonly at: number; readonly to: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('add', 'add', 'remove', 'set'),
    at: fc.nat(),
    value: fc.constantFrom('a', 'b', 'c'),
  }),
  fc.record({ kind: fc.constant('move' as const), at: fc.nat(), to: fc.nat() }),
) as fc.Arbitrary<Step>;

function apply(repository: MemoryRepository, rootId: string, one: Step): void {
  const all = repository.tree(rootId) as { id: string }[];
  const idAt = (n: number) => all[n % all.length]?.id ?? rootId;
  repository.change((change) => {
    const node = change.draft.get(nodes, idAt(one.at));
    if (node === undefined) return;
    if (one.kind === 'add') addNode(change, node, { name: one.value, type: 'nt:unstructured' });
    else if (one.kind === 'set')
      change.put({ ...node, properties: { ...node.properties, title: { type: 'String', value: one.value } } });
    else if (node.id === rootId) return;
    else if (one.kind === 'remove') removeSubtree(change, node);
    else {
      const to = change.draft.get(nodes, idAt(one.to));
      if (to !== undefined && !change.tree.isWithin(to, node.id)) moveTo(change, node, to, node.name);
    }
  });
}

const steps = fc.array(step, { maxLength: 8 });

describe('what is frozen', () => {
  it('is the tree: every version is restored as it was, whatever happened between', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 3 }), steps, (edits, last) => {
        const repository = new MemoryRepository();
        const rootId = repository.change((change) =>
          addNode(change, change.at('/content'), { name: 'doc', type: 'nt:unstructured', mixins: ['mix:versionable'] }),
        ).id;
        const { checkpoint, restoreVersion } = versionOperations;
        const kept = edits.map((edit) => {
          for (const one of edit) apply(repository, rootId, one);
          const { versionId } = repository.do(checkpoint.operation, { path: '/content/doc' });
          const state = repository.state();
          const tree = state.get(frozenTrees, versionId);
          assert.ok(tree);
          const ids = entriesOf(state, tree).map(({ id }) => id);
          assert.deepEqual(
            ids.sort(),
            (repository.tree(rootId) as { id: string }[]).map(({ id }) => id),
          );
          return { name: state.get(versions, versionId)?.name ?? '', tree: repository.tree(rootId) };
        });
        for (const one of last) apply(repository, rootId, one);
        for (const { name, tree } of kept.reverse()) {
          repository.do(restoreVersion.operation, { path: '/content/doc', versionName: name });
          assert.deepEqual(repository.tree(rootId), tree);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('is restored within what one decision may read, up to the size that it looks at itself', () => {
    const repository = new MemoryRepository();
    const { checkpoint, restoreVersion } = versionOperations;
    const ids = repository.change((change) => {
      const mixins = ['mix:versionable'];
      const root = addNode(change, change.at('/content'), { name: 'doc', type: 'nt:unstructured', mixins });
      return Array.from({ length: 59 }, (_, n) => addNode(change, root, { name: `n${n}`, type: 'nt:unstructured' }).id);
    });
    repository.do(checkpoint.operation, { path: '/content/doc' });
    repository.change((change) => {
      for (const id of ids) {
        const node = change.draft.get(nodes, id);
        if (node !== undefined) change.put({ ...node, properties: { title: { type: 'String', value: 'other' } } });
      }
    });
    repository.do(restoreVersion.operation, { path: '/content/doc', versionName: '1.0' });
    assert.deepEqual(repository.state().get(nodes, ids[58] ?? '')?.properties, {});
  });

  it('is asked for outside of the decision where a tree is large', () => {
    const repository = new MemoryRepository();
    const root = repository.change((change) =>
      addNode(change, change.at('/content'), { name: 'doc', type: 'nt:unstructured', mixins: ['mix:versionable'] }),
    );
    const writes = Array.from(
      { length: 500 },
      (_, n): ContentNode => ({
        ...root,
        id: `n${n}`,
        parent: root.id,
        name: `n${n}`,
        mixins: [],
      }),
    );
    repository.documents.apply(
      writes.map(({ versioning: _, ...document }) => ({ collection: nodes as never, id: document.id, document })),
    );
    const change = new Change(repository.state(), { ...systemCaller('test'), userId: 'admin' });
    const answer = versionOperations.checkin.apply(change, { path: '/content/doc' });
    assert.ok(isAsking(answer));
    assert.equal(answer.ask.kind, 'freezeTree');
  });
});

describe('a restore of what was deleted', () => {
  const { checkpoint, restoreVersion } = versionOperations;
  const withoutChild = () => {
    const repository = new MemoryRepository();
    const doc = repository.change((change) =>
      addNode(change, change.at('/content'), { name: 'doc', type: 'nt:unstructured', mixins: ['mix:versionable'] }),
    );
    const child = repository.change((change) => addNode(change, doc, { name: 'child', type: 'nt:unstructured' }));
    repository.do(checkpoint.operation, { path: '/content/doc' });
    repository.change((change) => void removeSubtree(change, child));
    return { repository, child };
  };
  const stage = (repository: MemoryRepository, child: ContentNode, isStaging: boolean) => {
    const holder: ContentNode = { ...child, id: 'holder', parent: null, name: 'import' };
    const write = [
      put(detachedTrees, { id: 'holder', isStaging, since: 0 }),
      put(nodes, holder),
      put(nodes, { ...child, parent: 'holder', name: 'other' }),
    ];
    repository.do({ name: 'stage', decide: () => ({ write, answer: null }) }, null);
  };
  const back = (repository: MemoryRepository) =>
    repository.do(restoreVersion.operation, { path: '/content/doc', versionName: '1.0' });

  it('leaves an identifier to the import that is making a node of it', () => {
    const { repository, child } = withoutChild();
    stage(repository, child, true);
    assert.throws(() => back(repository), { code: 'UNAVAILABLE' });
    assert.equal(repository.state().get(nodes, child.id)?.parent, 'holder');
  });

  it('takes it from what waits to be swept', () => {
    const { repository, child } = withoutChild();
    stage(repository, child, false);
    back(repository);
    assert.equal(repository.state().get(nodes, child.id)?.name, 'child');
  });
});
