import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { ALLOWED, verdictsOf } from '../../../src/engine/model/allow-list.js';
import { compileModel } from '../../../src/engine/model/compile-model.js';
import { bpmn, element, extended, line } from '../../support/bpmn.js';
import { elementOf, problemsOf, programOf, warningsOf } from '../../support/model.js';

const user = (attributes: Record<string, string>, content = '') =>
  bpmn(line(['a'], element('userTask', 'a', attributes, content)));

describe('what is not executed', () => {
  it('is told with its place, and once with all that it holds', async () => {
    const { problems, warnings } = await compileModel(
      bpmn(`<bpmn:startEvent id="start">
  <bpmn:extensionElements>
    <camunda:formProperty id="f" wonder="x"><camunda:value id="v"/></camunda:formProperty>
  </bpmn:extensionElements>
</bpmn:startEvent>
<bpmn:sequenceFlow id="f" sourceRef="start" targetRef="work"/>
<bpmn:userTask id="work"
               camunda:formHandlerClass="form"/>`),
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(warnings, [
      {
        line: 10,
        column: 5,
        elementId: 'start',
        message:
          "start event 'start' has <camunda:formProperty>, but forms are those of camunda:formKey, camunda:formRef and camunda:formData",
        rule: 'not-executed',
      },
      {
        line: 15,
        column: 16,
        elementId: 'work',
        message:
          "user task 'work' has camunda:formHandlerClass, but forms are those of camunda:formKey, camunda:formRef and camunda:formData",
        rule: 'not-executed',
      },
    ]);
  });

  it('is told of the element around it that people know: none of the parts of an event, nor an extension', async () => {
    const definition = (id: string) =>
      `<bpmn:timerEventDefinition ${id} camunda:wonder="x"><bpmn:timeDuration>PT1H</bpmn:timeDuration></bpmn:timerEventDefinition>`;
    for (const id of ['', 'id="t"']) {
      const body = line(['a'], element('intermediateCatchEvent', 'a', {}, definition(id)));
      assert.deepEqual(await warningsOf(bpmn(body)), [
        "intermediate catch event 'a' has camunda:wonder, which is not known",
      ]);
    }
    const script = '<camunda:script scriptFormat="javascript" id="s" wonder="x">1</camunda:script>';
    const listener = `<camunda:executionListener event="start">${script}</camunda:executionListener>`;
    assert.deepEqual(await warningsOf(user({}, extended(listener))), [
      "user task 'a' has id, which has no effect there",
      "user task 'a' has wonder, which is not known",
    ]);
  });

  it('is told of the document where nothing else has an id, and of the model where that has none', async () => {
    const nameless = bpmn(element('startEvent', 's'), { root: '<bpmn:message name="M" camunda:wonder="x"/>' });
    assert.deepEqual(await warningsOf(nameless), ["definitions 'definitions' has camunda:wonder, which is not known"]);
    const { warnings } = await compileModel(nameless.replace('id="definitions"', ''));
    assert.deepEqual(
      warnings.map(({ elementId, message }) => [elementId, message]),
      [[null, 'the model has camunda:wonder, which is not known']],
    );
  });

  it('is told with the nearest name, where it is not known', async () => {
    assert.deepEqual(await warningsOf(user({ 'camunda:asignee': 'mary' })), [
      "user task 'a' has camunda:asignee, which is not known; the nearest is camunda:assignee",
    ]);
    assert.deepEqual(await warningsOf(user({}, extended('<camunda:taskListner event="create" class="x"/>'))), [
      "user task 'a' has <camunda:taskListner>, which is not known; the nearest is <camunda:taskListener>",
    ]);
    const listener = '<camunda:taskListener event="create" evnt="x" class="x"/>';
    assert.deepEqual(await warningsOf(user({}, extended(listener))), [
      "user task 'a' has evnt, which is not known; the nearest is event",
    ]);
    assert.deepEqual(await warningsOf(user({ 'camunda:quantumFlux': '1' })), [
      "user task 'a' has camunda:quantumFlux, which is not known",
    ]);
    assert.deepEqual(await warningsOf(user({ 'camunda:taskListenr': 'x' })), [
      "user task 'a' has camunda:taskListenr, which is not known",
    ]);
  });

  it('is told where it stands in the wrong place', async () => {
    const script = '<bpmn:script>1</bpmn:script>';
    const attributes = { scriptFormat: 'javascript', 'camunda:assignee': 'mary' };
    assert.deepEqual(await warningsOf(bpmn(line(['a'], element('scriptTask', 'a', attributes, script)))), [
      "script task 'a' has camunda:assignee, which has no effect there",
    ]);
    const flux = extended('<camunda:connector><camunda:connectorId>mail</camunda:connectorId></camunda:connector>');
    assert.match((await warningsOf(user({}, flux))).join(), /has <camunda:connector>, which only tasks that call/);
  });

  it('is told once of several alike that an element has', async () => {
    const told = await warningsOf(user({}, '<bpmn:performer/><bpmn:performer/>'));
    assert.equal(told.length, 1, told.join());
  });

  it('is told of a hundred at most, however much there is', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `<camunda:wonder${at}/>`).join('');
    const told = await warningsOf(user({}, extended(many)));
    assert.deepEqual([told.length, told.at(-1)], [101, 'and more']);
  });

  it('is told of fields that nobody is given', async () => {
    const field = '<camunda:field name="f" stringValue="1"/>';
    const task = element('serviceTask', 'a', { 'camunda:expression': '${1}' }, extended(field));
    assert.deepEqual(await warningsOf(bpmn(line(['a'], task))), [
      "service task 'a' has a camunda:field, which only a handler is given",
    ]);
    const listener = (what: string) =>
      extended(`<camunda:taskListener event="create" ${what}>${field}</camunda:taskListener>`);
    assert.match((await warningsOf(user({}, listener('expression="${1}"')))).join(), /which only a handler is given/);
    assert.deepEqual(await warningsOf(user({}, listener('class="x"'))), []);
  });

  it('is none of what Camunda reads though its modeler does not write it', async () => {
    const field = extended('<camunda:field name="f" expression="${x}"/>');
    assert.deepEqual(
      await warningsOf(bpmn(line(['a'], element('serviceTask', 'a', { 'camunda:class': 'h' }, field)))),
      [],
    );
    const former = { 'camunda:expression': '${1}', 'camunda:resultVariableName': 'r' };
    const program = await programOf(bpmn(line(['a'], element('serviceTask', 'a', former))));
    assert.deepEqual(elementOf(program, 'a').work, { kind: 'expression', text: '${1}', resultVariable: 'r' });
    assert.deepEqual(await warningsOf(bpmn(line(['a'], element('serviceTask', 'a', former)))), []);
  });

  it('is told once for each namespace of another vendor, and never for what only draws', async () => {
    const vendor = 'xmlns:x="urn:vendor"';
    const xml = user({}, extended('<x:one/><x:two><x:three/></x:two>')).replace(
      '<bpmn:process',
      `<bpmn:process ${vendor} x:p="1"`,
    );
    assert.deepEqual(await warningsOf(xml), ["extensions of 'urn:vendor' are not executed; this is the first of them"]);
    const drawn = 'xmlns:bioc="http://bpmn.io/schema/bpmn/biocolor/1.0" bioc:fill="red"';
    assert.deepEqual(
      await warningsOf(bpmn(element('startEvent', 's')).replace('<bpmn:startEvent', `<bpmn:startEvent ${drawn}`)),
      [],
    );
  });

  it('is not looked for in what is not executed itself', async () => {
    const beside = '<bpmn:process id="pool"><bpmn:userTask id="x" camunda:asignee="y"/></bpmn:process>';
    assert.deepEqual(await warningsOf(bpmn(element('startEvent', 's'), { root: beside })), []);
    const marked = beside.replace('id="pool"', 'id="pool" isExecutable="false" isClosed="true"');
    assert.deepEqual(await warningsOf(bpmn(element('startEvent', 's'), { root: marked })), []);
  });

  it('is none of what says nothing: defaults, notes, metadata', async () => {
    const notes = extended('<camunda:properties><camunda:property name="a" value="b"/></camunda:properties>');
    const attributes = {
      'camunda:modelerTemplate': 't',
      isForCompensation: 'false',
      startQuantity: '1',
      implementation: '##unspecified',
    };
    assert.deepEqual(await warningsOf(user(attributes, notes)), []);
    assert.deepEqual(
      await warningsOf(
        bpmn(element('startEvent', 's'), { attributes: 'camunda:isStartableInTasklist="true" isClosed="false"' }),
      ),
      [],
    );
  });

  it('is told under the names of the dialect before and after Camunda', async () => {
    for (const namespace of ['http://activiti.org/bpmn', 'http://operaton.org/schema/1.0/bpmn']) {
      const xml = user({ 'camunda:asignee': 'mary' }).replace('http://camunda.org/schema/1.0/bpmn', namespace);
      assert.match((await warningsOf(xml)).join(), /nearest is camunda:assignee/);
    }
  });
});

describe('the list of what is executed', () => {
  /** A model with this thing in such an element: an attribute, or a `<child>`. */
  const within = (path: string, thing: string): string => {
    const name = path.split('/').at(-1) ?? '';
    const isChild = thing.startsWith('<');
    const [attribute = '', value = 'x'] = thing.split('=');
    const child = thing.slice(1, -1);
    const content = !isChild
      ? ''
      : child.startsWith('camunda:')
        ? `<bpmn:extensionElements><${child}/></bpmn:extensionElements>`
        : `<bpmn:${child}/>`;
    const prefixed = name.startsWith('camunda:') ? name : `bpmn:${name}`;
    const tag = `<${prefixed} ${isChild ? '' : `${attribute}="${value}"`}>${content}</${prefixed}>`;
    const holder = path.includes('/') ? path.split('/')[0] : HOLDERS[name];
    const around = name === 'process' || holder === undefined ? tag : `<bpmn:${holder}>${tag}</bpmn:${holder}>`;
    if (name === 'process')
      return bpmn('')
        .replace('<bpmn:process', `<bpmn:process ${isChild ? '' : `${attribute}="${value}"`}`)
        .replace('</bpmn:process>', `${content}</bpmn:process>`);
    return bpmn(around);
  };
  const HOLDERS: Record<string, string> = {
    messageEventDefinition: 'startEvent',
    signalEventDefinition: 'startEvent',
    humanPerformer: 'userTask',
    potentialOwner: 'userTask',
    'camunda:formData': 'userTask',
  };

  it('warns of each thing that it says it warns of, and of nothing else that it names', async () => {
    let looked = 0;
    for (const [path, allowed] of Object.entries(ALLOWED)) {
      for (const [thing, verdict] of verdictsOf(allowed)) {
        if (verdict.kind !== 'warned') continue;
        const { warnings } = await compileModel(within(path, thing));
        const told = warnings.filter(({ message }) => message.endsWith(verdict.reason));
        assert.equal(told.length, 1, `${path} ${thing}: ${JSON.stringify(warnings)}`);
        looked++;
      }
    }
    assert.ok(looked > 100, String(looked));
  });

  const work = { 'camunda:expression': '${1}' };
  /** A model for each thing that is refused: its element with the least that it needs. */
  const refused = (name: string, thing: string): string => {
    const [attribute = '', value = REFUSED_VALUES[thing] ?? 'true'] = thing.split('=');
    const content = thing.startsWith('<') ? (REFUSED_CHILDREN[thing] ?? `<bpmn:${thing.slice(1, -1)}/>`) : '';
    const attributes = thing.startsWith('<') ? {} : { [attribute]: value };
    const made = (type: string, more: Record<string, string> = {}, held = '') =>
      bpmn(line(['a'], element(type, 'a', { ...more, ...attributes }, held + content)));
    switch (name) {
      case 'process':
        return bpmn(element('startEvent', 's') + content);
      case 'startEvent':
        return bpmn(element('startEvent', 'a', attributes, content));
      case 'endEvent':
        return bpmn(element('startEvent', 's') + element('endEvent', 'a', attributes, content));
      case 'boundaryEvent':
        return bpmn(
          line(
            ['w'],
            element('task', 'w') + element('boundaryEvent', 'a', { attachedToRef: 'w', ...attributes }, content),
          ),
        );
      case 'serviceTask':
      case 'sendTask':
      case 'businessRuleTask':
        return made(name, attribute === 'camunda:type' ? {} : work);
      case 'scriptTask':
        return made(
          name,
          { scriptFormat: 'javascript' },
          attribute === 'camunda:resource' ? '' : '<bpmn:script>1</bpmn:script>',
        );
      case 'subProcess':
        return made(name, {}, element('startEvent', 'inner'));
      case 'sequenceFlow':
        return bpmn(line(['a'], element('task', 'a'))).replace(
          'targetRef="a"/>',
          `targetRef="a">${content}</bpmn:sequenceFlow>`,
        );
      case 'conditionExpression':
        return bpmn(line(['a'], element('task', 'a'))).replace(
          'targetRef="end"/>',
          `targetRef="end"><bpmn:conditionExpression xsi:type="bpmn:tFormalExpression" ${attribute}="x"/></bpmn:sequenceFlow>`,
        );
      case 'signalEventDefinition':
        return bpmn(
          `${element('startEvent', 's')}${element('intermediateThrowEvent', 'a', {}, `<bpmn:signalEventDefinition signalRef="sig">${content}</bpmn:signalEventDefinition>`)}`,
          { root: '<bpmn:signal id="sig" name="S"/>' },
        );
      case 'intermediateThrowEvent/messageEventDefinition':
        return bpmn(
          element('startEvent', 's') +
            element('intermediateThrowEvent', 'a', {}, element('messageEventDefinition', 'd', attributes, content)),
        );
      case 'endEvent/messageEventDefinition':
        return bpmn(
          element('startEvent', 's') +
            element('endEvent', 'a', {}, element('messageEventDefinition', 'd', attributes, content)),
        );
      case 'camunda:taskListener':
        return user({}, extended(`<camunda:taskListener ${attribute}="${value}" expression="\${1}"/>`));
      case 'camunda:script':
        return user(
          {},
          extended(
            `<camunda:executionListener event="start"><camunda:script scriptFormat="javascript" ${attribute}="x"/></camunda:executionListener>`,
          ),
        );
      default:
        return made(name);
    }
  };
  const REFUSED_VALUES: Record<string, string> = {
    startQuantity: '2',
    completionQuantity: '2',
    triggeredByEvent: 'true',
    'camunda:type': 'mail',
  };
  const REFUSED_CHILDREN: Record<string, string> = {
    '<camunda:taskListener>': extended('<camunda:taskListener event="create" expression="${1}"/>'),
    '<camunda:connector>': extended('<camunda:connector/>'),
    '<camunda:errorEventDefinition>': extended('<camunda:errorEventDefinition id="ce"/>'),
    '<camunda:inputOutput>': extended('<camunda:inputOutput/>'),
    '<camunda:in>': extended('<camunda:in variables="all"/>'),
    '<transaction>': '<bpmn:transaction id="x"/>',
    '<callActivity>': '<bpmn:callActivity id="x"/>',
  };

  for (const [path, allowed] of Object.entries(ALLOWED)) {
    const things = [...verdictsOf(allowed)].filter(([, { kind }]) => kind === 'refused');
    if (things.length === 0) continue;
    it(`refuses what it says of a ${path}`, async () => {
      for (const [thing] of things) assert.notDeepEqual(await problemsOf(refused(path, thing)), [], thing);
    });
  }

  it('does not warn of anything in the samples', async () => {
    for (const file of readdirSync('processes').filter((name) => name.endsWith('.bpmn'))) {
      assert.deepEqual(await warningsOf(readFileSync(`processes/${file}`, 'utf8')), [], file);
    }
  });
});
