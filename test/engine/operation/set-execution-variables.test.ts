import assert from 'node:assert/strict';
import { instanceParts, jobs } from '../../../src/engine/collections.js';
import { scopedVariables } from '../../../src/engine/run/seen-variables.js';
import { bpmn, element, flows } from '../../support/bpmn.js';
import { admin, ann, bob, EngineHarness, inputs, refusalOf } from '../../support/engine-harness.js';

const task = (id: string, content = '', attributes: Readonly<Record<string, string>> = {}) =>
  element('userTask', id, attributes, content);
const multi = '<bpmn:multiInstanceLoopCharacteristics camunda:collection="list" camunda:elementVariable="x"/>';
/** A sub-process, for each item if it is said so, with a task; and a task that waits for its transaction. */
const model = (loop: string) =>
  bpmn(
    `${element('startEvent', 's')}${element('parallelGateway', 'fork')}
     ${element('subProcess', 'sub', {}, `${loop}${element('startEvent', 'i')}${task('a')}${flows('i', 'a')}`)}
     ${task('b', '', { 'camunda:asyncBefore': 'true' })}${flows('s', 'fork', 'sub')}${flows('fork', 'b')}`,
  );

describe('setExecutionVariables', () => {
  const begun = async (loop = '', list: readonly number[] = []) => {
    const engine = new EngineHarness();
    await engine.deploy(model(loop));
    const id = await engine.start({ seen: 0, list });
    const set = (
      tokenId: number,
      variables: Record<string, unknown>,
      removed: readonly string[] = [],
      caller = ann,
    ) => {
      const input = { executionId: `${id}:${tokenId}`, variables: inputs(variables), removed };
      return engine.run(engine.api.setExecutionVariables, input, caller);
    };
    const own = (tokenId: number) =>
      scopedVariables(engine.state(), engine.instance(id)).find((scope) => scope.tokenId === tokenId)?.variables;
    const assertReplays = () => {
      const { stored, again } = engine.replayed(id);
      assert.deepEqual(again, stored);
    };
    return { engine, id, set, own, assertReplays };
  };
  const at = (engine: EngineHarness, id: string, waits: string) =>
    engine.instance(id).state.tokens.find(({ wait }) => wait?.kind === waits)?.id ?? 0;

  it('sets what a sub-process or a task has for itself, and removes nothing of what is around it', async () => {
    const { engine, id, set, own, assertReplays } = await begun();
    const [sub, a] = [at(engine, id, 'scope'), at(engine, id, 'task')];
    await set(sub, { seen: 1, other: 1 });
    await set(a, { seen: 2 });
    const one = { type: 'Integer', value: 1 };
    assert.deepEqual([own(sub), own(a)], [{ seen: one, other: one }, { seen: { type: 'Integer', value: 2 } }]);
    await set(a, { more: 1 }, ['seen', 'other', 'none']);
    await set(sub, { other: 2 }, ['other']);
    assert.deepEqual([own(sub), own(a)], [{ seen: one }, { more: one }]);
    assert.deepEqual(engine.variables(id), { seen: 0, list: [] });
    assertReplays();
  });

  it('does so while the instance is suspended, and where much of it is stored apart', async () => {
    const { engine, id, set, own, assertReplays } = await begun(
      multi,
      Array.from({ length: 120 }, (_, n) => n),
    );
    await engine.settle();
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    const [part] = engine.all(instanceParts);
    const [sub = 0] = part?.tokens.map((token) => token.id) ?? [];
    await set(sub, { seen: 1 });
    const tokens = engine.all(instanceParts).flatMap((each) => each.scopes);
    assert.deepEqual(
      tokens.flatMap(({ variables }) => variables.seen ?? []),
      [{ type: 'Integer', value: 1 }],
    );
    assert.equal(own(sub), undefined);
    assertReplays();
  });

  it('is refused where no activity goes on, and whom the instance is none of the business', async () => {
    const { engine, id, set } = await begun();
    const waiting = at(engine, id, 'job');
    assert.equal(engine.all(jobs).length, 1);
    for (const other of [waiting, 0, 777])
      assert.equal(
        await refusalOf(set(other, { x: 1 })),
        `NOT_FOUND: expected an execution with id '${id}:${other}', but there is none`,
      );
    assert.match(await refusalOf(set(at(engine, id, 'task'), { x: 1 }, [], bob)), /^FORBIDDEN/);
    const nobody = { executionId: 'x:1', variables: [] };
    assert.match(await refusalOf(engine.run(engine.api.setExecutionVariables, nobody, admin)), /^NOT_FOUND: .*'x:1'/);
    const odd = engine.run(engine.api.setExecutionVariables, { executionId: `${id}:x`, variables: [] }, admin);
    assert.match(await refusalOf(odd), /^NOT_FOUND/);
  });
});
