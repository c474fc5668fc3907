import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { KillableServer } from './support/killable-server.js';
import { createRoute } from './support/route-client.js';

const FOLLOW = `
- to: { uri: "cms:write", parameters: { path: "/content/seen/\${header.CamelCmsEventType}-\${header.CamelCmsPath.replace('/', '.')}", exist: Fail } }`;

describe('routes that follow nodes', function () {
  this.timeout(120_000);
  let server: KillableServer;
  beforeEach(async () => {
    server = new KillableServer();
    await server.start();
    for (const name of ['in', 'seen']) await make('/content', name);
  });
  afterEach(() => server.remove());

  const admin = (): GraphqlClient => server.client('admin');
  const make = (path: string, name: string) =>
    admin().run('mutation ($input: CreateFolderInput!) { createFolder(input: $input) { path } }', {
      input: { path, name },
    });
  const seen = async () => {
    const { children } = await admin().run(
      '{ children(path: "/content/seen", first: 100) { edges { node { name } } } }',
    );
    return children.edges.map(({ node }) => node.name);
  };
  const sees = (...names: string[]) =>
    eventually(`it has seen ${names}`, async () => {
      const all = await seen();
      return names.every((name) => all.includes(name));
    });
  const failures = async () => (await admin().run('{ route(id: "follows") { exchangesFailed exchangesTotal } }')).route;

  it('are told of each change once, also of those that came while they stood still or the server was gone', async () => {
    await createRoute(admin(), 'follows', FOLLOW, '"cms:watch?path=/content/in&deep=true&events=CREATED,DELETED"');
    await make('/content/in', 'a');
    await make('/content/in/a', 'b');
    await make('/content', 'elsewhere');
    await sees('CREATED-.content.in.a', 'CREATED-.content.in.a.b');
    await admin().run('mutation { deleteNode(input: { path: "/content/in/a" }) }');
    await sees('DELETED-.content.in.a');
    await admin().run('mutation { stopRoute(input: { id: "follows" }) { id } }');
    await make('/content/in', 'c');
    await admin().run('mutation { startRoute(input: { id: "follows" }) { id } }');
    await sees('CREATED-.content.in.c');
    await server.end('SIGKILL');
    await server.start();
    await make('/content/in', 'd');
    await sees('CREATED-.content.in.d');
    // Twice the same would fail: the nodes are new.
    const { exchangesFailed } = (await failures()) ?? {};
    assert.deepEqual([exchangesFailed, (await seen()).length], [0, 5]);
  });
});
