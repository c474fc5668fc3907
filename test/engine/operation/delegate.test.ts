import assert from 'node:assert/strict';
import { subscriptions } from '../../../src/engine/collections.js';
import { type ScriptRun, ScriptSandbox } from '../../../src/expression/index.js';
import { bpmn, element, escaped, extended, flows, line } from '../../support/bpmn.js';
import { admin, ann, EngineHarness, inputs, refusalOf } from '../../support/engine-harness.js';

const sets = (name: string, expression: string) => `\${execution.setVariable('${name}', ${expression})}`;
const listens = (event: string, expression: string) =>
  `<camunda:taskListener event="${event}" expression="${escaped(expression)}"/>`;
const scripted = (event: string, script: string) =>
  `<camunda:taskListener event="${event}"><camunda:script scriptFormat="javascript">${escaped(script)}</camunda:script></camunda:taskListener>`;
const input =
  '<camunda:inputOutput><camunda:inputParameter name="loc">L</camunda:inputParameter></camunda:inputOutput>';
const work = { 'camunda:assignee': 'kermit', 'camunda:candidateUsers': 'a,b', 'camunda:candidateGroups': 'g' };
const task = (content: string, attributes: Record<string, string> = {}) =>
  bpmn(line(['work'], element('userTask', 'work', { ...work, ...attributes }, extended(input + content))));

/** An engine with this model, its scripts in a sandbox. */
async function engineWith(model: string, sandbox?: ScriptSandbox) {
  const script = async (question: unknown) => {
    const result = await sandbox?.run(question as ScriptRun);
    if (result === undefined || 'error' in result) throw new Error(result?.error.message);
    return result;
  };
  const engine = new EngineHarness({ evaluators: { script } });
  await engine.deploy(model);
  return engine;
}

describe('a script whose text is an expression', () => {
  it('is what that gives, as in Camunda', async () => {
    const sandbox = new ScriptSandbox();
    const script = (content: string) =>
      element('scriptTask', 'work', { scriptFormat: 'javascript', 'camunda:resultVariable': 'r' }, content);
    const engine = await engineWith(
      bpmn(line(['work', 'wait'], script('<bpmn:script> ${source} </bpmn:script>') + element('userTask', 'wait'))),
      sandbox,
    );
    const id = await engine.start({ source: 'n * 2', n: 21 });
    assert.equal(engine.variables(id).r, 42);
    replays(engine, id);
    assert.match(
      await refusalOf(engine.start({ source: null })),
      /^EXECUTION_FAILED: expected a script from '\$\{source\}' of element 'work', but it gives nothing/,
    );
    assert.match(await refusalOf(engine.start({ source: 'n *' })), /^EXECUTION_FAILED: .*javascript script/);
    await sandbox.close();
  });
});

const replays = (engine: EngineHarness, id: string) =>
  assert.deepEqual(engine.replayed(id).again, engine.replayed(id).stored);

describe('what an expression finds at execution and task', () => {
  it('is the typed value of a variable, and the local ones', async () => {
    const engine = await engineWith(
      task(
        listens('create', sets('value', "execution.getVariableTyped('loc').value")) +
          listens('create', sets('type', "execution.getVariableTyped('loc').getType().name")) +
          listens('create', sets('number', "execution.getVariableTyped('n').type.getName()")) +
          listens('create', sets('copy', "execution.getVariableTyped('n')")) +
          listens('create', sets('none', "execution.getVariableTyped('nothing') == null")) +
          listens('create', sets('names', 'execution.getVariablesLocal().size()')),
      ),
    );
    const id = await engine.start({ n: 7 });
    const { n, ...found } = engine.variables(id);
    assert.deepEqual(found, { value: 'L', type: 'string', number: 'integer', copy: 7, none: true, names: 1 });
    replays(engine, id);
  });

  it('are several variables at a time', async () => {
    const calls = [
      '${execution.setVariables(m)}',
      '${execution.setVariablesLocal(m)}',
      sets('own', 'execution.getVariableNamesLocal().size()'),
      '${execution.removeVariablesLocal(gone)}',
      sets('left', 'execution.getVariableNamesLocal().size()'),
      '${execution.removeVariables()}',
      sets('any', 'execution.hasVariablesLocal()'),
      sets('all', 'execution.hasVariables()'),
    ];
    const engine = await engineWith(task(calls.map((call) => listens('create', call)).join('')));
    const id = await engine.start({ m: { k: 1, l: 2 }, gone: ['k'] });
    const { m, gone, ...found } = engine.variables(id);
    assert.deepEqual(found, { k: 1, l: 2, own: 3, left: 2, any: false, all: true });
    replays(engine, id);
  });

  it('is the execution around', async () => {
    const noted = (name: string) =>
      extended(
        `<camunda:executionListener event="start" expression="${escaped(sets(name, 'execution.getParentId()'))}"/>`,
      );
    const deep = element('userTask', 'deep', {}, noted('inner'));
    const sub = element('startEvent', 'begin') + deep + element('endEvent', 'done') + flows('begin', 'deep', 'done');
    const first = element('userTask', 'first', {}, noted('outer'));
    const engine = await engineWith(bpmn(line(['first', 'sub'], first + element('subProcess', 'sub', {}, sub))));
    const id = await engine.start();
    await engine.run(engine.api.completeTask, { taskId: engine.task().id }, admin);
    const { outer, inner: within } = engine.variables(id);
    const around = engine.instance(id).state.tokens.find(({ wait }) => wait?.kind === 'scope');
    assert.deepEqual([outer, within], [id, `${id}:${around?.id}`]);
  });

  it('is what a task is made with: candidates, form key, time', async () => {
    const found = (event: string, at: string) =>
      listens(event, sets(`users${at}`, 'task.getCandidates().size()')) +
      listens(event, sets(`who${at}`, 'task.candidates[0].getUserId()')) +
      listens(event, sets(`group${at}`, 'task.candidates[2].groupId')) +
      listens(event, sets(`form${at}`, 'task.getFormKey()')) +
      listens(event, sets(`time${at}`, 'task.getCreateTime().time'));
    const model = task(
      found('create', '1') + listens('create', "${task.addCandidateGroup('h')}") + found('complete', '2'),
      { 'camunda:formKey': 'form-${n}' },
    );
    const engine = await engineWith(model);
    const id = await engine.start({ n: 1 });
    const { created } = engine.task();
    engine.now += 5_000;
    await engine.run(
      engine.api.setProcessVariables,
      { processInstanceId: id, variables: inputs({ n: 2 }), mode: 'MERGE' },
      ann,
    );
    await engine.run(engine.api.completeTask, { taskId: engine.task().id }, admin);
    const { n, ...facts } = engine.variables(id);
    assert.deepEqual(facts, {
      ...{ users1: 3, who1: 'a', group1: 'g', form1: 'form-1', time1: created },
      ...{ users2: 4, who2: 'a', group2: 'g', form2: 'form-1', time2: created },
    });
    replays(engine, id);
  });

  it('are the groups of who acts', async () => {
    const model = task(listens('complete', sets('groups', 'currentUserGroups()')));
    const engine = await engineWith(model);
    const id = await engine.start();
    await engine.run(engine.api.completeTask, { taskId: engine.task().id }, { ...admin, groups: ['staff', 'sales'] });
    assert.deepEqual(engine.variables(id).groups, ['staff', 'sales']);
    replays(engine, id);
  });
});

describe('setProcessBusinessKey', () => {
  const waiting = (content: string) =>
    bpmn(
      `${element('startEvent', 'start')}${element('userTask', 'work', {}, extended(content))}<bpmn:boundaryEvent id="late" attachedToRef="work" cancelActivity="false"><bpmn:messageEventDefinition messageRef="m"/></bpmn:boundaryEvent>
      ${element('intermediateCatchEvent', 'wait', {}, '<bpmn:messageEventDefinition messageRef="m"/>')}${element('endEvent', 'end')}${element('endEvent', 'told')}${flows('start', 'work', 'wait', 'end')}${flows('late', 'told')}`,
      { root: '<bpmn:message id="m" name="M"/>' },
    );

  it('renames the instance, and what waits in it, from then on', async () => {
    const model = waiting(
      listens('assignment', "${execution.setProcessBusinessKey('second')}") +
        listens('assignment', sets('read', 'execution.processBusinessKey')) +
        listens('complete', sets('before', 'execution.getBusinessKey()')) +
        listens('complete', '${execution.setProcessBusinessKey(null)}'),
    );
    const engine = await engineWith(model);
    const id = await engine.start({}, ann, 'first');
    const keys = () => [engine.instance(id).businessKey, ...engine.all(subscriptions).map((it) => it.businessKey)];
    assert.deepEqual(keys(), ['first', 'first']);
    await engine.run(engine.api.assignTask, { taskId: engine.task().id, assignee: 'bob' }, admin);
    assert.deepEqual(keys(), ['second', 'second']);
    assert.equal(engine.variables(id).read, 'second');
    replays(engine, id);
    const correlate = (businessKey: string) =>
      engine.run(engine.api.correlateMessage, { messageName: 'M', businessKey }, admin);
    assert.match(await refusalOf(correlate('first')), /^NOT_FOUND/);
    await correlate('second');
    await engine.run(engine.api.completeTask, { taskId: engine.task().id }, admin);
    assert.deepEqual(keys(), [null, null]);
    assert.equal(engine.variables(id).before, 'second');
    replays(engine, id);
  });

  it('refuses what no business key can be', async () => {
    const engine = await engineWith(waiting(listens('create', '${execution.setProcessBusinessKey(long)}')));
    assert.match(
      await refusalOf(engine.start({ long: 'x'.repeat(300) })),
      /^EXECUTION_FAILED: .*at most 255 characters/,
    );
  });
});

describe('what a script finds at execution and task', () => {
  let sandbox: ScriptSandbox;
  before(() => {
    sandbox = new ScriptSandbox({ timeoutMs: 10_000 });
  });
  after(() => sandbox.close());

  it('is what an expression finds', async () => {
    const script = `
      const typed = execution.getVariableTyped('n');
      execution.setVariable('found', {
        local: execution.getVariablesLocal(), own: execution.getVariableLocal('loc'), has: execution.hasVariableLocal('n'),
        type: typed.getType().getName(), value: typed.value, none: execution.getVariableTyped('nothing'),
        parent: execution.getParentId(), form: task.getFormKey(), created: task.getCreateTime().getTime(),
        users: task.getCandidates().map((it) => it.getUserId() || it.groupId),
      });
      task.addCandidateUser('c'); task.deleteCandidateUser('a');
      execution.setVariable('after', task.candidates.map((it) => it.userId || it.groupId));
      execution.setProcessBusinessKey('scripted');
      execution.setVariable('key', execution.getProcessBusinessKey());`;
    const engine = await engineWith(task(scripted('create', script), { 'camunda:formKey': 'f' }), sandbox);
    const id = await engine.start({ n: 7 }, ann, 'first');
    assert.deepEqual(engine.variables(id).found, {
      ...{ local: { loc: 'L' }, own: 'L', has: false, type: 'integer', value: 7, none: null },
      ...{ parent: id, form: 'f', created: engine.task().created, users: ['a', 'b', 'g'] },
    });
    assert.deepEqual(engine.variables(id).after, ['b', 'c', 'g']);
    assert.deepEqual([engine.variables(id).key, engine.instance(id).businessKey], ['scripted', 'scripted']);
    replays(engine, id);
  });

  it('are several variables at a time', async () => {
    const script = `
      execution.setVariablesLocal({ k: 1, l: 2 });
      const own = execution.getVariableNamesLocal().length;
      execution.removeVariableLocal('n'); execution.removeVariablesLocal(['k']);
      const left = execution.getVariableNamesLocal().sort();
      execution.removeVariables();
      execution.setVariable('found', { own, left, any: execution.hasVariablesLocal(), all: execution.hasVariables() });`;
    const engine = await engineWith(task(scripted('create', script)), sandbox);
    const id = await engine.start({ n: 7 });
    assert.deepEqual(engine.variables(id), { n: 7, found: { own: 3, left: ['l', 'loc'], any: false, all: true } });
    replays(engine, id);
  });

  it('has the type that what it sets will have', async () => {
    const script = `
      const name = (value) => { execution.setVariable('x', value); return execution.getVariableTyped('x').type.name; };
      execution.setVariable('types', [1, 3e9, 0.5, 'a', true, null, {}, new Date(0), 5n].map(name));`;
    const engine = await engineWith(task(scripted('create', script)), sandbox);
    const id = await engine.start();
    assert.deepEqual(engine.variables(id).types, [
      'integer',
      'long',
      'double',
      'string',
      'boolean',
      'null',
      'json',
      'date',
      'long',
    ]);
  });
});
