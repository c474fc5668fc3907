import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

const REGISTER = 'mutation ($cnd: String!) { registerNodeTypes(cnd: $cnd) { name } }';
const CREATE = 'mutation ($input: CreateNodeInput!) { createNode(input: $input) { path } }';
const SET =
  'mutation ($path: String!, $properties: [PropertyInput!]!) { setProperties(path: $path, properties: $properties) { errors { message } } }';
const NODE =
  'query ($path: String!) { node(path: $path) { isWritable checkedInBy children(first: 50) { edges { node { name } } } } }';
const CHECKIN = 'mutation ($path: String!) { checkin(input: { path: $path }) { name } }';
const CHECKOUT = 'mutation ($path: String!) { checkout(input: { path: $path }) }';
const DELETE = 'mutation ($path: String!) { deleteNode(input: { path: $path }) }';
const RENAME = 'mutation ($path: String!, $name: String!) { renameNode(input: { path: $path, name: $name }) { path } }';
const MOVE =
  'mutation ($from: String!, $to: String!) { moveNode(input: { sourcePath: $from, destPath: $to }) { path } }';
const COPY =
  'mutation ($from: String!, $to: String!) { copyNode(input: { sourcePath: $from, destPath: $to }) { path } }';
const ORDER = 'mutation ($path: String!) { orderNode(input: { path: $path }) { path } }';
const IMPORT = 'mutation ($input: ImportXmlInput!) { importXml(input: $input) { created } }';
const MIXIN = 'mutation ($path: String!) { addMixin(input: { path: $path, mixinType: "mix:title" }) { path } }';
const ALLOW =
  'mutation ($path: String!) { setAccessControl(input: { path: $path, principal: "ann", privileges: ["jcr:read"] }) { entries { principal } } }';
const DENY = 'mutation ($path: String!) { deleteAccessControl(input: { path: $path, principal: "ann" }) }';

const CND = `
<ci = 'http://example.org/ci'>
[ci:doc] > mix:versionable orderable
  + ci:kept (nt:base) = nt:unstructured copy
  + ci:initial (nt:base) = nt:unstructured initialize
  + ci:log (nt:base) = nt:unstructured ignore sns
  + ci:notes (ci:notes) = ci:notes ignore
[ci:notes]
  - * (string)
  + ci:kept (nt:base) = nt:unstructured copy
  + ci:draft (nt:base) = nt:unstructured ignore
`;
const DOC = '/content/doc';
const xml = (name: string, rows = 0) =>
  `<${name} xmlns:ci="http://example.org/ci" xmlns:jcr="http://www.jcp.org/jcr/1.0" jcr:primaryType="nt:unstructured">${'<row jcr:primaryType="nt:unstructured"/>'.repeat(rows)}</${name}>`;

describe('a checked-in node', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer();
    admin = server.as('admin');
    await admin.run(REGISTER, { cnd: CND });
  });
  after(() => server.remove());

  const create = (path: string, name: string, nodeType: string | null = 'nt:unstructured') =>
    admin.run(CREATE, { input: { path, name, nodeType, allowSameNameSiblings: true } });
  const set = async (path: string) => {
    const properties = [{ name: 'p', value: { stringValue: 'x' } }];
    assert.deepEqual((await admin.run(SET, { path, properties })).setProperties.errors, []);
  };
  const seen = async (path: string) => {
    const { node } = await admin.run(NODE, { path });
    const children = (node?.children.edges ?? []).map(({ node: child }) => child.name.replace('ci:', ''));
    return { children, isWritable: node?.isWritable, checkedInBy: node?.checkedInBy };
  };
  const isRefused = async (asked: Promise<unknown>) => {
    const { code, errors } = await refusal(asked);
    assert.deepEqual([code, errors[0]?.extensions.reason], ['CONFLICT', 'checked_in']);
  };

  beforeEach(async () => {
    for (const path of [DOC, '/content/ci:log', '/content/many']) await admin.run(DELETE, { path });
    await create('/content', 'doc', 'ci:doc');
    for (const child of ['kept', 'initial', 'log', 'notes'])
      await create(DOC, `ci:${child}`, child === 'notes' ? 'ci:notes' : 'nt:unstructured');
    await create(`${DOC}/ci:notes`, 'ci:kept');
    await admin.run(CHECKIN, { path: DOC });
  });

  it('gains, loses and changes the children that no version keeps', async () => {
    await create(DOC, 'ci:log');
    assert.deepEqual((await seen(DOC)).children, ['kept', 'initial', 'log', 'notes', 'log']);
    const log = `${DOC}/ci:log[2]`;
    await set(log);
    await create(log, 'entry');
    await admin.run(MIXIN, { path: log });
    await admin.run(ORDER, { path: `${DOC}/ci:log` });
    await admin.run(DELETE, { path: log });
    assert.deepEqual((await seen(DOC)).children, ['kept', 'initial', 'notes', 'log']);
    await admin.run(MOVE, { from: `${DOC}/ci:log`, to: '/content' });
    await admin.run(COPY, { from: '/content/ci:log', to: DOC });
    await admin.run(DELETE, { path: `${DOC}/ci:log` });
    await admin.run(MOVE, { from: '/content/ci:log', to: DOC });
    await admin.run(IMPORT, { input: { path: DOC, xml: xml('ci:log') } });
    assert.deepEqual((await seen(DOC)).children, ['kept', 'initial', 'notes', 'log', 'log']);
  });

  it('gains many of them at once', async () => {
    await admin.run(IMPORT, { input: { path: DOC, xml: xml('ci:log', 400) } });
    await admin.run(COPY, { from: `${DOC}/ci:log[2]`, to: '/content' });
    await admin.run(DELETE, { path: `${DOC}/ci:log[2]` });
    await admin.run(MOVE, { from: '/content/ci:log', to: DOC });
    assert.equal((await seen(`${DOC}/ci:log[2]`)).children.length, 50);
    await isRefused(admin.run(IMPORT, { input: { path: DOC, xml: xml('ci:kept', 400) } }));
  });

  it('keeps all that its versions keep', async () => {
    await create('/content', 'ci:log');
    for (const child of ['kept', 'initial']) {
      await isRefused(set(`${DOC}/ci:${child}`));
      await isRefused(create(`${DOC}/ci:${child}`, 'below'));
      await isRefused(admin.run(DELETE, { path: `${DOC}/ci:${child}` }));
      await isRefused(admin.run(MOVE, { from: `${DOC}/ci:${child}`, to: '/content' }));
      await isRefused(admin.run(ORDER, { path: `${DOC}/ci:${child}` }));
      await isRefused(admin.run(IMPORT, { input: { path: DOC, xml: xml(`ci:${child}`) } }));
      await isRefused(create(DOC, `ci:${child}`));
    }
    await isRefused(create(DOC, 'ci:unheard-of'));
    await isRefused(admin.run(RENAME, { path: `${DOC}/ci:log`, name: 'ci:kept' }));
    await isRefused(admin.run(RENAME, { path: `${DOC}/ci:kept`, name: 'ci:log' }));
    await isRefused(admin.run(MOVE, { from: '/content/ci:log', to: `${DOC}/ci:kept` }));
    await isRefused(admin.run(COPY, { from: '/content/ci:log', to: `${DOC}/ci:kept` }));
    await isRefused(admin.run(IMPORT, { input: { path: `${DOC}/ci:kept`, xml: xml('any') } }));
    await isRefused(admin.run(MIXIN, { path: DOC }));
    assert.deepEqual((await seen(DOC)).children, ['kept', 'initial', 'log', 'notes']);
  });

  it('says for each node below it whether that may be changed', async () => {
    const free = { isWritable: true, checkedInBy: null };
    const fixed = { isWritable: false, checkedInBy: DOC };
    const told = async (path: string) => {
      const { children: _, ...rest } = await seen(path);
      return rest;
    };
    assert.deepEqual(await told(DOC), fixed);
    assert.deepEqual(await told(`${DOC}/ci:kept`), fixed);
    assert.deepEqual(await told(`${DOC}/ci:log`), free);
    assert.deepEqual(
      await told(`${DOC}/ci:notes/ci:kept`),
      free,
      'no version has what is below a child that none keeps',
    );
    await set(`${DOC}/ci:notes/ci:kept`);
    await create(`${DOC}/ci:notes`, 'ci:draft');
    assert.deepEqual((await seen(`${DOC}/ci:notes`)).children, ['draft', 'kept']);
  });

  it('keeps its access control list, as in Jackrabbit, until it is checked out', async () => {
    await isRefused(admin.run(ALLOW, { path: DOC }));
    await isRefused(admin.run(ALLOW, { path: `${DOC}/ci:kept` }));
    const { setAccessControl } = await admin.run(ALLOW, { path: `${DOC}/ci:log` });
    assert.deepEqual(setAccessControl.entries, [{ principal: 'ann' }]);
    await admin.run(CHECKOUT, { path: DOC });
    await admin.run(ALLOW, { path: DOC });
    await admin.run(CHECKIN, { path: DOC });
    await isRefused(admin.run(DENY, { path: DOC }));
  });
});
