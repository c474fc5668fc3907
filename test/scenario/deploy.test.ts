import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { refusal } from '../support/graphql-client.js';
import { type Company, openCompany } from './support/company.js';

const DEPLOY = `mutation ($input: DeployProcessInput!) { deployProcess(input: $input) {
  id name source processDefinitions { id key version name resourceName latest } } }`;
const modelFile = (name: string) => readFileSync(`test/engine/model/files/${name}`, 'utf8');
const process = (body: string) =>
  `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t"><process id="p" isExecutable="true">${body}</process></definitions>`;
const GOOD = process('<startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="e"/><endEvent id="e"/>');

describe('deploying', () => {
  let company: Company;
  before(async () => {
    company = await openCompany();
  });
  after(() => company.server.remove());

  const deploy = (content: string, name = 'model.bpmn', more = {}) =>
    company.people.admin.client.ask(DEPLOY, {
      variables: { input: { name: 'test', resources: [{ name, content }], ...more } },
    });

  for (const file of ['camunda-modeler-services.bpmn', 'camunda-modeler-collaboration.bpmn', 'bpmn-js.bpmn']) {
    it(`takes ${file} as the modeler wrote it, and gives the very text back`, async () => {
      const { data, errors } = await deploy(modelFile(file), file, { source: 'modeler' });
      assert.equal(errors, undefined, JSON.stringify(errors));
      const [definition] = data?.deployProcess.processDefinitions ?? [];
      assert.equal(definition?.resourceName, file);
      const { processDefinitionXml } = await company.people.nora.client.run(
        'query ($id: ID!) { processDefinitionXml(id: $id) }',
        { id: definition?.id },
      );
      assert.equal(processDefinitionXml, modelFile(file));
    });
  }

  it('counts versions, and starts the newest', async () => {
    const versions: (number | undefined)[] = [];
    for (const text of [GOOD, GOOD.replace('id="e"/>', 'id="e" name="x"/>'), GOOD]) {
      versions.push((await deploy(text)).data?.deployProcess.processDefinitions[0]?.version);
    }
    assert.deepEqual(versions, [1, 2, 3]);
    const id = await company.people.nora.start('p');
    const { processInstance } = await company.people.nora.client.run(
      'query ($id: ID!) { processInstance(id: $id) { state definition { version latest } } }',
      { id },
    );
    assert.deepEqual(processInstance, { state: 'completed', definition: { version: 3, latest: true } });
  });

  it('leaves out what is deployed already, where that is wanted', async () => {
    const wanted = { name: 'filtered', enableDuplicateFiltering: true };
    const [first, second] = [await deploy(GOOD, 'same.bpmn', wanted), await deploy(GOOD, 'same.bpmn', wanted)];
    assert.equal(first.data?.deployProcess.id, second.data?.deployProcess.id);
  });

  it('answers what in a model is not executed, with its place, and shows it later', async () => {
    const model = `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t"
      xmlns:camunda="http://camunda.org/schema/1.0/bpmn"><process id="warned" isExecutable="true">
  <startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="a"/>
  <userTask id="a" camunda:asignee="mary" camunda:formHandlerClass="f"/></process></definitions>`;
    const input = {
      name: 'warned',
      resources: [
        { name: 'note.txt', content: 'x' },
        { name: 'w.bpmn', content: model },
      ],
    };
    const { admin, nora } = company.people;
    const { deployProcess } = await admin.client.run(
      `mutation ($input: DeployProcessInput!) { deployProcess(input: $input) {
        id warnings { resourceName line column elementId message rule } } }`,
      { input },
    );
    assert.deepEqual(
      deployProcess.warnings.map(({ resourceName, line, column, elementId }) => [
        resourceName,
        line,
        column,
        elementId,
      ]),
      [
        ['w.bpmn', 4, 20, 'a'],
        ['w.bpmn', 4, 43, 'a'],
      ],
    );
    assert.match(deployProcess.warnings[0]?.message ?? '', /the nearest is camunda:assignee/);
    assert.equal(deployProcess.warnings[0]?.rule, 'unknown-name');
    const { deployment } = await nora.client.run(
      'query ($id: ID!) { deployment(id: $id) { resources { name content warnings { message } } } }',
      { id: deployProcess.id },
    );
    assert.deepEqual(deployment?.resources, [
      { name: 'note.txt', content: 'x', warnings: [] },
      { name: 'w.bpmn', content: model, warnings: deployProcess.warnings.map(({ message }) => ({ message })) },
    ]);
  });

  it('stores a model without an executable process, and says what to tick', async () => {
    const { admin, nora } = company.people;
    const drawn = GOOD.replace('id="p" isExecutable="true"', 'id="drawn" isExecutable="false"');
    const { data, errors } = await admin.client.ask(
      `mutation ($input: DeployProcessInput!) { deployProcess(input: $input) {
        id processDefinitions { id } resources { content } warnings { message } } }`,
      { variables: { input: { name: 'drawn', resources: [{ name: 'drawn.bpmn', content: drawn }] } } },
    );
    assert.equal(errors, undefined, JSON.stringify(errors));
    assert.deepEqual(data?.deployProcess.processDefinitions, []);
    assert.deepEqual(data?.deployProcess.resources, [{ content: drawn }]);
    assert.match(
      data?.deployProcess.warnings[0]?.message ?? '',
      /process 'drawn' is not executable.*tick \*Executable\*/,
    );
    const started = await refusal(nora.start('drawn'));
    assert.equal(started.code, 'NOT_FOUND');
    assert.equal(
      await admin.client
        .run('mutation ($id: ID!) { deleteDeployment(id: $id) }', { id: data?.deployProcess.id })
        .then((it) => it.deleteDeployment),
      true,
    );
    const { deployment } = await nora.client.run('query ($id: ID!) { deployment(id: $id) { id } }', {
      id: data?.deployProcess.id,
    });
    assert.equal(deployment, null);
  });

  const bad: Record<string, [string, RegExp]> = {
    'is no XML': ['no XML', /./],
    'is cut off': [GOOD.slice(0, 150), /./],
    'is empty': ['', /./],
    'has a DOCTYPE': [`<!DOCTYPE x [<!ENTITY a "aaaa">]>${GOOD}`, /DOCTYPE/i],
    'has an unknown element': [process('<startEvent id="s"/><gadget id="g"/>'), /gadget/],
    'has no start': [
      process('<userTask id="t"/><sequenceFlow id="f" sourceRef="t" targetRef="t"/>'),
      /process 'p' needs a start event/,
    ],
    'has a flow to nowhere': [
      process('<startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="nowhere"/>'),
      /nowhere/,
    ],
    'uses an id twice': [process('<startEvent id="s"/><endEvent id="s"/>'), /'s'/],
    'has an expression that cannot be read': [
      process(
        '<startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="e"><conditionExpression>${a +}</conditionExpression></sequenceFlow><endEvent id="e"/>',
      ),
      /./,
    ],
    'has a script that cannot be read': [
      process(`<startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="x"/>
<scriptTask id="x" scriptFormat="javascript"><script>
  const a = 1;
  const b = ;
</script></scriptTask><sequenceFlow id="g" sourceRef="x" targetRef="e"/><endEvent id="e"/>`),
      /line 4, column 3: script task 'x' has an invalid script: SyntaxError/,
    ],
    'has a script task in an expression language that cannot be read': [
      process(
        '<startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="x"/><scriptTask id="x" scriptFormat="juel"><script>${a +}</script></scriptTask>',
      ),
      /script task 'x' has an invalid script/,
    ],
    'has an id that is no name': [process('<startEvent id="1s"/>'), /id '1s' cannot be used/],
    'is no BPMN': ['<html xmlns="http://www.w3.org/1999/xhtml"/>', /./],
  };
  for (const [what, [content, sentence]] of Object.entries(bad)) {
    it(`refuses a model that ${what}, with a sentence that names the file`, async () => {
      const { errors } = await deploy(content);
      const [error] = errors ?? [];
      assert.equal(error?.extensions.code, 'BAD_REQUEST', JSON.stringify(errors));
      assert.match(error?.message ?? '', sentence);
      assert.match(error?.message ?? '', /model\.bpmn/);
    });
  }

  it('tells line, column and element of every script that cannot be read', async () => {
    const script = (id: string, text: string) =>
      `<scriptTask id="${id}" scriptFormat="javascript"><script>${text}</script></scriptTask>`;
    const { errors } = await deploy(
      process(`<startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="a"/>
${script('a', 'let a = (1;')}
${script('b', 'b();')}
${script('c', '\n  c(;')}<sequenceFlow id="g" sourceRef="a" targetRef="b"/><sequenceFlow id="h" sourceRef="b" targetRef="c"/>`),
    );
    const details = errors?.[0]?.extensions.details as { problems: Record<string, unknown>[] } | undefined;
    assert.deepEqual(
      details?.problems.map(({ elementId, line, column, rule }) => [elementId, line, column, rule]),
      [
        ['a', 2, 54, 'script-syntax'],
        ['c', 5, 3, 'script-syntax'],
      ],
    );
  });

  it('takes ids of whatever alphabet, and runs by them', async () => {
    const { admin } = company.people;
    const model = `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:t="größe" targetNamespace="größe">
      <message id="Zahlung_é" name="bezahlt"/>
      <process id="Prüfung_1" isExecutable="true">
        <startEvent id="Начало"/><sequenceFlow id="до" sourceRef="Начало" targetRef="t:承認"/>
        <userTask id="承認"><incoming>до</incoming><outgoing>後</outgoing></userTask>
        <boundaryEvent id="期限" attachedToRef="承認"><messageEventDefinition messageRef="Zahlung_é"/></boundaryEvent>
        <sequenceFlow id="後" sourceRef="承認" targetRef="wahl"/><sequenceFlow id="früh" sourceRef="期限" targetRef="ende_ø"/>
        <exclusiveGateway id="wahl" default="nein·1"/>
        <sequenceFlow id="nein·1" sourceRef="wahl" targetRef="ende_ø"/>
        <sequenceFlow id="ja" sourceRef="wahl" targetRef="τέλος"><conditionExpression>\${gut}</conditionExpression></sequenceFlow>
        <endEvent id="ende_ø"/><endEvent id="τέλος"/>
      </process></definitions>`;
    const { data, errors } = await deploy(model, 'prüfung.bpmn');
    assert.equal(errors, undefined, JSON.stringify(errors));
    assert.equal(data?.deployProcess.processDefinitions[0]?.key, 'Prüfung_1');
    const done = await admin.start('Prüfung_1');
    assert.deepEqual([...(await admin.instance(done)).activeActivityIds], ['承認']);
    await admin.perform(done, '承認', { gut: true });
    assert.deepEqual(await admin.path(done), ['Начало', '承認', 'wahl', 'τέλος']);
    const paid = await admin.start('Prüfung_1');
    await admin.message('bezahlt', {}, { processInstanceId: paid });
    assert.deepEqual(await admin.path(paid), ['Начало', '承認✗', '期限', 'ende_ø']);
  });

  it('takes a service task that nothing handles as yet; running it is refused', async () => {
    const camunda = 'xmlns:camunda="http://camunda.org/schema/1.0/bpmn"';
    const content = process(
      `<startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="x"/><serviceTask id="x" ${camunda} camunda:class="pay"/>`,
    );
    assert.equal((await deploy(content)).errors, undefined);
    const refused = await refusal(company.people.nora.start('p'));
    assert.equal(refused.code, 'EXECUTION_FAILED');
    assert.match(refused.message, /handler 'pay'/);
  });

  it('takes all files or none', async () => {
    const count = async () =>
      (await company.people.admin.client.run('{ processDefinitions { totalCount } }')).processDefinitions.totalCount;
    const before = await count();
    const resources = [
      { name: 'good.bpmn', content: GOOD.replace('id="p"', 'id="q"') },
      { name: 'bad.bpmn', content: 'x' },
    ];
    const { errors } = await deploy('', 'unused', { resources });
    assert.match(errors?.[0]?.message ?? '', /bad\.bpmn/);
    assert.equal(await count(), before);
  });
});
