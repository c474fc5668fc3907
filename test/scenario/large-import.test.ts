import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { KillableServer } from './support/killable-server.js';
import { partitionOf, reading, storedBelow, storedCount } from './support/stored-trees.js';
import { transact } from './support/trees.js';

// Slow: thousands of nodes are imported, and servers killed within it.

const IMPORT =
  'mutation ($input: ImportXmlInput!) { importXml(input: $input) { created replaced nodes { path uuid } } }';
const EXPORT = 'query ($path: String!) { exportXml(path: $path, view: SYSTEM) }';
const NODE = 'query ($path: String!) { node(path: $path) { id uuid children(first: 0) { totalCount } } }';
const DELETE = 'mutation ($path: String!) { deleteNode(input: { path: $path }) }';
const HISTORY = 'query ($path: String!) { versionHistory(path: $path) { versions { name } } }';
/** How often others are answered, at least, while large work is done: had it the server for itself, it were once or twice. */
const OTHERS_MIN = 5;
const SV =
  'xmlns:sv="http://www.jcp.org/jcr/sv/1.0" xmlns:jcr="http://www.jcp.org/jcr/1.0" xmlns:nt="http://www.jcp.org/jcr/nt/1.0" xmlns:mix="http://www.jcp.org/jcr/mix/1.0"';

const property = (name: string, type: string, ...values: string[]) =>
  `<sv:property sv:name="${name}" sv:type="${type}">${values.map((one) => `<sv:value>${one}</sv:value>`).join('')}</sv:property>`;
const typed = (type: string, ...mixins: string[]) =>
  property('jcr:primaryType', 'Name', type) +
  (mixins.length === 0 ? '' : property('jcr:mixinTypes', 'Name', ...mixins).replace('">', '" sv:multiple="true">'));
const node = (name: string, ...inner: string[]) => `<sv:node sv:name="${name}">${inner.join('')}</sv:node>`;
const document = (name: string, ...inner: string[]) =>
  `<sv:node ${SV} sv:name="${name}">\n${inner.join('\n')}\n</sv:node>`;
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const uuidOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A node with `folders` × (1 + `leaves`) below it, each on a line of its own; each refers to the one that comes next, all of which are referenceable. */
const wide = (name: string, folders: number, leaves: number, broken = -1) => {
  const count = folders * leaves;
  const leaf = (n: number) =>
    node(
      `n${n}`,
      typed('nt:unstructured', 'mix:referenceable'),
      property('jcr:uuid', 'String', uuidOf(n)),
      property('text', 'String', `text ${n}`),
      n === broken ? property('next', 'Long', 'none') : property('next', 'Reference', uuidOf((n + 1) % count)),
    );
  return document(
    name,
    typed('nt:unstructured'),
    ...times(folders, (f) =>
      [
        `<sv:node sv:name="f${f}">${typed('nt:unstructured')}`,
        ...times(leaves, (l) => leaf(f * leaves + l)),
        '</sv:node>',
      ].join('\n'),
    ),
  );
};

/** Identifiers as numbers, in the order in which they come. */
const numbered = (xml: string) => {
  const uuids = new Map<string, number>();
  return xml.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
    uuids.set(id, uuids.get(id) ?? uuids.size);
    return `#${uuids.get(id)}`;
  });
};

describe('an import of thousands of nodes', function () {
  this.timeout(120_000);
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    admin = server.as('admin');
    await transact(admin, [{ createNode: { path: '/content', name: 'x', nodeType: 'nt:unstructured' } }]);
  });
  after(() => server.remove());

  const imported = async (path: string, xml: string, more: object = {}) =>
    (await admin.run(IMPORT, { input: { path, xml, ...more } })).importXml;
  const refused = (path: string, xml: string, more: object = {}, client = admin) =>
    refusal(client.run(IMPORT, { input: { path, xml, ...more } }));
  const countOf = (sql: string) => storedCount(server.folder, sql);
  const below = (path: string) => reading(server.folder, partitionOf(server.folder), (it) => storedBelow(it, path, ''));
  const nodeAt = async (path: string) => (await admin.run(NODE, { path })).node;
  const folder = async (name: string) => {
    await transact(admin, [{ createNode: { path: '/content/x', name, nodeType: 'nt:unstructured' } }]);
    return `/content/x/${name}`;
  };
  const swept = () =>
    eventually(
      'what was detached is swept',
      async () => countOf('SELECT count(*) AS count FROM d_detachedTree') === 0,
      60_000,
    );
  const orphans = () => countOf('SELECT count(*) AS count FROM d_node WHERE c_parent IS NULL');

  it('is there at once for whoever reads meanwhile, and comes back as the very same', async () => {
    const path = await folder('trip');
    const seen = new Set<string>();
    let answered = 0;
    let isOver = false;
    const reader = (async () => {
      for (let n = 0, isLast = false; !isLast; n++) {
        isLast = isOver;
        const last = await nodeAt(`${path}/wide/f49/n4949`);
        const whole = await nodeAt(`${path}/wide`);
        assert.ok(last === null || whole !== null);
        seen.add(whole === null ? '-' : `${whole?.children.totalCount}`);
        await transact(admin, [{ createFolder: { path: '/content/meanwhile', name: `m${n}` } }]);
        answered++;
      }
    })();
    const { created, nodes } = await imported(path, wide('wide', 50, 99));
    assert.ok(answered >= OTHERS_MIN, `others had their turn ${answered} times`);
    isOver = true;
    await reader;
    assert.deepEqual([created, nodes.map((one) => one.path)], [5_001, [`${path}/wide`]]);
    assert.deepEqual([...seen].sort(), ['-', '50'], 'all of it or nothing');
    await swept();
    assert.equal(orphans(), 1, 'the root alone has no parent');
    const { exportXml } = await admin.run(EXPORT, { path: `${path}/wide` });
    const again = await imported(await folder('back'), exportXml, { uuidBehavior: 'CREATE_NEW' });
    assert.equal(again.created, 5_001);
    assert.deepEqual(below('/content/x/back/wide'), below(`${path}/wide`));
    const { exportXml: second } = await admin.run(EXPORT, { path: '/content/x/back/wide' });
    assert.equal(numbered(second), numbered(exportXml), 'references lead to where they led');
  });

  it('leaves nothing behind when a node near its end is refused, with its line', async () => {
    const path = await folder('broken');
    const before = countOf('SELECT count(*) AS count FROM d_node');
    const { code, message, errors } = await refused(path, wide('wide', 50, 99, 4_000), { uuidBehavior: 'THROW' });
    assert.equal(code, 'BAD_REQUEST');
    // One line before the first folder, then a line for each folder's begin and end.
    const line = 2 + Math.floor(4_000 / 99) * 101 + 1 + (4_000 % 99) + 1;
    assert.match(message, new RegExp(`line ${line}: expected property 'next' of '${path}/wide/f40/n4000'`));
    assert.equal((errors[0]?.extensions.details as { line?: number } | undefined)?.line, line);
    await swept();
    assert.equal(countOf('SELECT count(*) AS count FROM d_node'), before);
  });

  it('keeps identifiers where they are free, and refuses them where they are not', async () => {
    const path = await folder('kept');
    await imported(path, wide('wide', 5, 99), { uuidBehavior: 'THROW' });
    assert.equal((await nodeAt(`${path}/wide/f1/n100`))?.uuid, uuidOf(100));
    const taken = await refused(await folder('kept2'), wide('wide', 5, 99), { uuidBehavior: 'THROW' });
    assert.equal(taken.code, 'ALREADY_EXISTS');
    assert.match(taken.message, /line 4: /);
    await admin.run(DELETE, { path: `${path}/wide` });
    await swept();
    const again = await imported(path, wide('wide', 5, 99), { uuidBehavior: 'REPLACE_EXISTING' });
    assert.deepEqual([again.created, again.replaced], [501, 0]);
    const twice = wide('wide', 5, 99)
      .replaceAll(uuidOf(150), uuidOf(3))
      .replaceAll('0000-4000-8000-0', '0000-4000-9000-0');
    const double = await refused('/content/x/kept2', twice, { uuidBehavior: 'THROW' });
    assert.match(double.message, /line \d+: expected each jcr:uuid once/);
    await admin.run(DELETE, { path: `${path}/wide` });
    await swept();
  });

  it('makes hundreds of nodes give way, in their places or out of them', async () => {
    const path = await folder('old');
    const other = await folder('new');
    await imported(path, wide('wide', 5, 99), { uuidBehavior: 'THROW' });
    const inPlace = await imported(other, wide('wide', 5, 99), { uuidBehavior: 'REPLACE_EXISTING' });
    assert.deepEqual([inPlace.created, inPlace.replaced], [501, 495]);
    assert.equal((await nodeAt(`${path}/wide/f1`))?.children.totalCount, 99, 'they are where they were');
    assert.equal((await nodeAt(`${other}/wide/f1`))?.children.totalCount, 0);
    const moved = await imported(await folder('newer'), wide('wide', 5, 99), { uuidBehavior: 'REMOVE_EXISTING' });
    assert.deepEqual([moved.created, moved.replaced], [501, 495]);
    assert.equal((await nodeAt(`${path}/wide/f1`))?.children.totalCount, 0);
    assert.equal((await nodeAt('/content/x/newer/wide/f4/n494'))?.uuid, uuidOf(494));
    await swept();
  });

  it('makes a node give way with the hundreds below it, as far as nothing refers to them', async () => {
    const path = await folder('top');
    const referenceable = (n: number) =>
      typed('nt:unstructured', 'mix:referenceable') + property('jcr:uuid', 'String', uuidOf(900_000 + n));
    const top = (count: number) =>
      document('top', referenceable(0), ...times(count, (n) => node(`c${n}`, referenceable(n + 1))));
    await imported(path, top(600), { uuidBehavior: 'REMOVE_EXISTING' });
    const to = [{ name: 'to', value: { referenceValue: uuidOf(900_500) } }];
    await transact(admin, [{ createNode: { path, name: 'holder', nodeType: 'nt:unstructured', properties: to } }]);
    const { code, message } = await refused(path, top(200), { uuidBehavior: 'REPLACE_EXISTING' });
    assert.equal(code, 'CONFLICT');
    assert.match(message, /top\/c499' cannot be removed: '.*\/holder' refers to it/);
    await admin.run(DELETE, { path: `${path}/holder` });
    const { created, replaced } = await imported(path, top(200), { uuidBehavior: 'REPLACE_EXISTING' });
    assert.deepEqual([created, replaced], [201, 1]);
    assert.equal((await nodeAt(`${path}/top`))?.children.totalCount, 200);
    await swept();
  });

  it('holds what it refers to, and refuses references that lead nowhere', async () => {
    const path = await folder('refers');
    await transact(admin, [
      { createNode: { path, name: 'target', nodeType: 'nt:unstructured', mixins: ['mix:referenceable'] } },
    ]);
    const target = (await nodeAt(`${path}/target`))?.uuid ?? '';
    const holding = document(
      'holding',
      typed('nt:unstructured'),
      ...times(500, (n) => node(`n${n}`, typed('nt:unstructured'), property('to', 'Reference', target))),
    );
    await imported(path, holding);
    assert.equal((await refusal(admin.run(DELETE, { path: `${path}/target` }))).code, 'CONFLICT');
    await admin.run(DELETE, { path: `${path}/holding` });
    await admin.run(DELETE, { path: `${path}/target` });
    const { code, message } = await refused(path, holding);
    assert.equal(code, 'BAD_REQUEST');
    assert.match(message, /line 3: expected property 'to' of '.*\/holding\/n0' to refer to a node/);
    await swept();
  });

  it('makes what types create, stores large values, and begins versions', async () => {
    const path = await folder('kinds');
    const bytes = Buffer.alloc(20_000, 9).toString('base64');
    const file = (n: number) =>
      node(
        `file${n}`,
        typed('nt:file', 'mix:versionable'),
        node('jcr:content', typed('nt:resource'), property('jcr:data', 'Binary', n === 7 ? bytes : 'AAEC')),
      );
    const xml = document('files', typed('nt:folder'), ...times(120, file));
    const { created } = await imported(path, xml);
    assert.equal(created, 241);
    const { exportXml } = await admin.run(EXPORT, { path: `${path}/files/file7` });
    assert.match(exportXml, /sv:name="jcr:createdBy" sv:type="String"><sv:value>admin</);
    assert.equal(exportXml.includes(bytes), true);
    const { versionHistory } = await admin.run(HISTORY, { path: `${path}/files/file119` });
    assert.deepEqual(versionHistory?.versions, []);
    await admin.run(DELETE, { path: `${path}/files` });
    await swept();
  });

  it('takes the root element for what is in it, up to 400 nodes', async () => {
    const root = (count: number) =>
      document('jcr:root', typed('nt:unstructured'), ...times(count, (n) => node(`n${n}`, typed('nt:folder'))));
    await transact(admin, [{ createFolder: { path: '/content/x', name: 'root' } }]);
    const path = '/content/x/root';
    const { created, nodes } = await imported(path, root(400));
    assert.deepEqual([created, nodes.length, nodes[7]?.path], [400, 400, `${path}/n7`]);
    const again = await refused(path, root(400));
    assert.equal(again.code, 'ALREADY_EXISTS');
    assert.match(again.message, /line 3: there is a node 'n0'/);
    const { code, message } = await refused('/content/x', root(401));
    assert.equal(code, 'LIMIT_EXCEEDED');
    assert.match(message, /at most 400 topmost nodes/);
    await swept();
  });

  it('reads any XML, rows of the same name too, and registers its namespaces with it', async () => {
    const path = await folder('rows');
    const cells = times(1_200, (n) => `<d:row d:n="${n}">text</d:row>`).join('\n');
    const rows = (more: string) => `<d:rows xmlns:d="http://example.org/rows">${cells}${more}</d:rows>`;
    const bad = '\n<d:row><jcr:x xmlns:jcr="http://www.jcp.org/jcr/1.0" jcr:primaryType="no:type"/></d:row>';
    const broken = await refused(path, rows(bad));
    assert.equal(broken.code, 'BAD_REQUEST');
    assert.match(broken.message, /line 1201/);
    const prefixes = async () => (await admin.run('{ namespaces { prefix } }')).namespaces.map(({ prefix }) => prefix);
    assert.equal((await prefixes()).includes('d'), false, 'nothing is left behind');
    await transact(admin, [{ setAccessControl: { path, principal: 'ann', privileges: ['jcr:all'] } }]);
    const denied = await refused(path, rows(''), {}, server.as('ann'));
    assert.equal(denied.code, 'BAD_REQUEST');
    assert.match(denied.message, /only administrators register/);
    const { created } = await imported(path, rows(''));
    assert.equal(created, 2_401);
    assert.equal((await prefixes()).includes('d'), true);
    assert.notEqual(await nodeAt(`${path}/d:rows/d:row[800]`), null);
    await swept();
  });

  it('comes to nothing where its place is taken meanwhile', async () => {
    const path = '/content/x/folder';
    await transact(admin, [{ createFolder: { path: '/content/x', name: 'folder' } }]);
    const xml = document('w', typed('nt:folder'), ...times(200, (n) => node(`n${n}`, typed('nt:folder'))));
    const both = await Promise.allSettled([imported(path, xml), imported(path, xml)]);
    const outcomes = both.map((one) => (one.status === 'fulfilled' ? 'made' : (one.reason as { code: string }).code));
    assert.deepEqual(outcomes.sort(), ['ALREADY_EXISTS', 'made']);
    assert.equal(below(path).length, 201);
  });
});

describe('a server that is killed within a large import', function () {
  this.timeout(120_000);
  let server: KillableServer;
  beforeEach(() => {
    server = new KillableServer();
  });
  afterEach(() => server.remove());

  it('shows no part of it, and sweeps what was staged', async () => {
    const count = (sql: string) => storedCount(server.folder, sql);
    const total = () => count('SELECT count(*) AS count FROM d_node');
    await server.start();
    // The first request of a user makes its folders.
    await server.client('admin').run(NODE, { path: '/' });
    const before = total();
    const lost = server
      .client('admin')
      .run(IMPORT, { input: { path: '/content', xml: wide('wide', 50, 99), uuidBehavior: 'THROW' } });
    lost.catch(() => {});
    await eventually('some of it is staged', async () => total() > before + 500);
    await server.end('SIGKILL');
    await server.start();
    assert.equal((await server.client('admin').run(NODE, { path: '/content/wide' })).node, null);
    await eventually(
      'it is swept',
      async () => total() === before && count('SELECT count(*) AS count FROM d_detachedTree') === 0,
    );
    const { importXml } = await server
      .client('admin')
      .run(IMPORT, { input: { path: '/content', xml: wide('wide', 5, 99), uuidBehavior: 'THROW' } });
    assert.equal(importXml.created, 501);
  });
});
