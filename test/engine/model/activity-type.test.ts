import assert from 'node:assert/strict';
import { bpmn, element, flows, line, timer } from '../../support/bpmn.js';
import { elementOf, programOf } from '../../support/model.js';

const message = '<bpmn:messageEventDefinition messageRef="m"/>';
const signal = '<bpmn:signalEventDefinition signalRef="s"/>';
const error = '<bpmn:errorEventDefinition errorRef="e"/>';
const terminate = '<bpmn:terminateEventDefinition/>';
const duration = timer('duration', 'PT1H');
const escalation = '<bpmn:escalationEventDefinition escalationRef="x1"/>';
const conditional =
  '<bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">${x}</bpmn:condition></bpmn:conditionalEventDefinition>';
const root =
  '<bpmn:escalation id="x1" escalationCode="X"/><bpmn:message id="m" name="M"/><bpmn:signal id="s" name="S"/><bpmn:error id="e" errorCode="E"/>';

/** Element, event definition, the history's word. */
const WORDS: readonly (readonly [string, string, string])[] = [
  ['startEvent', '', 'startEvent'],
  ['startEvent', message, 'messageStartEvent'],
  ['startEvent', duration, 'startTimerEvent'],
  ['startEvent', signal, 'signalStartEvent'],
  ['intermediateCatchEvent', duration, 'intermediateTimer'],
  ['intermediateCatchEvent', message, 'intermediateMessageCatch'],
  ['intermediateCatchEvent', signal, 'intermediateSignalCatch'],
  ['intermediateThrowEvent', '', 'intermediateNoneThrowEvent'],
  ['intermediateThrowEvent', message, 'intermediateMessageThrowEvent'],
  ['intermediateThrowEvent', signal, 'intermediateSignalThrow'],
  ['boundaryEvent', duration, 'boundaryTimer'],
  ['boundaryEvent', message, 'boundaryMessage'],
  ['boundaryEvent', signal, 'boundarySignal'],
  ['boundaryEvent', error, 'boundaryError'],
  ['boundaryEvent', escalation, 'boundaryEscalation'],
  ['intermediateThrowEvent', escalation, 'intermediateEscalationThrowEvent'],
  ['endEvent', escalation, 'escalationEndEvent'],
  ['startEvent', message + duration, 'multipleStartEvent'],
  ['startEvent', conditional, 'conditionalStartEvent'],
  ['intermediateCatchEvent', conditional, 'intermediateConditional'],
  ['boundaryEvent', conditional, 'boundaryConditional'],
  ['intermediateCatchEvent', message + duration, 'intermediateMultipleCatch'],
  ['intermediateThrowEvent', message + signal, 'intermediateMultipleThrowEvent'],
  ['boundaryEvent', message + signal, 'boundaryMultiple'],
  ['endEvent', message + signal, 'multipleEndEvent'],
  ['intermediateThrowEvent', '<bpmn:compensateEventDefinition/>', 'intermediateCompensationThrowEvent'],
  ['endEvent', '<bpmn:compensateEventDefinition/>', 'compensationEndEvent'],
  ['endEvent', '', 'noneEndEvent'],
  ['endEvent', error, 'errorEndEvent'],
  ['endEvent', terminate, 'terminateEndEvent'],
  ['endEvent', message, 'messageEndEvent'],
  ['endEvent', signal, 'signalEndEvent'],
];

const PLAIN: readonly (readonly [string, Record<string, string>, string])[] = [
  ['task', {}, ''],
  ['manualTask', {}, ''],
  ['callActivity', { calledElement: 'q' }, ''],
  ['userTask', {}, ''],
  ['receiveTask', { messageRef: 'm' }, ''],
  ['serviceTask', { 'camunda:class': 'c' }, ''],
  ['sendTask', { 'camunda:class': 'c' }, ''],
  ['businessRuleTask', { 'camunda:class': 'c' }, ''],
  ['scriptTask', { scriptFormat: 'js' }, '<bpmn:script>1</bpmn:script>'],
  ['subProcess', {}, '<bpmn:startEvent id="inner"/>'],
  ['exclusiveGateway', {}, ''],
  ['parallelGateway', {}, ''],
  ['inclusiveGateway', {}, ''],
];

describe('the activity type', () => {
  for (const [type, definition, word] of WORDS) {
    it(`of ${word} is written as Camunda's history writes it`, async () => {
      const model: Record<string, string> = {
        startEvent: element('startEvent', 'x', {}, definition),
        boundaryEvent: line(
          ['t'],
          element('task', 't') + element('boundaryEvent', 'x', { attachedToRef: 't' }, definition),
        ),
        endEvent: `${element('startEvent', 'a')}${element('endEvent', 'x', {}, definition)}${flows('a', 'x')}`,
      };
      const body = model[type] ?? line(['x'], element(type, 'x', {}, definition));
      const { activityType, type: own } = elementOf(await programOf(bpmn(body, { root })), 'x');
      assert.deepEqual([own, activityType], [type, word]);
    });
  }

  for (const [type, attributes, content] of PLAIN) {
    it(`of ${type} is its element's name`, async () => {
      const body = line(['x'], element(type, 'x', attributes, content));
      const { activityType, type: own } = elementOf(await programOf(bpmn(body, { root })), 'x');
      assert.deepEqual([own, activityType], [type, type]);
    });
  }

  it('of an event-based gateway is its name', async () => {
    const body = `${element('startEvent', 'a')}${element('eventBasedGateway', 'x')}${element('intermediateCatchEvent', 'c', {}, message)}${flows('a', 'x', 'c')}`;
    assert.equal(elementOf(await programOf(bpmn(body, { root })), 'x').activityType, 'eventBasedGateway');
  });
});
