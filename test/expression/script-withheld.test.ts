import assert from 'node:assert/strict';
import { ScriptSandbox, type ScriptVariable } from '../../src/expression/routes.js';
import { done, failure } from './script-support.js';

const named: Record<string, ScriptVariable> = { small: { type: 'Integer', value: 1 } };
const withheld = ['large', 'other', 'Array', 'two words'];

describe('a variable that is withheld from a script', () => {
  let sandbox: ScriptSandbox;
  before(() => {
    sandbox = new ScriptSandbox({ timeoutMs: 10_000 });
  });
  after(() => sandbox.close());
  const run = (source: string) => done(sandbox, source, { variables: named, withheld, own: ['other'] });

  for (const source of [
    'large',
    'typeof large',
    'large.total + 1',
    'globalThis["lar" + "ge"]',
    'eval("lar" + "ge")',
    '({ ...globalThis })',
    'execution.getVariable("large")',
    'execution["get" + "Variables"]()',
    'execution.getVariablesLocal()',
    'execution.getVariableLocal("other")',
    'execution.getVariableTyped("Array").value',
    'execution.getProcessInstance().getVariable("large")',
    'execution.setVariable("x", large)',
    'try { large } catch { 5 }',
    'try { large } catch { throw new BpmnError("x") }',
    'try { large } catch { throw new Error("x") }',
    'try { large } catch { new Promise(() => {}) }',
    'try { large } catch { execution.setVariable("x", new Date(NaN)) }',
  ])
    it(`is missed by ${source}, of which nothing counts`, async () => {
      assert.deepEqual(await run(source), {
        ...{ result: null, variables: {}, locals: {}, removed: [], isShort: true },
        types: { variables: {}, locals: {} },
      });
    });

  for (const [source, result] of [
    ['small + 1', 2],
    ['execution.hasVariable("large") && execution.hasVariableLocal("other")', true],
    ['execution.getVariableNames()', ['large', 'other', 'Array', 'two words', 'small']],
    ['Object.keys(globalThis).includes("large")', true],
    ['"large" in globalThis', true],
    ['globalThis.large = 7; large', 7],
    ['execution.setVariable("large", 7); execution.getVariable("large")', 7],
    ['execution.removeVariable("large"); execution.getVariable("large")', null],
    ['execution.setVariableLocal("large", 7); execution.getVariable("large")', 7],
    ['execution.getProcessInstance().setVariable("large", 7); execution.getProcessInstance().getVariable("large")', 7],
    ['delete globalThis.large', true],
    ['Array.from("ab")', ['a', 'b']],
  ] as const)
    it(`is not missed by ${source}`, async () => {
      const answer = await run(source);
      assert.deepEqual([answer.result, answer.isShort], [result, undefined]);
    });

  it('is removed, and set, without having been seen', async () => {
    const { variables, removed } = await run('execution.setVariable("large", 7); execution.removeVariable("other")');
    assert.deepEqual([variables, removed], [{ large: 7 }, ['other']]);
  });

  it('does not hide what else is wrong', async () => {
    assert.match((await failure(sandbox, 'nothing.here', { withheld })).message, /'nothing' is not defined/);
  });
});
