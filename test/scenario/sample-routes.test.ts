import assert from 'node:assert/strict';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpPeer } from '../eip/support/http-peer.js';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { temporaryFolder } from '../support/temporary.js';
import { ADMIN_PASSWORD } from '../support/test-server.js';

const BASIC = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;

describe('the sample routes', () => {
  const files = temporaryFolder();
  const peer = new HttpPeer();
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    await peer.listen();
    const variables = { INVOICES: files.path, PRICES: `http://${peer.host}/acme`, PRICE_PERIOD: '20' };
    Object.assign(process.env, variables);
    const names = Object.keys(variables).join(',');
    const env = { MILLRACE_FILE_ROOTS: files.path, MILLRACE_ROUTE_VARIABLES: names, MILLRACE_HTTP_HOSTS: peer.host };
    server = await liveServer({ clock: 'system', env });
    admin = server.as('admin');
    for (const id of ['invoices-from-files', 'readings-over-http'])
      await admin.run('mutation ($id: ID!) { startRoute(input: { id: $id }) { status } }', { id });
  });
  after(async () => {
    for (const name of ['INVOICES', 'PRICES', 'PRICE_PERIOD']) delete process.env[name];
    await server.remove();
    await peer.close();
    files.remove();
  });

  const invoices = async () => {
    const { processInstances } = await admin.run(
      '{ processInstances(definitionKey: "invoice-approval") { edges { node { businessKey startUserId variables { name value } } } } }',
    );
    return new Map(processInstances.edges.map(({ node }) => [node.businessKey, node]));
  };

  /** Whole at once, as whoever delivers files should. */
  function deliver(name: string, text: string): void {
    writeFileSync(join(files.path, `${name}.part`), text);
    renameSync(join(files.path, `${name}.part`), join(files.path, name));
  }

  it('start an approval for each invoice of a CSV file', async () => {
    deliver('march.csv', 'invoiceNumber,creditor,amount\nM-1,ACME,1250.50\r\nM-2,"Smith, Jones",9000\n\n');
    await eventually('the file is read', () => existsSync(join(files.path, '.done/march.csv')));
    const started = await invoices();
    assert.deepEqual([...started.keys()].sort(), ['M-1', 'M-2']);
    const variables = started.get('M-2')?.variables.map(({ name, value }) => [name, value]) ?? [];
    const { invoiceNumber, creditor, amount } = Object.fromEntries(variables);
    assert.deepEqual([invoiceNumber, creditor, amount], ['M-2', 'Smith, Jones', 9000]);
    assert.equal(started.get('M-1')?.startUserId, 'samples');
  });

  it('put a file aside of which a line cannot be used', async () => {
    deliver('april.csv', 'A-1,ACME,12\nA-2,ACME,much\nA-3,ACME,12\n');
    await eventually('the file is put aside', () => existsSync(join(files.path, '.error/april.csv')));
    const started = await invoices();
    assert.deepEqual([started.has('A-1'), started.has('A-2'), started.has('A-3')], [true, false, false]);
  });

  describe('keep readings that come in over HTTP', () => {
    const post = async (body: string, authorization = BASIC) => {
      const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
      const response = await fetch(`${server.baseUrl}/routes/web/readings`, { method: 'POST', headers, body });
      return { status: response.status, text: await response.text() };
    };
    before(async () => {
      await admin.run('mutation { createFolder(input: { path: "/content", name: "readings" }) { id } }');
      await admin.run(`mutation { setAccessControl(input: { path: "/content/readings", entries: [
        { principal: "samples", privileges: ["jcr:all"], allow: true }] }) { entries { principal } } }`);
    });

    it('as files, each with an answer that says where', async () => {
      const { status, text } = await post('{"sensor": "roof-1", "celsius": 21.5}');
      assert.deepEqual([status, text.slice(0, 35)], [201, '{"path": "/content/readings/roof-1/']);
      const { node } = await admin.run(
        'query ($path: String!) { node(path: $path) { createdBy mimeType } }',
        JSON.parse(text),
      );
      assert.deepEqual([node?.createdBy, node?.mimeType], ['samples', 'application/json']);
    });

    for (const body of [
      '{"sensor": "../x", "celsius": 1}',
      '{"sensor": "s"}',
      '{"celsius": 1}',
      '{"sensor": "s", "celsius": "hot"}',
      'no JSON',
      '',
    ])
      it(`but not ${body || 'nothing'}`, async () => {
        assert.equal((await post(body)).status, 400);
      });

    it('for those alone who say who they are', async () => {
      assert.equal((await post('{"sensor": "roof-1", "celsius": 21.5}', '')).status, 401);
    });
  });

  it('tell of prices above a limit, and go on where there is none', async () => {
    const answers = [
      { status: 500, text: 'no' },
      { status: 200, text: '{"symbol":"ACME","price":99}' },
      { status: 200, text: '{"symbol":"ACME","price":101.5,"volume":7}' },
    ];
    peer.on('/acme', (response) => {
      const { status, text } = answers.shift() ?? { status: 200, text: '{"symbol":"ACME","price":1}' };
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
    });
    await admin.run('mutation { startRoute(input: { id: "price-alert" }) { status } }');
    await eventually('prices are asked for', () => peer.asked.length > 4);
    await admin.run('mutation { stopRoute(input: { id: "price-alert" }) { status } }');
    const { mockEndpoint } = await admin.run(
      '{ mockEndpoint(name: "price-alert") { receivedCounter exchanges { body } } }',
    );
    assert.deepEqual(mockEndpoint, { receivedCounter: 1, exchanges: [{ body: 'ACME costs 101.5' }] });
    assert.equal(peer.asked[0]?.method, 'GET');
    const { route } = await admin.run('{ route(id: "price-alert") { exchangesFailed } }');
    assert.equal(route?.exchangesFailed, 0);
  });
});
