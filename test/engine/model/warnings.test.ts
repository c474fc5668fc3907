import assert from 'node:assert/strict';
import { compileModel } from '../../../src/engine/model/compile-model.js';
import { bpmn, definitions, element, flow, flows, line, timer } from '../../support/bpmn.js';
import { elementOf, flowOf, programOf, warningsOf } from '../../support/model.js';

const start = element('startEvent', 'start');
const split = (type: string, attributes: Record<string, string>, content: string) =>
  bpmn(
    `${start}${element(type, 'a', attributes)}${element('task', 'b')}${element('task', 'c')}${flows('start', 'a')}${content}`,
  );

describe('a model is deployed with a warning', () => {
  it('for an exclusive gateway whose default flow is not marked as such', async () => {
    const xml = split('exclusiveGateway', {}, flow('a', 'b', '${x}') + flow('a', 'c'));
    assert.deepEqual(await warningsOf(xml), [
      "exclusive gateway 'a' has outgoing sequence flow 'a-c' without a condition, which is not the default flow: it is always taken when none before it is",
    ]);
    const program = await programOf(xml);
    assert.equal(elementOf(program, 'a').defaultFlow, null);
  });

  it('for conditions that nobody looks at', async () => {
    for (const xml of [
      split('parallelGateway', {}, flow('a', 'b', '${x}') + flow('a', 'c')),
      split('inclusiveGateway', { default: 'a-b' }, flow('a', 'b', '${x}') + flow('a', 'c')),
      split('exclusiveGateway', { default: 'a-b' }, flow('a', 'b', '${x}') + flow('a', 'c', '${y}')),
    ]) {
      assert.match((await warningsOf(xml)).join(), /^sequence flow 'a-b' has a condition that is not looked at/);
      assert.equal(flowOf(await programOf(xml), 'a-b').condition, null);
    }
  });

  it('for references that nobody follows: of data, participants, lanes, groups, stores, messages, incoming and outgoing flows', async () => {
    const body = `${start}<bpmn:task id="a"><bpmn:incoming>none</bpmn:incoming><bpmn:outgoing>nowhere</bpmn:outgoing></bpmn:task>${flows('start', 'a')}<bpmn:laneSet id="l"><bpmn:lane id="lane"><bpmn:flowNodeRef>left</bpmn:flowNodeRef></bpmn:lane></bpmn:laneSet><bpmn:dataStoreReference id="d" dataStoreRef="empty"/><bpmn:association id="as" sourceRef="a" targetRef="removed"/><bpmn:group id="g" categoryValueRef="erased"/><bpmn:task id="u"><bpmn:ioSpecification id="io"><bpmn:inputSet id="is"><bpmn:dataInputRefs>lost</bpmn:dataInputRefs></bpmn:inputSet></bpmn:ioSpecification><bpmn:potentialOwner id="po"><bpmn:resourceRef>unknown</bpmn:resourceRef></bpmn:potentialOwner></bpmn:task>${flow('a', 'u')}`;
    const root =
      '<bpmn:itemDefinition id="item" structureRef="none"/><bpmn:error id="e" errorCode="E" structureRef="nothing"/>' +
      '<bpmn:collaboration id="c"><bpmn:participant id="pool" processRef="absent"/><bpmn:messageFlow id="f" sourceRef="pool" targetRef="gone"/></bpmn:collaboration>';
    const found = (await warningsOf(bpmn(body, { root }))).map((sentence) =>
      /by (\w+) to '(\w+)'/.exec(sentence)?.slice(1),
    );
    assert.deepEqual(found.filter((each) => each !== undefined).sort(), [
      ['categoryValueRef', 'erased'],
      ['dataInputRefs', 'lost'],
      ['dataStoreRef', 'empty'],
      ['flowNodeRef', 'left'],
      ['incoming', 'none'],
      ['outgoing', 'nowhere'],
      ['processRef', 'absent'],
      ['resourceRef', 'unknown'],
      ['structureRef', 'nothing'],
      ['targetRef', 'gone'],
      ['targetRef', 'removed'],
    ]);
  });

  it('for a throw event that names no message', async () => {
    const root = '<bpmn:message id="nameless"/>';
    for (const ref of ['', 'messageRef="nameless"', 'messageRef="nowhere"']) {
      const definition = `<bpmn:messageEventDefinition ${ref}/>`;
      const body = `${start}${element('intermediateThrowEvent', 'a', {}, definition)}${element('endEvent', 'e', {}, definition)}`;
      const xml = bpmn(`${body}${flows('start', 'a', 'e')}`, { root });
      assert.match((await warningsOf(xml)).join(), /throw event 'a' names no message.*end event 'e' names no message/);
      const program = await programOf(xml);
      assert.deepEqual(elementOf(program, 'a').event, { kind: 'message', name: '', work: null });
    }
  });

  it('for elements that can never be reached', async () => {
    assert.deepEqual(
      await warningsOf(bpmn(`${start}${element('task', 'a')}${element('task', 'b')}${flows('a', 'b')}`)),
      ["task 'a' can never be reached", "task 'b' can never be reached"],
    );
  });

  it('for a cycle that can happen only once', async () => {
    const xml = bpmn(line(['a'], element('intermediateCatchEvent', 'a', {}, timer('cycle', 'R3/PT1H'))));
    assert.match((await warningsOf(xml)).join(), /has a timer cycle, of which only the first time counts/);
  });

  it('for an error without a code at a boundary event', async () => {
    const boundary = element('boundaryEvent', 'b', { attachedToRef: 'a' }, '<bpmn:errorEventDefinition errorRef="e"/>');
    const xml = bpmn(line(['a'], element('task', 'a') + boundary), { root: '<bpmn:error id="e"/>' });
    assert.match((await warningsOf(xml)).join(), /so that it catches every error/);
  });

  it('for an encoding that the text no longer has', async () => {
    assert.match(
      (await warningsOf(bpmn(start).replace('UTF-8', 'ISO-8859-1'))).join(),
      /whatever encoding it declares/,
    );
  });

  it('without an executable process: it is stored, and says what to tick', async () => {
    assert.match((await warningsOf(definitions(''))).join(), /^the model has no process/);
    const { programs, problems, warnings } = await compileModel(definitions('<bpmn:process id="p"/>\n<bpmn:process/>'));
    assert.deepEqual([programs, problems], [[], []]);
    assert.deepEqual(
      warnings.map(({ line, column, elementId }) => [line, column, elementId]),
      [[6, 3, 'p']],
    );
    assert.match(warnings[0]?.message ?? '', /^process 'p' is not executable.*tick \*Executable\* at the process/);
    const beside = definitions(
      `<bpmn:process id="pool"/><bpmn:process id="p" isExecutable="true">${start}</bpmn:process>`,
    );
    assert.deepEqual(await warningsOf(beside), []);
  });

  it('that was made for Camunda 8, by its mark or else by its namespace', async () => {
    const marked = (attributes: string) => bpmn(start).replace('<bpmn:definitions', `<bpmn:definitions ${attributes}`);
    const zeebe = 'xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"';
    const platform = (name: string) =>
      `xmlns:modeler="http://camunda.org/schema/modeler/1.0" modeler:executionPlatform="${name}"`;
    assert.match((await warningsOf(marked(zeebe))).join(), /^this is a Camunda 8 model/);
    assert.match((await warningsOf(marked(platform('Camunda Cloud')))).join(), /^this is a Camunda 8 model/);
    assert.deepEqual(await warningsOf(marked(`${zeebe} ${platform('Camunda Platform')}`)), []);
  });

  it('for a receive task without a message, which waits for one with its id', async () => {
    const xml = bpmn(line(['a'], element('receiveTask', 'a')));
    assert.match((await warningsOf(xml)).join(), /waits for one with the name 'a'/);
    assert.deepEqual(elementOf(await programOf(xml), 'a').event, { kind: 'message', name: 'a', work: null });
  });

  it('for a drawing that is not whole', async () => {
    const xml = bpmn(start)
      .replace('<bpmn:definitions', '<bpmn:definitions xmlns:di="http://www.omg.org/spec/BPMN/20100524/DI"')
      .replace(
        '</bpmn:definitions>',
        '<di:BPMNDiagram><di:BPMNPlane bpmnElement="gone"/></di:BPMNDiagram></bpmn:definitions>',
      );
    assert.match((await warningsOf(xml)).join(), /refers by bpmnElement to 'gone'/);
  });

  it('for foreign elements where BPMN has no place for them', async () => {
    const xml = bpmn(`${start}<x:note xmlns:x="urn:x">a<x:b/></x:note>`);
    assert.match((await warningsOf(xml)).join(), /<x:note> cannot be read/);
  });

  it('for elements that nobody knows, in places that hold anything', async () => {
    for (const place of ['documentation', 'extensionElements'])
      for (const unknown of ['<html/>', '<bpmn:Assignee>ann</bpmn:Assignee>']) {
        const xml = bpmn(start.replace('/>', `><bpmn:${place}>${unknown}</bpmn:${place}></bpmn:startEvent>`));
        assert.deepEqual((await compileModel(xml)).problems, [], `${unknown} in ${place}`);
      }
    const note = '<bpmn:extension definition="x:y"><bpmn:documentation>By Ann</bpmn:documentation></bpmn:extension>';
    const xml = bpmn(start).replace('<bpmn:process', `${note}<bpmn:process`);
    assert.match((await warningsOf(xml)).join(), /<bpmn:documentation> cannot be read/);
  });

  it('for messages of operations that lead nowhere', async () => {
    const operation =
      '<bpmn:operation id="o" name="o"><bpmn:inMessageRef>a</bpmn:inMessageRef><bpmn:outMessageRef>b</bpmn:outMessageRef></bpmn:operation>';
    const xml = bpmn(start, { root: `<bpmn:interface id="i" name="i">${operation}</bpmn:interface>` });
    assert.match((await warningsOf(xml)).join(), /by inMessageRef to 'a'.*by outMessageRef to 'b'/);
  });

  it('for references that lead nowhere in a process that is not executed', async () => {
    const begin = element('startEvent', 'start', {}, '<bpmn:messageEventDefinition messageRef="gone"/>');
    const drawn = bpmn(begin).replace('isExecutable="true"', 'isExecutable="false"');
    assert.match((await warningsOf(drawn)).join('\n'), /refers by messageRef to 'gone'/);
  });

  it('for an error reference without an error, which is taken as the code', async () => {
    const end = element('endEvent', 'end', {}, '<bpmn:errorEventDefinition errorRef="E1"/>');
    const xml = bpmn(`${start}${end}${flows('start', 'end')}`);
    assert.match((await warningsOf(xml)).join(), /'E1', which no error has as its id/);
    const { event } = elementOf(await programOf(xml), 'end');
    assert.equal(event?.kind === 'error' && event.code, 'E1');
  });

  it('for references into other documents', async () => {
    const xml = bpmn(
      `${start}${element('callActivity', 'c', { calledElement: 'q' }, '<bpmn:ioSpecification><bpmn:inputSet><bpmn:dataInputRefs>x:in</bpmn:dataInputRefs></bpmn:inputSet></bpmn:ioSpecification>')}${flows('start', 'c')}`,
    ).replace('id="definitions"', 'id="definitions" xmlns:x="http://example.org/x"');
    assert.match((await warningsOf(xml)).join(), /refers by dataInputRefs to 'x:in' of another document/);
  });
});
