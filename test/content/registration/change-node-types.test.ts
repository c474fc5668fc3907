import assert from 'node:assert/strict';
import { orRefused } from '../../../src/content/large/large-work.js';
import {
  registerNodeTypes,
  unregisterNamespace,
  unregisterNodeTypes,
} from '../../../src/content/registration/change-node-types.js';
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
        const plan = orRefused(() => planTypes(typesOf(state), work, typesMax));
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

  it('takes no prefix away that a node was called by since the plan', async () => {
    await run("<x='u:x'>");
    const drop = () => tree.harness.run(unregisterNamespace(LIMITS), { prefix: 'x' }, ADMIN);
    meanwhile = () => tree.store(nodeOf(tree.base.id, 'x:n'));
    await assert.rejects(drop(), { code: 'CONFLICT', message: /'x', but '\/content\/x:n' is/ });
    meanwhile = () => tree.store(nodeOf(tree.base.id, 'n', { id: 'x:n' }));
    assert.equal(await drop(), true);
    await run('[a]');
    meanwhile = () => tree.store(nodeOf(tree.base.id, 'null:n'));
    assert.equal(await tree.harness.run(unregister, { names: ['a'] }, ADMIN), true);
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
      if (rounds === 2) tree.store(...Array.from({ length: 200 }, (_, n) => nodeOf(tree.base.id, `n${n}`)));
      if (rounds === 3) tree.store(...Array.from({ length: 199 }, (_, n) => nodeOf(tree.base.id, `n${n}`)));
    };
    await run('[a] orderable');
    assert.equal(rounds, 3);
    meanwhile = () => stamp(`stamp-${rounds}`);
    await assert.rejects(run('[a] > nt:base orderable\n - q'), /try again/);
  });

  it('has limits', async () => {
    const commented = (length: number) => `[a]//${'x'.repeat(length - 5)}`;
    await assert.rejects(run(commented(1_001)), /at most 1000 characters/);
    assert.equal(rounds, 0);
    assert.deepEqual(await run(commented(1_000)), ['a']);
    await assert.rejects(run('[b] [c] [d] [e] [f]'), {
      code: 'LIMIT_EXCEEDED',
      info: { reason: 'too_many_node_types' },
    });
    assert.deepEqual(await run('[b] [c] [d] [e]'), ['b', 'c', 'd', 'e']);
  });

  it('takes a type as long as it is one document', () => {
    const plan = (length: number) =>
      planTypes(typesOf(tree.harness.state()), { cnd: `[a] - p (string) = '${'x'.repeat(length)}'` }, 5);
    const rest = JSON.stringify(plan(0).types[0]).length;
    assert.deepEqual(plan(200_000 - rest).defined, ['a']);
    assert.throws(() => plan(200_001 - rest), {
      code: 'LIMIT_EXCEEDED',
      info: { reason: 'node_type_too_large', resourceId: 'a' },
    });
  });
});
