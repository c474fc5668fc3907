import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bpmn, flows } from '../support/bpmn.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { temporaryFolder } from '../support/temporary.js';

const model = bpmn(
  `<bpmn:startEvent id="s"/>
  <bpmn:serviceTask id="discount" camunda:delegateExpression="\${discount}" camunda:resultVariable="price"/>
  <bpmn:serviceTask id="charge" camunda:class="charge" camunda:resultVariable="result"/>
  <bpmn:boundaryEvent id="declined" attachedToRef="charge"><bpmn:errorEventDefinition errorRef="no"/></bpmn:boundaryEvent>
  <bpmn:endEvent id="e"/><bpmn:endEvent id="refused"/>
  ${flows('s', 'discount', 'charge', 'e')}${flows('declined', 'refused')}`,
  { key: 'sale', root: '<bpmn:error id="no" errorCode="DECLINED"/>' },
);

/** The module that the documentation shows. */
const documented = (): string => /```js\n([\s\S]*?)```/.exec(readFileSync('docs/bpmn.md', 'utf8'))?.[1] ?? '';

describe('handlers of service tasks', () => {
  const folder = temporaryFolder();
  let server: LiveServer;
  before(async () => {
    const path = join(folder.path, 'handlers.mjs');
    writeFileSync(path, documented());
    server = await liveServer({ env: { MILLRACE_HANDLERS: path } });
    await server.as('admin').run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
      input: { name: 'sale', resources: [{ name: 'sale.bpmn', content: model }] },
    });
  });
  after(async () => {
    await server.remove();
    folder.remove();
  });

  const sell = async (amount: number) => {
    const { startProcess } = await server.as('admin').run(
      `mutation { startProcess(input: { definitionKey: "sale", variables: [{ name: "amount", value: ${amount} }] }) {
        state variables { name value } activityInstances { activityId } } }`,
    );
    const variables = Object.fromEntries(startProcess.variables.map(({ name, value }) => [name, value]));
    return { state: startProcess.state, variables, path: startProcess.activityInstances.map((it) => it.activityId) };
  };

  it('do their work before the start is answered', async () => {
    const { state, variables } = await sell(100);
    assert.equal(state, 'completed');
    assert.deepEqual([variables.price, variables.result], [90, { charged: 100 }]);
    assert.match(String(variables.receipt), /^receipt of /);
  });

  it('may end with an error that the model catches', async () => {
    const { state, path } = await sell(2_000);
    assert.deepEqual([state, path.at(-1)], ['completed', 'refused']);
  });

  it('that cannot be loaded are told at the start', async () => {
    const missing = join(folder.path, 'missing.mjs');
    await assert.rejects(
      liveServer({ env: { MILLRACE_HANDLERS: missing } }),
      /MILLRACE_HANDLERS: expected .*missing\.mjs/,
    );
  });
});
