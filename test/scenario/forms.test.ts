import assert from 'node:assert/strict';
import { bpmn, element, extended, line } from '../support/bpmn.js';
import { type LiveServer, liveServer } from '../support/server.js';

const GENERATED = extended(`<camunda:formData>
  <camunda:formField id="amount" label="Amount" type="long" defaultValue="\${limit}"><camunda:validation><camunda:constraint name="min" config="1"/><camunda:constraint name="required"/></camunda:validation></camunda:formField>
  <camunda:formField id="kind" type="enum"><camunda:properties><camunda:property id="hint" value="which"/></camunda:properties><camunda:value id="a" name="A"/><camunda:value id="b" name="B"/></camunda:formField>
</camunda:formData>`);

const MODEL = bpmn(
  line(
    ['generated', 'drawn', 'wait'],
    element('userTask', 'generated', {}, GENERATED) +
      element('userTask', 'drawn', { 'camunda:formRef': 'ask', 'camunda:formRefBinding': 'deployment' }) +
      element('userTask', 'wait'),
  ).replace(
    '<bpmn:startEvent id="start"></bpmn:startEvent>',
    `<bpmn:startEvent id="start">${extended('<camunda:formData><camunda:formField id="limit" type="long"><camunda:validation><camunda:constraint name="required"/></camunda:validation></camunda:formField></camunda:formData>')}</bpmn:startEvent>`,
  ),
  { key: 'formed' },
);
const FORM = {
  type: 'default',
  id: 'ask',
  components: [{ type: 'textfield', key: 'name', validate: { required: true, minLength: 2 } }],
};

describe('forms over the API', () => {
  let server: LiveServer;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    const { deployProcess } = await server
      .as('admin')
      .run(
        'mutation ($resources: [DeploymentResourceInput!]!) { deployProcess(input: { name: "forms", resources: $resources }) { id warnings { message } } }',
        {
          resources: [
            { name: 'formed.bpmn', content: MODEL },
            { name: 'ask.form', content: JSON.stringify(FORM) },
          ],
        },
      );
    assert.deepEqual(deployProcess.warnings, []);
  });
  after(() => server.remove());

  const START =
    'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id variables { name type value } } }';
  const TASK = `query ($id: String) { tasks(processInstanceId: $id) { edges { node { id taskDefinitionKey
    form { key version schema fields { id label type defaultValue value values { id name } constraints { name config } properties { id value } } } } } } }`;
  const COMPLETE = 'mutation ($input: CompleteTaskInput!) { completeTask(input: $input) { id } }';
  const taskOf = async (id: string) => {
    const { tasks } = await server.as('ann').run(TASK, { id });
    return tasks.edges[0]?.node ?? assert.fail('expected a task');
  };
  const refusal = async (document: string, input: object) => {
    const { errors } = await server.as('ann').ask(document, { variables: { input } });
    return [errors?.[0]?.extensions?.code, errors?.[0]?.message];
  };

  it('are shown with the start, and what is entered there is checked', async () => {
    const { processDefinition } = await server
      .as('ann')
      .run('{ processDefinition(key: "formed") { startForm { fields { id type constraints { name } } schema } } }');
    assert.deepEqual(processDefinition?.startForm, {
      fields: [{ id: 'limit', type: 'long', constraints: [{ name: 'required' }] }],
      schema: null,
    });
    assert.deepEqual(await refusal(START, { definitionKey: 'formed' }), [
      'BAD_REQUEST',
      "form field 'limit': expected a value, but found none",
    ]);
    assert.deepEqual(await refusal(START, { definitionKey: 'formed', variables: [{ name: 'limit', value: 'x' }] }), [
      'BAD_REQUEST',
      "form field 'limit': expected a whole number, but found 'x'",
    ]);
    const { startProcess } = await server
      .as('ann')
      .run(START, { input: { definitionKey: 'formed', variables: [{ name: 'limit', value: '9' }] } });
    assert.deepEqual(startProcess.variables, [{ name: 'limit', type: 'Long', value: 9 }]);
    const { startProcess: unchecked } = await server
      .as('ann')
      .run(START, { input: { definitionKey: 'formed', form: false } });
    assert.deepEqual(unchecked.variables, []);
  });

  it('are shown with the task, and what is entered there is checked', async () => {
    const { startProcess } = await server
      .as('ann')
      .run(START, { input: { definitionKey: 'formed', variables: [{ name: 'limit', value: 9 }] } });
    const first = await taskOf(startProcess.id);
    assert.deepEqual(first.form, {
      ...{ key: null, version: null, schema: null },
      fields: [
        {
          id: 'amount',
          label: 'Amount',
          type: 'long',
          defaultValue: '9',
          value: 9,
          values: [],
          constraints: [
            { name: 'min', config: '1' },
            { name: 'required', config: null },
          ],
          properties: [],
        },
        {
          id: 'kind',
          label: null,
          type: 'enum',
          defaultValue: null,
          value: null,
          values: [
            { id: 'a', name: 'A' },
            { id: 'b', name: 'B' },
          ],
          constraints: [],
          properties: [{ id: 'hint', value: 'which' }],
        },
      ],
    });
    assert.deepEqual(
      await refusal(COMPLETE, {
        taskId: first.id,
        variables: [
          { name: 'amount', value: 0 },
          { name: 'kind', value: 'c' },
        ],
      }),
      ['BAD_REQUEST', "form field 'amount': expected at least 1, but found '0' (and 1 more)"],
    );
    await server.as('ann').run(COMPLETE, { input: { taskId: first.id, variables: [{ name: 'kind', value: 'a' }] } });
    const second = await taskOf(startProcess.id);
    assert.deepEqual(
      [second.taskDefinitionKey, second.form],
      ['drawn', { key: 'ask', version: 1, schema: FORM, fields: [] }],
    );
    assert.deepEqual(await refusal(COMPLETE, { taskId: second.id }), [
      'BAD_REQUEST',
      "form field 'name': expected a value, but found none",
    ]);
    await server.as('ann').run(COMPLETE, { input: { taskId: second.id, variables: [{ name: 'name', value: 'Ann' }] } });
    const { processInstance } = await server
      .as('ann')
      .run('query ($id: ID!) { processInstance(id: $id) { variables { name type value } } }', { id: startProcess.id });
    assert.deepEqual(processInstance?.variables, [
      { name: 'amount', type: 'Long', value: 9 },
      { name: 'kind', type: 'String', value: 'a' },
      { name: 'limit', type: 'Long', value: 9 },
      { name: 'name', type: 'String', value: 'Ann' },
    ]);
  });

  it('that cannot be read are refused', async () => {
    const { errors } = await server
      .as('admin')
      .ask(
        'mutation ($resources: [DeploymentResourceInput!]!) { deployProcess(input: { name: "forms", resources: $resources }) { id } }',
        { variables: { resources: [{ name: 'a.form', content: '{\n"id": }' }] } },
      );
    assert.match(errors?.[0]?.message ?? '', /^resource 'a.form':.* expected a form in JSON/);
  });
});
