import assert from 'node:assert/strict';
import { compileModel } from '../../../src/engine/model/compile-model.js';
import { bpmn, definitions, element, flow, flows, line } from '../../support/bpmn.js';
import { elementOf, flowOf, idsOf, programOf } from '../../support/model.js';

describe('a compiled process', () => {
  it('carries what the definition says of itself', async () => {
    const program = await programOf(
      bpmn(`<bpmn:documentation>What it is for</bpmn:documentation>${line([], '')}`, {
        key: 'order',
        attributes:
          'name="Order" camunda:versionTag="1.2" camunda:historyTimeToLive="P30D" camunda:candidateStarterUsers="mary, ${admin}" camunda:candidateStarterGroups="sales"',
      }),
    );
    const { elements: _, flows: __, ...head } = program;
    assert.deepEqual(head, {
      format: 1,
      key: 'order',
      name: 'Order',
      documentation: 'What it is for',
      versionTag: '1.2',
      category: 'http://example.org/test',
      historyTimeToLive: 'P30D',
      candidateStarterUsers: ['mary', '${admin}'],
      candidateStarterGroups: ['sales'],
    });
  });

  it('has the process first, then every element before those that it holds', async () => {
    const inner = line(['inner'], element('task', 'inner'))
      .replaceAll('"start', '"sub_start')
      .replaceAll('"end', '"sub_end');
    const program = await programOf(
      bpmn(line(['sub', 'after'], element('subProcess', 'sub', {}, inner) + element('task', 'after'))),
    );
    const ids = program.elements.map(({ id }) => id);
    assert.deepEqual(ids, ['p', 'start', 'sub', 'sub_start', 'inner', 'sub_end', 'after', 'end']);
    const parents = program.elements.map(({ parent }) => program.elements[parent]?.id);
    assert.deepEqual(parents, [undefined, 'p', 'p', 'sub', 'sub', 'sub', 'p', 'p']);
    assert.deepEqual(idsOf(program, elementOf(program, 'p').startEvents), ['start']);
    assert.deepEqual(idsOf(program, elementOf(program, 'sub').startEvents), ['sub_start']);
  });

  it('has the documentation of its elements: as it is written, where no task shows it', async () => {
    const work = element('manualTask', 'a', {}, '<bpmn:documentation>Costs ${ and</bpmn:documentation>');
    const program = await programOf(bpmn(line(['a'], work)));
    assert.equal(elementOf(program, 'a').documentation, 'Costs ${ and');
  });

  it('is plain JSON', async () => {
    const program = await programOf(bpmn(line([], '')));
    assert.deepEqual(JSON.parse(JSON.stringify(program)), program);
  });

  it('connects elements by their flows, whatever incoming and outgoing say', async () => {
    const program = await programOf(
      bpmn(`<bpmn:startEvent id="start"/><bpmn:parallelGateway id="fork"/><bpmn:task id="a"/><bpmn:task id="b"/>
        <bpmn:sequenceFlow id="f1" sourceRef="start" targetRef="fork"/>
        <bpmn:sequenceFlow id="f2" name="to a" sourceRef="fork" targetRef="a"/><bpmn:sequenceFlow id="f3" sourceRef="fork" targetRef="b"/>`),
    );
    const fork = elementOf(program, 'fork');
    assert.deepEqual(
      fork.incoming.map((f) => program.flows[f]?.id),
      ['f1'],
    );
    assert.deepEqual(
      fork.outgoing.map((f) => program.flows[f]?.id),
      ['f2', 'f3'],
    );
    const { source, target, ...flowToA } = flowOf(program, 'f2');
    assert.deepEqual(idsOf(program, [source, target]), ['fork', 'a']);
    assert.deepEqual(flowToA, { id: 'f2', name: 'to a', condition: null });
  });

  it('gives flows without an id one', async () => {
    const program = await programOf(
      bpmn(`<bpmn:startEvent id="a"/><bpmn:task id="b"/>
        <bpmn:sequenceFlow sourceRef="a" targetRef="b"/><bpmn:sequenceFlow sourceRef="a" targetRef="b"/>`),
    );
    assert.deepEqual(
      program.flows.map(({ id }) => id),
      ['a_to_b', 'a_to_b_2'],
    );
  });

  it('comes from every executable process of a file, and from those alone', async () => {
    const one = (id: string, executable: boolean, type: string) =>
      `<bpmn:process id="${id}" isExecutable="${executable}">${element(type, `${id}_first`)}</bpmn:process>`;
    const { programs, problems } = await compileModel(
      definitions(one('a', true, 'startEvent') + one('b', false, 'callActivity') + one('c', true, 'startEvent')),
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(
      programs.map(({ key }) => key),
      ['a', 'c'],
    );
  });
});

describe('a compiled condition', () => {
  const conditional = (condition: Parameters<typeof flow>[2]) =>
    bpmn(`${element('startEvent', 'start')}${element('exclusiveGateway', 'split', { default: 'split-b' })}
      ${element('task', 'a')}${element('task', 'b')}${flows('start', 'split')}${flow('split', 'a', condition)}${flow('split', 'b')}`);

  it('is an expression, or a script where it names a language', async () => {
    const expression = await programOf(conditional('${amount < 100 && ok}'));
    assert.deepEqual(flowOf(expression, 'split-a').condition, { kind: 'expression', text: '${amount < 100 && ok}' });
    const script = await programOf(conditional({ javascript: 'amount < 100' }));
    assert.deepEqual(flowOf(script, 'split-a').condition, {
      kind: 'script',
      language: 'javascript',
      text: 'amount < 100',
    });
  });

  it('stands beside the default flow of the gateway', async () => {
    const program = await programOf(conditional('${true}'));
    assert.equal(program.flows[elementOf(program, 'split').defaultFlow ?? -1]?.id, 'split-b');
    assert.equal(flowOf(program, 'split-b').condition, null);
  });

  it('may be on a flow that leaves an activity', async () => {
    const program = await programOf(
      bpmn(`${element('startEvent', 'start')}${element('task', 'a', { default: 'a-c' })}${element('task', 'b')}${element('task', 'c')}
        ${flows('start', 'a')}${flow('a', 'b', '${x}')}${flow('a', 'c')}`),
    );
    assert.equal(program.flows[elementOf(program, 'a').defaultFlow ?? -1]?.id, 'a-c');
  });
});
