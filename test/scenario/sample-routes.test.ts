import assert from 'node:assert/strict';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { temporaryFolder } from '../support/temporary.js';

describe('the sample routes', () => {
  const files = temporaryFolder();
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    const env = { MILLRACE_FILE_ROOTS: files.path, MILLRACE_ROUTE_VARIABLES: 'INVOICES' };
    process.env.INVOICES = files.path;
    server = await liveServer({ clock: 'system', env });
    admin = server.as('admin');
    await admin.run('mutation { startRoute(input: { id: "invoices-from-files" }) { status } }');
  });
  after(async () => {
    delete process.env.INVOICES;
    await server.remove();
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
});
