import assert from 'node:assert/strict';
import { registerNodeTypes, unregisterNodeTypes } from '../../../src/content/registration/change-node-types.js';
import { type PlannedTypes, registering, type TypesQuestion } from '../../../src/content/registration/planned-types.js';
import { planTypes } from '../../../src/content/registration/type-plan.js';

import { typePacks, typeStamps, typesOf } from '../../../src/content/tree/stored-types.js';
import { MemoryState } from '../../support/memory-state.js';
import { ADMIN, type MemoryTree, memoryTree, nodeOf } from '../support/tree.js';

const LIMITS = { typesMax: 5, cndMax: 1_000 };
const register = registerNodeTypes(LIMITS);
const unregister = unregisterNodeTypes(LIMITS);

describe('a registration of node types', () => {
  let tree: MemoryTree;
  /** What happens between the plan and the decision, and how often it was planned. */
  let meanwhile: () => void;
  let rounds: number;
  beforeEach(async () => {
    meanwhile = () => {};
    rounds = 0;
    tree = await memoryTree({
      [registering.name]: ({ work, typesMax, now }: TypesQuestion): PlannedTypes => {
        rounds++;
        const state = new MemoryState(tree.harness.documents, 'plan', now);
        const plan = planTypes(typesOf(state), work, typesMax);
        const stamp = state.get(typeStamps, 'types')?.stamp ?? null;
        const planned = { revision: tree.harness.revision, stamp, plan, problem: null };
        meanwhile();
        return planned;
      },
    });
  });

  const run = (cnd: string) => tree.harness.run(register, { cnd }, ADMIN);
  const names = () => tree.harness.all(typePacks).flatMap(({ types }) => types.map(({ name }) => name));

  it('is written with a stamp of its own, and not at all where nothing changes', async () => {
    assert.deepEqual(await run("<x='http://example.org/x'>\n[x:a]\n[x:b] > x:a"), ['x:a', 'x:b']);
    assert.deepEqual(names(), ['x:a', 'x:b']);
    const [stamp] = tree.harness.all(typeStamps);
    assert.deepEqual(stamp?.namespaces, { x: 'http://example.org/x' });
    await run('[x:a]');
    assert.deepEqual(tree.harness.all(typeStamps), [stamp]);
    await run("<y='http://example.org/y'>");
    assert.deepEqual(tree.harness.all(typeStamps)[0]?.namespaces, {
      x: 'http://example.org/x',
      y: 'http://example.org/y',
    });
  });

  it('is refused when a node of the type was made since the plan', async () => {
    await run('[a]\n - p (string)');
    meanwhile = () => tree.store(nodeOf(tree.base.id, 'n', { type: 'a' }));
    await assert.rejects(
      run('[a]\n - p (string) mandatory'),
      /'a', which is to demand more than before, but '\/content\/n' is/,
    );
    await assert.rejects(
      tree.harness.run(unregister, { names: ['a'] }, ADMIN),
      /'a', which is to go, but '\/content\/n' is/,
    );
    assert.deepEqual(names(), ['a']);
  });

  it('is planned anew when other types came, or too much was written, since the plan', async () => {
    await run('[a]');
    const stamp = (id: string) =>
      tree.harness.documents.apply([
        { collection: typeStamps as never, id: 'types', document: { id: 'types', stamp: id, namespaces: {} } as never },
      ]);
    rounds = 0;
    meanwhile = () => {
      if (rounds === 1) stamp('another');
      if (rounds === 2) tree.store(...Array.from({ length: 201 }, (_, n) => nodeOf(tree.base.id, `n${n}`)));
    };
    await run('[a] orderable');
    assert.equal(rounds, 3);
    meanwhile = () => stamp(`stamp-${rounds}`);
    await assert.rejects(run('[a] > nt:base orderable\n - q'), /try again/);
  });

  it('has limits', async () => {
    await assert.rejects(run(`// ${'x'.repeat(1_000)}`), /at most 1000 characters/);
    assert.equal(rounds, 0);
  });
});
