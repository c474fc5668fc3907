import assert from 'node:assert/strict';
import { EventReader } from '../graphql/support/event-reader.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

/** What each subscription is asked for, in the workspace `system`. */
const SUBSCRIPTIONS: Readonly<Record<string, string>> = {
  nodeChanged: 'nodeChanged(path: "/secret", deep: true) { path }',
  jobProgress: 'jobProgress(jobId: "1767225600000-0a1b") { jobId }',
  preferenceChanged: 'preferenceChanged { category }',
  wallpaperChanged: 'wallpaperChanged { filename }',
  avatarChanged: 'avatarChanged { userId }',
  taskAssigned: 'taskAssigned { eventType }',
  taskCompleted: 'taskCompleted { eventType }',
  taskUpdated: 'taskUpdated { eventType }',
  processStarted: 'processStarted { eventType }',
  processEnded: 'processEnded { eventType }',
  processUpdated: 'processUpdated { eventType }',
};

describe('an open stream', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer();
    admin = server.as('admin', 'system');
    await admin.run(
      `mutation {
        outer: createGroup(input: { name: "outer" }) { errors { code } }
        inner: createGroup(input: { name: "inner", parentGroupId: "outer" }) { errors { code } }
        folder: createFolder(path: "/", name: "secret") { path }
        open: setAccessControl(path: "/secret", entries: [{ principal: "everyone", privileges: ["jcr:all"], allow: false }, { principal: "outer", privileges: ["jcr:read"], allow: true }]) { __typename }
      }`,
    );
  });
  after(() => server.remove());

  const change = async (mutation: string) => {
    const data = (await admin.run(`mutation { it: ${mutation} { errors { code } } }`)) as unknown as {
      readonly it: { readonly errors: unknown };
    };
    assert.equal(data.it.errors, null);
  };
  const makeUser = (username: string) =>
    change(`createUser(input: { username: "${username}", password: "${username}", memberOf: ["outer/inner"] })`);
  const note = (name: string) => admin.run(`mutation { createFolder(path: "/secret", name: "${name}") { path } }`);
  const open = ({ url, headers }: GraphqlClient, subscription: string) =>
    EventReader.open(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', ...headers },
      body: JSON.stringify({ query: `subscription { ${subscription} }` }),
    });
  /** The events of what comes, heartbeats left out, until there are so many or the stream ends. */
  const events = async (reader: EventReader, count: number) => {
    const told: string[] = [];
    while (told.length < count) {
      const frame = await reader.next();
      if (frame === undefined) return [...told, 'end'];
      if (frame.event !== undefined) told.push(frame.event === 'next' ? (frame.data ?? '') : frame.event);
    }
    return told;
  };
  const changed = (name: string) => JSON.stringify({ data: { nodeChanged: { path: `/secret/${name}` } } });

  it('tells of nothing that only a group could see which the user has left, by whatever way', async () => {
    const ways: Readonly<Record<string, readonly [leave: string, join: string]>> = {
      ann: [
        'removeGroupMembers(input: { groupId: "outer/inner", usernames: ["ann"] })',
        'addGroupMembers(input: { groupId: "outer/inner", usernames: ["ann"] })',
      ],
      bob: [
        'moveGroup(input: { groupId: "outer/inner" })',
        'moveGroup(input: { groupId: "inner", newParentGroupId: "outer" })',
      ],
    };
    for (const [name, [leave, join]] of Object.entries(ways)) {
      await makeUser(name);
      const reader = await open(server.as(name, 'system'), SUBSCRIPTIONS.nodeChanged ?? '');
      try {
        await note(`${name}1`);
        assert.deepEqual(await events(reader, 1), [changed(`${name}1`)]);
        await change(leave);
        await note(`${name}2`);
        await change(join);
        await note(`${name}3`);
        assert.deepEqual(await events(reader, 1), [changed(`${name}3`)], name);
      } finally {
        reader.close();
      }
    }
  });

  for (const [name, subscription] of Object.entries(SUBSCRIPTIONS)) {
    it(`of ${name} ends without a word when its user is disabled, and when it is deleted`, async () => {
      for (const end of [
        'updateUser(input: { username: "USER", enabled: false })',
        'deleteUser(input: { username: "USER" })',
      ]) {
        const user = `${name}${end.length}`.toLowerCase();
        await makeUser(user);
        const client = server.as(user, 'system');
        await client.run('{ __typename }');
        const reader = await open(client, subscription);
        try {
          await change(end.replace('USER', user));
          assert.deepEqual(await events(reader, 1), ['end'], end);
        } finally {
          reader.close();
        }
      }
    });
  }
});
