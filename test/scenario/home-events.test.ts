import assert from 'node:assert/strict';
import { type LiveServer, liveServer } from '../support/server.js';
import { Events, type Received } from './support/events.js';

describe('what happens in a home', () => {
  let server: LiveServer;
  let events: Events;
  let followed: Record<'preferences' | 'wallpapers' | 'avatar', Received>;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }, { userId: 'bob' }] });
    events = new Events(server.as('ann', 'system'), false);
    followed = {
      preferences: events.follow('subscription { preferenceChanged(userId: "bob") { category data userId } }'),
      wallpapers: events.follow('subscription { wallpaperChanged { action filename userId } }'),
      avatar: events.follow('subscription { avatarChanged { userId } }'),
    };
    await events.connected(3);
  });
  after(async () => {
    events.close();
    await server.remove();
  });

  const file = (path: string, name: string, content = 'AAEC') =>
    `createFile(path: "${path}", name: "${name}", mimeType: "image/png", content: "${content}") { path }`;

  it('is told to its user, and to nobody else', async () => {
    const [ann, bob, admin] = ['ann', 'bob', 'admin'].map((name) => server.as(name, 'system'));
    const set = (username: string, theme: string) =>
      `updatePreferences(input: { username: "${username}", category: "appearance", data: { theme: "${theme}" } }) { errors { code } }`;
    await bob?.run(`mutation { a: ${set('bob', 'dark')} b: ${file('/home/users/bob', 'avatar')} }`);
    await ann?.run(`mutation { a: ${set('ann', 'dark')} b: ${set('ann', 'light')} }`);
    await admin?.run('mutation { updateUser(input: { username: "ann", displayName: "Ann" }) { errors { code } } }');
    assert.deepEqual(await followed.preferences.events(3), [
      { category: 'appearance', data: { theme: 'dark' }, userId: 'ann' },
      { category: 'appearance', data: { theme: 'light' }, userId: 'ann' },
      { category: 'profile', data: { displayName: 'Ann' }, userId: 'ann' },
    ]);
    const home = '/home/users/ann';
    await ann?.run(
      `mutation {
        a: ${file(home, 'avatar')}
        b: ${file(`${home}/wallpapers`, 'sea.png')}
        c: renameNode(input: { path: "${home}/wallpapers/sea.png", name: "lake.png" }) { path }
        d: setProperties(path: "${home}/wallpapers/lake.png", properties: [{ name: "x", value: { stringValue: "y" } }]) { errors { message } }
        e: deleteNode(input: { path: "${home}/wallpapers/lake.png" })
        f: deleteNode(input: { path: "${home}/avatar" })
      }`,
    );
    assert.deepEqual(await followed.wallpapers.events(4), [
      { action: 'added', filename: 'sea.png', userId: 'ann' },
      { action: 'added', filename: 'lake.png', userId: 'ann' },
      { action: 'updated', filename: 'lake.png', userId: 'ann' },
      { action: 'deleted', filename: 'lake.png', userId: 'ann' },
    ]);
    assert.deepEqual(await followed.avatar.events(2), [{ userId: 'ann' }, { userId: 'ann' }]);
  });
});
