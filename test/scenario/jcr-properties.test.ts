import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

const CREATE = 'mutation ($input: CreateNodeInput!) { createNode(input: $input) { path } }';
const SET =
  'mutation ($path: String!, $properties: [PropertyInput!]!) { setProperties(input: { path: $path, properties: $properties }) { errors { message } } }';
const PROPERTIES =
  'query ($path: String!) { node(path: $path) { properties { name propertyValue { ... on StringPropertyValue { value } } } } }';

describe('properties named jcr:…', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer();
    admin = server.as('admin');
    await admin.run('mutation ($cnd: String!) { registerNodeTypes(cnd: $cnd) { name } }', {
      cnd: '[titled] > mix:title, mix:created, mix:referenceable - own (string)',
    });
  });
  after(() => server.remove());

  const text = (name: string, stringValue: string) => ({ name, value: { stringValue } });
  const namesAt = async (path: string) => {
    const { node } = await admin.run(PROPERTIES, { path });
    return node?.properties.map(({ name }) => name).sort();
  };

  it('are listed where they can be written, and no field of the node tells them', async () => {
    const properties = [text('jcr:title', 'A title'), text('own', 'x')];
    await admin.run(CREATE, { input: { path: '/content', name: 't', nodeType: 'titled', properties } });
    assert.deepEqual(await namesAt('/content/t'), ['jcr:title', 'own']);
    const address = [text('jcr:host', 'example.org'), { name: 'jcr:path', value: { pathValue: '/a' } }];
    await admin.run(CREATE, { input: { path: '/content', name: 'a', nodeType: 'nt:address', properties: address } });
    assert.deepEqual(await namesAt('/content/a'), ['jcr:host', 'jcr:path']);
    const { setProperties } = await admin.run(SET, {
      path: '/content/t',
      properties: [text('jcr:description', 'More'), { name: 'jcr:title', value: null }],
    });
    assert.deepEqual(setProperties.errors, []);
    assert.deepEqual(await namesAt('/content/t'), ['jcr:description', 'own']);
  });

  it('are not listed where a field of the node tells them', async () => {
    const content = Buffer.from('x').toString('base64');
    await admin.run(
      'mutation ($content: Base64!) { createFile(path: "/content", name: "f.txt", mimeType: "text/plain", content: $content) { path } }',
      { content },
    );
    await admin.run(SET, {
      path: '/content/f.txt',
      properties: [text('jcr:encoding', 'UTF-8'), text('jcr:description', 'A file'), text('own', 'x')],
    });
    assert.deepEqual(await namesAt('/content/f.txt'), ['jcr:description', 'own']);
    assert.deepEqual(await namesAt('/content'), []);
  });

  it('are named by the refusal of others', async () => {
    const input = { path: '/content', name: 'no', nodeType: 'titled' };
    const made = await refusal(admin.run(CREATE, { input: { ...input, properties: [text('jcr:createdBy', 'me')] } }));
    assert.match(
      made.message,
      /'mix:created' protects it, so only the repository changes it \(of jcr:… it may have jcr:description, jcr:title\)$/,
    );
    const unknown = await refusal(admin.run(CREATE, { input: { ...input, properties: [text('jcr:titel', 'x')] } }));
    assert.match(unknown.message, /know no 'jcr:titel' \(of jcr:… it may have jcr:description, jcr:title\)$/);
    const { setProperties } = await admin.run(SET, { path: '/content', properties: [text('jcr:created', 'x')] });
    assert.match(setProperties.errors?.[0]?.message ?? '', /date|protects it/);
    const other = await refusal(admin.run(CREATE, { input: { ...input, properties: [text('titel', 'x')] } }));
    assert.match(other.message, /know no 'titel'$/);
  });
});
