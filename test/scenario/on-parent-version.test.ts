import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

const REGISTER = 'mutation ($cnd: String!) { registerNodeTypes(cnd: $cnd) { name } }';
const CREATE = 'mutation ($input: CreateNodeInput!) { createNode(input: $input) { id path } }';
const SET =
  'mutation ($path: String!, $properties: [PropertyInput!]!) { setProperties(path: $path, properties: $properties) { errors { message } } }';
const NODE =
  'query ($path: String!) { node(path: $path) { id mixins isVersionable isCheckedOut baseVersionName properties { name propertyValue { __typename ... on StringPropertyValue { value } } } children(first: 50) { edges { node { name nodeType } } } } }';
const CHECKIN = 'mutation ($path: String!) { checkin(input: { path: $path }) { name } }';
const CHECKOUT = 'mutation ($path: String!) { checkout(input: { path: $path }) }';
const DELETE = 'mutation ($path: String!) { deleteNode(input: { path: $path }) }';
const RESTORE =
  'mutation ($path: String!, $name: String!) { restoreVersion(input: { path: $path, versionName: $name }) { id } }';

const CND = `
<opv = 'http://example.org/opv'>
[opv:doc] > mix:versionable
  - opv:copied (string) copy
  - opv:versioned (string) version
  - opv:ignored (string) ignore
  - opv:computed (string) compute
  - opv:initial (string) = 'fresh' autocreated initialize
  - opv:plain (string) initialize
  - opv:forbidden (string) abort
  + opv:copied (nt:base) = nt:unstructured copy
  + opv:versioned (nt:base) = nt:unstructured version
  + opv:ignored (nt:base) = nt:unstructured ignore
  + opv:computed (nt:base) = nt:unstructured compute
  + opv:initial (nt:base) = opv:part initialize
  + opv:forbidden (nt:base) = nt:unstructured abort
[opv:part]
  - opv:text (string) = 'new' autocreated
  - * (string)
  + * (nt:base) = nt:unstructured
`;
const PROPERTIES = ['copied', 'versioned', 'ignored', 'computed', 'initial', 'plain'];
const CHILDREN = ['copied', 'versioned', 'ignored', 'computed', 'initial'];

describe("on-parent-versions of types of one's own", () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let docs = 0;
  before(async () => {
    server = await liveServer();
    admin = server.as('admin');
    await admin.run(REGISTER, { cnd: CND });
  });
  after(() => server.remove());

  const create = (path: string, name: string, nodeType: string | null, mixins: readonly string[] = []) =>
    admin.run(CREATE, { input: { path, name, ...(nodeType !== null && { nodeType }), mixins } });
  const set = async (path: string, value: string | null, names: readonly string[]) => {
    const properties = names.map((name) => ({
      name: name.includes(':') || name === 'p' ? name : `opv:${name}`,
      value: value === null ? null : { stringValue: value },
    }));
    assert.deepEqual((await admin.run(SET, { path, properties })).setProperties.errors, []);
  };
  const at = async (path: string) => {
    const { node } = await admin.run(NODE, { path });
    const told = (node?.properties ?? []).map(({ name, propertyValue }) => [
      name.replace('opv:', ''),
      Object.values(propertyValue)[1],
    ]);
    const children = (node?.children.edges ?? []).map(({ node: child }) => child.name.replace('opv:', ''));
    return { node, properties: Object.fromEntries(told) as Record<string, unknown>, children: children.sort() };
  };

  /** A document with everything that a version may have, with a version of it; each child has a child. */
  async function versioned(childMixins: readonly string[] = []): Promise<string> {
    const name = `doc${++docs}`;
    const path = `/content/${name}`;
    await create('/content', name, 'opv:doc');
    for (const child of CHILDREN) {
      const type = child === 'initial' ? 'opv:part' : 'nt:unstructured';
      await create(path, `opv:${child}`, type, childMixins);
      await create(`${path}/opv:${child}`, 'below', 'nt:unstructured');
      await set(`${path}/opv:${child}`, 'old', ['p']);
    }
    await set(path, 'old', PROPERTIES);
    await checkin(path);
    await admin.run(CHECKOUT, { path });
    return path;
  }
  const checkin = async (path: string) => (await admin.run(CHECKIN, { path })).checkin.name;
  const restore = (path: string) => admin.run(RESTORE, { path, name: '1.0' });
  const frozenOf = async (path: string) =>
    `/jcr:system/jcr:versionStorage/${(await at(path)).node?.id}/1.0/jcr:frozenNode`;

  it('say what of the properties a version keeps, and what a restore brings back', async () => {
    const path = await versioned();
    const { properties: frozen } = await at(await frozenOf(path));
    assert.deepEqual(frozen, { copied: 'old', versioned: 'old', computed: 'old', initial: 'fresh' });
    await set(path, 'new', PROPERTIES);
    await restore(path);
    assert.deepEqual((await at(path)).properties, {
      copied: 'old',
      versioned: 'old',
      ignored: 'new',
      computed: 'old',
      initial: 'fresh',
      plain: 'new',
    });
  });

  it('say which properties go that the version does not have', async () => {
    const path = `/content/bare`;
    await create('/content', 'bare', 'opv:doc');
    await checkin(path);
    await admin.run(CHECKOUT, { path });
    await set(path, 'new', [...PROPERTIES, 'forbidden']);
    await restore(path);
    assert.deepEqual((await at(path)).properties, { ignored: 'new', computed: 'new', initial: 'fresh', plain: 'new' });
  });

  it('say what of the children a version keeps, and what a restore brings back', async () => {
    const path = await versioned();
    const frozen = await frozenOf(path);
    assert.deepEqual((await at(frozen)).children, ['computed', 'copied', 'initial', 'versioned']);
    assert.deepEqual((await at(`${frozen}/opv:copied`)).children, ['below']);
    assert.deepEqual((await at(`${frozen}/opv:initial`)).children, []);
    assert.deepEqual((await at(`${frozen}/opv:initial`)).properties, { text: 'new' });
    for (const child of CHILDREN) await set(`${path}/opv:${child}`, 'new', ['p']);
    await admin.run(DELETE, { path: `${path}/opv:copied` });
    await restore(path);
    const seen = await Promise.all(CHILDREN.map(async (child) => [child, await at(`${path}/opv:${child}`)] as const));
    assert.deepEqual(
      seen.map(([child, { properties, children }]) => [child, properties.p, children]),
      [
        ['copied', 'old', ['below']],
        ['versioned', 'old', ['below']],
        ['ignored', 'new', ['below']],
        ['computed', 'old', ['below']],
        ['initial', undefined, []],
      ],
    );
  });

  it('let a versionable child go on by itself under VERSION alone', async () => {
    const path = await versioned(['mix:versionable']);
    const frozen = await frozenOf(path);
    const typeOf = async (child: string) =>
      (await admin.run(NODE, { path: frozen })).node?.children.edges.find(({ node }) => node.name === `opv:${child}`)
        ?.node.nodeType;
    assert.deepEqual([await typeOf('versioned'), await typeOf('copied')], ['nt:versionedChild', 'nt:frozenNode']);
    for (const child of ['versioned', 'copied']) await set(`${path}/opv:${child}`, 'new', ['p']);
    await restore(path);
    assert.equal((await at(`${path}/opv:versioned`)).properties.p, 'new', 'expected the child that is there to stay');
    const { node, properties } = await at(`${path}/opv:copied`);
    assert.deepEqual([properties.p, node?.isVersionable], ['old', true]);
  });

  it('forbid to check in what has an item under ABORT', async () => {
    const path = await versioned();
    await set(path, 'x', ['forbidden']);
    const refused = await refusal(admin.run(CHECKIN, { path }));
    assert.equal(refused.code, 'CONFLICT');
    assert.match(refused.message, /opv:forbidden.*ABORT/);
    await set(path, null, ['forbidden']);
    await create(path, 'opv:forbidden', 'nt:unstructured');
    assert.match((await refusal(admin.run(CHECKIN, { path }))).message, /opv:forbidden/);
    await restore(path);
    assert.ok(!(await at(path)).children.includes('forbidden'), 'expected what the version does not have to go');
    await admin.run(CHECKOUT, { path });
    assert.equal(await checkin(path), '1.1');
  });
});
