import assert from 'node:assert/strict';
import { Events } from './support/events.js';
import { KillableServer } from './support/killable-server.js';

const NOTIFY = 'mutation ($title: String!) { notify(input: { title: $title, message: "m" }) { id } }';

describe('notifications of a server that is killed', function () {
  this.timeout(120_000);
  const server = new KillableServer();
  after(() => server.remove());

  it('tell of what failed before that, once', async () => {
    await server.start();
    const system = () => server.client('admin', 'system');
    const { extensions } = await system().ask(NOTIFY, { variables: { title: 'before' } });
    const content = Buffer.from('<x/>').toString('base64');
    const input = { path: '/etc/bpm/processes', name: 'bad.bpmn', content, mimeType: 'text/xml' };
    const create = 'mutation ($input: CreateFileInput!) { createFile(input: $input) { id } }';
    await server.client('admin').run(create, { input });
    // Whichever of noting, telling and knowing that it is told was done by then.
    await server.end('SIGKILL');
    await server.start();
    const events = new Events(server.client('admin'), false);
    const query = 'subscription ($after: String) { systemNotification(after: $after) { title data } }';
    const followed = events.follow(query, { after: extensions?.position });
    const [first] = (await followed.events(1)) as unknown as { readonly data: { readonly kind: string } }[];
    assert.equal(first?.data.kind, 'deployment');
    await system().run(NOTIFY, { title: 'last' });
    const told = (await followed.events(2)) as unknown as { readonly title: string }[];
    assert.deepEqual(
      told.map(({ title }) => title),
      ["A deployment failed in workspace 'web'", 'last'],
    );
    events.close();
  });
});
