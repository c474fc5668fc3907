import assert from 'node:assert/strict';
import { compileDecisions } from '../../../src/engine/decision/compile-decisions.js';
import { compileModel } from '../../../src/engine/model/compile-model.js';
import { MODEL_RULES, type Rule } from '../../../src/engine/model/rules.js';
import { bpmn, definitions, element, extended, flow, flows, line, timer } from '../../support/bpmn.js';
import { decision, dmn, literal } from '../../support/dmn.js';
import { root, start, task, user, WRONG } from './wrong-models.js';

const form = (content: string, attributes: Record<string, string> = {}) =>
  bpmn(user(attributes, content === '' ? '' : extended(`<camunda:formData>${content}</camunda:formData>`)));
const field = (attributes: string, content = '') =>
  form(`<camunda:formField ${attributes}>${content}</camunda:formField>`);
const io = (content: string) => extended(`<camunda:inputOutput>${content}</camunda:inputOutput>`);
const multi = (attributes: string, content: string) =>
  task(`<bpmn:multiInstanceLoopCharacteristics ${attributes}>${content}</bpmn:multiInstanceLoopCharacteristics>`);
const three = '<bpmn:loopCardinality>3</bpmn:loopCardinality>';
const service = (attributes: Record<string, string>, content = '') =>
  line(['a'], element('serviceTask', 'a', { 'camunda:expression': '${1}', ...attributes }, content));
const assigned = (content: string) =>
  task(`<bpmn:dataInputAssociation><bpmn:assignment>${content}</bpmn:assignment></bpmn:dataInputAssociation>`);
const formal = (name: string, text: string) => `<bpmn:${name} xsi:type="bpmn:tFormalExpression">${text}</bpmn:${name}>`;
const signal = '<bpmn:signalEventDefinition signalRef="s"/>';
const link = '<bpmn:linkEventDefinition name="L"/>';
const sub = (content: string, attributes: Record<string, string> = {}) =>
  element('subProcess', 'a', attributes, element('startEvent', 'in') + content);
const handled = (id: string) =>
  `${element('boundaryEvent', 'c', { attachedToRef: id }, '<bpmn:compensateEventDefinition/>')}${element('task', 'h', { isForCompensation: 'true' })}<bpmn:association id="as" sourceRef="c" targetRef="h"/>`;
const undoing = `<bpmn:subProcess id="undo" triggeredByEvent="true"><bpmn:startEvent id="us"><bpmn:compensateEventDefinition/></bpmn:startEvent></bpmn:subProcess>`;
const thrown = (definition: string) => line(['a'], element('intermediateThrowEvent', 'a', {}, definition));
const performer = (name: string) =>
  `<bpmn:humanPerformer><bpmn:resourceAssignmentExpression>${formal('formalExpression', name)}</bpmn:resourceAssignmentExpression></bpmn:humanPerformer>`;
const external = (content: string) =>
  service({ 'camunda:type': 'external', 'camunda:topic': 't' }, extended(content)).replace(
    ' camunda:expression="${1}"',
    '',
  );
const broken = (logic: string, more = '') => dmn(decision('d', logic) + more);
const grid = (attributes: string, content: string) => broken(`<decisionTable ${attributes}>${content}</decisionTable>`);
const output = (attributes = '') => `<output id="o${attributes.length}" ${attributes}/>`;
const two = `${output('name="x"')}${output('name="yy"')}`;

/** Models that break one rule each, beside those of `WRONG`. */
const BROKEN: Readonly<Partial<Record<Rule, string>>> = {
  'element-executed': bpmn(`${start}<bpmn:callChoreography id="c"/>`),
  'root-id': bpmn(start, { root: '<bpmn:error errorCode="E"/>' }),
  'signal-name': bpmn(start, { root: '<bpmn:signal id="a"/>' }),
  'signal-name-unique': bpmn(start, { root: '<bpmn:signal id="a" name="S"/><bpmn:signal id="b" name="S"/>' }),
  'process-id-colon': definitions(`<bpmn:process id="a:b" isExecutable="true">${start}</bpmn:process>`),
  'association-end': bpmn(`${start}<bpmn:association id="as" targetRef="start"/>`),
  'flow-target': bpmn(`${start}<bpmn:sequenceFlow id="f" sourceRef="start"/>`),
  'flow-source-kind': bpmn(`${start}<bpmn:dataObject id="d"/>${flow('d', 'start').replace('"start"', '"start"')}`),
  'condition-language': bpmn(
    `${start}${element('task', 'a')}${element('sequenceFlow', 'f', { sourceRef: 'start', targetRef: 'a' }, '<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression" camunda:resource="c.js"/>')}`,
  ),
  'feel-syntax': bpmn(`${start}${element('task', 'a')}${flow('start', 'a', '=1 +')}`),
  time: bpmn(
    `${start}${element('task', 'a')}${element('boundaryEvent', 'b', { attachedToRef: 'a' }, timer('duration', 'soon'))}${flows('start', 'a')}`,
  ),
  'throw-event-definition': bpmn(thrown(timer('duration', 'PT1H'))),
  'multiple-link': bpmn(`${thrown(link + signal)}${element('intermediateCatchEvent', 'c', {}, link)}`, { root }),
  'compensation-one-way': bpmn(line(['a'], sub(undoing) + handled('a'))),
  'multi-instance-output-ref': bpmn(
    multi(
      '',
      `${three}<bpmn:loopDataOutputRef>__proto__</bpmn:loopDataOutputRef><bpmn:outputDataItem id="o" name="x"/>`,
    ),
  ),
  'multi-instance-behavior-condition': bpmn(multi('behavior="Complex"', `${three}<bpmn:complexBehaviorDefinition/>`)),
  'data-assignment': bpmn(assigned(formal('from', '${1}') + formal('to', 'a b'))),
  'data-assignment-from': bpmn(assigned(formal('to', 'x'))),
  'user-task-one-performer': bpmn(user({}, performer('ann') + performer('bob'))),
  'history-time-to-live': bpmn(start, { attributes: 'camunda:historyTimeToLive="long"' }),
  'file-name': bpmn(
    line(['a'], element('scriptTask', 'a', { scriptFormat: 'javascript', 'camunda:resource': '${file}.js' })),
  ),
  'field-name': bpmn(
    service({ 'camunda:class': 'a.B' }, extended('<camunda:field stringValue="x"/>')).replace(
      ' camunda:expression="${1}"',
      '',
    ),
  ),
  'listener-handler': bpmn(
    user({}, extended('<camunda:executionListener event="start" delegateExpression="${a.b(1)}"/>')),
  ),
  'io-single': bpmn(user({}, io('').replace('</bpmn:ext', '<camunda:inputOutput/></bpmn:ext'))),
  'io-process': bpmn(io('<camunda:inputParameter name="x">1</camunda:inputParameter>') + start),
  'io-entry-key': bpmn(
    user(
      {},
      io(
        '<camunda:inputParameter name="x"><camunda:map><camunda:entry>1</camunda:entry></camunda:map></camunda:inputParameter>',
      ),
    ),
  ),
  'user-task-one-assignee': bpmn(user({ 'camunda:assignee': 'bob' }, performer('ann'))),
  'form-field-unique': form('<camunda:formField id="f" type="string"/><camunda:formField id="f" type="string"/>'),
  'form-field-id': field('type="string"'),
  'form-field-type': field('id="f" type="wonder"'),
  'form-field-number': field(
    'id="f" type="string"',
    '<camunda:validation><camunda:constraint name="min" config="x"/></camunda:validation>',
  ),
  'form-binding': form('', { 'camunda:formRef': 'f', 'camunda:formRefBinding': 'wonder' }),
  'form-version': form('', { 'camunda:formRef': 'f', 'camunda:formRefBinding': 'version' }),
  'decision-version': bpmn(
    line(
      ['a'],
      element('businessRuleTask', 'a', { 'camunda:decisionRef': 'd', 'camunda:decisionRefBinding': 'version' }),
    ),
  ),
  'decision-version-number': bpmn(
    line(
      ['a'],
      element('businessRuleTask', 'a', {
        'camunda:decisionRef': 'd',
        'camunda:decisionRefBinding': 'version',
        'camunda:decisionRefVersion': 'x',
      }),
    ),
  ),
  'event-gateway-async-after': bpmn(
    `${start}${element('eventBasedGateway', 'a', { 'camunda:asyncAfter': 'true' })}${element('intermediateCatchEvent', 'b', {}, signal)}${flows('start', 'a', 'b')}`,
    { root },
  ),
  'zeebe-feel': bpmn(user({}, extended('<zeebe:formDefinition formId="=a + b"/>'))).replace(
    '<bpmn:definitions',
    '<bpmn:definitions xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"',
  ),

  // Decisions
  'dmn-xml': broken('<wonder/>'),
  'dmn-import': broken(literal('1'), '').replace(
    '<decision ',
    '<import namespace="n" name="x" importType="t"/><decision ',
  ),
  'dmn-id': dmn(decision('d', literal('1')).replace('id="d" ', '')),
  'dmn-id-form': dmn(decision('d', literal('1')) + decision('d', literal('1'))),
  'dmn-id-colon': dmn(decision('a:b', literal('1'))),
  'dmn-reference': dmn(decision('d', literal('1'), { requires: ['nobody'] })),
  'dmn-cycle': dmn(decision('d', literal('e'), { requires: ['e'] }) + decision('e', literal('d'), { requires: ['d'] })),
  'dmn-language': broken(literal('1', 'expressionLanguage="groovy"')),
  'dmn-text': broken(literal('1 +')),
  'dmn-expression': broken('<context><contextEntry><variable name="x"/></contextEntry></context>'),
  'dmn-child-expression': broken(
    '<conditional><if><literalExpression><text>true</text></literalExpression></if><then><literalExpression><text>1</text></literalExpression></then></conditional>',
  ),
  'dmn-function-kind': broken(
    '<functionDefinition kind="Java"><literalExpression><text>1</text></literalExpression></functionDefinition>',
  ),
  'dmn-binding-parameter': broken(
    '<invocation><literalExpression><text>f</text></literalExpression><binding><literalExpression><text>1</text></literalExpression></binding></invocation>',
  ),
  'dmn-table-output': grid('', ''),
  'dmn-output-name': grid('', output('name="x"') + output()),
  'dmn-output-name-unique': grid('', `<output id="o1" name="x"/><output id="o2" name="x"/>`),
  'dmn-rule-inputs': grid(
    '',
    `${output()}<rule id="r"><inputEntry><text>1</text></inputEntry><outputEntry><text>1</text></outputEntry></rule>`,
  ),
  'dmn-rule-outputs': grid('', `${output()}<rule id="r"/>`),
  'dmn-hit-policy': grid('hitPolicy="WONDER"', output()),
  'dmn-aggregation': grid('hitPolicy="COLLECT" aggregation="WONDER"', output()),
  'dmn-aggregation-collect': grid('aggregation="SUM"', output()),
  'dmn-aggregation-output': grid('hitPolicy="COLLECT" aggregation="SUM"', two),
};

const thing = element('task', 'a');
const zeebe = (xml: string) =>
  xml.replace('<bpmn:definitions', '<bpmn:definitions xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"');
const caught = (type: string, definition: string, attributes: Record<string, string> = {}) =>
  bpmn(line(['a'], element(type, 'a', attributes, definition)), { root });
const flowing = (source: string, target: string) =>
  `<bpmn:collaboration id="co"><bpmn:participant id="pool"/><bpmn:messageFlow id="mf" sourceRef="${source}" targetRef="${target}"/></bpmn:collaboration>`;
const behind = (target: string) =>
  bpmn(`${start}${element('eventBasedGateway', 'g')}${target}${flows('start', 'g', 'a')}`, { root });
const inside = (attributes: Record<string, string>) =>
  bpmn(
    `${start}${element('subProcess', 'a', { triggeredByEvent: 'true', ...attributes }, element('startEvent', 'in', {}, signal))}`,
    { root },
  );
const split = (type: string, attributes: Record<string, string>, more: string) =>
  bpmn(
    `${start}${element(type, 'a', attributes)}${element('task', 'b')}${element('task', 'c')}${flows('start', 'a')}${more}`,
  );
const linked = (content: string) =>
  bpmn(
    `${start}${element('intermediateThrowEvent', 't', {}, link)}${element('intermediateCatchEvent', 'c', {}, content + link)}${flows('start', 't')}`,
  );
const adHoc = (content: string) =>
  bpmn(line(['a'], element('adHocSubProcess', 'a', {}, extended(content) + element('task', 'in'))));
const associated = (content: string) =>
  bpmn(
    line(
      ['a'],
      `${element('task', 'a', {}, `<bpmn:dataInputAssociation>${content}</bpmn:dataInputAssociation>`)}<bpmn:dataObject id="o"/><bpmn:dataObjectReference id="d" dataObjectRef="o"/>`,
    ),
  );
const complex = (attributes: string, ways: string) =>
  bpmn(
    `${start}<bpmn:complexGateway id="a" ${attributes}>${formal('activationCondition', '${activationCount > 0}')}</bpmn:complexGateway>${element('task', 'b')}${element('task', 'c')}${flows('start', 'a')}${ways}`,
  );
const item = '<bpmn:itemDefinition id="i" structureRef="Wonder"/>';

/** Models that are deployed with one warning each. */
const DOUBTED: Readonly<Partial<Record<Rule, string>>> = {
  'no-process': definitions(''),
  'not-executable': definitions(`<bpmn:process id="p">${start}</bpmn:process>`),
  'global-task': bpmn(start, { root: '<bpmn:globalScriptTask id="g"/>' }),
  encoding: bpmn(start).replace('UTF-8', 'windows-1252'),
  'implicit-start': bpmn(element('task', 'a') + element('endEvent', 'end') + flow('a', 'end')),
  unreachable: bpmn(start + thing),
  'flow-out-of-end': bpmn(task('') + flow('end', 'a')),
  'not-executed': bpmn(user({ 'camunda:formHandlerClass': 'x' })),
  'no-effect': bpmn(line(['a'], element('task', 'a', { 'camunda:assignee': 'ann' }))),
  'unknown-name': bpmn(user({ 'camunda:asignee': 'ann' })),
  'foreign-extension': bpmn(user({}, extended('<v:x xmlns:v="urn:v"/>'))),
  'drawing-attribute': definitions(
    `<bpmn:process id="p" isExecutable="true">${start}</bpmn:process><bpmndi:BPMNDiagram xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" id="d" wonder="x"/>`,
  ),
  'reference-unread': bpmn(`${start}<bpmn:association id="as" sourceRef="start" targetRef="nobody"/>`),
  'reference-foreign': bpmn(start, { root: '<bpmn:error id="e" errorCode="E" structureRef="other:x"/>' }),
  'error-ref-code': bpmn(
    line(
      ['a'],
      thing + element('boundaryEvent', 'b', { attachedToRef: 'a' }, '<bpmn:errorEventDefinition errorRef="E1"/>'),
    ),
  ),
  'complex-condition': complex('', flow('a', 'b', '${x}') + flow('a', 'c', '${!waitingForStart}')),
  'complex-default': complex('default="a-b"', flow('a', 'b') + flow('a', 'c', '${waitingForStart}')),
  'condition-ignored': split('parallelGateway', {}, flow('a', 'b', '${x}') + flow('a', 'c')),
  'gateway-open-flow': split('exclusiveGateway', {}, flow('a', 'b', '${x}') + flow('a', 'c')),
  'parallel-multiple-single': caught('intermediateCatchEvent', signal, { parallelMultiple: 'true' }),
  'timer-cycle-once': caught('intermediateCatchEvent', timer('cycle', 'R3/PT1H')),
  'signal-in': caught(
    'intermediateCatchEvent',
    `<bpmn:signalEventDefinition signalRef="s">${extended('<camunda:in source="a" target="b"/>')}</bpmn:signalEventDefinition>`,
  ),
  'message-by-id': caught('receiveTask', ''),
  'always-interrupts': bpmn(
    `${line(['a'], thing)}${element('boundaryEvent', 'b', { attachedToRef: 'a', cancelActivity: 'false' }, '<bpmn:errorEventDefinition/>')}${element('task', 'z')}${flows('b', 'z')}`,
  ),
  'message-by-flow': bpmn(line(['a'], element('intermediateCatchEvent', 'a', {}, '<bpmn:messageEventDefinition/>')), {
    root: flowing('pool', 'a'),
  }),
  'message-flow-other': bpmn(
    line(['a', 'b'], element('sendTask', 'a', { messageRef: 'm' }) + element('receiveTask', 'b', { messageRef: 'm2' })),
    { root: `${root}<bpmn:message id="m2" name="M2"/>${flowing('a', 'b')}` },
  ),
  'message-nothing-thrown': caught('intermediateThrowEvent', '<bpmn:messageEventDefinition/>'),
  'error-catches-all': bpmn(
    line(
      ['a'],
      thing + element('boundaryEvent', 'b', { attachedToRef: 'a' }, '<bpmn:errorEventDefinition errorRef="codeless"/>'),
    ),
    { root },
  ),
  'escalation-catches-all': bpmn(
    line(
      ['a'],
      thing +
        element(
          'boundaryEvent',
          'b',
          { attachedToRef: 'a' },
          '<bpmn:escalationEventDefinition escalationRef="uncoded"/>',
        ),
    ),
    { root },
  ),
  'event-sub-continuation': inside({ 'camunda:asyncBefore': 'true' }),
  'event-gateway-async-before': behind(
    element('intermediateCatchEvent', 'a', { 'camunda:asyncBefore': 'true' }, signal),
  ),
  'link-unthrown': bpmn(`${start}${element('intermediateCatchEvent', 'c', {}, link)}`),
  'link-effects': linked('').replace('id="t"', 'id="t" camunda:asyncBefore="true"'),
  'loop-once': bpmn(task('<bpmn:standardLoopCharacteristics/>')),
  'compensation-handler-unused': bpmn(start + element('task', 'h', { isForCompensation: 'true' })),
  'compensation-handler-event-sub': inside({ isForCompensation: 'true' }),
  'ad-hoc-output': zeebe(adHoc('<zeebe:adHoc outputCollection="x"/>')),
  'ad-hoc-task-definition': zeebe(adHoc('<zeebe:taskDefinition type="x"/>')),
  'data-association-language': associated(
    `<bpmn:sourceRef>d</bpmn:sourceRef>${formal('transformation', 'x').replace('xsi:', 'language="urn:boxed" xsi:')}`,
  ),
  'data-association-drawn': associated('<bpmn:sourceRef>d</bpmn:sourceRef>'),
  'data-transformation': associated(`<bpmn:sourceRef>d</bpmn:sourceRef>${formal('transformation', '${1}')}`),
  'data-name': bpmn(
    line(
      ['a'],
      element('task', 'a', {}, '<bpmn:ioSpecification><bpmn:dataInput itemSubjectRef="i"/></bpmn:ioSpecification>'),
    ),
    { root: item.replace('Wonder', 'xsd:int') },
  ),
  'data-type': bpmn(`${start}<bpmn:dataObject id="o" itemSubjectRef="i"/>`, { root: item }),
  'error-definition-expression': bpmn(external('<camunda:errorEventDefinition errorRef="e"/>'), { root }),
  'error-definition-place': bpmn(
    service({}, extended('<camunda:errorEventDefinition errorRef="e" expression="${true}"/>')),
    { root },
  ),
  'field-unused': bpmn(service({}, extended('<camunda:field name="x" stringValue="y"/>'))),
  'form-file': bpmn(user({ 'camunda:formKey': 'camunda-forms:deployment:ask.form' })),
  'form-field-values': field('id="f" type="enum"'),
  'form-field-constraint': field(
    'id="f" type="string"',
    '<camunda:validation><camunda:constraint name="validator" config="x"/></camunda:validation>',
  ),
  'camunda-8': zeebe(bpmn(start)),
  'dmn-no-decision': dmn(''),
  'dmn-service-output': broken(literal('1'), '<decisionService id="s" name="s"/>'),
  'dmn-output-values': grid(
    'hitPolicy="PRIORITY"',
    '<output id="o"><outputValues><text>-</text></outputValues></output>',
  ),
  'dmn-juel': broken(literal('x ? 1 : 2')),
  'dmn-foreign': broken(literal('1'), '<v:x xmlns:v="urn:v"/>'),
};

const isDecision = (xml: string): boolean => xml.includes('DMN/');

/** Rules that only a large model breaks. */
const LARGE: readonly string[] = ['inclusive-joins'];

/** The rules that a model breaks, those that refuse it alone where there are any. */
async function brokenBy(xml: string): Promise<(string | undefined)[]> {
  const { problems, warnings } = isDecision(xml) ? await compileDecisions(xml) : await compileModel(xml);
  const told = new Set((problems.length > 0 ? problems : warnings).map(({ rule }) => rule));
  // It is said first of whatever is wrong with such a model.
  if (told.size > 1) told.delete('camunda-8');
  return [...told];
}

describe('a rule of models', () => {
  it('is broken by a model of its own, which breaks no other one', async () => {
    const models = new Map<string, string>();
    for (const [what, body] of WRONG) {
      const xml = bpmn(body, { root });
      const [rule, ...more] = await brokenBy(xml);
      assert.ok(rule !== undefined, `a rule for ${what}`);
      if (more.length === 0) models.set(rule, xml);
    }
    for (const [rule, xml] of [...Object.entries(BROKEN), ...Object.entries(DOUBTED)]) {
      assert.deepEqual(await brokenBy(xml), [rule]);
      models.set(rule, xml);
    }
    for (const { rules } of Object.values(MODEL_RULES)) {
      assert.deepEqual(
        Object.keys(rules).filter((rule) => !models.has(rule) && !LARGE.includes(rule)),
        [],
      );
    }
  });

  it('is one of at least 150', () => {
    const count = Object.values(MODEL_RULES).reduce((sum, { rules }) => sum + Object.keys(rules).length, 0);
    assert.ok(count >= 150, String(count));
  });
});
