import assert from 'node:assert/strict';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

describe('properties of a workspace', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({});
    admin = server.as('admin');
    await admin.run(
      'mutation { createNode(input: { path: "/etc/eip", name: "properties", nodeType: "nt:unstructured" }) { id } }',
    );
    await set('/etc/eip/properties', { greeting: 'Hello', 'api.token': 's3cret' });
  });
  after(() => server.remove());

  const set = (path: string, values: Record<string, string>) =>
    admin.run('mutation ($input: SetPropertiesInput!) { setProperties(input: $input) { node { id } } }', {
      input: {
        path,
        properties: Object.entries(values).map(([name, value]) => ({ name, value: { stringValue: value } })),
      },
    });
  const create = (routeId: string, steps: string) =>
    admin.run('mutation ($input: CreateRouteInput!) { createRoute(input: $input) { status } }', {
      input: {
        routeId,
        autoStart: true,
        yaml: `- route: { id: ${routeId}, from: { uri: "direct:${routeId}", steps: [${steps}] } }`,
      },
    });
  const send = async (id: string) =>
    (
      await admin.run('mutation ($input: SendToEndpointInput!) { sendToEndpoint(input: $input) { body exception } }', {
        input: { endpointUri: `direct:${id}` },
      })
    ).sendToEndpoint?.body;
  const restart = async (id: string) => {
    await admin.run(`mutation { stopRoute(input: { id: "${id}" }) { id } }`);
    await admin.run(`mutation { startRoute(input: { id: "${id}" }) { id } }`);
  };

  it('stand for placeholders, as they are when the route starts', async () => {
    await create('greets', '{ setBody: { simple: "{{greeting}} ${properties:greeting} {{none:nobody}}" } }');
    assert.equal(await send('greets'), 'Hello Hello nobody');
    await set('/etc/eip/properties', { greeting: 'Good day' });
    await restart('greets');
    assert.equal(await send('greets'), 'Good day Good day nobody');
  });

  it('may be those of children, and are missed by name', async () => {
    await admin.run(
      'mutation { createNode(input: { path: "/etc/eip/properties", name: "shop", nodeType: "nt:unstructured" }) { id } }',
    );
    await set('/etc/eip/properties/shop', { 'shop.url': 'http://shop', greeting: 'of the shop' });
    await create('shops', '{ setBody: { constant: "{{shop.url}} {{greeting}}" } }');
    assert.equal(await send('shops'), 'http://shop of the shop');
    await assert.rejects(create('lost', '{ setBody: { constant: "{{nowhere}}" } }'), /nowhere/);
  });

  it('are not shown where they are called as secrets are', async () => {
    await create('secretive', '{ to: { uri: "stub:out?key={{api.token}}&word={{greeting}}" } }');
    const { route } = await admin.run('{ route(id: "secretive") { definition { yaml } endpoints { uri } } }');
    const shown = JSON.stringify(route);
    assert.ok(!shown.includes('s3cret') && shown.includes('key=***') && shown.includes('{{api.token}}'), shown);
  });
});
