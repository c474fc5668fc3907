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

  it('take what they alone define along when they go', async () => {
    const cnd = "<m='http://example.org/mixed'>\n[m:rated] mixin\n  - m:stars (long)\n  + m:review (nt:unstructured)";
    await admin.run('mutation ($cnd: String!) { registerNodeTypes(cnd: $cnd) { name } }', { cnd });
    const make = async (name: string, nodeType: string) => {
      const properties = [
        { name: 'm:stars', value: { longValue: 5 } },
        { name: 'mine', value: { stringValue: 'x' } },
      ];
      const input = { path: '/content', name, nodeType, mixins: ['m:rated'], properties };
      await admin.run('mutation ($input: CreateNodeInput!) { createNode(input: $input) { id } }', { input });
      const review = { path: `/content/${name}`, name: 'm:review', nodeType: 'nt:unstructured' };
      await admin.run('mutation ($input: CreateNodeInput!) { createNode(input: $input) { id } }', { input: review });
      await admin.run(DELETE, { path: `/content/${name}`, mixin: 'm:rated' });
      const { node } = await admin.run(
        'query ($path: String!) { node(path: $path) { properties { name } children { totalCount } } }',
        { path: `/content/${name}` },
      );
      return { properties: node?.properties.map((one) => one.name), children: node?.children.totalCount };
    };
    // JCR's folder has neither; an unstructured node takes both by itself.
    assert.deepEqual(await make('rated-folder', 'nt:folder'), { properties: ['mine'], children: 0 });
    assert.deepEqual(await make('rated-any', 'nt:unstructured'), { properties: ['m:stars', 'mine'], children: 1 });
  });

  it('of versions go as long as there is no version', async () => {
    await admin.run(FOLDER, { name: 'unversioned' });
    const path = '/content/unversioned';
    await admin.run(ADD, { path, mixin: 'mix:versionable' });
    await admin.run(DELETE, { path, mixin: 'mix:versionable' });
    const state = async () =>
      (
        await admin.run(
          'query ($path: String!) { node(path: $path) { isVersionable versionHistory { totalCount } } }',
          { path },
        )
      ).node;
    assert.deepEqual(await state(), { isVersionable: false, versionHistory: null });
    await admin.run(ADD, { path, mixin: 'mix:versionable' });
    assert.deepEqual(await state(), { isVersionable: true, versionHistory: { totalCount: 0 } });
    await admin.run('mutation ($path: String!) { checkpoint(input: { path: $path }) { name } }', { path });
    const refused = await refusal(admin.run(DELETE, { path, mixin: 'mix:versionable' }));
    assert.equal(refused.errors[0]?.extensions.reason, 'mixin_in_use');
    assert.match(refused.message, /it has versions/);
  });

  it('of entity tags give another one with every change of bytes', async () => {
    const path = '/content/tagged.txt';
    const input = { path: '/content', name: 'tagged.txt', content: 'eA==', mimeType: 'text/plain' };
    await admin.run('mutation ($input: CreateFileInput!) { createFile(input: $input) { id } }', { input });
    await admin.run(ADD, { path, mixin: 'mix:etag' });
    await admin.run(ADD, { path: `${path}/jcr:content`, mixin: 'mix:etag' });
    const tags = async () => {
      const { exportXml } = await admin.run('query ($path: String!) { exportXml(path: $path, view: SYSTEM) }', {
        path,
      });
      return [...exportXml.matchAll(/sv:name="jcr:etag" sv:type="String"><sv:value>([^<]*)</g)].map(([, tag]) => tag);
    };
    const set = (name: string, value: object) => admin.run(SET, { path, properties: [{ name, value }] });
    const first = await tags();
    assert.equal(first.length, 2);
    await set('text', { stringValue: 'no bytes' });
    assert.deepEqual(await tags(), first);
    const seen = new Set(first);
    for (const bytes of ['eQ==', 'eg==']) {
      await set('jcr:data', { binaryValue: bytes });
      for (const tag of await tags()) seen.add(tag);
    }
    await set('more', { binaryValue: 'eQ==' });
    for (const tag of await tags()) seen.add(tag);
    assert.equal(seen.size, 8);
    const last = await tags();
    await set('more', { binaryValue: 'eQ==' });
    assert.deepEqual(await tags(), last);
  });
});
