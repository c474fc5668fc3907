import { element, escaped, extended, flow, flows, line, timer } from '../../support/bpmn.js';

export const start = element('startEvent', 'start');
const multi = (content: string, attributes = ''): string =>
  task(`<bpmn:multiInstanceLoopCharacteristics ${attributes}>${content}</bpmn:multiInstanceLoopCharacteristics>`);
const cardinality = (text: string): string => `<bpmn:loopCardinality>${text}</bpmn:loopCardinality>`;
export const task = (content: string, attributes: Record<string, string> = {}) =>
  line(['a'], element('task', 'a', attributes, content));
const service = (attributes: Record<string, string>, content = '') =>
  line(['a'], element('serviceTask', 'a', attributes, content));
export const user = (attributes: Record<string, string>, content = '') =>
  line(['a'], element('userTask', 'a', attributes, content));
export const script = (text: string) =>
  line(
    ['a'],
    element('scriptTask', 'a', { scriptFormat: 'javascript' }, `<bpmn:script>${escaped(text)}</bpmn:script>`),
  );
export const event = (type: string, definition: string, attributes: Record<string, string> = {}) =>
  type === 'endEvent'
    ? `${start}${element('endEvent', 'a', attributes, definition)}${flows('start', 'a')}`
    : line(['a'], element(type, 'a', attributes, definition));
export const boundary = (definition: string, attributes: Record<string, string> = {}) =>
  line(
    ['work'],
    element('task', 'work') + element('boundaryEvent', 'a', { attachedToRef: 'work', ...attributes }, definition),
  );
const split = (type: string, content: string) =>
  `${start}${element(type, 'a')}${element('task', 'b')}${element('task', 'c')}${flows('start', 'a')}${content}`;
export const io = (content: string) => extended(`<camunda:inputOutput>${content}</camunda:inputOutput>`);
const link = '<bpmn:linkEventDefinition name="L"/>';
const escalation = '<bpmn:escalationEventDefinition escalationRef="esc"/>';
const conditional =
  '<bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">${x}</bpmn:condition></bpmn:conditionalEventDefinition>';
const adHoc = (content: string, attributes: Record<string, string> = {}) =>
  element('adHocSubProcess', 'a', attributes, content);
const eventSub = (content: string, id = 'a') => element('subProcess', id, { triggeredByEvent: 'true' }, content);
const compensation = '<bpmn:compensateEventDefinition/>';
const cancel = '<bpmn:cancelEventDefinition/>';
const association = (from: string, to: string) =>
  `<bpmn:association id="${from}_${to}" sourceRef="${from}" targetRef="${to}"/>`;
const handler = (id: string) => element('task', id, { isForCompensation: 'true' });
const transaction = (content: string) =>
  line(['tx'], element('transaction', 'tx', {}, element('startEvent', 'ti') + content));
export const root =
  '<bpmn:escalation id="esc" escalationCode="ESC"/><bpmn:escalation id="uncoded"/><bpmn:message id="m" name="M"/><bpmn:message id="nameless"/><bpmn:message id="dynamic" name="M${x}"/><bpmn:signal id="s" name="S"/><bpmn:error id="e" errorCode="E"/><bpmn:error id="codeless"/>';
export const message = '<bpmn:messageEventDefinition messageRef="m"/>';
const behindGateway = (targets: string, ids: string[]) =>
  `${start}${element('eventBasedGateway', 'a')}${targets}${flows('start', 'a')}${ids.map((id) => flow('a', id)).join('')}`;

const call = (attributes: Record<string, string>, content = '') =>
  line(['a'], element('callActivity', 'a', { calledElement: 'q', ...attributes }, content && extended(content)));

/** A link from `t` to `c`, and what else there is. */
const linked = (more: string) =>
  `${start}${element('intermediateThrowEvent', 't', {}, link)}${element('intermediateCatchEvent', 'c', {}, link)}${element('task', 'd')}${more.includes('"start-') ? '' : flow('start', 't')}${flow('c', 'd')}${more}`;

/** What is wrong, the body of the process, and the one problem that is found. */
export const WRONG: readonly (readonly [string, string, RegExp])[] = [
  // How things start and end
  ['nothing to begin at', element('task', 'a') + flow('a', 'a'), /^process 'p' needs a start event$/],
  ['two none start events', start + element('startEvent', 'a'), /'a' is a second none start event of process 'p'/],
  [
    'a sub-process without start',
    task('').replaceAll('bpmn:task', 'bpmn:subProcess'),
    /'a' needs exactly one none start event, or an element that no sequence flow leads to, but has no start events/,
  ],
  [
    'a sub-process with two starts',
    line(['a'], element('subProcess', 'a', {}, element('startEvent', 's1') + element('startEvent', 's2'))),
    /needs exactly one none start event, but has 2/,
  ],
  [
    'a sub-process that starts by a timer',
    line(['sub'], element('subProcess', 'sub', {}, element('startEvent', 'a', {}, timer('duration', 'PT1H')))),
    /start event 'a' starts sub process 'sub' by a timer/,
  ],
  ['a flow into a start event', `${task('')}${flow('a', 'start')}`, /'a-start' leads into start event 'start'/],
  [
    'two message starts of the same name',
    start + element('startEvent', 'a', {}, message) + element('startEvent', 'b', {}, message),
    /start event 'b' is the second that waits for message 'M' in 'p'/,
  ],
  [
    'a message start with an expression',
    start + element('startEvent', 'a', {}, '<bpmn:messageEventDefinition messageRef="dynamic"/>'),
    /a start event's name is plain text, or an expression of constants alone/,
  ],

  // Flows
  [
    'a flow over the border of a sub-process',
    `${line(['sub'], element('subProcess', 'sub', {}, element('startEvent', 'inner')))}${flow('inner', 'end')}`,
    /'inner-end' leads from 'inner' to 'end' over the border/,
  ],
  [
    'a flow from nowhere',
    `${start}<bpmn:sequenceFlow id="a" targetRef="start"/>`,
    /sequence flow 'a' needs a sourceRef/,
  ],
  [
    'a flow to what is no flow node',
    `${start}<bpmn:dataObject id="d"/>${flow('start', 'd')}`,
    /has data object 'd' as targetRef, but expected an activity/,
  ],
  [
    'an unknown target',
    `${start}${flow('start', 'nobody')}`,
    /refers by targetRef to 'nobody', but there is no element/,
  ],
  [
    'a default flow of another',
    `${start}${element('task', 'a', { default: 'start-a' })}${flows('start', 'a')}`,
    /'a' has a default flow that does not leave it/,
  ],
  [
    'an empty condition',
    `${start}${element('task', 'a')}${flow('start', 'a', ' ')}`,
    /'start-a' has an empty condition/,
  ],
  [
    'an invalid condition',
    `${start}${element('task', 'a')}${flow('start', 'a', '${1 +}')}`,
    /'start-a' has an invalid condition: .*\$\{1 \+\}/,
  ],
  [
    'a condition in Groovy',
    `${start}${element('task', 'a')}${flow('start', 'a', { javascript: 'x' }).replace('javascript', 'groovy')}`,
    /has a condition in 'groovy', but only javascript/,
  ],

  // Gateways
  [
    'an exclusive gateway that leads nowhere',
    split('exclusiveGateway', ''),
    /exclusive gateway 'a' has no outgoing sequence flows/,
  ],
  [
    'one flow with a condition',
    split('exclusiveGateway', flow('a', 'b', '${x}')),
    /'a' has only one outgoing sequence flow \('a-b'\)/,
  ],
  [
    'a flow without a condition beside the default flow',
    split('exclusiveGateway', flow('a', 'b') + flow('a', 'c')).replace('id="a"', 'id="a" default="a-b"'),
    /'a-c' without a condition, which is not the default flow/,
  ],
  ['an event-based gateway that leads nowhere', behindGateway('', []), /event based gateway 'a' has no outgoing/],
  [
    'a task behind an event-based gateway',
    behindGateway(element('task', 'b'), ['b']),
    /followed by intermediate catch events and receive tasks, but task 'b' was found/,
  ],
  [
    'another way to an event behind an event-based gateway',
    `${behindGateway(element('intermediateCatchEvent', 'b', {}, message), ['b'])}${flow('start', 'b')}`,
    /'b' follows event-based gateway 'a', so no other/,
  ],
  [
    'the same message twice behind an event-based gateway',
    behindGateway(
      element('intermediateCatchEvent', 'b', {}, message) + element('intermediateCatchEvent', 'c', {}, message),
      ['b', 'c'],
    ),
    /'c' is the second that waits for message 'M' in 'a'/,
  ],

  // Events
  [
    'a catch event without definition',
    event('intermediateCatchEvent', ''),
    /'a' needs an event definition: message, timer, signal/,
  ],
  [
    'an error in the middle',
    event('intermediateCatchEvent', '<bpmn:errorEventDefinition errorRef="e"/>'),
    /has error as its event definition, but intermediate catch events/,
  ],
  [
    'a timer at the end',
    event('endEvent', timer('duration', 'PT1H')),
    /has timer as its event definition, but end events can have/,
  ],
  [
    'no time',
    event('intermediateCatchEvent', '<bpmn:timerEventDefinition/>'),
    /needs exactly one of timeDate, timeDuration and timeCycle, but has none/,
  ],
  [
    'a bad duration',
    event('intermediateCatchEvent', timer('duration', '1 hour')),
    /or a duration such as 'PT15M'.*'1 hour'/,
  ],
  ['a bad date', event('intermediateCatchEvent', timer('date', 'tomorrow')), /invalid timer date: .*tomorrow/],
  ['a bad duration', event('intermediateCatchEvent', timer('duration', '1 hour')), /invalid timer duration: .*1 hour/],
  ['a bad cycle', boundary(timer('cycle', 'R3/oops'), { cancelActivity: 'false' }), /invalid timer cycle: .*R3\/oops/],
  ['a bad expression for a time', event('intermediateCatchEvent', timer('duration', '${')), /invalid timer duration/],
  [
    'a catch event without message',
    event('intermediateCatchEvent', '<bpmn:messageEventDefinition/>'),
    /needs a message \(messageRef\)/,
  ],
  [
    'a message without a name',
    event('intermediateCatchEvent', '<bpmn:messageEventDefinition messageRef="nameless"/>'),
    /has a message without a name/,
  ],
  [
    'a signal without a reference',
    event('intermediateThrowEvent', '<bpmn:signalEventDefinition/>'),
    /needs a signal \(signalRef\)/,
  ],
  ['an error end without error', event('endEvent', '<bpmn:errorEventDefinition/>'), /needs an error \(errorRef\)/],
  [
    'an error end without code',
    event('endEvent', '<bpmn:errorEventDefinition errorRef="codeless"/>'),
    /has error 'codeless' without an errorCode/,
  ],
  [
    'a boundary event on a gateway',
    line(['g'], element('parallelGateway', 'g') + element('boundaryEvent', 'a', { attachedToRef: 'g' }, message)),
    /must be attached to an activity/,
  ],
  [
    'a boundary event on nothing',
    line(['b'], element('task', 'b') + element('boundaryEvent', 'a', {}, message)),
    /must be attached to an activity in the same scope \(attachedToRef\), but found none/,
  ],
  [
    'a boundary event on what is not there',
    line(['b'], element('task', 'b') + element('boundaryEvent', 'a', { attachedToRef: 'c' }, message)),
    /^boundary event 'a' refers by attachedToRef to 'c', but there is no element with that id$/,
  ],
  ['a boundary event without definition', boundary(''), /'a' needs an event definition/],
  ['a flow into a boundary event', `${boundary(message)}${flow('start', 'a')}`, /leads into boundary event 'a'/],

  // Work
  ['a service task without work', service({}), /service task 'a' needs an implementation: camunda:class/],
  [
    'a send task without work',
    line(['a'], element('sendTask', 'a', {})),
    /send task 'a' needs a message \(messageRef\), or an implementation/,
  ],
  ['work of an unknown type', service({ 'camunda:type': 'magic' }), /camunda:type 'magic', but only 'external'/],
  ['mail', service({ 'camunda:type': 'mail' }), /camunda:type 'mail', but nothing is sent from here: a worker/],
  ['a shell', service({ 'camunda:type': 'shell' }), /camunda:type 'shell', but no programs of the server are run/],
  ['external work without topic', service({ 'camunda:type': 'external' }), /is external, but has no camunda:topic/],
  [
    'a topic that is no expression',
    service({ 'camunda:type': 'external', 'camunda:topic': '${t' }),
    /has an invalid camunda:topic/,
  ],
  [
    'a priority of external tasks that is no number',
    service({ 'camunda:type': 'external', 'camunda:topic': 't', 'camunda:taskPriority': 'high' }),
    /has 'high' as camunda:taskPriority, but expected a whole number/,
  ],
  [
    'an error definition without an error',
    line(
      ['a'],
      element(
        'serviceTask',
        'a',
        { 'camunda:type': 'external', 'camunda:topic': 't' },
        extended('<camunda:errorEventDefinition expression="${true}"/>'),
      ),
    ),
    /service task 'a' has a camunda:errorEventDefinition, which needs an error/,
  ],
  [
    'a delegate that is no name',
    service({ 'camunda:delegateExpression': '${a.get(b)}' }),
    /'\$\{a\.get\(b\)\}' as camunda:delegateExpression, but expected the name of a handler/,
  ],
  [
    'a class that is no name',
    service({ 'camunda:class': '${a.get(b)}' }),
    /'\$\{a\.get\(b\)\}' as camunda:class, but expected the name of a handler/,
  ],
  [
    'a connector',
    service({}, extended('<camunda:connector><camunda:connectorId>http</camunda:connectorId></camunda:connector>')),
    /has a camunda:connector, which this engine does not execute/,
  ],
  ['an invalid expression', service({ 'camunda:expression': '${a b}' }), /invalid expression/],
  [
    'a script in Groovy',
    line(['a'], element('scriptTask', 'a', { scriptFormat: 'groovy' }, '<bpmn:script>1</bpmn:script>')),
    /script task 'a' has a script in 'groovy', but only javascript/,
  ],
  ['an empty script', line(['a'], element('scriptTask', 'a', { scriptFormat: 'js' })), /'a' has an empty script/],
  [
    'a script in a resource',
    line(['a'], element('scriptTask', 'a', { scriptFormat: 'js', 'camunda:resource': 'x.js' })),
    /script task 'a' names 'x.js' for its script, but the deployment has no such file/,
  ],
  [
    'a binding of a decision that is none',
    line(['a'], element('businessRuleTask', 'a', { 'camunda:decisionRef': 'd', 'camunda:decisionRefBinding': 'best' })),
    /has 'best' as camunda:decisionRefBinding, but expected one of latest/,
  ],
  [
    'a reserved variable',
    service({ 'camunda:expression': '${1}', 'camunda:resultVariable': '__proto__' }),
    /'__proto__' as camunda:resultVariable, but expected a variable name of 1 to 255 characters/,
  ],

  // Users, mappings, listeners, jobs
  [
    'a priority that is no number',
    user({ 'camunda:priority': 'high' }),
    /'high' as camunda:priority, but expected a whole number/,
  ],
  [
    'too many candidates',
    user({ 'camunda:candidateUsers': 'a,'.repeat(1_001) }),
    /has 1001 entries as camunda:candidateUsers/,
  ],
  ['a bad due date', user({ 'camunda:dueDate': 'soon' }), /invalid camunda:dueDate/],
  ['a bad name', user({ name: 'Do ${' }), /invalid name/],
  ['a bad description', user({}, '<bpmn:documentation>Do ${</bpmn:documentation>'), /invalid documentation/],
  [
    'an initiator that is an expression',
    `${element('startEvent', 'start', { 'camunda:initiator': '${who}' })}`,
    /start event 'start' has '\$\{who\}' as camunda:initiator, but expected a variable's name/,
  ],
  [
    'an output of an end event',
    event('endEvent', io('<camunda:outputParameter name="x">1</camunda:outputParameter>')),
    /camunda:outputParameter, which an end event cannot have/,
  ],
  [
    'a mapping of a gateway',
    line(['a'], element('parallelGateway', 'a', {}, io(''))),
    /camunda:inputOutput, which a gateway cannot have/,
  ],
  [
    'a mapping without a name',
    task(io('<camunda:inputParameter>1</camunda:inputParameter>')),
    /a parameter without a name/,
  ],
  [
    'a mapping in Python',
    task(
      io(
        '<camunda:inputParameter name="x"><camunda:script scriptFormat="python">1</camunda:script></camunda:inputParameter>',
      ),
    ),
    /has a script in 'python'/,
  ],
  [
    'a listener to an unknown event',
    task(extended('<camunda:executionListener event="begin" class="c"/>')),
    /executionListener whose event should be one of start, end, but found 'begin'/,
  ],
  [
    'a listener that does nothing',
    task(extended('<camunda:executionListener event="start"/>')),
    /a listener without class/,
  ],
  [
    'a task listener for a timeout that says no time',
    user({}, extended('<camunda:taskListener event="timeout" id="t" class="c"/>')),
    /'a' has a camunda:taskListener of event timeout, which needs exactly one timerEventDefinition/,
  ],
  [
    'a task listener on another task',
    task(extended('<camunda:taskListener event="create" class="c"/>')),
    /which only a user task can have/,
  ],
  [
    'a bad retry cycle',
    task(extended('<camunda:failedJobRetryTimeCycle>often</camunda:failedJobRetryTimeCycle>')),
    /invalid camunda:failedJobRetryTimeCycle/,
  ],

  // What is not executed
  [
    'a call of nothing',
    call({ calledElement: ' ' }),
    /call activity 'a' needs the process that it calls \(calledElement\)/,
  ],
  [
    'a call of a case',
    call({ calledElement: '', 'camunda:caseRef': 'k' }),
    /has a camunda:caseRef, but cases are not run here/,
  ],
  [
    'a call with a mapper of its own',
    call({ 'camunda:variableMappingClass': 'x' }),
    /has a camunda:variableMappingClass, but variables are given and taken by camunda:in and camunda:out alone/,
  ],
  [
    'a call of an unknown binding',
    call({ 'camunda:calledElementBinding': 'newest' }),
    /has 'newest' as camunda:calledElementBinding, but expected latest, deployment, version, versionTag/,
  ],
  [
    'a call of a version without one',
    call({ 'camunda:calledElementBinding': 'version' }),
    /calls a version, but has no camunda:calledElementVersion/,
  ],
  [
    'a call of a version that is no number',
    call({ 'camunda:calledElementBinding': 'version', 'camunda:calledElementVersion': 'one' }),
    /has 'one' as camunda:calledElementVersion, but expected a whole number or an expression/,
  ],
  [
    'a call of a version tag without one',
    call({ 'camunda:calledElementBinding': 'versionTag' }),
    /calls a version tag, but has no camunda:calledElementVersionTag/,
  ],
  [
    'a call that gives nothing',
    call({}, '<camunda:in target="x"/>'),
    /has a camunda:in that expects one of source, sourceExpression and variables="all"/,
  ],
  ['a call that gives to nobody', call({}, '<camunda:out source="x"/>'), /has a camunda:out without a target/],
  [
    'a call with two business keys',
    call({}, '<camunda:in businessKey="a"/><camunda:in businessKey="b"/>'),
    /gives more than one business key by camunda:in/,
  ],
  [
    'a start event in an ad-hoc sub-process',
    line(['a'], adHoc(element('startEvent', 'b') + element('task', 'c') + flow('b', 'c') + element('task', 'd'))),
    /^start event 'b' is in ad-hoc sub process 'a', which must have neither start nor end events$/,
  ],
  [
    'an end event in an ad-hoc sub-process',
    line(['a'], adHoc(element('task', 'c') + element('endEvent', 'b') + flow('c', 'b'))),
    /^end event 'b' is in ad-hoc sub process 'a', which must have neither/,
  ],
  [
    'a receive task in an ad-hoc sub-process that starts instances',
    line(['a'], adHoc(element('receiveTask', 'b', { instantiate: 'true', messageRef: 'm' }))),
    /^receive task 'b' starts an instance \(instantiate\), which nothing in ad-hoc sub process 'a' can$/,
  ],
  ['an ad-hoc sub-process without an activity', line(['a'], adHoc('')), /^ad hoc sub process 'a' needs an activity$/],
  [
    'an ad-hoc sub-process in which nothing can begin',
    line(['a'], adHoc(element('task', 'b') + element('task', 'c') + flow('b', 'c') + flow('c', 'b'))),
    /^ad hoc sub process 'a' needs an activity that no sequence flow leads to/,
  ],
  [
    'an ad-hoc sub-process that an event begins',
    adHoc(element('task', 'b'), { triggeredByEvent: 'true' }) + start,
    /^ad hoc sub process 'a' is triggered by an event \(triggeredByEvent\), which an ad-hoc sub process cannot be$/,
  ],
  [
    'an ad-hoc sub-process in an unknown order',
    line(['a'], adHoc(element('task', 'b'), { ordering: 'Random' })),
    /^ad hoc sub process 'a' has 'Random' as ordering, but expected Parallel or Sequential$/,
  ],
  [
    'an ad-hoc sub-process with an empty completion condition',
    line(['a'], adHoc(`${element('task', 'b')}<bpmn:completionCondition xsi:type="bpmn:tFormalExpression"/>`)),
    /has an empty condition$/,
  ],
  [
    'a complex gateway that joins by no condition',
    `${task('')}${element('task', 'b')}${element('complexGateway', 'g')}${flow('start', 'b')}${flow('a', 'g')}${flow('b', 'g')}`,
    /^complex gateway 'g' needs an activationCondition that says with which tokens it goes on, for 2 sequence flows/,
  ],
  [
    'a complex gateway with an empty condition',
    line(['a'], element('complexGateway', 'a', {}, '<bpmn:activationCondition xsi:type="bpmn:tFormalExpression"/>')),
    /has an empty condition$/,
  ],
  [
    'a multi-instance without a count',
    multi(''),
    /'a' needs a loopCardinality, a camunda:collection, a loopDataInputRef or a zeebe inputCollection/,
  ],
  ['a cardinality that is no number', multi(cardinality('three')), /'a' has 'three' as loopCardinality/],
  ['a cardinality below 0', multi(cardinality('-1')), /'a' has '-1' as loopCardinality/],
  [
    'items of no collection',
    multi(cardinality('3'), 'camunda:elementVariable="x"'),
    /'a' names 'x' for the items of a collection, but has none/,
  ],
  [
    'a collection that has no name',
    multi('', 'camunda:collection="__proto__"'),
    /'a' has '__proto__' as its collection/,
  ],
  [
    'an output without a list',
    multi(`${cardinality('3')}<bpmn:outputDataItem name="x"/>`),
    /'a' needs both of loopDataOutputRef and/,
  ],
  [
    'a behavior without its event',
    multi(cardinality('3'), 'behavior="None"'),
    /'a' has a behavior that throws an event, but refers/,
  ],
  [
    'a behavior whose event cannot be thrown',
    multi(
      `${cardinality('3')}<bpmn:complexBehaviorDefinition><bpmn:condition>\${true}</bpmn:condition>
      <bpmn:event><bpmn:compensateEventDefinition/></bpmn:event></bpmn:complexBehaviorDefinition>`,
      'behavior="Complex"',
    ),
    /'a' throws a compensate event, but a multi-instance can throw message/,
  ],
  [
    'a completion condition in Groovy',
    multi(
      `${cardinality('3')}<bpmn:completionCondition xsi:type="bpmn:tFormalExpression" language="groovy">x</bpmn:completionCondition>`,
    ),
    /'a' has a condition in 'groovy'/,
  ],
  [
    'a loop that may run less than never',
    task('<bpmn:standardLoopCharacteristics loopMaximum="-1"/>'),
    /'a' has -1 as loopMaximum/,
  ],
  [
    'no tokens',
    task('', { startQuantity: '0' }),
    /'a' has startQuantity 0, but expected a whole number from 1 to 1000/,
  ],
  [
    'too many tokens',
    task('', { completionQuantity: '1001' }),
    /'a' has completionQuantity 1001, but expected a whole number/,
  ],
  [
    'a flow into a receive task that starts an instance',
    line(['a'], element('receiveTask', 'a', { messageRef: 'm', instantiate: 'true' })),
    /receive task 'a' starts an instance \(instantiate\), so no sequence flow may lead to it/,
  ],
  [
    'a receive task that starts an instance in a sub-process',
    line(
      ['sub'],
      element('subProcess', 'sub', {}, element('receiveTask', 'a', { messageRef: 'm', instantiate: 'true' })),
    ),
    /receive task 'a' starts sub process 'sub' by a message/,
  ],
  [
    'a receive task with a boundary event behind an event-based gateway',
    behindGateway(element('receiveTask', 'b', { messageRef: 'm' }), ['b']) +
      element('boundaryEvent', 'c', { attachedToRef: 'b' }, timer('duration', 'PT1H')),
    /receive task 'b' follows event-based gateway 'a', so it can neither have boundary events nor repeat/,
  ],
  [
    'a gateway that waits for all events, and starts nothing',
    behindGateway(element('intermediateCatchEvent', 'b', {}, message), ['b']).replace(
      'id="a"',
      'id="a" eventGatewayType="Parallel"',
    ),
    /'a' waits for all events \(eventGatewayType Parallel\), which only one that starts an instance \(instantiate\) can/,
  ],
  [
    'a flow into a gateway that starts an instance',
    behindGateway(element('intermediateCatchEvent', 'b', {}, message), ['b']).replace(
      'id="a"',
      'id="a" instantiate="true"',
    ),
    /event based gateway 'a' starts an instance \(instantiate\), so no sequence flow may lead to it/,
  ],
  [
    'several definitions behind a gateway that starts an instance',
    element('eventBasedGateway', 'a', { instantiate: 'true' }) +
      element('intermediateCatchEvent', 'b', {}, message + timer('duration', 'PT1H')) +
      flow('a', 'b'),
    /intermediate catch event 'b' has several definitions, but an instance starts by one event behind a gateway/,
  ],
  [
    'a dynamic message behind a gateway that starts an instance',
    element('eventBasedGateway', 'a', { instantiate: 'true' }) +
      element('intermediateCatchEvent', 'b', {}, '<bpmn:messageEventDefinition messageRef="dynamic"/>') +
      flow('a', 'b'),
    /has 'M\$\{x\}' as message name, but an instance starts by it, so it is plain text/,
  ],
  [
    'message events and receive tasks behind an event-based gateway',
    behindGateway(
      element('receiveTask', 'b', { messageRef: 'm' }) +
        element('intermediateCatchEvent', 'c', {}, '<bpmn:messageEventDefinition messageRef="dynamic"/>'),
      ['b', 'c'],
    ),
    /'a' is followed by message events and by receive tasks, but expected one of the two kinds/,
  ],
  [
    'a cancel event at a task',
    boundary(cancel),
    /boundary event 'a' is a cancel event, which only a transaction can have, but 'work' is none/,
  ],
  [
    'a cancel end without a transaction',
    event('endEvent', cancel),
    /end event 'a' cancels its transaction, but it is in none/,
  ],
  [
    'a cancel end that leads nowhere',
    transaction(element('endEvent', 'a', {}, cancel)),
    /end event 'a' cancels transaction 'tx', which has no cancel boundary event to go on from/,
  ],
  [
    'a cancel event among others',
    transaction(element('task', 'i')) + element('boundaryEvent', 'a', { attachedToRef: 'tx' }, cancel + message),
    /has a cancel event definition beside others, but that is caught alone/,
  ],
  [
    'a compensation event without a handler',
    boundary(compensation),
    /boundary event 'a' needs one association that leads to its compensation handler, but has none/,
  ],
  [
    'a compensation event that leads to what is no handler',
    boundary(compensation) + element('task', 'h') + flow('start', 'h') + association('a', 'h'),
    /'a' is associated with 'h', but expected an activity in the same scope that is for compensation/,
  ],
  [
    'a compensation event that leads to two handlers',
    boundary(compensation) + handler('h') + handler('i') + association('a', 'h') + association('a', 'i'),
    /needs one association that leads to its compensation handler, but has 2/,
  ],
  [
    'a compensation event with a flow',
    boundary(compensation) + handler('h') + association('a', 'h') + flow('a', 'end'),
    /'a' is a compensation event, which leads to its handler by an association, not by a flow/,
  ],
  [
    'two compensation events of one activity',
    boundary(compensation) +
      handler('h') +
      association('a', 'h') +
      element('boundaryEvent', 'b', { attachedToRef: 'work' }, compensation) +
      association('b', 'h'),
    /boundary event 'b' is the second compensation event of its activity/,
  ],
  [
    'a flow into a compensation handler',
    boundary(compensation) + handler('h') + association('a', 'h') + flow('start', 'h'),
    /task 'h' is a compensation handler, which must not have sequence flows/,
  ],
  [
    'a compensation handler that is compensated',
    boundary(compensation) +
      handler('h') +
      association('a', 'h') +
      element('boundaryEvent', 'b', { attachedToRef: 'h' }, compensation) +
      handler('i') +
      association('b', 'i'),
    /task 'h' is a compensation handler, which is not compensated itself/,
  ],
  [
    'the compensation of what is elsewhere',
    `${start}${element('subProcess', 'sub', {}, element('startEvent', 'i') + element('task', 'j') + flow('i', 'j'))}${flow('start', 'sub')}${element('endEvent', 'a', {}, compensation.replace('/>', ' activityRef="j"/>'))}${flow('sub', 'a')}`,
    /end event 'a' compensates 'j' \(activityRef\), but expected an activity of its own process or sub process/,
  ],
  [
    'an event sub-process that compensates itself',
    start +
      eventSub(
        element('startEvent', 'a1', {}, '<bpmn:errorEventDefinition/>') +
          element('subProcess', 'a3', { triggeredByEvent: 'true' }, element('startEvent', 'a2', {}, compensation)),
      ),
    /start event 'a2' compensates what holds it, but an event sub process is not compensated/,
  ],
  [
    'two event sub-processes that compensate',
    line(
      ['sub'],
      element(
        'subProcess',
        'sub',
        {},
        element('startEvent', 'i') +
          eventSub(element('startEvent', 'b', {}, compensation)) +
          eventSub(element('startEvent', 'd', {}, compensation), 'c'),
      ),
    ),
    /start event 'd' is the second compensation start event in 'sub'/,
  ],
  [
    'an event sub-process without start',
    start + eventSub(''),
    /sub process 'a' needs exactly one start event, but has no/,
  ],
  [
    'an event sub-process with two starts',
    start +
      eventSub(
        element('startEvent', 'b', {}, message) + element('startEvent', 'c', {}, message.replace('"m"', '"dynamic"')),
      ),
    /sub process 'a' needs exactly one start event, but has 2 start events/,
  ],
  [
    'an event sub-process that nothing begins',
    start + eventSub(element('startEvent', 'b')),
    /start event 'b' needs an event definition: message, timer, signal, conditional, compensate, error, escalation/,
  ],
  [
    'a flow into an event sub-process',
    start + eventSub(element('startEvent', 'b', {}, message)) + flow('start', 'a'),
    /sub process 'a' has sequence flows, but an event sub process is begun by its start event alone/,
  ],
  [
    'a boundary event on an event sub-process',
    start +
      eventSub(element('startEvent', 'b', {}, message)) +
      element('boundaryEvent', 'c', { attachedToRef: 'a' }, escalation),
    /must be attached to an activity in the same scope \(attachedToRef\), but found event sub process 'a'/,
  ],
  [
    'two start events of one condition',
    start + element('startEvent', 'a', {}, conditional) + element('startEvent', 'b', {}, conditional),
    /start event 'b' is the second that waits for condition '\$\{x\}' in 'p'/,
  ],
  [
    'two cancel events of one transaction',
    line(['t'], element('transaction', 't', {}, element('startEvent', 'i'))) +
      element('boundaryEvent', 'a', { attachedToRef: 't' }, cancel) +
      element('boundaryEvent', 'b', { attachedToRef: 't' }, cancel),
    /boundary event 'b' is the second that catches the cancellation in 't'/,
  ],
  [
    'two event sub-processes for the same message',
    start + eventSub(element('startEvent', 'b', {}, message)) + eventSub(element('startEvent', 'd', {}, message), 'c'),
    /start event 'd' is the second that waits for message 'M' in 'p'/,
  ],
  [
    'an error that starts a process',
    element('startEvent', 'a', {}, '<bpmn:errorEventDefinition errorRef="e"/>'),
    /has error as its event definition, but start events can have none, message, timer, signal, conditional/,
  ],
  [
    'a condition that is not there',
    event('intermediateCatchEvent', '<bpmn:conditionalEventDefinition/>'),
    /'a' needs a condition$/,
  ],
  [
    'a condition that cannot be read',
    event('intermediateCatchEvent', conditional.replace('${x}', '${x')),
    /'a' has an invalid condition/,
  ],
  [
    'an unknown change of a variable',
    event(
      'intermediateCatchEvent',
      conditional.replace('Definition>', 'Definition camunda:variableEvents="create, gone">'),
    ),
    /'a' has 'gone' among camunda:variableEvents, but expected create, update, delete/,
  ],
  [
    'a link to nowhere',
    start + element('intermediateThrowEvent', 'a', {}, link) + flow('start', 'a'),
    /^intermediate throw event 'a' throws link 'L', but its process or sub-process has no catch event of that name$/,
  ],
  [
    'a link to another scope',
    `${start}${element('intermediateThrowEvent', 'a', {}, link)}${flow('start', 'a')}${element('subProcess', 'sub', {}, `${element('startEvent', 'inner')}${element('intermediateCatchEvent', 'c', {}, link)}${element('task', 'd')}${flow('c', 'd')}`)}`,
    /'a' throws link 'L', but its process or sub-process has no catch event/,
  ],
  [
    'a link without a name',
    event('intermediateCatchEvent', '<bpmn:linkEventDefinition name=" "/>'),
    /'a' needs the name of its link/,
  ],
  [
    'two targets of a link',
    linked(element('intermediateCatchEvent', 'a', {}, link)),
    /intermediate catch event 'a' is the second target of link 'L', as 'c' is/,
  ],
  [
    'a flow into the target of a link',
    linked(flow('start', 'c')),
    /intermediate catch event 'c' has incoming sequence flows, but it is come to by its link/,
  ],
  [
    'a flow out of a link',
    linked(element('task', 'a') + flow('t', 'a')),
    /intermediate throw event 't' has outgoing sequence flows, but goes on by its link/,
  ],
  [
    'a link behind an event-based gateway',
    linked(element('eventBasedGateway', 'a') + flow('start', 'a') + flow('a', 't')),
    /can only be followed by intermediate catch events and receive tasks, but intermediate catch event 'c' was found/,
  ],
  ['a link at a boundary', boundary(link), /has link as its event definition, but boundary events can have/],
  [
    'an escalation without a reference',
    event('intermediateThrowEvent', '<bpmn:escalationEventDefinition/>'),
    /'a' needs an escalation \(escalationRef\)/,
  ],
  [
    'an escalation without a code',
    event('endEvent', '<bpmn:escalationEventDefinition escalationRef="uncoded"/>'),
    /'a' has escalation 'uncoded' without an escalationCode/,
  ],
  [
    'an escalation in the middle',
    event('intermediateCatchEvent', escalation),
    /has escalation as its event definition, but intermediate catch events can have/,
  ],
  [
    'two boundary events of the same escalation',
    boundary(escalation) + element('boundaryEvent', 'b', { attachedToRef: 'work' }, escalation),
    /boundary event 'b' is the second that catches escalation 'ESC' in 'work'/,
  ],
  [
    'two boundary events of every escalation',
    boundary('<bpmn:escalationEventDefinition/>') +
      element('boundaryEvent', 'b', { attachedToRef: 'work' }, '<bpmn:escalationEventDefinition/>'),
    /boundary event 'b' is the second that catches every escalation in 'work'/,
  ],
  [
    'two ends in one',
    event('endEvent', '<bpmn:terminateEventDefinition/><bpmn:errorEventDefinition errorRef="e"/>'),
    /has terminate and error event definitions, but can end in one way only/,
  ],
  [
    'the same message twice in one event',
    event('intermediateCatchEvent', message + message),
    /'a' has two definitions of message 'M'/,
  ],
  [
    'a link among other events',
    event('intermediateCatchEvent', message + link).replace('</bpmn:messageEventDefinition>', ''),
    /'a' has a link event definition beside others, but that is caught alone/,
  ],
  [
    'an error that is waited for with others',
    boundary(`${message}<bpmn:errorEventDefinition errorRef="e"/>`, { parallelMultiple: 'true' }),
    /waits for several events together \(parallelMultiple\), but nothing can wait for an error/,
  ],
  [
    'an error among events that do not interrupt',
    boundary(`${message}<bpmn:errorEventDefinition errorRef="e"/>`, { cancelActivity: 'false' }),
    /'a' catches an error among others, and an error always interrupts/,
  ],
  [
    'a message with work among others',
    event(
      'endEvent',
      `<bpmn:messageEventDefinition messageRef="m" camunda:class="x"/>${message.replace('"m"', '"dynamic"')}`,
    ),
    /has a message with an implementation beside other event definitions/,
  ],

  // Scripts
  [
    'a script that cannot be read',
    script('let a = ;'),
    /^script task 'a' has an invalid script: SyntaxError: .*';', in its line 1$/,
  ],
  [
    'a script that does not end',
    script('if (a) {\n  b();\n'),
    /'a' has an invalid script: SyntaxError: .*, in its line 3$/,
  ],
  [
    'a script that returns outside of a function',
    script('return 1'),
    /'a' has an invalid script: .*return not in a function/,
  ],
  ['a script that nests too deeply', script('('.repeat(100_000)), /'a' has an invalid script: /],
  [
    'a condition in JavaScript that cannot be read',
    `${task('')}${element('exclusiveGateway', 'x', { default: 'x-y' })}${element('task', 'y')}${element('task', 'z')}${flow('a', 'x')}${flow('x', 'y')}${flow('x', 'z', { javascript: 'a >' })}`,
    /sequence flow 'x-z' has an invalid condition: SyntaxError/,
  ],
  [
    'a listener script that cannot be read',
    task(
      extended(
        '<camunda:executionListener event="start"><camunda:script scriptFormat="javascript">}</camunda:script></camunda:executionListener>',
      ),
    ),
    /task 'a' has an invalid listener script: SyntaxError/,
  ],
  [
    'an input script that cannot be read',
    task(
      io(
        '<camunda:inputParameter name="x"><camunda:script scriptFormat="javascript">{</camunda:script></camunda:inputParameter>',
      ),
    ),
    /task 'a' has an invalid script: SyntaxError/,
  ],

  // What the parser sees
  ['an unknown element', `${start}<bpmn:wonder id="a"/>`, /<bpmn:wonder> cannot be read: unknown type/],
  ['an unknown attribute', task('', { wonder: 'x' }), /'a' has an attribute 'wonder' that is not defined for it$/],
  [
    'a slip of the pen in an attribute',
    task('', { nmae: 'x' }),
    /'a' has an attribute 'nmae' that is not defined for it; the nearest is 'name'$/,
  ],
  [
    'an element of BPMN that has no place there',
    task('<bpmn:startEvent id="b"/>'),
    /<bpmn:startEvent> cannot be read: unrecognized element/,
  ],
  [
    'an id that begins with a digit',
    start + element('task', '1a'),
    /^id '1a' cannot be used: expected a letter or '_', then/,
  ],
  ['an id with a space', start + element('task', 'a b'), /^id 'a b' cannot be used/],
  ['an id with a sign that is no letter', start + element('task', 'a×b'), /^id 'a×b' cannot be used/],
  [
    'an id of another alphabet used twice',
    `${start}${element('task', '承認')}${element('task', '承認')}`,
    /^id '承認' is used more than once$/,
  ],
  [
    'a flow to an id of another alphabet that is not there',
    `${start}${flow('start', 'Prüfung')}`,
    /'start-Prüfung' refers by targetRef to 'Prüfung', but there is no element/,
  ],
  [
    'two loops at one activity',
    task(
      '<bpmn:standardLoopCharacteristics loopMaximum="2"/><bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>2</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>',
    ),
    /has <bpmn:multiInstanceLoopCharacteristics>, but only one loop may stand there/,
  ],
  [
    'two scripts at one task',
    start +
      element(
        'scriptTask',
        'a',
        { scriptFormat: 'javascript' },
        '<bpmn:script>1</bpmn:script><bpmn:script>2</bpmn:script>',
      ),
    /script task 'a' has <bpmn:script>, but only one <script> may stand there/,
  ],
  ['an id used twice', `${start}${element('task', 'start')}`, /^id 'start' is used more than once$/],
  ['an element without an id', `${start}<bpmn:task/>`, /process 'p' holds a task without an id/],
  ['text where there is none', `${start}oops`, /cannot be read: unexpected body text/],
  [
    'an unknown condition type',
    `${start}${element('task', 'a')}${flow('start', 'a', '${x}').replace('bpmn:tFormalExpression', 'tWonder')}`,
    /cannot be read/,
  ],
];
