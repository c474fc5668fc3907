import assert from 'node:assert/strict';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { Events } from './support/events.js';

const FOLLOW =
  'subscription ($path: String, $deep: Boolean, $after: String) { nodeChanged(path: $path, deep: $deep, after: $after) { eventType path identifier nodeType sourcePath userId timestamp node { path } } }';

describe('changes of nodes', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    admin = server.as('admin');
  });
  after(() => server.remove());

  const folder = async (path: string, name: string) => {
    const { extensions } = await admin.ask(
      'mutation ($input: CreateFolderInput!) { createFolder(input: $input) { id } }',
      { variables: { input: { path, name } } },
    );
    return extensions?.position ?? '';
  };

  it('reach whoever follows a folder, its children, or all below it, each once', async () => {
    const after = await folder('/content', 'seen');
    const events = new Events(admin, true);
    try {
      const shallow = events.follow(FOLLOW, { path: '/content/seen', after });
      const deep = events.follow(FOLLOW, { path: '/', deep: true, after });
      await events.connected(1);
      await folder('/content/seen/a', 'b');
      await admin.run(
        'mutation { createFile(input: { path: "/content/seen", name: "f", content: "aGk=" }) { id } setProperties(path: "/content/seen/f", properties: [{ name: "p", value: { stringValue: "x" } }]) { errors { message } } renameNode(input: { path: "/content/seen/f", name: "g" }) { id } deleteNode(input: { path: "/content/seen/a" }) }',
      );
      const told = (await shallow.events(5)).map(({ eventType, path, sourcePath }) => [eventType, path, sourcePath]);
      assert.deepEqual(told, [
        ['CREATED', '/content/seen/a', null],
        ['CREATED', '/content/seen/f', null],
        ['MODIFIED', '/content/seen/f', null],
        ['MOVED', '/content/seen/g', '/content/seen/f'],
        ['DELETED', '/content/seen/a', null],
      ]);
      const all = (await deep.events(6)).map(({ eventType, path }) => `${eventType} ${path}`);
      assert.deepEqual(all, [
        'CREATED /content/seen/a',
        'CREATED /content/seen/a/b',
        'CREATED /content/seen/f',
        'MODIFIED /content/seen/f',
        'MOVED /content/seen/g',
        'DELETED /content/seen/a',
      ]);
    } finally {
      events.close();
    }
  });

  it('are told as far as a subscriber may know of them', async () => {
    await folder('/content', 'guarded');
    await folder('/content/guarded', 'shown');
    const acl = (path: string, allow: boolean) =>
      admin.run(
        'mutation ($path: String!, $allow: Boolean!) { setAccessControl(path: $path, principal: "ann", privileges: ["jcr:read"], allow: $allow) { entries { allow } } }',
        { path, allow },
      );
    const after = await folder('/content/guarded', 'secret');
    await acl('/content/guarded/secret', false);
    const ann = new Events(server.as('ann'), true);
    try {
      const seen = ann.follow(FOLLOW, { path: '/content/guarded', deep: true, after });
      await ann.connected(1);
      await folder('/content/guarded/secret', 'within');
      await admin.run('mutation { deleteNode(input: { path: "/content/guarded/secret/within" }) }');
      await acl('/content/guarded/shown', false);
      await folder('/content/guarded', 'mark');
      await admin.run(
        'mutation { moveNode(input: { sourcePath: "/content/guarded/mark", destPath: "/content/guarded/secret" }) { id } }',
      );
      await folder('/content/guarded', 'last');
      const told = (await seen.events(5)).map(({ eventType, path, sourcePath }) => [eventType, path, sourcePath]);
      assert.deepEqual(told, [
        // The rights of "secret" were taken from her, then those of "shown": where they are is not told.
        ['DELETED', null, null],
        ['DELETED', null, null],
        ['CREATED', '/content/guarded/mark', null],
        ['DELETED', '/content/guarded/mark', null],
        ['CREATED', '/content/guarded/last', null],
      ]);
    } finally {
      ann.close();
    }
  });
});
