import assert from 'node:assert/strict';
import { compileModel } from '../../../src/engine/model/compile-model.js';
import { bpmn, element, extended, flow, flows, line } from '../../support/bpmn.js';
import { problemsOf } from '../../support/model.js';

import { io, message, root, start, user, WRONG } from './wrong-models.js';

describe('a model', () => {
  for (const [what, body, problem] of WRONG) {
    it(`is refused for ${what}`, async () => {
      const found = await problemsOf(bpmn(body, { root }));
      assert.equal(found.length, 1, found.join('\n'));
      assert.match(found[0] ?? '', problem);
    });
  }

  it('is refused with all its problems at their places', async () => {
    const xml = bpmn(`<bpmn:startEvent id="start"/>
<bpmn:serviceTask id="first"/>
  <bpmn:boundaryEvent id="second" attachedToRef="first">
    <bpmn:timerEventDefinition id="timer"><bpmn:timeDuration>soon</bpmn:timeDuration></bpmn:timerEventDefinition>
  </bpmn:boundaryEvent>
<bpmn:wonder id="third"/>
${flow('start', 'nobody')}`);
    const { problems } = await compileModel(xml);
    const places = problems.map(({ line: row, column, elementId }) => [row, column, elementId]);
    assert.deepEqual(places, [
      [13, 1, 'third'],
      [14, 1, 'start-nobody'],
      [9, 1, 'first'],
      [10, 3, 'second'],
    ]);
  });

  it('is refused at its element, though an extension within has the same id', async () => {
    const field = extended('\n<camunda:formData><camunda:formField id="a"/></camunda:formData>\n');
    const { problems } = await compileModel(bpmn(`\n${user({ 'camunda:dueDate': 'soon' }, field)}`));
    assert.deepEqual(
      problems.map(({ line: row, elementId }) => [row, elementId]),
      [[10, 'a']],
    );
  });

  it('is refused for each of two problems of a boundary event, and for that of one beside another problem', async () => {
    const both = element(
      'boundaryEvent',
      'a',
      { attachedToRef: 'g', cancelActivity: 'false' },
      '<bpmn:cancelEventDefinition/>',
    );
    const onGateway = line(['g'], element('parallelGateway', 'g') + both);
    assert.deepEqual(await problemsOf(bpmn(onGateway, { root })), [
      "boundary event 'a' must be attached to an activity in the same scope (attachedToRef), but found parallel gateway 'g'",
    ]);
    const beside = line(['b'], element('choreographyTask', 'b') + element('boundaryEvent', 'a', {}, message));
    assert.deepEqual(await problemsOf(bpmn(beside, { root })), [
      "choreography task 'b' is of a kind (choreography task), which this engine does not execute",
      "boundary event 'a' must be attached to an activity in the same scope (attachedToRef), but found none",
    ]);
  });

  it('may have a thousand candidates for a task, and an input of an end event', async () => {
    assert.deepEqual(await problemsOf(bpmn(user({ 'camunda:candidateUsers': 'a,'.repeat(1_000) }))), []);
    const input = io('<camunda:inputParameter name="x">1</camunda:inputParameter>');
    assert.deepEqual(
      await problemsOf(bpmn(`${start}${element('endEvent', 'a', {}, input)}${flows('start', 'a')}`)),
      [],
    );
  });

  it('is refused with the first 80 characters of a text that is wrong', async () => {
    const told = async (length: number) =>
      (await problemsOf(bpmn(start, { attributes: `camunda:historyTimeToLive="${'x'.repeat(length)}"` }))).join();
    assert.match(await told(80), /has 'x{80}' as/);
    assert.match(await told(81), /has 'x{80}…' as/);
  });

  it('is refused at the very line of a script, where the text is written as it reads', async () => {
    const written = (text: string) =>
      bpmn(`<bpmn:startEvent id="start"/>
<bpmn:scriptTask id="work" scriptFormat="javascript">
  <bpmn:script>${text}</bpmn:script>
</bpmn:scriptTask>
${flows('start', 'work')}`);
    const placeOf = async (text: string) => {
      const [problem] = (await compileModel(written(text))).problems;
      return [problem?.line, problem?.column, problem?.elementId];
    };
    assert.deepEqual(await placeOf('\nlet a = 1;\nlet b = ;\n'), [12, 1, 'work']);
    assert.deepEqual(await placeOf('<![CDATA[\nif (1 < 2) {\n  a b\n}]]>'), [12, 3, 'work']);
    assert.deepEqual(await placeOf('if (1 &lt; 2) {\n  a b\n}'), [9, 1, 'work'], 'escaped: where the element begins');
  });

  it('is refused for signals of one name, without one, or without an id, and for errors without an id', async () => {
    const found = (root: string) => problemsOf(bpmn(start, { root }));
    assert.deepEqual(await found('<bpmn:signal id="a" name="S"/><bpmn:signal id="b" name="S"/>'), [
      "signal 'b' has name 'S', as signal 'a' has",
    ]);
    assert.deepEqual(await found('<bpmn:signal id="a"/>'), ["signal 'a' needs a name"]);
    assert.deepEqual(await found('<bpmn:signal name="S"/>'), ['signal needs an id']);
    assert.deepEqual(await found('<bpmn:error errorCode="E"/>'), ['error needs an id']);
    const { problems } = await compileModel(
      bpmn(start, { root: '<bpmn:signal id="a" name="A"/>\n<bpmn:signal name="B"/>\n <bpmn:signal name="C"/>' }),
    );
    const [first = 0, second = 0] = problems.map(({ line }) => line ?? 0);
    assert.deepEqual([problems.length, second - first, problems[1]?.column], [2, 1, 2], 'each in its line');
    assert.deepEqual(await found('<bpmn:message id="a" name="M"/><bpmn:message id="b" name="M"/>'), []);
  });

  it('names a sequence flow without an id by its ends, and one that leads elsewhere by the process', async () => {
    const choice =
      element('exclusiveGateway', 'g', { default: 'other' }) +
      '<bpmn:sequenceFlow id="other" sourceRef="g" targetRef="end"/>' +
      flow('g', 'end', '${a:b(c)}').replace('id="g-end" ', '');
    const { problems } = await compileModel(bpmn(line(['g'], choice).replace(flow('g', 'end'), '')));
    assert.equal(problems.length, 1);
    assert.equal(problems[0]?.elementId, 'g');
    assert.match(
      problems[0]?.message ?? '',
      /^sequence flow to 'end' out of exclusive gateway 'g' has an invalid cond/,
    );
    const xpath = flow('start', 'end', '1').replace(
      'tFormalExpression"',
      'tFormalExpression" id="x" language="http://www.w3.org/1999/XPath"',
    );
    const [told] = (await compileModel(bpmn(start + element('endEvent', 'end') + xpath))).problems;
    assert.equal(told?.elementId, 'start-end', 'an expression of its own id is that of its flow');
    const elsewhere = `<bpmn:process id="q" isExecutable="true">${element('task', 'far')}</bpmn:process>`;
    assert.deepEqual(await problemsOf(bpmn(start + flow('start', 'far'), { root: elsewhere })), [
      "sequence flow 'start-far' has task 'far' of process 'q' as targetRef, but expected an activity, event or gateway of the same process",
    ]);
    const within = element('subProcess', 'sub', {}, element('startEvent', 'inner') + element('task', 'near'));
    const attached = element('boundaryEvent', 'b', { attachedToRef: 'near' }, message);
    assert.deepEqual(await problemsOf(bpmn(line(['sub'], within + attached), { root })), [
      "boundary event 'b' must be attached to an activity in the same scope (attachedToRef), but found task 'near' in 'sub'",
    ]);
  });

  it('is refused for what stands at the process', async () => {
    const attributed = (attributes: string) => problemsOf(bpmn(start, { attributes }));
    assert.match((await attributed('camunda:historyTimeToLive="long"')).join(), /'long' as camunda:historyTimeToLive/);
    assert.match((await problemsOf(bpmn(start, { key: 'a:b' }))).join(), /colon in its id/);
    assert.match(
      (await problemsOf(bpmn(extended('<camunda:inputOutput/>') + start))).join(),
      /which a process cannot have/,
    );
  });

  it('is refused when it is no BPMN 2.0 XML', async () => {
    for (const text of [
      '',
      'hello',
      '<',
      '<a/>',
      '<definitions/>',
      '{"a":1}',
      bpmn(start).slice(0, -3),
      bpmn('<bpmn:task id="a">'),
    ]) {
      const { programs, problems } = await compileModel(text);
      assert.equal(programs.length, 0);
      assert.ok(problems.length > 0, text);
    }
  });

  it('lists no more than a hundred problems', async () => {
    const many = Array.from({ length: 200 }, (_, n) => element('callActivity', `c${n}`)).join('');
    const { problems } = await compileModel(bpmn(start + many));
    assert.equal(problems.length, 101);
  });
});
