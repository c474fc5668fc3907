import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { dataFolder } from '../support/data-folder.js';
import { eventually } from '../support/eventually.js';
import { isOnRedis } from '../support/log-of-run.js';
import { clientOf } from '../support/server.js';
import { serverProcess } from '../support/server-process.js';
import { ADMIN_PASSWORD, basic } from '../support/test-server.js';
import { KillableServer } from './support/killable-server.js';

// Slow: each test starts and ends servers.

const INVOICE = [
  { name: 'invoiceNumber', value: 'R-9' },
  { name: 'creditor', value: 'Mill' },
  { name: 'amount', value: 10 },
];

describe('a server with work', function () {
  this.timeout(60_000);
  let server: KillableServer;
  before(async () => {
    server = new KillableServer();
    await server.start();
  });
  after(() => server.remove());

  it('finishes at SIGTERM the call that it has begun, takes no other, and ends with 0', async () => {
    const url = new URL('/bin/graphql.cgi/web', server.process.baseUrl);
    const headers = { ...basic('ann', 'ann'), 'Content-Type': 'application/json', Expect: '100-continue' };
    const call = request(url, { method: 'POST', headers, agent: false });
    call.flushHeaders();
    await once(call, 'continue'); // the server has the call; now it waits for the body
    const ended = server.end('SIGTERM');
    await eventually('it takes no other', async () => !(await isReady()));
    const input = { definitionKey: 'invoice-approval', variables: INVOICE };
    const query = 'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }';
    call.end(JSON.stringify({ query, variables: { input } }));
    const [response] = await once(call, 'response');
    let body = '';
    for await (const chunk of response) body += chunk;
    const { data } = JSON.parse(body);
    assert.ok(data?.startProcess?.id, body);
    assert.equal(await ended, 0);
    await server.start();
    assert.equal((await server.person('ann').instance(data.startProcess.id)).state, 'active');
  });

  const isReady = async () => {
    const answer = await fetch(`${server.process.baseUrl}/health/ready`).catch(() => undefined);
    return answer?.status === 200;
  };

  it('refuses a second one on its folder in a sentence, and goes on', async () => {
    await assert.rejects(serverProcess({ MILLRACE_DATA: server.folder }), (thrown: Error) => {
      assert.match(thrown.message, /the server ended with 1/);
      assert.match(
        thrown.message,
        /expected to be the only server on the data folder '.*', but another one is using it/,
      );
      assert.ok(!/ at .*\.js:\d/.test(thrown.message), 'a sentence, no stack');
      return true;
    });
    const { processDefinitions } = await server.client('ann').run('{ processDefinitions { totalCount } }');
    assert.equal(processDefinitions.totalCount, 5);
  });

  it('starts on a log that takes longer than callers are to wait', async function () {
    // There it is the connection that does not answer.
    if (isOnRedis) this.skip();
    const folder = dataFolder();
    const slow = await serverProcess({ MILLRACE_DATA: folder.path, MILLRACE_LOG_ANSWER: '1ms' });
    assert.equal(await slow.end(), 0);
    assert.match(slow.logged(), /the start waits for the log/);
    const { baseUrl, end } = await serverProcess({
      MILLRACE_DATA: folder.path,
      MILLRACE_ADMIN_PASSWORD: ADMIN_PASSWORD,
    });
    const { processDefinitions } = await clientOf(baseUrl, 'admin').run('{ processDefinitions { totalCount } }');
    assert.equal(processDefinitions.totalCount, 5);
    assert.equal(await end(), 0);
    folder.remove();
  });

  it('keeps the samples that were deleted deleted at the next start', async () => {
    const admin = server.client('admin');
    const { processDefinitions } = await admin.run('{ processDefinitions { edges { node { deploymentId } } } }');
    for (const { node } of processDefinitions.edges) {
      const { deploymentId: id } = node;
      await admin.run('mutation ($id: ID!) { deleteDeployment(id: $id, cascade: true) }', { id });
    }
    assert.equal(await server.end(), 0);
    await server.start();
    const after = await server.client('admin').run('{ processDefinitions { totalCount } }');
    assert.equal(after.processDefinitions.totalCount, 0);
  });
});
