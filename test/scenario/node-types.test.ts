import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

const REGISTER = 'mutation ($cnd: String!) { registerNodeTypes(cnd: $cnd) { name supertypes isMixin isBuiltIn cnd } }';
const UNREGISTER = 'mutation ($names: [String!]!) { unregisterNodeTypes(names: $names) }';
const LIST =
  'query ($first: Int, $after: String, $name: String, $isMixin: Boolean) { nodeTypes(first: $first, after: $after, name: $name, isMixin: $isMixin) { totalCount edges { node { name } } pageInfo { hasNextPage endCursor } } }';
const TYPE =
  'query ($name: String!) { nodeType(name: $name) { name supertypes isAbstract isMixin isQueryable hasOrderableChildNodes primaryItemName isBuiltIn propertyDefinitions { name requiredType isMultiple isMandatory isAutoCreated isProtected onParentVersion defaultValues valueConstraints availableQueryOperators isFullTextSearchable isQueryOrderable } childNodeDefinitions { name requiredPrimaryTypes defaultPrimaryType isMandatory isAutoCreated isProtected onParentVersion allowsSameNameSiblings } cnd } }';
const CREATE = 'mutation ($input: CreateNodeInput!) { createNode(input: $input) { id path mixins } }';

/** In the style of a shop's project. */
const SHOP = `/* The catalogue. */
<shop = 'http://example.org/shop/1.0'>
<nt = 'http://www.jcp.org/jcr/nt/1.0'>

[shop:priced] mixin
  - shop:price (decimal) mandatory < '[0,)'
  - shop:currency (string) = 'EUR' autocreated < '[A-Z]{3}'

[shop:product] > nt:unstructured, shop:priced
  orderable
  - shop:sku (string) mandatory initialize
  - shop:tags (string) multiple noqueryorder
  + shop:images (nt:folder) = nt:folder autocreated version

[shop:category] > nt:hierarchyNode abstract
  + * (shop:product) = shop:product sns
`;

describe('node types', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }], env: { MILLRACE_NODE_TYPES_MAX: '20' } });
    admin = server.as('admin');
  });
  after(() => server.remove());

  const register = async (cnd: string) => (await admin.run(REGISTER, { cnd })).registerNodeTypes;
  const problem = (cnd: string) => refusal(admin.run(REGISTER, { cnd }));
  const product = (name: string, more: object = {}) => ({
    input: {
      path: '/content',
      name,
      nodeType: 'shop:product',
      properties: [
        { name: 'shop:sku', value: { stringValue: name } },
        { name: 'shop:price', value: { decimalValue: '9.90' } },
      ],
      ...more,
    },
  });

  it('are listed by name, filtered and in pages', async () => {
    const { nodeTypes } = await admin.run(LIST, { name: 'NT:', first: 3 });
    assert.deepEqual(
      nodeTypes.edges.map(({ node }) => node.name),
      ['nt:address', 'nt:base', 'nt:childNodeDefinition'],
    );
    const { nodeTypes: next } = await admin.run(LIST, { name: 'NT:', first: 100, after: nodeTypes.pageInfo.endCursor });
    assert.equal(next.edges.length, nodeTypes.totalCount - 3);
    assert.equal(next.pageInfo.hasNextPage, false);
    const { nodeTypes: mixins } = await admin.run(LIST, { isMixin: true });
    assert.ok(mixins.edges.every(({ node }) => /^(mix|mi):/.test(node.name)));
    assert.equal((await refusal(admin.run(LIST, { first: -1 }))).code, 'BAD_REQUEST');
    const foreign = { name: 'mix', after: nodeTypes.pageInfo.endCursor };
    assert.equal((await refusal(admin.run(LIST, foreign))).code, 'BAD_REQUEST');
  });

  it('show all that was declared, and themselves as CND', async () => {
    const { nodeType } = await admin.run(TYPE, { name: 'nt:file' });
    assert.ok(nodeType);
    assert.deepEqual([nodeType.isBuiltIn, nodeType.primaryItemName], [true, 'jcr:content']);
    assert.deepEqual(nodeType.childNodeDefinitions[0], {
      name: 'jcr:content',
      requiredPrimaryTypes: ['nt:base'],
      defaultPrimaryType: null,
      isMandatory: true,
      isAutoCreated: false,
      isProtected: false,
      onParentVersion: 'COPY',
      allowsSameNameSiblings: false,
    });
    assert.match(nodeType.cnd, /^\[nt:file\] > nt:hierarchyNode primaryitem jcr:content\n/);
    const { nodeType: expanded } = await admin.run(TYPE, { name: '{http://www.jcp.org/jcr/nt/1.0}file' });
    assert.equal(expanded?.name, 'nt:file');
    for (const name of ['no:such', 'nope', '[x]']) assert.equal((await admin.run(TYPE, { name })).nodeType, null);
  });

  it('are registered with their namespaces, and hold nodes to what they say at once', async () => {
    const types = await register(SHOP);
    assert.deepEqual(
      types.map(({ name, isBuiltIn }) => [name, isBuiltIn]),
      [
        ['shop:priced', false],
        ['shop:product', false],
        ['shop:category', false],
      ],
    );
    assert.match(types[1]?.cnd ?? '', /^<shop = 'http:\/\/example.org\/shop\/1.0'>\n\n\[shop:product\]/);
    const { namespaces } = await admin.run('{ namespaces { prefix uri } }');
    assert.deepEqual(namespaces.at(-1), { prefix: 'shop', uri: 'http://example.org/shop/1.0' });
    await admin.run(CREATE, product('p1'));
    const { node } = await admin.run(
      '{ node(path: "/content/p1/shop:images") { nodeType parent { properties { name } } } }',
    );
    assert.equal(node?.nodeType, 'nt:folder');
    const names = node?.parent?.properties.map(({ name }) => name) ?? [];
    assert.deepEqual(names.sort(), ['shop:currency', 'shop:price', 'shop:sku']);
    const cheap = [{ name: 'shop:price', value: { decimalValue: '-1' } }];
    const refused = await refusal(admin.run(CREATE, product('p2', { properties: cheap })));
    assert.match(refused.message, /'shop:sku', which 'shop:product' demands.*satisfy '\[0,\)' of 'shop:priced'/);
    assert.equal((await register(SHOP)).length, 3, 'expected the same text to be taken again');
  });

  it('are refused with line, column, type and rule, and then all of them', async () => {
    const broken = await problem("<b = 'http://example.org/b'>\n[b:good]\n[b:bad] > b:nowhere\n");
    assert.equal(broken.code, 'BAD_REQUEST');
    assert.match(broken.message, /'b:bad'.*'b:nowhere'/);
    const typo = await problem('[good]\n[bad]\n  - p (strin)\n');
    assert.match(typo.message, /^BAD_REQUEST: line 3, column 8: expected the type of the property 'p' of 'bad'/);
    assert.deepEqual(typo.errors[0]?.extensions.details, { line: 3, column: 8 });
    assert.equal((await admin.run(TYPE, { name: 'good' })).nodeType, null);
    assert.equal((await problem('[nt:file]')).code, 'BAD_REQUEST');
    const many = Array.from({ length: 21 }, (_, n) => `[t${n}]`).join('\n');
    assert.equal((await problem(many)).code, 'LIMIT_EXCEEDED');
    assert.equal((await problem(`// ${'x'.repeat(1_000_000)}`)).code, 'LIMIT_EXCEEDED');
  });

  it('change as long as nobody loses by it', async () => {
    await register('[wide] > nt:base orderable\n  - a (string)\n  + * (nt:base)');
    await admin.run(CREATE, { input: { path: '/content', name: 'w', nodeType: 'wide' } });
    await register('[wide] > nt:base orderable\n  - a (string)\n  - b (long)\n  + * (nt:base)');
    const narrow = await problem('[wide] > nt:base orderable\n  - a (string) mandatory\n  + * (nt:base)');
    assert.equal(narrow.code, 'CONFLICT');
    assert.match(narrow.message, /'wide', which is to demand more than before, but '\/content\/w' is/);
    assert.equal((await problem('[wide] mixin')).code, 'CONFLICT');
    await admin.run('mutation { deleteNode(input: { path: "/content/w" }) }');
    await register('[wide] > nt:base\n  - a (string) mandatory');
    const { nodeType } = await admin.run(TYPE, { name: 'wide' });
    assert.equal(nodeType?.propertyDefinitions[0]?.isMandatory, true);
  });

  it('change only so that they still go with the mixins of their nodes', async () => {
    await register('[base] > nt:base\n[plus] mixin\n  - * (undefined)');
    await admin.run(CREATE, { input: { path: '/content', name: 'combined', nodeType: 'base', mixins: ['plus'] } });
    const clash = await problem('[base] > nt:base\n  - c (string)');
    assert.equal(clash.code, 'CONFLICT');
    const { node } = await admin.run('{ node(path: "/content/combined") { nodeType mixins } }');
    assert.deepEqual(node, { nodeType: 'base', mixins: ['plus'] });
  });

  it('go when no node and no type needs them', async () => {
    await register('[gone] > nt:base\n[heir] > gone');
    const needed = await refusal(admin.run(UNREGISTER, { names: ['gone'] }));
    assert.match(needed.message, /gone/);
    await admin.run(CREATE, { input: { path: '/content', name: 'h', nodeType: 'heir' } });
    const used = await refusal(admin.run(UNREGISTER, { names: ['gone', 'heir'] }));
    assert.deepEqual([used.code, used.errors[0]?.extensions.reason], ['CONFLICT', 'node_type_in_use']);
    await admin.run('mutation { deleteNode(input: { path: "/content/h" }) }');
    assert.equal((await admin.run(UNREGISTER, { names: ['gone', 'heir'] })).unregisterNodeTypes, true);
    assert.equal((await admin.run(TYPE, { name: 'heir' })).nodeType, null);
    assert.equal((await refusal(admin.run(UNREGISTER, { names: ['heir'] }))).code, 'BAD_REQUEST');
    assert.equal((await refusal(admin.run(UNREGISTER, { names: ['nt:file'] }))).code, 'BAD_REQUEST');
  });

  it('are changed by administrators', async () => {
    const ann = server.as('ann');
    assert.equal((await refusal(ann.run(REGISTER, { cnd: '[anns]' }))).code, 'FORBIDDEN');
    assert.equal((await refusal(ann.run(UNREGISTER, { names: ['base'] }))).code, 'FORBIDDEN');
    assert.equal((await ann.run(TYPE, { name: 'shop:product' })).nodeType?.name, 'shop:product');
  });

  it('are there after a restart, and in every workspace its own', async () => {
    await server.end();
    server = await liveServer({ folder: server.folder, users: [{ userId: 'ann' }] });
    admin = server.as('admin');
    const { node } = await admin.run('{ node(path: "/content/p1") { nodeType isVersionable } }');
    assert.deepEqual(node, { nodeType: 'shop:product', isVersionable: false });
  });
});

describe('value constraints', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer();
    admin = server.as('admin');
  });
  after(() => server.remove());

  it('have patterns that no text holds up', async () => {
    await admin.run(REGISTER, {
      cnd: "<p = 'http://example.org/p'> [p:slow] > nt:unstructured - p:a (string) < '(a+)+b', '(.*,)*x'",
    });
    const create = (value: string) =>
      admin.run(CREATE, {
        input: {
          path: '/content',
          name: `n${value.length}`,
          nodeType: 'p:slow',
          properties: [{ name: 'p:a', value: { stringValue: value } }],
        },
      });
    await create('aaaab');
    const { code, message } = await refusal(create('a'.repeat(16_000)));
    assert.equal(code, 'BAD_REQUEST');
    assert.match(message, /to satisfy one of '\(a\+\)\+b'/);
    const ahead = await refusal(admin.run(REGISTER, { cnd: "[p:bad] - p:a (string) < '(?=a).*'" }));
    assert.match(ahead.message, /without back references and look-around/);
  });
});
