import assert from 'node:assert/strict';
import { typed } from '../../../src/engine/element/native.js';
import { compileModel } from '../../../src/engine/model/compile-model.js';
import { bpmn, element, extended, line } from '../../support/bpmn.js';
import { instance } from '../../support/instance.js';
import { elementOf, problemsOf, programOf, warningsOf } from '../../support/model.js';

const model = (type: string, zeebe: string, content = '') =>
  bpmn(line(['a', 'wait'], element(type, 'a', {}, extended(zeebe) + content) + element('userTask', 'wait'))).replace(
    'xmlns:xsi=',
    'xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" xmlns:xsi=',
  );

const compiled = async (type: string, zeebe: string) => elementOf(await programOf(model(type, zeebe)), 'a');

describe("Camunda 8's extensions", () => {
  it('name the topic of a worker', async () => {
    for (const type of ['serviceTask', 'sendTask', 'businessRuleTask', 'scriptTask']) {
      const { work } = await compiled(type, '<zeebe:taskDefinition type="charge" retries="3"/>');
      assert.equal(work?.kind === 'handler' && work.external !== undefined && work.name, 'charge', type);
    }
    const { work } = await compiled('serviceTask', '<zeebe:taskDefinition type="=topics.charge"/>');
    assert.equal(work?.kind === 'handler' && work.name, '${topics.charge}');
  });

  it('tell a worker more, and which comes first', async () => {
    const said =
      '<zeebe:taskDefinition type="charge" retries="=5"/><zeebe:taskHeaders><zeebe:header key="url" value="x"/></zeebe:taskHeaders><zeebe:jobPriorityDefinition priority="=n + 1"/>';
    const { work, retryCycle } = await compiled('serviceTask', said);
    assert.deepEqual(work?.kind === 'handler' && work.external, {
      priority: "${feel('n + 1')}",
      properties: { url: 'x' },
    });
    assert.equal(retryCycle, 'R5/PT0S');
    const { versionTag } = await programOf(
      model('userTask', '').replace(
        /(<bpmn:process [^>]*>)/,
        '$1<bpmn:extensionElements><zeebe:versionTag value="v7"/></bpmn:extensionElements>',
      ),
    );
    assert.equal(versionTag, 'v7');
  });

  it('say which variable a condition waits for', async () => {
    const definition = (filter: string) =>
      `<bpmn:conditionalEventDefinition>${extended(filter)}<bpmn:condition xsi:type="bpmn:tFormalExpression">=x > 1</bpmn:condition></bpmn:conditionalEventDefinition>`;
    const xml = (filter: string) => model('intermediateCatchEvent', '', definition(filter));
    const one = xml('<zeebe:conditionalFilter variableNames="y" variableEvents="update"/>');
    const it = instance(await programOf(one)).start({ x: 1, y: 1 });
    const set = (name: string) =>
      it.give({ type: 'setVariables', tokenId: null, local: false, variables: { [name]: typed(2) }, removed: [] });
    assert.deepEqual(set('x').active, ['a']);
    assert.deepEqual(set('y').active, ['wait']);
    const several = xml('<zeebe:conditionalFilter variableNames="x, y"/>');
    assert.match((await warningsOf(several)).join(), /'a' waits for 'x, y', but one name alone, or none, is a filter/);
  });

  it('are told of where they are not executed', async () => {
    for (const [said, expected] of [
      ['<zeebe:linkedResources/>', /'a' has <zeebe:linkedResources>, which is not executed/],
      [
        '<zeebe:executionListeners><zeebe:executionListener eventType="cancel" type="audit"/></zeebe:executionListeners>',
        /of the type 'audit' to 'cancel', which is not executed: a handler of that name/,
      ],
      ['<zeebe:taskHeaders><zeebe:header kex="a"/></zeebe:taskHeaders>', /with 'kex', .*; the nearest is 'key'/],
    ] as const) {
      assert.match(
        (await warningsOf(model('serviceTask', `${said}<zeebe:taskDefinition type="t"/>`))).join(),
        expected,
      );
    }
    assert.equal((await warningsOf(model('userTask', '<zeebe:userTask/><zeebe:properties/>'))).length, 1);
    const loop = `<bpmn:multiInstanceLoopCharacteristics>${extended('<zeebe:loopCharacteristics inputCollection="=[1]" inputElment="item"/>')}</bpmn:multiInstanceLoopCharacteristics>`;
    assert.match(
      (await warningsOf(model('userTask', '', loop))).join(),
      /'a' has <zeebe:loopCharacteristics> with 'inputElment', which is not known; the nearest is 'inputElement'/,
    );
    const published = `<bpmn:messageEventDefinition messageRef="m">${extended('<zeebe:publishMessage timeToLive="PT1H"/>')}</bpmn:messageEventDefinition>`;
    const thrown = model('intermediateThrowEvent', '', published).replace(
      '<bpmn:process ',
      '<bpmn:message id="m" name="m"/>$&',
    );
    assert.match((await warningsOf(thrown)).join(), /'a' has <zeebe:publishMessage>, which is not executed: what is/);
  });

  it('name handlers that listen, where they are registered', async () => {
    const listeners = (kind: string, ...events: string[]) =>
      `<zeebe:${kind}Listeners>${events.map((event) => `<zeebe:${kind}Listener eventType="${event}" type="audit" retries="3"/>`).join('')}</zeebe:${kind}Listeners>`;
    const xml = model('userTask', listeners('execution', 'start', 'end') + listeners('task', 'creating', 'canceling'));
    const source = { kind: 'handler', name: 'audit' };
    assert.deepEqual(elementOf(await programOf(xml), 'a').listeners, [
      { on: 'execution', event: 'start', source },
      { on: 'execution', event: 'end', source },
      { on: 'task', event: 'create', source },
      { on: 'task', event: 'delete', source },
    ]);
    const { programs, warnings } = await compileModel(xml, {}, ['other']);
    assert.deepEqual(programs[0]?.elements.find(({ id }) => id === 'a')?.listeners, []);
    assert.equal(warnings.filter(({ message }) => message.includes("of the type 'audit'")).length, 4);
  });

  it('name a decision, whose result is as FEEL has it', async () => {
    const { work } = await compiled(
      'businessRuleTask',
      '<zeebe:calledDecision decisionId="=which" resultVariable="r" bindingType="versionTag" versionTag="v1"/>',
    );
    assert.deepEqual(work, {
      ...{
        kind: 'decision',
        binding: 'versionTag',
        version: null,
        versionTag: 'v1',
        map: 'value',
        resultVariable: 'r',
      },
      key: { kind: 'script', language: 'feel', text: 'which' },
    });
  });

  it('are scripts and mappings in FEEL', async () => {
    const script = '<zeebe:script expression="=sum(xs) + n" resultVariable="total"/>';
    const mapping =
      '<zeebe:ioMapping><zeebe:input source="=a.b * 2" target="n"/><zeebe:output source="=total + 1" target="more"/></zeebe:ioMapping>';
    const it = instance(await programOf(model('scriptTask', script + mapping))).start({ a: { b: 5 }, xs: [1, 2] });
    assert.equal(it.variables.more, 14);
  });

  it('say what begins with an ad-hoc sub-process', async () => {
    const chosen = element('userTask', 'one') + element('userTask', 'two');
    const more = '<bpmn:completionCondition xsi:type="bpmn:tFormalExpression">=n > 1</bpmn:completionCondition>';
    const xml = model('adHocSubProcess', '<zeebe:adHoc activeElementsCollection="=ids"/>', chosen + more);
    const it = instance(await programOf(xml)).start({ ids: ['two'], n: 1 });
    assert.deepEqual(it.active, ['a', 'two']);
    assert.deepEqual(it.complete('two').active, ['a']);
    assert.deepEqual(it.choose('one').complete('one', { n: 2 }).active, ['wait']);
    const asked = '<zeebe:adHoc activeElementsCollection="=ids" outputCollection="r"/><zeebe:taskDefinition type="t"/>';
    const warnings = (await warningsOf(model('adHocSubProcess', asked, chosen))).join();
    assert.match(warnings, /'a' has a zeebe:adHoc with an outputCollection, which is not collected/);
    assert.match(warnings, /'a' has a zeebe:taskDefinition, but its activities are chosen by/);
  });

  it('name the collection of a multi-instance', async () => {
    const loop =
      '<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=order.lines" inputElement="each"/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>';
    const it = instance(await programOf(model('userTask', '<zeebe:userTask/>', loop))).start({
      order: { lines: ['x', 'y'] },
    });
    assert.equal(it.tasks.size, 2);
  });

  it('say who does a task, until when, and with which form', async () => {
    const { userTask } = await compiled(
      'userTask',
      `<zeebe:assignmentDefinition assignee="=order.clerk" candidateGroups="=[&quot;a&quot;, &quot;b&quot;]" candidateUsers="ann, bob"/><zeebe:priorityDefinition priority="70"/>
       <zeebe:taskSchedule dueDate="2026-05-01T12:00:00Z"/><zeebe:formDefinition formId="ask" bindingType="deployment"/>`,
    );
    assert.deepEqual(
      [
        userTask?.assignee,
        userTask?.candidateGroups,
        userTask?.candidateUsers,
        userTask?.priority,
        userTask?.dueDate,
        userTask?.form,
      ],
      [
        '${order.clerk}',
        ['a', 'b'],
        ['ann', 'bob'],
        '70',
        '2026-05-01T12:00:00Z',
        { ref: { key: 'ask', binding: 'deployment', version: null } },
      ],
    );
    const { userTask: keyed } = await compiled('userTask', '<zeebe:formDefinition externalReference="my-form"/>');
    assert.equal(keyed?.formKey, 'my-form');
  });

  it('say so in any FEEL', async () => {
    const it = instance(
      await programOf(
        model(
          'userTask',
          `<zeebe:assignmentDefinition assignee="=if n > 5 then &quot;it's ann&quot; else &quot;bob&quot;" candidateGroups="=for g in groups return g.name" candidateUsers="=[first, &quot;a,b&quot;]"/>
           <zeebe:taskSchedule dueDate="=date and time(day) + duration(&quot;P1D&quot;)" followUpDate="=day"/><zeebe:priorityDefinition priority="=n * 10"/>`,
        ),
      ),
    ).start({ n: 6, groups: [{ name: 'x' }, { name: 'y' }], first: 'zoe', day: '2026-05-01T12:00:00Z' });
    const facts = it.task('a');
    assert.deepEqual(
      [facts.assignee, facts.candidateGroups, facts.candidateUsers, facts.priority, facts.due, facts.followUp],
      ["it's ann", ['x', 'y'], ['zoe', 'a,b'], 60, Date.UTC(2026, 4, 2, 12), Date.UTC(2026, 4, 1, 12)],
    );
  });

  it('say by a variable until when, which need not be there', async () => {
    const schedule = '<zeebe:taskSchedule dueDate="=order.due" followUpDate="=day"/>';
    const scheduled = await programOf(model('userTask', schedule));
    for (const variables of [{}, { order: {}, day: null }, { order: { due: '' } }]) {
      const { due, followUp } = instance(scheduled).start(variables).task('a');
      assert.deepEqual([due, followUp], [null, null]);
    }
    const { due } = instance(scheduled)
      .start({ order: { due: '2026-05-01T12:00:00Z' } })
      .task('a');
    assert.equal(due, Date.UTC(2026, 4, 1, 12));
  });

  it('call processes, with all variables or those of mappings, by a binding', async () => {
    const called = async (attributes: string, mapping = '') => {
      const { call } = await compiled('callActivity', `<zeebe:calledElement ${attributes}/>${mapping}`);
      return call;
    };
    const all = (local: boolean) => ({ kind: 'all', local });
    const plain = await called('processId="q" bindingType="deployment"');
    assert.deepEqual(
      [plain?.process, plain?.binding, plain?.inputs, plain?.outputs],
      ['q', 'deployment', [all(false)], [all(false)]],
    );
    const output =
      '<zeebe:ioMapping><zeebe:input source="=x" target="y"/><zeebe:output source="=r" target="s"/></zeebe:ioMapping>';
    const mapped = await called(
      'processId="=&quot;q&quot; + suffix" propagateAllParentVariables="false" bindingType="versionTag" versionTag="v1"',
      output,
    );
    assert.deepEqual(
      [mapped?.process, mapped?.version, mapped?.inputs, mapped?.outputs],
      [`\${feel('"q" + suffix')}`, 'v1', [all(true)], [all(true)]],
    );
    const quiet = await called('processId="q" propagateAllChildVariables="false"');
    assert.deepEqual(quiet?.outputs, []);
  });

  it('gather outputs of a multi-instance, each a variable or what FEEL gives', async () => {
    const loop = (output: string) =>
      `<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=items" inputElement="item" outputCollection="results" outputElement="${output}"/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>`;
    const script = '<zeebe:script expression="=item * 2" resultVariable="double"/>';
    for (const [output, expected] of [
      ['=double', [2, 4]],
      ['=item + double', [3, 6]],
      ['={of: item}', [{ of: 1 }, { of: 2 }]],
    ] as const) {
      const it = instance(await programOf(model('scriptTask', script, loop(output)))).start({ items: [1, 2] });
      assert.deepEqual(it.variables.results, expected);
    }
    const parts = '<zeebe:script expression="={made: item}" resultVariable="whole"/>';
    const it = instance(await programOf(model('scriptTask', parts, loop('=whole.made')))).start({ items: [1, 2] });
    assert.deepEqual(it.variables, { items: [1, 2], results: [1, 2] }, 'the whole is each one’s own');
  });

  it('let outputs alone leave an activity that has some', async () => {
    const mapping = (...outputs: string[]) =>
      `<zeebe:ioMapping>${outputs.map((each) => each.replace(/(.*) -> (.*)/, '<zeebe:output source="=$1" target="$2"/>')).join('')}</zeebe:ioMapping>`;
    const variablesOf = async (type: string, zeebe: string, content = '', more = '') => {
      const xml = model(type, zeebe, content).replace('</bpmn:process>', `$&${more}`);
      const it = instance(await programOf(xml)).start({ n: 1, y: { z: 5 } });
      if (type === 'userTask') it.complete('a', { x: 2 });
      if (type === 'receiveTask') it.trigger('a', { x: 2 });
      return it.variables;
    };
    for (const type of ['userTask', 'receiveTask']) {
      assert.deepEqual(await variablesOf(type, mapping('x -> n')), { n: 2, y: { z: 5 } }, type);
      assert.deepEqual(await variablesOf(type, mapping('x -> y.a.b', 'x + 1 -> y.c')), {
        n: 1,
        y: { z: 5, a: { b: 2 }, c: 3 },
      });
      assert.deepEqual(await variablesOf(type, ''), { n: 1, y: { z: 5 }, x: 2 });
    }
    const script = '<zeebe:script expression="=n + 1" resultVariable="r"/>';
    assert.deepEqual(await variablesOf('scriptTask', script + mapping('r -> n')), { n: 2, y: { z: 5 } });
    const loop = `<bpmn:multiInstanceLoopCharacteristics>${extended('<zeebe:loopCharacteristics inputCollection="=[7, 8]" outputCollection="all" outputElement="=r"/>')}</bpmn:multiInstanceLoopCharacteristics>`;
    const each = '<zeebe:script expression="=loopCounter" resultVariable="x"/>';
    assert.deepEqual((await variablesOf('scriptTask', each + mapping('x * 10 -> r'), loop)).all, [10, 20]);
  });

  it('give what comes with an event to its outputs, and take none of what it interrupts', async () => {
    const output = '<zeebe:ioMapping><zeebe:output source="=x" target="y"/></zeebe:ioMapping>';
    for (const [own, expected] of [
      [extended(output), { y: 1 }],
      ['', { x: 1 }],
    ] as const) {
      const boundary = `<bpmn:boundaryEvent id="b" attachedToRef="a">${own}<bpmn:messageEventDefinition messageRef="m"/></bpmn:boundaryEvent><bpmn:sequenceFlow id="out" sourceRef="b" targetRef="wait"/>`;
      const xml = model('userTask', output)
        .replace('</bpmn:process>', `${boundary}$&`)
        .replace('<bpmn:process ', '<bpmn:message id="m" name="m"/>$&');
      assert.deepEqual(
        instance(await programOf(xml))
          .start()
          .trigger('b', { x: 1 }).variables,
        expected,
      );
    }
  });

  it('see what a mapping before them has set, and parts of inputs', async () => {
    const mapping =
      '<zeebe:ioMapping><zeebe:input source="=n" target="m"/><zeebe:input source="=m + 1" target="o.p"/><zeebe:input source="text" target="o.q"/><zeebe:output source="=o" target="seen"/></zeebe:ioMapping>';
    const it = instance(await programOf(model('manualTask', mapping))).start({ n: 1, o: { r: 1 } });
    assert.deepEqual(it.variables.seen, { p: 2, q: 'text' });
  });

  it('count the instances of a loop from 1, by names of their own', async () => {
    const loop = `<bpmn:multiInstanceLoopCharacteristics>${extended('<zeebe:loopCharacteristics inputCollection="=items"/>')}<bpmn:completionCondition>=numberOfCompletedInstances / numberOfInstances &gt; 0.5 and numberOfTerminatedInstances = 0</bpmn:completionCondition></bpmn:multiInstanceLoopCharacteristics>`;
    const it = instance(await programOf(model('userTask', '', loop))).start({ items: [1, 2, 3] });
    const counters = it.state.scopes.flatMap(({ variables }) => variables.loopCounter?.value ?? []);
    assert.deepEqual(counters, [1, 2, 3]);
    const first = () => [...it.tasks.values()][0]?.id ?? '';
    for (const left of [3, 2]) {
      assert.equal(it.tasks.size, left);
      it.give({ type: 'completeTask', taskId: first(), variables: {}, localVariables: {} });
    }
    assert.deepEqual(it.active, ['wait']);
    const none = loop
      .replace('Characteristics>', 'Characteristics isSequential="true">')
      .replace(/=numberOfCompleted.*?<\//, '=numberOfActiveInstances = 0</');
    const one = instance(await programOf(model('userTask', '', none))).start({ items: [1, 2, 3] });
    assert.deepEqual(one.complete('a').active, ['wait'], 'of one after the other none is active as one has completed');
  });

  it('name messages in FEEL', async () => {
    const xml = model('receiveTask', '')
      .replace('<bpmn:receiveTask ', '<bpmn:receiveTask messageRef="m" ')
      .replace('<bpmn:process ', '<bpmn:message id="m" name="=&quot;order-&quot; + id"/>$&');
    const it = instance(await programOf(xml)).start({ id: '7' });
    assert.equal(it.subscription('a').eventName, 'order-7');
  });

  it('say how often a job is tried, and when timers come', async () => {
    const { retryCycle } = await compiled('serviceTask', '<zeebe:taskDefinition type="charge" retries="5"/>');
    assert.equal(retryCycle, 'R5/PT0S');
    const { retryCycle: said } = await compiled(
      'serviceTask',
      '<zeebe:taskDefinition type="charge" retries="=n + 1"/>',
    );
    assert.equal(said, `\${feel('"R" + string(n + 1) + "/PT0S"')}`);
    const wrong = model('serviceTask', '<zeebe:taskDefinition type="charge" retries="many"/>');
    assert.match(
      (await problemsOf(wrong)).join(),
      /'a' has 'many' as zeebe:taskDefinition retries, but expected a whole/,
    );
    const timer = `<bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">=duration("PT" + string(h) + "H")</bpmn:timeDuration></bpmn:timerEventDefinition>`;
    const it = instance(await programOf(model('intermediateCatchEvent', '', timer))).start({ h: 2 });
    assert.equal(it.job('a').dueAt, it.now + 7_200_000);
  });

  it('are refused for FEEL that cannot be read, with the element', async () => {
    for (const [type, zeebe, expected] of [
      [
        'userTask',
        '<zeebe:assignmentDefinition assignee="=if a then b"/>',
        /user task 'a' has an invalid zeebe:assignmentDefinition assignee/,
      ],
      [
        'userTask',
        '<zeebe:formDefinition formId="=a + b"/>',
        /with '=a \+ b' as formId, but expected a value, or FEEL/,
      ],
      ['scriptTask', '<zeebe:script expression="=1 +" resultVariable="r"/>', /script task 'a' has an invalid script/],
      [
        'manualTask',
        '<zeebe:ioMapping><zeebe:input source="=1 +" target="n"/></zeebe:ioMapping>',
        /'a' has an invalid script/,
      ],
      ['manualTask', '<zeebe:ioMapping><zeebe:input source="=1"/></zeebe:ioMapping>', /without a name/],
      ['serviceTask', '<zeebe:properties/>', /'a' needs an implementation: .*, or a zeebe:taskDefinition/],
    ] as const) {
      assert.match((await problemsOf(model(type, zeebe))).join('; '), expected, zeebe);
    }
  });
});
