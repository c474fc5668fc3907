import assert from 'node:assert/strict';
import { type LiveServer, liveServer } from '../support/server.js';
import { Events, type Received } from './support/events.js';

describe('notifications', () => {
  let server: LiveServer;
  let opened: Events[];
  let followed: Received[];
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann', groups: ['staff'] }, { userId: 'bob' }] });
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

  it('are given by administrators, in the workspace of all, and not too long', async () => {
    await assert.rejects(notify({ title: 'x', message: 'm' }, 'ann'), { code: 'FORBIDDEN' });
    await assert.rejects(notify({ title: 'x', message: 'm' }, 'admin', 'web'), { code: 'BAD_REQUEST' });
    await assert.rejects(notify({ title: 'x'.repeat(256), message: 'm' }), { code: 'LIMIT_EXCEEDED' });
  });
});
