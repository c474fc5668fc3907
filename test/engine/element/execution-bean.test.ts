// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test are written so
import assert from 'node:assert/strict';
import { typed } from '../../../src/engine/element/native.js';
import { type Instance, instance } from '../../support/instance.js';
import { end, listener, program, service, start, subProcess, userTask } from '../../support/program.js';

const before = { x: 1, ab: 2, when: new Date(0), nothing: null };

/** The process after a service task whose expression this is; the task has the input `own`, and stands in a sub-process. */
function ran(text: string): Instance {
  const io = { inputs: [{ name: 'own', value: { kind: 'expression', text: '7' } }], outputs: [] } as const;
  const model = program(
    {
      s: start(),
      p: subProcess(),
      ps: start({ in: 'p' }),
      a: service(text, 'result', { in: 'p', name: 'Work', io }),
      u: userTask(),
    },
    ['s -> p', 'ps -> a', 'p -> u'],
  );
  return instance(model).start(before);
}

const resultOf = (text: string) => ran(text).variables.result;

describe('execution in an expression', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ['${execution.processInstanceId}', 'instance'],
    ['${execution.getProcessInstanceId()}', 'instance'],
    ['${execution.processBusinessKey}', 'order-1'],
    ['${execution.businessKey}', 'order-1'],
    ['${execution.processDefinitionId}', 'process:1:x'],
    ['${execution.currentActivityId}', 'a'],
    ['${execution.activityId}', 'a'],
    ['${execution.getCurrentActivityName()}', 'Work'],
    ['${execution.canceled}', false],
    ['${execution.isCanceled()}', false],
    ['${execution.parent.id == execution.parentId}', true],
    ['${execution.getParent().getParent().id}', 'instance'],
    ['${execution.processInstance.id}', 'instance'],
    ['${execution.getProcessInstance().getParent()}', null],
    ['${execution.getProcessInstance().getVariableLocal("x")}', 1],
    ['${execution.currentTransitionId}', null],
    ['${execution.eventName}', null],
    ['${execution.tenantId}', null],
    ['${execution.id.startsWith("instance:")}', true],
    ['${execution.id == execution.parentId}', false],
    ['${execution.activityInstanceId.startsWith("instance:")}', true],
    ['${execution.getVariable("x")}', 1],
    ['${execution.getVariable("own")}', '7'],
    ['${execution.getVariable("unknown")}', null],
    ['${execution.getVariableLocal("own")}', '7'],
    ['${execution.getVariableLocal("x")}', null],
    ['${execution.hasVariable("x")}', true],
    ['${execution.hasVariable("unknown")}', false],
    ['${execution.hasVariableLocal("own")}', true],
    ['${execution.hasVariableLocal("x")}', false],
    ['${execution.hasVariables()}', true],
    ['${execution.hasVariablesLocal()}', true],
    ['${execution.getVariables().x}', 1],
    ['${execution.variables.own}', '7'],
    ['${execution.variablesLocal}', { own: '7' }],
    ['${execution.getVariablesLocal()}', { own: '7' }],
    ['${execution.getVariableNamesLocal()}', ['own']],
    ['${execution.variableNames}', ['x', 'ab', 'when', 'nothing', 'own']],
    ['${execution.getVariableTyped("x").value}', 1],
    ['${execution.getVariableTyped("x").getValue()}', 1],
    ['${execution.getVariableTyped("when").type.name}', 'date'],
    ['${execution.getVariableTyped("when").getType().getName()}', 'date'],
    ['${execution.getVariableTyped("when").type.toString()}', 'date'],
    ['${execution.getVariableTyped("x").transient}', false],
    ['${execution.getVariableTyped("x").isTransient()}', false],
    ['${execution.getVariableTyped("unknown")}', null],
    ['${execution.getVariableLocalTyped("own").value}', '7'],
    ['${execution.getVariableLocalTyped("x")}', null],
  ];
  for (const [text, expected] of rows) {
    it(`${text} is ${JSON.stringify(expected)}`, () => assert.deepEqual(resultOf(text), expected));
  }

  const refused = [
    '${execution.secret}',
    '${execution.toString}',
    '${execution.getSecret()}',
    '${execution.getId(1)}',
    '${execution.hasId()}',
    '${execution.setProcessBusinessKey()}',
    '${execution.setProcessBusinessKey("a", "b")}',
    '${execution.getVariableTyped("x").label}',
    '${execution.getVariableTyped("x").getValue(1)}',
    '${execution.getVariableTyped("x").getLabel()}',
    '${execution.getVariableTyped("x").type.label}',
    '${execution.getVariableTyped("x").type.getName(1)}',
    '${execution.getVariableTyped("x").type.getLabel()}',
  ];
  for (const text of refused) {
    it(`has no ${text}`, () => assert.throws(() => ran(text), { code: 'EXECUTION_FAILED', message: /of element 'a'/ }));
  }

  const changes: readonly (readonly [string, Record<string, unknown>])[] = [
    ['${execution.setVariable("x", 5)}', { ...before, x: 5, result: null }],
    ['${execution.setVariable("own", 5)}', { ...before, result: null }],
    ['${execution.setVariableLocal("x", 5)}', { ...before, result: null }],
    ['${execution.removeVariable("x")}', { ab: 2, when: new Date(0), nothing: null, result: null }],
    ['${execution.removeVariableLocal("x")}', { ...before, result: null }],
    ['${execution.setVariables(execution.getVariables())}', { ...before, result: null }],
    ['${execution.setVariables(execution.variablesLocal)}', { ...before, result: null }],
    ['${execution.setVariables(nothing)}', { ...before, result: null }],
    ['${execution.removeVariables(execution.variableNames)}', { result: null }],
    ['${execution.removeVariables("ab")}', { ...before, result: null }],
    ['${execution.removeVariables()}', { ...before, result: null }],
  ];
  for (const [text, variables] of changes) {
    it(`${text} leaves ${Object.keys(variables).join(', ')}`, () => assert.deepEqual(ran(text).variables, variables));
  }

  it('removes what is local by its name, and all of it where no name is given', () => {
    const left = (method: string) => resultOf(`\${execution.${method} == null ? execution.hasVariablesLocal() : "no"}`);
    assert.equal(left('removeVariableLocal("own")'), false);
    assert.equal(left('removeVariablesLocal()'), false);
    assert.equal(left('removeVariables()'), false);
    assert.equal(left('removeVariablesLocal(execution.variableNames)'), false);
    assert.equal(left('removeVariableLocal("x")'), true);
    assert.equal(left('setVariablesLocal(execution.variables)'), true);
  });

  it('keeps the type of a typed value that it is given', () => {
    const it = ran('${execution.setVariable("copy", execution.getVariableTyped("x"))}');
    assert.deepEqual(it.state.scopes[0]?.variables.copy, typed(1), 'an Integer, not the Long of an expression');
  });

  it('gives the instance a business key, or none', () => {
    const told = (value: string) =>
      ran(`\${execution.setProcessBusinessKey(${value})}`).effects.find(({ type }) => type === 'businessKey');
    assert.deepEqual(told('"order-2"'), { type: 'businessKey', businessKey: 'order-2' });
    assert.deepEqual(told('nothing'), { type: 'businessKey', businessKey: null });
  });

  it("is the instance's own in the process's listeners, and has no activity where a flow is taken", () => {
    const note = (event: string, name: string) =>
      listener(event, `\${execution.setVariable("${name}", execution.${name})}`);
    const found = (name: string) => {
      const process = [
        note('start', name),
        listener('start', `\${execution.setVariable("local", execution.getVariableLocal("x"))}`),
      ];
      return instance(program({ s: start(), e: end() }, ['s -> e'], { process })).start({ x: 1 }).variables;
    };
    assert.deepEqual(found('id'), { x: 1, id: 'instance', local: 1 });
    assert.deepEqual(found('activityInstanceId'), { x: 1, activityInstanceId: 'instance', local: 1 });
    assert.deepEqual(found('parentId'), { x: 1, parentId: null, local: 1 });
    assert.deepEqual(found('eventName'), { x: 1, eventName: 'start', local: 1 });
    const flows = { 's -> e': [note('take', 'activityInstanceId')] };
    const taken = instance(program({ s: start(), e: end() }, ['s -> e'], { flows })).start();
    assert.deepEqual(taken.variables, { activityInstanceId: null });
  });

  it('knows that there are no variables', () => {
    const has = (method: string) =>
      instance(program({ s: start(), a: service(`\${execution.${method}()}`, 'has') }, ['s -> a'])).start().variables;
    assert.deepEqual(has('hasVariables'), { has: false });
    assert.deepEqual(has('hasVariablesLocal'), { has: false });
  });

  it('names as its parent the sub-process around, else the instance', () => {
    const parent = (inside: boolean) => {
      const io = { inputs: [], outputs: [] };
      const a = service('${execution.parentId}', 'parent', inside ? { in: 'p', io } : { io });
      const elements = inside ? { s: start(), p: subProcess(), ps: start({ in: 'p' }), a } : { s: start(), a };
      return instance(program(elements, inside ? ['s -> p', 'ps -> a'] : ['s -> a'])).start().variables.parent;
    };
    assert.equal(parent(false), 'instance');
    assert.match(String(parent(true)), /^instance:\d+$/);
  });
});
