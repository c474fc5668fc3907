// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test are written so
import assert from 'node:assert/strict';
import type { Ask } from '../../../src/store/index.js';
import { bpmn, element, flow, flows, line } from '../../support/bpmn.js';
import { instance } from '../../support/instance.js';
import { problemsOf, programOf } from '../../support/model.js';

describe('a model in XML', () => {
  it('calls the functions that Camunda has, and is refused where it calls others', async () => {
    const of = (expression: string) =>
      bpmn(
        line(
          ['a', 'b'],
          element('serviceTask', 'a', { 'camunda:expression': expression, 'camunda:resultVariable': 'r' }) +
            element('userTask', 'b'),
        ),
      );
    for (const [expression, expected] of [
      ["${S(text).prop('a').prop('b').numberValue() + 1}", 3],
      ['${JSON(text).fieldNames()[0]}', 'a'],
      ["${S(data).prop('a').stringValue()}", 'x'],
      ['${S(4)}', 4],
      ['${now().time == dateTime().millis}', true],
      ["${feel('1 + 1')}", 2],
    ] as const) {
      const it = instance(await programOf(of(expression))).start({ text: '{"a": {"b": 2}}', data: { a: 'x' } });
      assert.deepEqual(it.variables.r, expected, expression);
    }
    const model = await programOf(of('${S(text)}'));
    assert.throws(() => instance(model).start({ text: '<a/>' }), /expected JSON, but found '<a\/>'/);
    assert.deepEqual(await problemsOf(of('${XML(text).name()}')), [
      "service task 'a' has an invalid expression: expected a call of now(), dateTime(), currentUser(), currentUserGroups(), feel(), S(), JSON() in expression '${XML(text).name()}', but found XML()",
    ]);
  });

  it('ends at an end event, though a flow leaves it', async () => {
    const drawn = `<bpmn:startEvent id="start"/><bpmn:endEvent id="end"/><bpmn:userTask id="a"/>${flows('start', 'end', 'a')}`;
    assert.ok(instance(await programOf(bpmn(drawn))).start().isCompleted);
  });

  it('runs as it is drawn: tasks, scopes, listeners, boundary events, joins', async () => {
    const model = await programOf(
      bpmn(
        `<bpmn:startEvent id="start" camunda:initiator="starter"/>
        <bpmn:scriptTask id="price" scriptFormat="javascript" camunda:resultVariable="total"><bpmn:script>amount * 2</bpmn:script></bpmn:scriptTask>
        <bpmn:inclusiveGateway id="fork" default="fork-ship"/>
        <bpmn:userTask id="check" name="Check \${total}" camunda:assignee="\${starter}">
          <bpmn:extensionElements>
            <camunda:taskListener event="complete" expression="\${task.setVariable('checked', true)}"/>
            <camunda:inputOutput><camunda:inputParameter name="limit">\${total + 1}</camunda:inputParameter>
              <camunda:outputParameter name="seen">\${limit}</camunda:outputParameter></camunda:inputOutput>
          </bpmn:extensionElements>
        </bpmn:userTask>
        <bpmn:boundaryEvent id="late" attachedToRef="check" cancelActivity="false">
          <bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT1H</bpmn:timeDuration></bpmn:timerEventDefinition>
        </bpmn:boundaryEvent>
        <bpmn:serviceTask id="remind" camunda:expression="\${execution.setVariable('reminded', total)}"/>
        <bpmn:endEvent id="reminded"/>
        <bpmn:subProcess id="ship">
          <bpmn:startEvent id="inner"/>
          <bpmn:serviceTask id="send" camunda:delegateExpression="\${sender}"/>
          <bpmn:endEvent id="sent"/>
          ${flows('inner', 'send', 'sent')}
        </bpmn:subProcess>
        <bpmn:boundaryEvent id="failed" attachedToRef="ship"><bpmn:errorEventDefinition errorRef="lost"/></bpmn:boundaryEvent>
        <bpmn:inclusiveGateway id="join"/>
        <bpmn:endEvent id="end"/>
        <bpmn:endEvent id="stop"><bpmn:terminateEventDefinition/></bpmn:endEvent>
        ${flows('start', 'price', 'fork')}
        ${flow('fork', 'check', '${total > 10}')}
        ${flows('fork', 'ship', 'join', 'end')}
        ${flows('check', 'join')} ${flows('late', 'remind', 'reminded')} ${flows('failed', 'stop')}`,
        { root: '<bpmn:error id="lost" errorCode="LOST"/>' },
      ),
    );
    const answer = ({ question }: Ask) => {
      assert.equal((question as { source: string }).source, 'amount * 2');
      return { value: { result: 20 } };
    };
    const it = instance(model, { handlers: { sender: 'call' }, answer }).start({ amount: 10 });
    assert.deepEqual(it.active, ['check']);
    assert.deepEqual([it.task('check').name, it.task('check').assignee], ['Check 20', 'mary']);
    it.fire('late').complete('check');
    assert.ok(it.isCompleted);
    assert.deepEqual(it.variables, { amount: 10, starter: 'mary', total: 20, reminded: 20, checked: true, seen: 21 });
  });

  it('goes through a sub-process whose call fails with an error of the model', async () => {
    const model = await programOf(
      bpmn(
        `<bpmn:startEvent id="start"/>
        <bpmn:subProcess id="ship">
          <bpmn:startEvent id="inner"/>
          <bpmn:serviceTask id="send" camunda:type="external" camunda:topic="mail"/>
          ${flows('inner', 'send')}
        </bpmn:subProcess>
        <bpmn:boundaryEvent id="failed" attachedToRef="ship">
          <bpmn:errorEventDefinition errorRef="lost" camunda:errorMessageVariable="why"/>
        </bpmn:boundaryEvent>
        <bpmn:userTask id="repair"/>
        ${flows('start', 'ship')} ${flows('failed', 'repair')}`,
        { root: '<bpmn:error id="lost" errorCode="LOST"/>' },
      ),
    );
    const it = instance(model, { handlers: { mail: 'call' } }).start();
    it.give({ type: 'callError', jobId: it.job('send').id, code: 'LOST', message: 'at sea', variables: {} });
    assert.deepEqual([it.active, it.variables], [['repair'], { why: 'at sea' }]);
    assert.deepEqual(it.trail, ['start', 'ship!', 'inner', 'send!', 'failed', 'repair?']);
  });
});
