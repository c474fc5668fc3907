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
  });

  it('do not go for the reasons that the schema names', async () => {
    await register(`[kept] [sub] > kept [holder] + c (kept) [other] + c = kept [linked] - r (reference) < 'kept'`);
    const codeOf = async (...names: string[]) => {
      const { code, errors } = await refusal(admin.run(UNREGISTER, { names }));
      return [code, errors[0]?.extensions.reason];
    };
    for (const others of [['sub'], ['holder'], ['other'], ['linked']]) {
      const gone = ['kept', 'sub', 'holder', 'other', 'linked'].filter((name) => !others.includes(name));
      assert.deepEqual(await codeOf(...gone), ['CONFLICT', 'node_type_needed'], `by ${others}`);
    }
    assert.deepEqual(await codeOf('heir'), ['BAD_REQUEST', 'unknown_node_type']);
    assert.deepEqual(await codeOf('nt:file'), ['BAD_REQUEST', 'built_in_node_type']);
    await admin.run(UNREGISTER, { names: ['kept', 'sub', 'holder', 'other', 'linked'] });
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

describe('namespaces', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    admin = server.as('admin');
  });
  after(() => server.remove());

  const ADD =
    'mutation ($prefix: String!, $uri: String!) { registerNamespace(prefix: $prefix, uri: $uri) { prefix uri } }';
  const DROP = 'mutation ($prefix: String!) { unregisterNamespace(prefix: $prefix) }';
  const add = (prefix: string, uri = `http://example.org/${prefix}`) => admin.run(ADD, { prefix, uri });
  const drop = (prefix: string) => admin.run(DROP, { prefix });
  const known = async () => {
    const { namespaces } = await admin.run('{ namespaces { prefix } }');
    return namespaces.map(({ prefix }) => prefix).filter((prefix) => prefix.startsWith('n-'));
  };
  const codeOf = async (asked: Promise<unknown>) => {
    const { code, errors } = await refusal(asked);
    return [code, errors[0]?.extensions.reason];
  };

  it('are registered without a type, and name nodes at once', async () => {
    const made = await add('n-a');
    assert.deepEqual(made.registerNamespace, { prefix: 'n-a', uri: 'http://example.org/n-a' });
    await add('n-a');
    await add('jcr', 'http://www.jcp.org/jcr/1.0');
    assert.deepEqual(await known(), ['n-a']);
    await admin.run(CREATE, { input: { path: '/content', name: 'n-a:x', nodeType: 'nt:folder' } });
  });

  it('are refused where a prefix or a URI is taken, or is none', async () => {
    assert.deepEqual(await codeOf(add('n-a', 'http://example.org/other')), ['ALREADY_EXISTS', 'prefix_taken']);
    assert.deepEqual(await codeOf(add('n-other', 'http://example.org/n-a')), ['ALREADY_EXISTS', 'namespace_taken']);
    assert.deepEqual(await codeOf(add('jcr')), ['ALREADY_EXISTS', 'prefix_taken']);
    for (const prefix of ['', 'a b', 'xml1', '1a', 'a:b'])
      assert.deepEqual(await codeOf(add(prefix, 'http://example.org/bad')), ['BAD_REQUEST', 'invalid_prefix'], prefix);
    assert.deepEqual(await codeOf(add('n-b', '')), ['BAD_REQUEST', 'invalid_namespace_uri']);
    assert.equal((await refusal(server.as('ann').run(ADD, { prefix: 'n-c', uri: 'u:c' }))).code, 'FORBIDDEN');
    assert.equal((await refusal(server.as('ann').run(DROP, { prefix: 'n-a' }))).code, 'FORBIDDEN');
    assert.deepEqual(await known(), ['n-a']);
  });

  const text = (name: string, value: object) => ({ name, value });
  const USES: readonly (readonly [string, string, object])[] = [
    ['a node', 'n-u:x', {}],
    ['a property', 'x', { properties: [text('n-u:p', { stringValue: 'x' })] }],
    ['a name', 'x', { properties: [text('p', { nameArrayValue: ['y', 'n-u:x'] })] }],
    ['a path', 'x', { properties: [text('p', { pathValue: '/a/n-u:x' })] }],
  ];
  for (const [what, name, more] of USES) {
    it(`stay as long as ${what} has them`, async () => {
      await add('n-u');
      await admin.run(CREATE, { input: { path: '/content', name, nodeType: 'nt:unstructured', ...more } });
      const refused = await refusal(drop('n-u'));
      assert.equal(refused.code, 'CONFLICT');
      assert.match(refused.message, /expected nothing to be named by the prefix 'n-u', but '\/content\/(n-u:)?x' is/);
      const properties = [text('p', { stringValue: 'n-u:x' })];
      await admin.run('mutation ($path: String!) { deleteNode(input: { path: $path }) }', { path: `/content/${name}` });
      const other = { path: '/content', name: 'text', nodeType: 'nt:unstructured', properties };
      await admin.run(CREATE, { input: other });
      assert.equal((await drop('n-u')).unregisterNamespace, true);
      await admin.run('mutation { deleteNode(input: { path: "/content/text" }) }');
      assert.deepEqual(await known(), ['n-a']);
      assert.match(
        (await refusal(admin.run(CREATE, { input: { ...other, name: 'n-u:x' } }))).message,
        /'n-u' is not regi/,
      );
    });
  }

  it('stay as long as a type or a version has them', async () => {
    await admin.run(REGISTER, { cnd: "<n-t = 'u:t'> [typed] - n-t:p (string)" });
    assert.deepEqual(await codeOf(drop('n-t')), ['CONFLICT', 'namespace_in_use']);
    await admin.run(UNREGISTER, { names: ['typed'] });
    await drop('n-t');
    await add('n-v');
    const properties = [text('n-v:p', { stringValue: 'x' })];
    const made = { path: '/content', name: 'v', nodeType: 'nt:unstructured', mixins: ['mix:versionable'], properties };
    await admin.run(CREATE, { input: made });
    await admin.run('mutation { checkpoint(input: { path: "/content/v" }) { name } }');
    await admin.run(
      'mutation { setProperties(input: { path: "/content/v", properties: [{ name: "n-v:p" }] }) { errors { message } } }',
    );
    assert.match((await refusal(drop('n-v'))).message, /but what a version has frozen is/);
    assert.deepEqual(await codeOf(drop('n-none')), ['BAD_REQUEST', 'unknown_namespace']);
    assert.deepEqual(await codeOf(drop('jcr')), ['BAD_REQUEST', 'built_in_namespace']);
  });
});

/** What becomes of values in `p` of a node of the last type, as Jackrabbit and Oak decide where they agree: the stored type, or a refusal. */
const REDEFINED: readonly (readonly [string, Record<string, string>])[] = [
  ['[a] - p (long) [b] > a - p (string)', { x: 'STRING', 3: 'LONG', 1.5: 'STRING', true: 'STRING', list: 'no' }],
  ['[a] - p (string) [b] > a - p (long)', { x: 'STRING', 3: 'LONG', list: 'no' }],
  ['[a] - p (undefined) [b] > a - p (long)', { x: 'STRING', 3: 'LONG', 1.5: 'DOUBLE', true: 'BOOLEAN', list: 'no' }],
  ['[a] - p (long) [b] > a - p (undefined)', { x: 'STRING', 3: 'LONG', 1.5: 'DOUBLE', true: 'BOOLEAN', list: 'no' }],
  ['[a] - p (string) [b] > a - p (long) multiple', { x: 'STRING', 3: 'STRING', 1.5: 'STRING', true: 'STRING' }],
  ["[a] - p (long) < '[1,2]' [b] > a - p (string) < '[a-c]'", { x: 'no', 3: 'no', 1.5: 'no', true: 'no' }],
  ["[a] - p (long) < '[1,5]' [b] > a - p (string) < '[w-z]'", { x: 'STRING', 3: 'LONG', 1.5: 'no', true: 'no' }],
  ['[a] - p (long) protected [b] > a - p (string)', { x: 'STRING', 3: 'no', list: 'no' }],
  ['[a] - p (string) protected [b] > a - p (long)', { x: 'no', 3: 'LONG', list: 'no' }],
  ['[a] - p (long) [b] > a - p (string) protected', { x: 'no', 3: 'LONG', 1.5: 'no', true: 'no', list: 'no' }],
  ['[a] mixin - p (string) [m] mixin - p (long) [b] > a, m', { x: 'STRING', 3: 'LONG', 1.5: 'STRING', list: 'no' }],
  ['[b] - p (long) - p (undefined)', { x: 'STRING', 3: 'LONG', 1.5: 'DOUBLE', true: 'BOOLEAN', list: 'no' }],
  ['[a] - p (boolean) [b] > a - p (date)', { 3: 'DATE', 1.5: 'DATE', true: 'BOOLEAN', list: 'no' }],
];

const GIVEN: Record<string, object> = {
  x: { stringValue: 'x' },
  3: { longValue: 3 },
  1.5: { doubleValue: 1.5 },
  true: { booleanValue: true },
  list: { stringArrayValue: ['x'] },
};

describe('a property that a type gives another type', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer();
    admin = server.as('admin');
  });
  after(() => server.remove());

  const SET =
    'mutation ($path: String!, $properties: [PropertyInput!]!) { setProperties(input: { path: $path, properties: $properties }) { errors { message } } }';

  const storedType = async (nodeType: string, path: string, name: string, value: object) => {
    const properties = [{ name: 'p', value }];
    const created = await admin.ask(CREATE, { variables: { input: { path, name, nodeType, properties } } });
    if (created.errors !== undefined) return 'no';
    const { node } = await admin.run(
      `{ node(path: "${path}/${name}") { properties { name propertyValue { __typename } } } }`,
    );
    const found = node?.properties.find((property) => property.name === 'p')?.propertyValue.__typename ?? '';
    return found.replace(/PropertyValue(Array)?$/, '').toUpperCase();
  };

  for (const [n, [text, decided]] of REDEFINED.entries()) {
    it(text, async () => {
      const cnd = text.replaceAll(/\b[abm]\b(?=[\],]| -|$)|(?<=> )a\b/g, (name) => `r${n}${name}`);
      await admin.run(REGISTER, { cnd });
      const found: Record<string, string> = {};
      for (const key of Object.keys(decided))
        found[key] = await storedType(`r${n}b`, '/content', `r${n}-${key}`, GIVEN[key] ?? {});
      assert.deepEqual(found, decided);
    });
  }

  it('is removed where its own definition does not protect it', async () => {
    const cnd = '[wa] - p (long) protected - q (long) [wb] > wa - p (string)';
    await admin.run(REGISTER, { cnd });
    await admin.run(CREATE, {
      input: {
        path: '/content',
        name: 'w',
        nodeType: 'wb',
        properties: [{ name: 'p', value: { stringValue: 'x' } }],
      },
    });
    const { setProperties } = await admin.run(SET, { path: '/content/w', properties: [{ name: 'p', value: null }] });
    assert.deepEqual(setProperties.errors, []);
    const xml = '<w2 xmlns:jcr="http://www.jcp.org/jcr/1.0" jcr:primaryType="wb" p="y"/>';
    await admin.run('mutation ($xml: String!) { importXml(input: { path: "/content", xml: $xml }) { created } }', {
      xml,
    });
    const { node } = await admin.run('{ node(path: "/content/w2") { properties { name } } }');
    assert.deepEqual(node?.properties, [{ name: 'p' }]);
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

  const REFUSED: readonly (readonly [string, RegExp])[] = [
    [
      "- p (long) = '9' < '[1,5]'",
      /expected node type 'bad' to have the default '9' of property 'p' satisfy '\[1,5\]'/,
    ],
    ["- p (uri) = 'http://[bad'", /'p' of node type 'bad' to be a URI, but found 'http:\/\/\[bad'/],
    ["- p (name) < 'no:such'", /line 1, column 20: expected a constraint .* to be a name .*'no' is not registered/],
    ["- p (path) < 'a//b'", /line 1, column 20: expected a constraint .* to be a path .* but found 'a\/\/b'/],
    ["- p (path) < '/a*'", /it holds '\*'/],
    ["- p (reference) < 'nowhere'", /to constrain property 'p' to registered types, but there is no 'nowhere'/],
  ];
  for (const [item, message] of REFUSED) {
    it(`are refused: ${item}`, async () => {
      const refused = await refusal(admin.run(REGISTER, { cnd: `[bad] ${item}` }));
      assert.equal(refused.code, 'BAD_REQUEST');
      assert.match(refused.message, message);
      assert.equal((await admin.run(TYPE, { name: 'bad' })).nodeType, null);
    });
  }

  it('of names and paths are kept as the repository calls them', async () => {
    const cnd = `<mine = 'http://www.jcp.org/jcr/1.0'>
      [named] > nt:unstructured - n (name) < 'mine:title' - p (path) < '/content/*', './mine:content/'`;
    await admin.run(REGISTER, { cnd });
    const { nodeType } = await admin.run(TYPE, { name: 'named' });
    const constraints = nodeType?.propertyDefinitions.map(({ valueConstraints }) => valueConstraints);
    assert.deepEqual(constraints, [['jcr:title'], ['/content/*', 'jcr:content']]);
    const create = (name: string, p: string) =>
      admin.run(CREATE, {
        input: { path: '/content', name, nodeType: 'named', properties: [{ name: 'p', value: { pathValue: p } }] },
      });
    await create('below', '/content/a/b');
    await create('exact', 'jcr:content');
    assert.match((await refusal(create('at', '/content'))).message, /to satisfy one of '\/content\/\*', 'jcr:content'/);
  });

  it('have to be URIs to be of type URI', async () => {
    const create = (uriValue: string) =>
      admin.run(CREATE, {
        input: {
          path: '/content',
          name: 'u',
          nodeType: 'nt:unstructured',
          properties: [{ name: 'u', value: { uriValue } }],
        },
      });
    const refused = await refusal(create('http://[bad'));
    assert.equal(refused.code, 'BAD_REQUEST');
    assert.match(refused.message, /property 'u' of '\/content\/u' to be a URI, but found 'http:\/\/\[bad'/);
    await create('http://[::1]:8080/a?b[0]=c');
  });
});
