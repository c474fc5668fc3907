import assert from 'node:assert/strict';
import fc from 'fast-check';
import { frozenTrees, versions } from '../../../src/content/collection/version.js';
import { nodes } from '../../../src/content/collections.js';
import type { ContentNode } from '../../../src/content/model/node.js';
import { removeSubtree } from '../../../src/content/operation/delete-node.js';
import { addNode } from '../../../src/content/rule/add-node.js';
import { Change } from '../../../src/content/rule/change.js';
import { isAsking } from '../../../src/content/rule/content-operation.js';
import { entriesOf } from '../../../src/content/rule/frozen-tree.js';
import { moveTo } from '../../../src/content/rule/move.js';
import { ensureStandardTree } from '../../../src/content/rule/standard-tree.js';
import { versionOperations } from '../../../src/content/version-operations.js';
import { type Operation, systemCaller } from '../../../src/store/index.js';
import { MemoryDocuments, MemoryState } from '../../support/memory-state.js';

const caller = { ...systemCaller('test'), userId: 'admin' };

/** A repository in memory, whose commits have revisions. */
class Repository {
  readonly documents = new MemoryDocuments();
  #revision = 0;

  constructor() {
    this.do(ensureStandardTree, null, systemCaller('test'));
  }

  state(): MemoryState & { revision: number } {
    return Object.assign(new MemoryState(this.documents, `s${this.#revision}`, 1_000 + this.#revision), {
      revision: this.#revision,
    });
  }

  do<I, A>({ decide }: Operation<I, A>, input: I, by = caller): A {
    this.#revision++;
    const decision = decide(this.state(), input, { caller: by, commandId: '', seed: '', answers: [] });
    if ('ask' in decision) throw new Error('expected a decision, but it asks');
    this.documents.apply(decision.write ?? []);
    return decision.answer;
  }

  change<A>(work: (change: Change) => A): A {
    const decide = (state: MemoryState) => {
      const change = new Change(state, caller);
      return change.decision(work(change));
    };
    return this.do({ name: 'change', decide: (state) => decide(state as MemoryState) }, null);
  }

  /** The tree below a node, without what only tells when it was written. */
  tree(rootId: string): object[] {
    const all = this.documents.all(nodes);
    const isBelow = (node: ContentNode): boolean => {
      const parent = all.find(({ id }) => id === node.parent);
      return parent !== undefined && (parent.id === rootId || isBelow(parent));
    };
    const shown = all.filter((node) => node.id === rootId || isBelow(node));
    return shown
      .map(({ id, parent, name, order, properties }) => ({ id, parent, name, order, properties }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

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

function apply(repository: Repository, rootId: string, one: Step): void {
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
        const repository = new Repository();
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

  it('is asked for outside of the decision where a tree is large', () => {
    const repository = new Repository();
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
    const change = new Change(repository.state(), caller);
    const answer = versionOperations.checkin.apply(change, { path: '/content/doc' });
    assert.ok(isAsking(answer));
    assert.equal(answer.ask.kind, 'freezeTree');
  });
});
