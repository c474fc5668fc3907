import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

const CREATE = 'mutation ($input: CreateNodeInput!) { createNode(input: $input) { id path } }';
const REFERENCES =
  'query ($path: String!, $first: Int, $after: String) { references(path: $path, first: $first, after: $after) { totalCount edges { cursor propertyNames isWeak node { path } } pageInfo { hasNextPage hasPreviousPage endCursor } } }';

describe('references', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let ann: GraphqlClient;
  let targetId: string;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    admin = server.as('admin');
    ann = server.as('ann');
    await node('/content', 'area');
    targetId = await node('/content/area', 'target', { mixins: ['mix:referenceable'] });
  });
  after(() => server.remove());

  const node = async (path: string, name: string, more: object = {}) =>
    (
      await admin.run(CREATE, {
        input: { path, name, nodeType: 'nt:unstructured', allowSameNameSiblings: true, ...more },
      })
    ).createNode.id;
  const strong = (name: string, id = targetId) => ({ name, value: { referenceValue: id } });
  const weak = (name: string, id = targetId) => ({ name, value: { weakReferenceValue: id } });
  const holder = (name: string, ...properties: object[]) => node('/content/area', name, { properties });
  const referring = async (path: string, client = admin, page: object = {}) =>
    (await client.run(REFERENCES, { path, ...page })).references;
  const shown = async (path: string, client = admin) =>
    (await referring(path, client)).edges.map(({ node: { path: at }, propertyNames, isWeak }) => ({
      at: at.replace('/content/area/', ''),
      by: propertyNames,
      isWeak,
    }));
  const deny = (path: string) =>
    admin.run(
      `mutation { setAccessControl(path: "${path}", principal: "ann", privileges: ["jcr:read"], allow: false) { entries { allow } } }`,
    );

  it('that a type gives by default lead to a referenceable node, or the node is not made', async () => {
    const plainId = await node('/content/area', 'plain target');
    const types = { good: targetId, plain: plainId, none: '01234567-89ab-7def-8123-456789abcdef' };
    const declared = Object.entries(types).flatMap(([name, id]) => [
      `[rd${name}] - to (reference) = '${id}' autocreated - soft (weakreference) = '${id}' autocreated`,
      `[rm${name}] mixin - to (reference) = '${id}' autocreated`,
      `[rw${name}] - soft (weakreference) = '${id}' autocreated`,
    ]);
    await admin.run('mutation ($cnd: String!) { registerNodeTypes(cnd: $cnd) { name } }', { cnd: declared.join('\n') });
    const reasonOf = async (asked: Promise<unknown>) => (await refusal(asked)).errors[0]?.extensions.reason;
    const made = (name: string) => node('/content/area', name, { nodeType: name });
    const mixed = (mixinType: string) =>
      admin.run('mutation ($input: AddMixinInput!) { addMixin(input: $input) { id } }', {
        input: { path: '/content/area/plain target', mixinType },
      });
    await made('rdgood');
    await made('rwnone');
    assert.equal(await reasonOf(made('rdnone')), 'reference_target_missing');
    assert.equal(await reasonOf(made('rdplain')), 'target_not_referenceable');
    assert.equal(await reasonOf(mixed('rmnone')), 'reference_target_missing');
    await mixed('rmgood');
    assert.deepEqual(await shown('/content/area/target'), [
      { at: 'plain target', by: ['to'], isWeak: false },
      { at: 'rdgood', by: ['to'], isWeak: false },
      { at: 'rdgood', by: ['soft'], isWeak: true },
    ]);
    for (const name of ['plain target', 'rdgood', 'rwnone'])
      await admin.run(`mutation { deleteNode(input: { path: "/content/area/${name}" }) }`);
  });

  it('are found, strong before weak, with the properties that hold them', async () => {
    await holder('a', weak('w1'), weak('w2'), { name: 'text', value: { stringValue: targetId } });
    await holder('b', strong('s'), { name: 'many', value: { referenceArrayValue: [targetId, targetId] } });
    await holder('c', strong('s'), weak('w'));
    await holder('other', weak('w', await node('/content/area', 'elsewhere', { mixins: ['mix:referenceable'] })));
    assert.deepEqual(await shown('/content/area/target'), [
      { at: 'b', by: ['s', 'many'], isWeak: false },
      { at: 'c', by: ['s'], isWeak: false },
      { at: 'a', by: ['w1', 'w2'], isWeak: true },
      { at: 'c', by: ['w'], isWeak: true },
    ]);
    assert.equal((await referring('/content/area/target')).totalCount, 4);
  });

  it('of a jcr:content are those of its node, once', async () => {
    const id = await node('/content/area', 'read', { mixins: ['mix:referenceable'] });
    await node('/content/area', 'file', { properties: [strong('own', id)] });
    await node('/content/area/file', 'jcr:content', { properties: [strong('inner', id), weak('soft', id)] });
    await node('/content/area', 'plain');
    await node('/content/area/plain', 'jcr:content', { properties: [weak('soft', id)] });
    assert.deepEqual(await shown('/content/area/read'), [
      { at: 'file', by: ['own', 'inner'], isWeak: false },
      { at: 'file', by: ['soft'], isWeak: true },
      { at: 'plain', by: ['soft'], isWeak: true },
    ]);
    assert.equal((await referring('/content/area/read')).totalCount, 3);
  });

  it('of the second jcr:content of a node are its own', async () => {
    const id = await node('/content/area', 'twice read', { mixins: ['mix:referenceable'] });
    await node('/content/area', 'twice');
    for (const name of ['s1', 's2'])
      await node('/content/area/twice', 'jcr:content', { properties: [strong(name, id)] });
    assert.deepEqual(
      new Set(await shown('/content/area/twice read')),
      new Set([
        { at: 'twice', by: ['s1'], isWeak: false },
        { at: 'twice/jcr:content[2]', by: ['s2'], isWeak: false },
      ]),
    );
    assert.equal((await referring('/content/area/twice read')).totalCount, 2);
  });

  for (const count of [157, 400])
    it(`keep none of ${count} nodes that refer to one another from being removed together`, async () => {
      const path = `/content/area/ring${count}`;
      await node('/content/area', `ring${count}`);
      const ids: string[] = [];
      for (let i = 0; i < count; i++) {
        const properties = ids.length === 0 ? [] : [strong('before', ids.at(-1)), strong('first', ids[0])];
        ids.push(await node(path, `n${i}`, { mixins: ['mix:referenceable'], properties }));
      }
      await admin.run(
        'mutation ($path: String!, $id: ID!) { setProperties(path: $path, properties: [{ name: "last", value: { referenceValue: $id } }]) { errors { message } } }',
        { path: `${path}/n0`, id: ids.at(-1) },
      );
      const { deleteNode } = await admin.run(`mutation { deleteNode(input: { path: "${path}" }) }`);
      assert.equal(deleteNode, true);
    }).timeout(30_000);

  it('are none where the target is not referenceable, or has none', async () => {
    await node('/content/area', 'unknown');
    const none = {
      totalCount: 0,
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, endCursor: null },
    };
    assert.deepEqual(await referring('/content/area/unknown'), none);
    await node('/content/area', 'lonely', { mixins: ['mix:referenceable'] });
    assert.deepEqual(await referring('/content/area/lonely'), none);
    assert.equal((await refusal(referring('/content/area/nowhere'))).code, 'BAD_REQUEST');
  });

  it('come in pages, each once, with an exact total', async () => {
    const id = await node('/content/area', 'popular', { mixins: ['mix:referenceable'] });
    for (let i = 0; i < 9; i++)
      await holder(`p${i}`, i % 2 === 0 ? strong('to', id) : weak('to', id), weak('also', id));
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = await referring('/content/area/popular', admin, { first: 4, after });
      assert.equal(page.totalCount, 14);
      assert.equal(page.pageInfo.hasPreviousPage, after !== null);
      seen.push(...page.edges.map((edge) => `${edge.isWeak} ${edge.node.path}`));
      after = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
    } while (after !== null);
    assert.equal(seen.length, 14);
    assert.equal(new Set(seen).size, 14);
    const weakAt = seen.map((one) => one.startsWith('true'));
    assert.deepEqual(weakAt, [...Array(5).fill(false), ...Array(9).fill(true)]);
    const nothing = await referring('/content/area/popular', admin, { first: 0 });
    assert.deepEqual([nothing.edges, nothing.totalCount], [[], 14]);
  });

  it('refuses a cursor of another list and a page that is none', async () => {
    const { edges } = await referring('/content/area/popular', admin, { first: 1 });
    const cursor = edges[0]?.cursor;
    for (const page of [{ after: 'x' }, { first: -1 }])
      assert.equal((await refusal(referring('/content/area/popular', admin, page))).code, 'BAD_REQUEST');
    assert.equal((await refusal(referring('/content/area/target', admin, { after: cursor }))).code, 'BAD_REQUEST');
  });

  it('are shown and counted as far as their holders may be read', async () => {
    const id = await node('/content/area', 'watched', { mixins: ['mix:referenceable'] });
    for (const name of ['open', 'shut', 'half']) await holder(`${name}-holder`, strong('to', id));
    await node('/content/area', 'vault');
    for (const name of ['one', 'two']) await node('/content/area/vault', name, { properties: [strong('to', id)] });
    await node('/content/area', 'lid');
    await node('/content/area/lid', 'jcr:content', { properties: [strong('to', id)] });
    await deny('/content/area/shut-holder');
    await deny('/content/area/vault');
    await deny('/content/area/lid/jcr:content');
    await admin.run(
      'mutation { setAccessControl(path: "/content/area/vault/two", principal: "ann", privileges: ["jcr:read"]) { entries { allow } } }',
    );
    assert.deepEqual(
      (await shown('/content/area/watched', ann)).map(({ at }) => at),
      ['open-holder', 'half-holder', 'vault/two'],
    );
    assert.equal((await referring('/content/area/watched', ann)).totalCount, 3);
    assert.equal((await referring('/content/area/watched')).totalCount, 6);
  });

  it('leaves the edges of other lists without properties', async () => {
    const { children } = await admin.run(
      '{ children(path: "/content/area", first: 1) { edges { propertyNames isWeak } } }',
    );
    assert.deepEqual(children.edges, [{ propertyNames: null, isWeak: null }]);
  });

  it('that are told as text lead to a referenceable node all the same', async () => {
    const cnd = "<r='http://example.org/refers'>\n[r:to] mixin\n  - r:one (reference)\n  - r:some (reference) multiple";
    await admin.run('mutation ($cnd: String!) { registerNodeTypes(cnd: $cnd) { name } }', { cnd });
    const mixins = ['r:to'];
    await node('/content/area', 'typed', { mixins });
    const plainId = await node('/content/area', 'not referenceable');
    const missing = '01900000-0000-7000-8000-000000000000';
    for (const [id, reason] of [
      [missing, /to refer to a node, but there is none/],
      [plainId, /to refer to a referenceable node, but '\/content\/area\/not referenceable' is not/],
    ] as const) {
      for (const property of [
        { name: 'r:one', value: { stringValue: id } },
        { name: 'r:some', value: { stringArrayValue: [targetId, id] } },
        { name: 'r:one', value: { referenceValue: id } },
      ]) {
        const created = await refusal(node('/content/area', 'refused', { mixins, properties: [property] }));
        assert.equal(created.code, 'BAD_REQUEST');
        assert.match(created.message, reason);
        const { setProperties } = await admin.run(
          'mutation ($input: SetPropertiesInput!) { setProperties(input: $input) { errors { propertyName message } } }',
          { input: { path: '/content/area/typed', properties: [property] } },
        );
        assert.match(setProperties.errors[0]?.message ?? '', reason);
      }
      const xml = `<refused xmlns:jcr="http://www.jcp.org/jcr/1.0" xmlns:r="http://example.org/refers" jcr:primaryType="nt:unstructured" jcr:mixinTypes="r:to" r:one="${id}"/>`;
      const imported = await refusal(
        admin.run('mutation ($input: ImportXmlInput!) { importXml(input: $input) { created } }', {
          input: { path: '/content/area', xml },
        }),
      );
      assert.match(imported.message, reason);
    }
    await node('/content/area', 'told as text', {
      mixins,
      properties: [{ name: 'r:one', value: { stringValue: targetId } }],
    });
    const refused = await refusal(admin.run('mutation { deleteNode(input: { path: "/content/area/target" }) }'));
    assert.equal(refused.code, 'CONFLICT');
  });
});
