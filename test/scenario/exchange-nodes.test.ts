import assert from 'node:assert/strict';
import type { RecordToPack } from '../../src/eip/history/packed-records.js';
import { eventually } from '../support/eventually.js';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { Events } from './support/events.js';
import { download } from './support/jobs.js';
import { keepExchanges } from './support/kept-exchanges.js';

const NOON = Date.parse('2026-11-23T12:34:56.789Z');
const HOUR = 3_600_000;
const STEPS = [{ routeId: 'orders', stepId: 'to1', endpointUri: 'mock:out' }];

const record = (exchangeId: string, createdAt: number, routeId = 'orders'): RecordToPack => ({
  ...{ exchangeId, createdAt, routeId, completedAt: createdAt + 2, elapsed: 2_345, status: 'completed' },
  ...{
    exceptionType: null,
    exceptionMessage: null,
    stackTrace: null,
    businessKey: null,
    bodyType: 'String',
    bodySize: 4,
  },
  ...{ headers: '{"amount":{"type":"int","value":12}}', forgotten: 0, stepCount: 1 },
  steps: [{ step: 0, entered: 10, taken: 2_200 }],
});

const ROOT = '/var/eip/history';
const HOUR_12 = `${ROOT}/2026/11/23/12`;

interface Children {
  readonly totalCount: number;
  readonly edges: readonly {
    readonly cursor: string;
    readonly node: { readonly name: string; readonly path: string };
  }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean; readonly endCursor: string };
}

describe('exchanges of routes as nodes', () => {
  let server: LiveServer;
  before(async () => {
    server = await liveServer({
      users: [
        { userId: 'ann' },
        { userId: 'dan', roles: ['deployer'] },
        { userId: 'olga', roles: ['operator'] },
        { userId: 'sue', roles: ['supervisor'] },
      ],
    });
    keepExchanges(server.folder, STEPS, [
      record('old', Date.parse('2024-02-29T23:59:59Z')),
      record('e1', NOON),
      record('e2', NOON + 1),
      record('e3', NOON + 2),
      record('m1', NOON + 3, 'mail/out:[1]'),
      record('late', NOON + HOUR),
    ]);
  });
  after(() => server.remove());

  const node = async (path: string, fields = 'path', userId = 'olga') =>
    (await server.as(userId, 'system').run(`query ($path: String!) { node(path: $path) { ${fields} } }`, { path }))
      .node;
  const children = async (path: string, page = '', userId = 'olga') => {
    const found = await server
      .as(userId, 'system')
      .run(
        `query ($path: String!) { children(path: $path ${page}) { totalCount edges { cursor node { name path } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`,
        { path },
      );
    return found.children as unknown as Children;
  };
  const names = ({ edges }: Children) => edges.map(({ node: { name } }) => name);

  it('lie in folders by the hour in which they began and by their route', async () => {
    assert.deepEqual(names(await children(ROOT)), ['2024', '2026']);
    assert.deepEqual(names(await children(`${ROOT}/2024`)), ['02']);
    assert.deepEqual(names(await children(`${ROOT}/2024/02/29/23`)), ['orders']);
    assert.deepEqual(names(await children(`${ROOT}/2026/11/23`)), ['12', '13']);
    const routes = await children(HOUR_12);
    assert.deepEqual(names(routes), ['mail%2Fout%3A%5B1%5D', 'orders']);
    assert.equal(routes.totalCount, 2);
    assert.equal(routes.edges[1]?.node.path, `${HOUR_12}/orders`);
    assert.deepEqual(names(await children(`${HOUR_12}/orders`)), ['e3.json', 'e2.json', 'e1.json']);
    assert.deepEqual(names(await children(routes.edges[0]?.node.path ?? '')), ['m1.json']);
    assert.deepEqual(names(await children(`${HOUR_12}/orders/e1.json`)), ['jcr:content']);
  });

  it('are paged, the newest first', async () => {
    const first = await children(`${HOUR_12}/orders`, ', first: 2');
    assert.deepEqual([names(first), first.totalCount, first.pageInfo.hasNextPage], [['e3.json', 'e2.json'], 3, true]);
    const second = await children(`${HOUR_12}/orders`, `, first: 2, after: "${first.pageInfo.endCursor}"`);
    assert.deepEqual(names(second), ['e1.json']);
    assert.deepEqual([second.pageInfo.hasNextPage, second.pageInfo.hasPreviousPage], [false, true]);
    const days = await children(`${ROOT}/2026/11/23`, ', first: 1');
    const next = await children(`${ROOT}/2026/11/23`, `, first: 1, after: "${days.pageInfo.endCursor}"`);
    assert.deepEqual([names(days), names(next)], [['12'], ['13']]);
    await assert.rejects(children(`${HOUR_12}/orders`, ', after: "odd"'), /cursor/);
    await assert.rejects(children(`${HOUR_12}/orders`, ', first: -1'), /first/);
  });

  it('are files with what is kept of each, which can be downloaded', async () => {
    const path = `${HOUR_12}/orders/e1.json`;
    const found = await node(
      path,
      `path name nodeType id uuid mimeType size encoding created modified isWritable isLocked isCheckedOut hasChildren downloadUrl
       parent { path name nodeType hasChildren parent { path parent { path } } }`,
    );
    const { size, downloadUrl, id, ...facts } = found ?? { size: 0, downloadUrl: '', id: '' };
    assert.deepEqual(facts, {
      ...{ path, name: 'e1.json', nodeType: 'nt:file', uuid: null, mimeType: 'application/json', encoding: 'UTF-8' },
      ...{ created: '2026-11-23T12:34:56.789Z', modified: '2026-11-23T12:34:56.791Z' },
      ...{ isWritable: false, isLocked: false, isCheckedOut: false, hasChildren: null },
      parent: {
        ...{ path: `${HOUR_12}/orders`, name: 'orders', nodeType: 'nt:folder', hasChildren: true },
        parent: { path: HOUR_12, parent: { path: `${ROOT}/2026/11/23` } },
      },
    });
    assert.equal(downloadUrl, `/bin/download.cgi/system${path}`);
    const response = await download(server.as('olga', 'system'), downloadUrl ?? '');
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(bytes.length, size);
    const { exchangeId, status, headers, steps } = JSON.parse(bytes.toString()) as Record<string, unknown>;
    assert.deepEqual([exchangeId, status, headers], ['e1', 'completed', { amount: { type: 'int', value: 12 } }]);
    assert.deepEqual(steps, [
      {
        ...{ id: 'to1', routeId: 'orders', endpointUri: 'mock:out', timeTaken: 2, timeTakenMicros: 2_200 },
        ...{ offsetFromStart: 2, order: 0 },
      },
    ]);
    const odd = `${HOUR_12}/mail%2Fout%3A%5B1%5D/m1.json`;
    const { node: mail } = await server
      .as('olga', 'system')
      .run('query ($path: String!) { node(path: $path) { downloadUrl } }', { path: odd });
    assert.equal((await download(server.as('olga', 'system'), mail?.downloadUrl ?? '')).status, 200);
  });

  it('are not there where nothing is kept', async () => {
    for (const path of ['2025', '2026/12', '2026/11/23/14', '2026/11/23/12/none', '2026/11/23/12/orders/e9.json'])
      assert.equal(await node(`${ROOT}/${path}`), null, path);
    for (const path of ['2026/11/23/13/orders/e1.json', '2026/11/23/12/mail/e1.json', '26', '2026/1', '2026/13', 'x'])
      assert.equal(await node(`${ROOT}/${path}`), null, path);
    assert.equal(
      (await download(server.as('olga', 'system'), `/bin/download.cgi/system${ROOT}/2026/11/23/12/orders/e9.json`))
        .status,
      404,
    );
  });

  it('are for operators, supervisors and administrators, whatever access lists say', async () => {
    for (const userId of ['olga', 'sue', 'admin']) {
      assert.equal((await node(ROOT, 'path hasChildren', userId))?.hasChildren, true);
      assert.deepEqual(names(await children('/var/eip', '', userId)), ['history']);
      assert.equal((await node(`${HOUR_12}/orders/e1.json`, 'path', userId))?.path, `${HOUR_12}/orders/e1.json`);
    }
    for (const userId of ['ann', 'dan']) {
      for (const path of ['/var/eip', ROOT, HOUR_12, `${HOUR_12}/orders/e1.json`])
        assert.equal(await node(path, 'path', userId), null, `${userId} ${path}`);
      await assert.rejects(children(ROOT, '', userId), /not found/);
      await assert.rejects(children(HOUR_12, '', userId), /only read/);
      const url = `/bin/download.cgi/system${HOUR_12}/orders/e1.json`;
      assert.equal((await download(server.as(userId, 'system'), url)).status, 404);
    }
  });

  it('are nobody’s to change', async () => {
    const admin = server.as('admin', 'system');
    const path = `${HOUR_12}/orders/e1.json`;
    const folder = `${HOUR_12}/orders`;
    for (const field of [
      `deleteNode(input: { path: "${path}" })`,
      `deleteNode(input: { path: "${folder}" })`,
      `deleteNode(input: { path: "${ROOT}" })`,
      `deleteNode(input: { path: "/var/eip" })`,
      `createFolder(input: { path: "${folder}", name: "x" }) { id }`,
      `createFolder(input: { path: "${ROOT}", name: "x" }) { id }`,
      `createFolder(input: { path: "${ROOT}/2027/01", name: "x" }) { id }`,
      `createFile(input: { path: "${folder}", name: "x", content: "" }) { id }`,
      `setProperties(path: "${path}", properties: [{ name: "title", value: { stringValue: "x" } }]) { __typename }`,
      `lockNode(input: { path: "${path}" }) { path }`,
      `moveNode(input: { sourcePath: "${path}", destPath: "/content" }) { path }`,
      `copyNode(input: { sourcePath: "${folder}", destPath: "/content" }) { path }`,
    ]) {
      const { code } = await refusal(admin.run(`mutation { it: ${field} }`));
      assert.equal(code, 'FORBIDDEN', field);
    }
    for (const field of [`accessControl(path: "${path}") { path }`, `references(path: "${path}") { totalCount }`])
      assert.equal((await refusal(admin.run(`{ it: ${field} }`))).code, 'FORBIDDEN', field);
  });
});

describe('changes of exchanges', () => {
  const FOLLOW =
    'subscription ($path: String, $deep: Boolean, $after: String) { nodeChanged(path: $path, deep: $deep, after: $after) { eventType path identifier nodeType userId node { path size } } }';
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ clock: 'system', users: [{ userId: 'ann' }, { userId: 'olga', roles: ['operator'] }] });
    admin = server.as('admin');
    for (const [id, uri] of [
      ['orders', 'direct:orders'],
      ['burst', 'timer:burst?period=1&delay=0&repeatCount=300'],
    ]) {
      const yaml = `- route: { id: ${id}, from: { uri: "${uri}", steps: [{ setBody: { constant: x } }] } }`;
      await admin.run(
        'mutation ($id: String!, $yaml: String!, $on: Boolean!) { createRoute(input: { routeId: $id, yaml: $yaml, autoStart: $on }) { id } }',
        { id, yaml, on: id === 'orders' },
      );
    }
  });
  after(() => server.remove());

  const send = async () =>
    (await admin.run('mutation { sendToEndpoint(input: { endpointUri: "direct:orders" }) { exchangeId } }'))
      .sendToEndpoint.exchangeId;

  it('reach who may see exchanges, each as a file that was made', async () => {
    const events = new Events(server.as('olga'), true);
    const others = new Events(server.as('ann'), true);
    try {
      const all = events.follow(FOLLOW, { path: ROOT, deep: true });
      const everything = events.follow(FOLLOW, { path: '/', deep: true });
      const elsewhere = events.follow(FOLLOW, { path: '/content', deep: true });
      const none = others.follow(FOLLOW, { path: '/', deep: true });
      await Promise.all([events.connected(1), others.connected(1)]);
      const id = await send();
      const [told] = await all.events(1);
      assert.match(told?.path ?? '', new RegExp(`^${ROOT}/\\d{4}/\\d\\d/\\d\\d/\\d\\d/orders/${id}\\.json$`));
      assert.deepEqual(
        [told?.eventType, told?.userId, (told as { nodeType?: string } | undefined)?.nodeType],
        ['CREATED', 'system', 'nt:file'],
      );
      const { node } = told as unknown as { readonly node: { readonly path: string; readonly size: number } };
      assert.equal(node.path, told?.path);
      assert.ok(node.size > 100);
      const { historyExchange } = await server
        .as('olga')
        .run('query ($path: String) { historyExchange(path: $path) { exchangeId } }', { path: told?.path });
      assert.equal(historyExchange?.exchangeId, id);
      assert.deepEqual(await everything.events(1), [told]);
      await admin.run('mutation { createFolder(input: { path: "/content", name: "mark" }) { id } }');
      assert.equal((await elsewhere.events(1))[0]?.path, '/content/mark');
      assert.equal((await none.events(1))[0]?.path, '/content/mark');
    } finally {
      events.close();
      others.close();
    }
  });

  it('are told of by the folder of their hour, where they are many', async () => {
    const events = new Events(admin, true);
    try {
      const all = events.follow(FOLLOW, { path: ROOT, deep: true });
      await events.connected(1);
      await admin.run('mutation { startRoute(input: { id: "burst" }) { id } }');
      const told = await all.until(({ eventType }) => eventType === 'MODIFIED');
      const last = told.at(-1);
      assert.match(last?.path ?? '', new RegExp(`^${ROOT}/\\d{4}/\\d\\d/\\d\\d/\\d\\d$`));
      assert.equal(told.filter(({ eventType }) => eventType === 'CREATED').length, 50);
      assert.equal((last as unknown as { readonly node: { readonly path: string } }).node.path, last?.path);
    } finally {
      events.close();
    }
  });

  it('are told by folders to who comes back, and move no position', async () => {
    const { extensions } = await admin.ask(
      'mutation { createFolder(input: { path: "/content", name: "before" }) { id } }',
    );
    await send();
    await eventually('it is kept', async () => {
      const { historyExchanges } = await admin.run('{ historyExchanges(routes: ["orders"]) { totalCount } }');
      return historyExchanges.totalCount >= 2;
    });
    const events = new Events(admin, true);
    try {
      const back = events.follow(FOLLOW, { path: ROOT, deep: true, after: extensions?.position });
      const [first] = await back.events(1);
      assert.equal(first?.eventType, 'MODIFIED');
      assert.match(first?.path ?? '', new RegExp(`^${ROOT}/\\d{4}/\\d\\d/\\d\\d/\\d\\d$`));
    } finally {
      events.close();
    }
  });
});
