import assert from 'node:assert/strict';
import { bpmn, element, extended, line } from '../../support/bpmn.js';
import { elementOf, flowOf, programOf } from '../../support/model.js';

const serviceTask = (attributes: Record<string, string>, content = '') =>
  bpmn(line(['work'], element('serviceTask', 'work', attributes, content)));

describe('compiled work', () => {
  const workOf = async (xml: string) => elementOf(await programOf(xml), 'work').work;

  it('is an expression, or a handler by name', async () => {
    assert.deepEqual(await workOf(serviceTask({ 'camunda:expression': '${a + 1}', 'camunda:resultVariable': 'b' })), {
      kind: 'expression',
      text: '${a + 1}',
      resultVariable: 'b',
    });
    for (const [attributes, name] of [
      [{ 'camunda:delegateExpression': '${ charge }' }, 'charge'],
      [{ 'camunda:delegateExpression': '#{charge}' }, 'charge'],
      [{ 'camunda:delegateExpression': 'charge' }, 'charge'],
      [{ 'camunda:delegateExpression': '${bank.charge()}' }, 'bank.charge'],
      [{ 'camunda:delegateExpression': '#{beans.bank().charge()}' }, 'beans.bank.charge'],
      [{ 'camunda:class': 'org.example.Charge' }, 'org.example.Charge'],
    ] as const) {
      assert.deepEqual(await workOf(serviceTask(attributes)), {
        kind: 'handler',
        name,
        resultVariable: null,
        fields: {},
      });
    }
  });

  it('is an external topic, with its priority, error definitions and properties', async () => {
    const topic = { 'camunda:type': 'external', 'camunda:topic': 'charge-card' };
    const handler = { kind: 'handler', name: 'charge-card', resultVariable: null, fields: {} };
    assert.deepEqual(await workOf(serviceTask(topic)), { ...handler, external: { priority: null } });
    const more = extended(`<camunda:errorEventDefinition errorRef="e" expression="\${x == 1}"/>
      <camunda:properties><camunda:property name="a" value="\${1}"/><camunda:property name="b"/></camunda:properties>`);
    const xml = bpmn(
      line(['work'], element('serviceTask', 'work', { ...topic, 'camunda:taskPriority': '${p}' }, more)),
      {
        root: '<bpmn:error id="e" errorCode="E" camunda:errorMessage="no"/>',
        attributes: 'camunda:taskPriority="3"',
      },
    );
    assert.deepEqual(await workOf(xml), {
      ...handler,
      external: {
        priority: '${p}',
        errors: [{ condition: '${x == 1}', code: 'E', message: 'no' }],
        properties: { a: '${1}', b: '' },
      },
    });
    const ofProcess = bpmn(line(['work'], element('serviceTask', 'work', topic)), {
      attributes: 'camunda:taskPriority="3"',
    });
    assert.deepEqual(await workOf(ofProcess), { ...handler, external: { priority: '3' } });
  });

  it("is read in the namespaces of Camunda's ancestor and successor too", async () => {
    for (const namespace of [
      'http://activiti.org/bpmn',
      'http://www.camunda.com/fox',
      'http://operaton.org/schema/1.0/bpmn',
    ]) {
      const xml = serviceTask({ 'x:class': 'org.example.Work' }).replace(
        'xmlns:camunda=',
        `xmlns:x="${namespace}" xmlns:camunda=`,
      );
      const work = await workOf(xml);
      assert.equal(work?.kind === 'handler' && work.name, 'org.example.Work');
    }
  });

  it('has its fields', async () => {
    const fields = `<camunda:field name="a" stringValue="x"/><camunda:field name="b"><camunda:string>y</camunda:string></camunda:field>
      <camunda:field name="c"><camunda:expression>\${z}</camunda:expression></camunda:field>`;
    const work = await workOf(serviceTask({ 'camunda:class': 'c' }, extended(fields)));
    assert.deepEqual(work?.kind === 'handler' && work.fields, { a: 'x', b: 'y', c: '${z}' });
  });

  it('is a script in JavaScript, by any of its names, as it was written', async () => {
    for (const format of ['javascript', 'JavaScript', 'ecmascript', 'js', 'text/javascript', 'Graal.js', 'nashorn']) {
      const script = '<bpmn:script><![CDATA[\n  a < b && "c"\n]]></bpmn:script>';
      const attributes = { scriptFormat: format, 'camunda:resultVariable': 'r' };
      const work = await workOf(bpmn(line(['work'], element('scriptTask', 'work', attributes, script))));
      assert.deepEqual(work, {
        kind: 'script',
        language: 'javascript',
        text: '\n  a < b && "c"\n',
        resultVariable: 'r',
      });
    }
  });

  it('is found on send tasks, business rule tasks and message throw events too', async () => {
    const root = '<bpmn:message id="m" name="Paid"/>';
    for (const type of ['sendTask', 'businessRuleTask']) {
      const xml = bpmn(line(['work'], element(type, 'work', { 'camunda:delegateExpression': '${go}' })));
      assert.equal((await workOf(xml))?.kind, 'handler');
    }
    const thrown = (attributes: string) =>
      bpmn(
        line(['throw'], element('intermediateThrowEvent', 'throw', {}, `<bpmn:messageEventDefinition ${attributes}/>`)),
        { root },
      );
    const eventOf = async (attributes: string) => elementOf(await programOf(thrown(attributes)), 'throw').event;
    assert.deepEqual(await eventOf('messageRef="m"'), { kind: 'message', name: 'Paid', work: null });
    const work = { kind: 'expression', text: '${x}', resultVariable: null };
    assert.deepEqual(await eventOf('messageRef="m" camunda:expression="${x}"'), {
      kind: 'message',
      name: 'Paid',
      work,
    });
    assert.deepEqual(await eventOf('camunda:expression="${x}"'), { kind: 'message', name: '', work });
  });
});

describe('a compiled user task', () => {
  const task = (attributes: Record<string, string>, content = '') =>
    bpmn(line(['work'], element('userTask', 'work', attributes, content)));

  it('has what Camunda says of people and times', async () => {
    const program = await programOf(
      task({
        'camunda:assignee': '${initiator}',
        'camunda:candidateUsers': "mary,${concat['a,b']} , john",
        'camunda:candidateGroups': 'sales',
        'camunda:dueDate': 'P2D',
        'camunda:followUpDate': '2026-05-01T12:00:00Z',
        'camunda:priority': '70',
        'camunda:formKey': 'embedded:app:forms/a.html',
      }),
    );
    assert.deepEqual(elementOf(program, 'work').userTask, {
      assignee: '${initiator}',
      owner: null,
      candidateUsers: ['mary', "${concat['a,b']}", 'john'],
      candidateGroups: ['sales'],
      dueDate: 'P2D',
      followUpDate: '2026-05-01T12:00:00Z',
      priority: '70',
      formKey: 'embedded:app:forms/a.html',
    });
  });

  it("has what BPMN's resource roles say", async () => {
    const role = (type: string, text: string) =>
      `<bpmn:${type}><bpmn:resourceAssignmentExpression><bpmn:formalExpression>${text}</bpmn:formalExpression></bpmn:resourceAssignmentExpression></bpmn:${type}>`;
    const program = await programOf(
      task({}, role('humanPerformer', 'mary') + role('potentialOwner', 'user(john), group(sales), management')),
    );
    const { userTask } = elementOf(program, 'work');
    assert.equal(userTask?.assignee, 'mary');
    assert.deepEqual(userTask?.candidateUsers, ['john']);
    assert.deepEqual(userTask?.candidateGroups, ['sales', 'management']);
  });
});

describe('compiled mappings and listeners', () => {
  it('map texts, lists, maps and scripts', async () => {
    const io = `<camunda:inputOutput>
      <camunda:inputParameter name="text"> \${a} </camunda:inputParameter><camunda:inputParameter name="empty"/>
      <camunda:inputParameter name="list"><camunda:list><camunda:value>1</camunda:value><camunda:script scriptFormat="javascript">2</camunda:script></camunda:list></camunda:inputParameter>
      <camunda:inputParameter name="map"><camunda:map><camunda:entry key="k">v</camunda:entry><camunda:entry key="n"><camunda:list/></camunda:entry></camunda:map></camunda:inputParameter>
      <camunda:outputParameter name="out"><camunda:script scriptFormat="js">a + b</camunda:script></camunda:outputParameter>
    </camunda:inputOutput>`;
    const program = await programOf(bpmn(line(['work'], element('task', 'work', {}, extended(io)))));
    const script = (text: string) => ({ kind: 'script', language: 'javascript', text });
    assert.deepEqual(elementOf(program, 'work').io, {
      inputs: [
        { name: 'text', value: { kind: 'expression', text: '${a}' } },
        { name: 'empty', value: { kind: 'null' } },
        { name: 'list', value: { kind: 'list', items: [{ kind: 'expression', text: '1' }, script('2')] } },
        {
          name: 'map',
          value: {
            kind: 'map',
            entries: [
              { key: 'k', value: { kind: 'expression', text: 'v' } },
              { key: 'n', value: { kind: 'list', items: [] } },
            ],
          },
        },
      ],
      outputs: [{ name: 'out', value: script('a + b') }],
    });
  });

  it('listen to elements, tasks, flows and the process', async () => {
    const listener = (kind: string, attributes: string, content = '') =>
      `<camunda:${kind}Listener ${attributes}>${content}</camunda:${kind}Listener>`;
    const onTask =
      listener(
        'execution',
        'event="start" class="org.example.Log"',
        '<camunda:field name="level" stringValue="info"/>',
      ) +
      listener('execution', 'event="end" delegateExpression="${audit}"') +
      listener('task', 'event="create" expression="${name}"') +
      listener('task', 'event="complete"', '<camunda:script scriptFormat="javascript">1</camunda:script>');
    const program = await programOf(
      bpmn(`${extended(listener('execution', 'event="start" expression="${a}"'))}${element('startEvent', 'start')}
        ${element('userTask', 'work', {}, extended(onTask))}
        <bpmn:sequenceFlow id="f" sourceRef="start" targetRef="work">${extended(listener('execution', 'event="take" expression="${b}"'))}</bpmn:sequenceFlow>`),
    );
    assert.deepEqual(elementOf(program, 'work').listeners, [
      {
        on: 'execution',
        event: 'start',
        source: { kind: 'handler', name: 'org.example.Log', fields: { level: 'info' } },
      },
      { on: 'execution', event: 'end', source: { kind: 'handler', name: 'audit' } },
      { on: 'task', event: 'create', source: { kind: 'expression', text: '${name}' } },
      { on: 'task', event: 'complete', source: { kind: 'script', language: 'javascript', text: '1' } },
    ]);
    const expression = (text: string) => ({ kind: 'expression', text });
    assert.deepEqual(elementOf(program, 'p').listeners, [
      { on: 'execution', event: 'start', source: expression('${a}') },
    ]);
    assert.deepEqual(flowOf(program, 'f').listeners, [{ on: 'execution', event: 'take', source: expression('${b}') }]);
  });
});
