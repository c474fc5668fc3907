import assert from 'node:assert/strict';
import { bpmn, element, line } from '../support/bpmn.js';
import { decision, dmn, literal, table } from '../support/dmn.js';
import { eventually } from '../support/eventually.js';
import { type LiveServer, liveServer } from '../support/server.js';

const DISCOUNT = dmn(
  decision(
    'discount',
    table({
      inputs: { 'level of customer': 'string', amount: 'integer' },
      outputs: { rate: 'double' },
      policy: 'hitPolicy="FIRST"',
      rules: [
        ['"gold"', '> 100', '0.2'],
        ['"gold","silver"', '-', '0.1'],
        ['-', '-', '0'],
      ],
    }),
    { requires: ['level'], attributes: 'camunda:versionTag="first"' },
  ) +
    decision('level', literal('if points > 1000 then "gold" else if points > 100 then "silver" else "none"'), {
      variable: 'level of customer',
    }),
);

const ORDER = bpmn(
  line(
    ['decide', 'mark', 'wait'],
    element('businessRuleTask', 'decide', {
      'camunda:decisionRef': 'discount',
      'camunda:mapDecisionResult': 'singleEntry',
      'camunda:resultVariable': 'rate',
    }) +
      element(
        'scriptTask',
        'mark',
        { scriptFormat: 'feel', 'camunda:resultVariable': 'mark' },
        '<bpmn:script>[uuid(), random number()]</bpmn:script>',
      ) +
      element('userTask', 'wait'),
  ),
  { key: 'order' },
);

describe('decisions over the API', () => {
  let server: LiveServer;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }, { userId: 'bob' }] });
    const { deployProcess } = await server.as('admin').run(
      `mutation ($resources: [DeploymentResourceInput!]!) { deployProcess(input: { name: "order", resources: $resources }) {
        processDefinitions { key } decisionDefinitions { key version } } }`,
      {
        resources: [
          { name: 'order.bpmn', content: ORDER },
          { name: 'discount.dmn', content: DISCOUNT },
        ],
      },
    );
    assert.deepEqual(deployProcess.decisionDefinitions, [
      { key: 'discount', version: 1 },
      { key: 'level', version: 1 },
    ]);
  });
  after(() => server.remove());

  const HISTORY = `id definitionKey userId processInstanceId activityId result resultType resultList notes shortened
    evaluated { decisionId result inputs { name type value } matchedRules { number ruleId outputs { name type value } } aggregated }`;

  it('are made by a task, and told with the rules that matched, to who may see the instance', async () => {
    const variables = [
      { name: 'points', value: 2000 },
      { name: 'amount', value: 200 },
    ];
    const { startProcess } = await server
      .as('ann')
      .run(
        'mutation ($variables: [ProcessVariableInput!]) { startProcess(input: { definitionKey: "order", variables: $variables }) { id variables { name type value } } }',
        { variables },
      );
    assert.deepEqual(
      startProcess.variables.find(({ name }) => name === 'rate'),
      { name: 'rate', type: 'Double', value: 0.2 },
    );
    const read = `query ($id: ID!) { decisionHistory(processInstanceId: $id) { totalCount edges { node { ${HISTORY} } } } }`;
    const { decisionHistory } = await server.as('ann').run(read, { id: startProcess.id });
    const [{ node } = assert.fail('expected an evaluation')] = decisionHistory.edges;
    const { id: _, ...told } = node;
    assert.deepEqual(told, {
      ...{ definitionKey: 'discount', userId: 'ann', processInstanceId: startProcess.id, activityId: 'decide' },
      ...{ result: 0.2, resultType: 'Double', resultList: [{ rate: 0.2 }], notes: [], shortened: false },
      evaluated: [
        { decisionId: 'level', result: 'gold', inputs: [], matchedRules: [], aggregated: null },
        {
          decisionId: 'discount',
          result: 0.2,
          inputs: [
            { name: 'level of customer', type: 'String', value: 'gold' },
            { name: 'amount', type: 'Integer', value: 200 },
          ],
          matchedRules: [{ number: 1, ruleId: 'rule1', outputs: [{ name: 'rate', type: 'Double', value: 0.2 }] }],
          aggregated: null,
        },
      ],
    });
    const hidden = await server.as('bob').run(read, { id: startProcess.id });
    assert.deepEqual(hidden.decisionHistory, { totalCount: 0, edges: [] });
  });

  it('are made for whoever asks', async () => {
    const ask =
      'mutation ($variables: [ProcessVariableInput!]) { evaluateDecision(input: { key: "discount", variables: $variables }) { result resultList processInstanceId } }';
    const { evaluateDecision } = await server.as('bob').run(ask, {
      variables: [
        { name: 'points', value: 500 },
        { name: 'amount', value: '7' },
      ],
    });
    assert.deepEqual(evaluateDecision, { result: 0.1, resultList: [{ rate: 0.1 }], processInstanceId: null });
    const { errors } = await server.as('bob').ask(ask, {
      variables: {
        variables: [
          { name: 'points', value: 1 },
          { name: 'amount', value: 'x' },
        ],
      },
    });
    assert.equal(errors?.[0]?.extensions?.code, 'EXECUTION_FAILED');
    assert.match(
      errors?.[0]?.message ?? '',
      /input 2 of decision 'discount', but expected a value of type 'integer', but found 'x'/,
    );
  });

  it('that take too long are ended, and the server goes on', async () => {
    const content = dmn(
      decision('slow', literal('matches(text, "^(a+)+$")')) +
        decision('ticket', literal('if matches("a", "a") then "T-" + uuid() else null')) +
        decision('marked', literal('mark + count([{ n: "ab" }, { n: "c" }][contains(n, "a")])'), {
          requires: ['in:mark'],
        }) +
        '<inputData id="mark" name="mark"/><decisionService id="marks" name="Marks"><outputDecision href="#marked"/><inputData href="#mark"/></decisionService>',
    );
    await server
      .as('admin')
      .run(
        'mutation ($resources: [DeploymentResourceInput!]!) { deployProcess(input: { name: "slow", resources: $resources }) { id } }',
        { resources: [{ name: 'slow.dmn', content }] },
      );
    const { evaluateDecision } = await server
      .as('bob')
      .run('mutation { evaluateDecision(input: { key: "ticket" }) { result notes } }');
    assert.match(String(evaluateDecision.result), /^T-[0-9a-f-]{36}$/);
    const { evaluateDecision: marks } = await server
      .as('bob')
      .run(
        'mutation { evaluateDecision(input: { key: "marks", variables: [{ name: "mark", value: 1 }] }) { definitionName result resultList } }',
      );
    assert.deepEqual(marks, { definitionName: 'Marks', result: 2, resultList: [{ Marks: 2 }] });
    const variables = [{ name: 'text', value: `${'a'.repeat(50)}b` }];
    const { errors } = await server
      .as('bob')
      .ask(
        'mutation ($variables: [ProcessVariableInput!]) { evaluateDecision(input: { key: "slow", variables: $variables }) { result } }',
        { variables: { variables } },
      );
    assert.match(errors?.[0]?.message ?? '', /it took longer than/);
  });

  it('are listed with their versions, and their files given back', async () => {
    const { decisionDefinitions, decisionDefinition } = await server
      .as('bob')
      .run(
        '{ decisionDefinitions(key: "disc", latestVersion: true) { edges { node { id key version latest versionTag resourceName requirementsName } } } decisionDefinition(key: "discount") { id } }',
      );
    const [{ node } = assert.fail('expected a decision')] = decisionDefinitions.edges;
    const { id, ...told } = node;
    assert.equal(id, decisionDefinition?.id);
    assert.deepEqual(told, {
      key: 'discount',
      version: 1,
      latest: true,
      versionTag: 'first',
      resourceName: 'discount.dmn',
      requirementsName: 'File',
    });
    const { decisionDefinitionXml } = await server
      .as('bob')
      .run('query ($id: ID!) { decisionDefinitionXml(id: $id) }', { id });
    assert.equal(decisionDefinitionXml, DISCOUNT);
  });

  it('are deployed as files', async () => {
    const admin = server.as('admin');
    const content = Buffer.from(dmn(decision('filed', literal('42')))).toString('base64');
    await admin.run(
      `mutation ($content: Base64!) { createFile(path: "/etc/bpm/processes", name: "filed.dmn", content: $content) { path } }`,
      { content },
    );
    await eventually(
      'it is deployed',
      async () => (await admin.run('{ decisionDefinition(key: "filed") { id } }')).decisionDefinition !== null,
    );
    const { evaluateDecision } = await admin.run('mutation { evaluateDecision(input: { key: "filed" }) { result } }');
    assert.equal(evaluateDecision.result, 42);
  });
});
