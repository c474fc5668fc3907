import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bpmn, flows } from '../support/bpmn.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { temporaryFolder } from '../support/temporary.js';

const task = bpmn(`<bpmn:startEvent id="s"/><bpmn:userTask id="t"/><bpmn:endEvent id="e"/>${flows('s', 't', 'e')}`, {
  key: 'task',
});
const call = bpmn(
  `<bpmn:startEvent id="s"/><bpmn:serviceTask id="c" camunda:class="slow"/><bpmn:endEvent id="e"/>${flows('s', 'c', 'e')}`,
  { key: 'call' },
);
const START = 'mutation ($key: String!) { startProcess(input: { definitionKey: $key }) { id state } }';

/** What the handler of the module below waits for. */
const gate = globalThis as { overloadGate?: Promise<void> };

describe('a server of which more is asked than it can do', () => {
  const folder = temporaryFolder();
  let server: LiveServer;
  before(async () => {
    const handlers = join(folder.path, 'handlers.mjs');
    writeFileSync(handlers, "export default (handlers) => handlers.register('slow', () => globalThis.overloadGate);");
    server = await liveServer({
      env: {
        MILLRACE_HANDLERS: handlers,
        MILLRACE_MUTATIONS_AT_ONCE: '1',
        MILLRACE_REQUESTS_WAITING_MAX: '1',
        MILLRACE_GRAPHQL_OBJECTS_MAX: '3',
      },
    });
    for (const [name, content] of Object.entries({ task, call })) {
      await server.as('admin').run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
        input: { name, resources: [{ name: `${name}.bpmn`, content }] },
      });
    }
  });
  after(async () => {
    await server.remove();
    folder.remove();
  });

  it('does nothing of what it refuses, and all of the rest; it is healthy, and people sign in', async () => {
    const admin = server.as('admin');
    await admin.run('{ __typename }'); // the password is checked once
    const starts = Array.from({ length: 40 }, () => admin.ask(START, { variables: { key: 'task' } }));
    const health = fetch(`${server.baseUrl}/health/ready`);
    const answers = await Promise.all(starts);
    assert.equal((await health).status, 200);
    const carriedOut = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    assert.ok(carriedOut.length >= 1);
    assert.ok(refused.length >= 1);
    for (const { status, headers, errors } of refused) {
      assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
      assert.deepEqual([errors?.[0]?.extensions.code, errors?.[0]?.extensions.reason], ['UNAVAILABLE', 'overloaded']);
    }
    for (const { errors } of carriedOut) assert.equal(errors, undefined);
    const { processInstances } = await admin.run('{ processInstances(definitionKey: "task") { totalCount } }');
    assert.equal(processInstances.totalCount, carriedOut.length);
  });

  it('counts no mutation that waits for the calls that its run makes', async () => {
    const admin = server.as('admin');
    let open = () => {};
    gate.overloadGate = new Promise((resolve) => (open = resolve));
    const waiting = [1, 2, 3].map(async () => {
      for (;;) {
        const answer = await admin.ask(START, { variables: { key: 'call' } });
        if (answer.status === 200) return answer.data?.startProcess.state;
      }
    });
    const running = async () =>
      (await admin.run('{ processInstances(definitionKey: "call") { totalCount } }')).processInstances.totalCount;
    while ((await running()) < 3);
    assert.equal((await admin.ask(START, { variables: { key: 'task' } })).status, 200);
    open();
    assert.deepEqual(await Promise.all(waiting), ['completed', 'completed', 'completed']);
  });

  it('answers a change that was made, also where what is read back of it is refused', async () => {
    const { status, errors, extensions } = await server.as('admin').ask(
      `mutation { startProcess(input: { definitionKey: "task" }) {
        id definition { id } activityInstances { id } tasks(first: 1) { edges { node { processInstance { id definition { id } } } } } } }`,
    );
    assert.equal(status, 200);
    assert.equal(typeof extensions?.position, 'string');
    assert.equal(errors?.[0]?.extensions.code, 'LIMIT_EXCEEDED');
    assert.equal(errors?.[0]?.extensions.committed, true);
  });
});
