import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { Events, type Received } from './support/events.js';

describe('notifications', () => {
  let server: LiveServer;
  let opened: Events[];
  let followed: Received[];
  before(async () => {
    server = await liveServer({
      users: [
        { userId: 'ann', groups: ['staff'] },
        { userId: 'bob', roles: ['supervisor'] },
      ],
      // No disk has that much room.
      env: { MILLRACE_DISK_LOW: '1TiB' },
    });
    const places = [
      ['ann', 'web'],
      ['bob', 'system'],
    ] as const;
    opened = places.map(([user, workspace]) => new Events(server.as(user, workspace), false));
    followed = opened.map((events) =>
      events.follow('subscription { systemNotification { type title message severity data } }'),
    );
    for (const events of opened) await events.connected(1);
  });
  after(async () => {
    for (const events of opened) events.close();
    await server.remove();
  });

  const notify = (input: object, user = 'admin', workspace = 'system') =>
    server
      .as(user, workspace)
      .run('mutation ($input: NotifyInput!) { notify(input: $input) { id title timestamp } }', { input });
  const told = (title: string, more = {}) => ({
    ...{ type: 'INFO', title, message: 'm', severity: 'LOW', data: null },
    ...more,
  });

  it('come to all, or to those who are named, in whichever workspace they work', async () => {
    await notify({ title: 'bob', message: 'm', users: ['bob'] });
    await notify({ title: 'staff', message: 'm', groups: ['staff'], severity: 'HIGH', data: { a: 1 } });
    await notify({ title: 'all', message: 'm', type: 'WARNING' });
    const all = told('all', { type: 'WARNING' });
    assert.deepEqual(await followed[0]?.events(2), [told('staff', { severity: 'HIGH', data: { a: 1 } }), all]);
    assert.deepEqual(await followed[1]?.events(2), [told('bob'), all]);
  });

  it('go on behind a position', async () => {
    const first = await server
      .as('admin', 'system')
      .ask('mutation { notify(input: { title: "first", message: "m" }) { id } }');
    const position = (first.extensions as { readonly position: string }).position;
    await notify({ title: 'missed', message: 'm' });
    const events = new Events(server.as('ann'), false);
    opened.push(events);
    const query = 'subscription ($after: String) { systemNotification(after: $after) { title } }';
    assert.deepEqual(await events.follow(query, { after: position }).events(1), [{ title: 'missed' }]);
  });

  it('tell of a model that could not be deployed: those who may deal with it, wherever they work', async () => {
    const seen = opened.length;
    const tell = (user: string, workspace: string) => {
      const events = new Events(server.as(user, workspace), false);
      opened.push(events);
      return events.follow('subscription { systemNotification { type title data } }');
    };
    const received = [tell('admin', 'system'), tell('bob', 'system'), tell('ann', 'web')];
    for (const events of opened.slice(seen)) await events.connected(1);
    const input = { path: '/etc/bpm/processes', name: 'bad.bpmn', content: Buffer.from('<x/>').toString('base64') };
    await server.as('admin').run('mutation ($input: CreateFileInput!) { createFile(input: $input) { id } }', {
      input: { ...input, mimeType: 'text/xml' },
    });
    for (const one of received.slice(0, 2)) {
      const [{ data, ...shown } = assert.fail()] = (await one.events(1)) as unknown as { readonly data: object }[];
      assert.deepEqual(shown, { type: 'ERROR', title: "A deployment failed in workspace 'web'" });
      assert.equal((data as { readonly kind: string }).kind, 'deployment');
    }
    await notify({ title: 'last', message: 'm' });
    assert.deepEqual(await received[2]?.events(1), [{ type: 'INFO', title: 'last', data: null }]);
  });

  it('tell administrators of a disk that is nearly full, as the server says of itself', async () => {
    const warned = async () => {
      const { warnings = [] } = (await (await fetch(`${server.baseUrl}/health/ready`)).json()) as {
        readonly warnings?: readonly { readonly reason: string }[];
      };
      return warnings.map(({ reason }) => reason);
    };
    await eventually('it is seen', async () => (await warned()).includes('disk_low'));
  });

  it('are given by administrators, in the workspace of all, and not too long', async () => {
    await assert.rejects(notify({ title: 'x', message: 'm' }, 'ann'), { code: 'FORBIDDEN' });
    await assert.rejects(notify({ title: 'x', message: 'm' }, 'admin', 'web'), { code: 'BAD_REQUEST' });
    for (const long of [
      { title: 'x'.repeat(256), message: 'm' },
      { title: 'x', message: 'm'.repeat(10_001) },
      { title: 'x', message: 'm', data: 'd'.repeat(65_536) },
      { title: 'x', message: 'm', users: Array.from({ length: 1_001 }, (_, n) => `u${n}`) },
      { title: 'x', message: 'm', groups: ['g'.repeat(256)] },
    ])
      await assert.rejects(notify(long), { code: 'LIMIT_EXCEEDED' });
    for (const title of [' ', 'two\nlines', 'bell\u0007', 'turned\u202eround'])
      await assert.rejects(notify({ title, message: 'm' }), { code: 'BAD_REQUEST' });
    await assert.rejects(notify({ title: 'x', message: 'escape \u001b[31m' }), { code: 'BAD_REQUEST' });
    await notify({ title: 'x', message: 'two\n\tlines' });
  });
});
