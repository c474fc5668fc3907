import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

const FOLDER = 'mutation ($name: String!) { createFolder(input: { path: "/content", name: $name }) { path } }';
const ADD =
  'mutation ($path: String!, $mixin: String!) { addMixin(input: { path: $path, mixinType: $mixin }) { uuid } }';
const DELETE =
  'mutation ($path: String!, $mixin: String!) { deleteMixin(input: { path: $path, mixinType: $mixin }) { uuid } }';
const SET =
  'mutation ($path: String!, $properties: [PropertyInput!]!) { setProperties(input: { path: $path, properties: $properties }) { errors { propertyName message } } }';

describe('mixins', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [] });
    admin = server.as('admin');
  });
  after(() => server.remove());

  it('come and go with what is theirs, and leave the rest of the node alone', async () => {
    await admin.run(FOLDER, { name: 'mixed' });
    const path = '/content/mixed';
    const { addMixin } = await admin.run(ADD, { path, mixin: 'mix:referenceable' });
    assert.match(addMixin.uuid ?? '', /^[0-9a-f-]{36}$/);
    const { deleteMixin } = await admin.run(DELETE, { path, mixin: 'mix:referenceable' });
    assert.equal(deleteMixin.uuid, null);
    const again = await admin.run(ADD, { path, mixin: 'mix:referenceable' });
    assert.equal(again.addMixin.uuid, addMixin.uuid);
  });

  it('are registered mixins', async () => {
    await admin.run(FOLDER, { name: 'plain' });
    for (const mixin of ['nt:folder', 'mix:none', 'no:such']) {
      assert.equal((await refusal(admin.run(ADD, { path: '/content/plain', mixin }))).code, 'BAD_REQUEST');
    }
  });

  it('hold properties to their type', async () => {
    await admin.run(FOLDER, { name: 'titled' });
    const path = '/content/titled';
    await admin.run(ADD, { path, mixin: 'mix:title' });
    const wrong = [{ name: 'jcr:title', value: { longArrayValue: [5] } }];
    const { setProperties } = await admin.run(SET, { path, properties: wrong });
    assert.match(setProperties.errors[0]?.message ?? '', /'jcr:title' of '\/content\/titled' to have one value/);
  });

  it('take values of other types that mean one of theirs', async () => {
    await admin.run(
      'mutation { createFile(input: { path: "/content", name: "dated.txt", content: "eA==", mimeType: "text/plain" }) { id } }',
    );
    const path = '/content/dated.txt';
    const set = async (value: object) =>
      (await admin.run(SET, { path, properties: [{ name: 'jcr:lastModified', value }] })).setProperties.errors;
    assert.deepEqual(await set({ stringValue: '2001-02-03T04:05:06.000Z' }), []);
    const { node } = await admin.run('query ($path: String!) { node(path: $path) { modified } }', { path });
    assert.equal(node?.modified, '2001-02-03T04:05:06.000Z');
    assert.match((await set({ stringValue: 'soon' }))[0]?.message ?? '', /'jcr:lastModified' .* to be a date .*'soon'/);
    assert.match((await set({ booleanValue: true }))[0]?.message ?? '', /'jcr:lastModified'/);
    const properties = [{ name: 'jcr:title', value: { longValue: 5 } }];
    const input = { path: '/content', name: 'numbered', nodeType: 'nt:folder', mixins: ['mix:title'], properties };
    await admin.run('mutation ($input: CreateNodeInput!) { createNode(input: $input) { id } }', { input });
  });
});
