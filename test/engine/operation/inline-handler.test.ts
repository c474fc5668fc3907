import assert from 'node:assert/strict';
import { BpmnError, type Handler } from '../../../src/engine/handlers.js';
import { bpmn, element, flows, line } from '../../support/bpmn.js';
import { EngineHarness, refusalOf } from '../../support/engine-harness.js';

const call = (id: string, handler: string) =>
  element('serviceTask', id, { 'camunda:delegateExpression': `\${${handler}}`, 'camunda:resultVariable': id });

const script = (id: string) =>
  `<bpmn:scriptTask id="${id}" scriptFormat="javascript" camunda:resultVariable="${id}"><bpmn:script>1</bpmn:script></bpmn:scriptTask>`;

/** An engine with inline handlers, and a process of these elements; scripts answer `asked`. */
async function engineWith(handlers: Readonly<Record<string, Handler>>, ids: readonly string[], body: string) {
  const engine = new EngineHarness({ evaluators: { script: async () => ({ result: 'asked' }) } });
  for (const [name, handler] of Object.entries(handlers)) engine.handlers.register(name, handler, { inline: true });
  await engine.deploy(bpmn(line(ids, body)));
  return engine;
}

function assertReplays(engine: EngineHarness, id: string): void {
  assert.equal(engine.instance(id).actor.value, 'completed');
  assert.deepEqual(engine.replayed(id).again, engine.replayed(id).stored);
}

describe('an inline handler', () => {
  it('is called once where it answers at once, also where its run begins anew for what others answer later', async () => {
    let calls = 0;
    const ids = ['a', 's', 'b', 't', 'c'];
    const body = `${call('a', 'next')}${script('s')}${call('b', 'next')}${script('t')}${call('c', 'next')}`;
    const engine = await engineWith({ next: () => ++calls }, ids, body);
    const id = await engine.start();
    assert.deepEqual(engine.variables(id), { a: 1, s: 'asked', b: 2, t: 'asked', c: 3 });
    assert.equal(calls, 3);
    assertReplays(engine, id);
  });

  it('that is asynchronous is called once', async () => {
    let calls = 0;
    const engine = await engineWith({ next: async () => ++calls }, ['a', 'b'], call('a', 'next') + call('b', 'next'));
    const id = await engine.start();
    assert.deepEqual(engine.variables(id), { a: 1, b: 2 });
    assertReplays(engine, id);
  });

  it('that gives a promise without being declared so is called once more for it, the first time', async () => {
    let calls = 0;
    const next = () => Promise.resolve(++calls);
    const engine = await engineWith({ next }, ['a', 'b'], call('a', 'next') + call('b', 'next'));
    const id = await engine.start();
    assert.deepEqual(engine.variables(id), { a: 2, b: 3 });
    assertReplays(engine, id);
    const other = await engine.start();
    assert.deepEqual(engine.variables(other), { a: 4, b: 5 });
  });

  it('whose promise fails is refused once, and nothing of it is left unhandled', async () => {
    const fails = async () => {
      throw new Error('away');
    };
    const engine = await engineWith({ fails }, ['a'], call('a', 'fails'));
    assert.match(await refusalOf(engine.start()), /^EXECUTION_FAILED: .*handler 'fails' to succeed.*away/);
  });

  it('changes nothing of the process by changing what it is given', async () => {
    const list = ({ variables }: Parameters<Handler>[0]) => (variables.list as unknown[]).push('mine');
    const engine = await engineWith({ list }, ['a'], call('a', 'list'));
    const id = await engine.start({ list: ['yours'] });
    assert.deepEqual(engine.variables(id), { list: ['yours'], a: 2 });
    assertReplays(engine, id);
  });

  it('refuses its run by what it throws, unless that is a BPMN error which is caught', async () => {
    const throws = ({ variables }: Parameters<Handler>[0]) => {
      throw variables.known ? new BpmnError('broken') : new TypeError('away');
    };
    const body = `<bpmn:startEvent id="start"/>${call('a', 'throws')}<bpmn:boundaryEvent id="caught" attachedToRef="a"><bpmn:errorEventDefinition/></bpmn:boundaryEvent>
      <bpmn:userTask id="mend"/><bpmn:endEvent id="end"/>${flows('start', 'a', 'end')}${flows('caught', 'mend', 'end')}`;
    const engine = new EngineHarness();
    engine.handlers.register('throws', throws, { inline: true });
    await engine.deploy(bpmn(body));
    assert.match(await refusalOf(engine.start()), /^EXECUTION_FAILED: .*handler 'throws' to succeed.*away/);
    await engine.start({ known: true });
    assert.equal(engine.task().elementId, 'mend');
  });
});
