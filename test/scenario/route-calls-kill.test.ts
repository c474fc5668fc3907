import assert from 'node:assert/strict';
import { bpmn, flows } from '../support/bpmn.js';
import { eventually } from '../support/eventually.js';
import { KillableServer } from './support/killable-server.js';
import { createRoute } from './support/route-client.js';

const CALLING = bpmn(
  `<bpmn:startEvent id="s"/>
  <bpmn:serviceTask id="call" camunda:delegateExpression="\${eip}" camunda:resultVariable="reply">
    <bpmn:extensionElements><camunda:field name="endpointUri" stringValue="direct:work"/></bpmn:extensionElements>
  </bpmn:serviceTask>
  <bpmn:endEvent id="e"/>
  ${flows('s', 'call', 'e')}`,
  { key: 'calling' },
);
const MADE = bpmn(
  `<bpmn:startEvent id="s"/><bpmn:userTask id="stays"/><bpmn:endEvent id="e"/>${flows('s', 'stays', 'e')}`,
  { key: 'made' },
);

// Waits in the route until there is a node `/content/go`.
const WORK = `
- setBody: { constant: "1,2,3" }
- split:
    tokenize: { token: "," }
    steps:
      - to: { uri: "bpm:start", parameters: { processDefinitionKey: made, businessKey: "\${body}" } }
- loop:
    constant: "2"
    steps:
      - setBody: { constant: "x" }
      - to: { uri: "cms:write", parameters: { path: "/content/done-\${exchangeProperty.CamelLoopIndex}.txt" } }
- setBody: { simple: "\${null}" }
- loop:
    doWhile: true
    simple: "\${body} == null"
    steps:
      - delay: { constant: 20 }
      - to: { uri: "cms:read", parameters: { path: /content/go, required: false } }
- setBody: { constant: "done" }`;

describe('a service task that calls a route of a server that is killed', function () {
  this.timeout(120_000);
  const server = new KillableServer();
  before(() => server.start());
  after(() => server.remove());

  it('is called again, and what the route had done is not done again', async () => {
    const admin = () => server.client('admin');
    for (const [name, content] of Object.entries({ calling: CALLING, made: MADE }))
      await admin().run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
        input: { name, resources: [{ name: `${name}.bpmn`, content }] },
      });
    await createRoute(admin(), 'work', WORK);
    const made = async () =>
      (await admin().run('{ processInstances(definitionKey: "made") { totalCount } }')).processInstances.totalCount;
    const versions = async () =>
      (await admin().run(
        '{ a: node(path: "/content/done-0.txt") { version } b: node(path: "/content/done-1.txt") { version } }',
      )) as object;
    const starting = admin()
      .ask('mutation { startProcess(input: { definitionKey: "calling", businessKey: "the one" }) { id } }')
      .catch(() => undefined);
    const isWritten = async () => !JSON.stringify(await versions()).includes('null');
    await eventually('the route has done its work', isWritten);
    const before = await versions();
    assert.equal(await made(), 3);
    const { processInstances } = await admin().run(
      '{ processInstances(definitionKey: "calling") { edges { node { id } } } }',
    );
    const id = processInstances.edges[0]?.node.id;
    await server.end('SIGKILL');
    await starting;
    await server.start();
    await admin().run('mutation { createFolder(input: { path: "/content", name: "go" }) { path } }');
    const calling = async () =>
      (await admin().run('query ($id: ID!) { processInstance(id: $id) { state variables { name value } } }', { id }))
        .processInstance;
    await eventually('it has its reply', async () => (await calling())?.state === 'completed', 60_000);
    assert.equal((await calling())?.variables.find(({ name }) => name === 'reply')?.value, 'done');
    assert.equal(await made(), 3);
    assert.deepEqual(await versions(), before);
  });
});
