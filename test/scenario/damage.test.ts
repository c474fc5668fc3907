import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../src/shared/errors.js';
import { openDatabase } from '../../src/store/sqlite.js';
import { type DataFolder, dataFolder } from '../support/data-folder.js';
import { eventually } from '../support/eventually.js';
import { fillAsStarted } from '../support/first-start.js';
import type { ApiData, GraphqlClient } from '../support/graphql-client.js';
import { isOnRedis } from '../support/log-of-run.js';
import { clientOf, type LiveServer, liveServer } from '../support/server.js';
import { type ServerProcess, serverProcess } from '../support/server-process.js';
import { ADMIN_PASSWORD } from '../support/test-server.js';
import { readiness } from './support/readiness.js';
import { doWorkspace, workspaceJob } from './support/workspaces.js';

// Slow: a server starts for each kind of damage, and again behind it.

const CREATE = 'mutation ($name: String!) { createFolder(input: { path: "/content", name: $name }) { path } }';
const CHILDREN = `query ($after: String) { children(path: "/content/many", first: 2, after: $after) {
  totalCount edges { node { name } } pageInfo { hasNextPage endCursor } } }`;

describe('a server whose files are damaged', function () {
  this.timeout(120_000);
  let folder: DataFolder;
  let server: ServerProcess | undefined;
  let live: LiveServer | undefined;
  before(function () {
    // On Redis the files are replicas, which are made anew.
    if (isOnRedis) this.skip();
  });
  beforeEach(async () => {
    folder = dataFolder();
    await fillAsStarted(folder.path);
  });
  afterEach(async () => {
    await server?.end('SIGKILL');
    server = undefined;
    await live?.end();
    live = undefined;
    folder.remove();
  });

  const start = async (env: Readonly<Record<string, string>> = {}) => {
    server = await serverProcess({
      MILLRACE_DATA: folder.path,
      MILLRACE_ADMIN_PASSWORD: ADMIN_PASSWORD,
      MILLRACE_LOG_LEVEL: 'error',
      ...env,
    });
    return { server, admin: clientOf(server.baseUrl, 'admin') };
  };
  const stop = async () => {
    await server?.end();
    server = undefined;
  };
  /** A server within this process, which has what it runs: for whatever is told by its answers alone. */
  const within = async (): Promise<LiveServer> => {
    live = await liveServer({ clock: 'system', folder: folder.path });
    return live;
  };
  /** Puts into the folder what is damaged then. */
  const prepared = async <T>(work: (admin: GraphqlClient) => Promise<T>): Promise<T> => {
    const { as, end } = await within();
    const done = await work(as('admin'));
    await end();
    return done;
  };
  const partitionOf = (workspace: 'system' | 'web') =>
    workspace === 'system' ? 'system' : (readdirSync(folder.path).find((name) => /^[0-9a-f]{8}-/.test(name)) ?? '');
  const logOf = (workspace: 'system' | 'web') => join(folder.path, partitionOf(workspace), 'log.db');
  const folders = async (admin: GraphqlClient, ...names: readonly string[]) => {
    await admin.run(CREATE, { name: 'many' });
    for (const name of names)
      await admin.run(
        'mutation ($name: String!) { createFolder(input: { path: "/content/many", name: $name }) { path } }',
        { name },
      );
  };
  /** Changes a letter of a stored node, as a disk may. */
  const damageNode = (name: string): string => {
    const database = openDatabase(logOf('web'));
    const row = database.prepare('SELECT id FROM d_node WHERE c_name = ?').get(name);
    database
      .prepare(`UPDATE d_node SET body = replace(body, ?, ?) WHERE id = ?`)
      .run(`"${name}"`, `"${name}x"`, row?.id ?? '');
    database.close();
    return String(row?.id);
  };

  it('shows all of a list but the one that is damaged, which is one error at its place', async () => {
    await prepared((admin) => folders(admin, 'a', 'b', 'c', 'd'));
    const id = damageNode('b');
    const { admin, server: running } = await start({ MILLRACE_CHECK_EVERY: '100ms' });
    const names: string[] = [];
    const errors: unknown[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const { data, errors: told = [] } = await admin.ask(CHILDREN, { variables: { after } });
      const children = (data as ApiData).children;
      names.push(...children.edges.map(({ node }) => node.name));
      errors.push(...told.map(({ path, extensions }) => ({ path, ...extensions })));
      assert.equal(children.totalCount, 4);
      more = children.pageInfo.hasNextPage;
      after = children.pageInfo.endCursor ?? null;
    }
    assert.deepEqual(names, ['a', 'c', 'd']);
    assert.deepEqual(errors, [
      {
        path: ['children'],
        code: 'DATA_DAMAGED',
        reason: 'document_damaged',
        resourceId: id,
        details: { what: 'node', file: 'log.db' },
      },
    ]);
    await assert.rejects(admin.run('{ node(path: "/content/many/b") { name } }'), { code: 'DATA_DAMAGED' });
    await admin.run(CREATE, { name: 'other' });
    await eventually('it is told', async () => (await readiness(running.baseUrl)).body.warnings !== undefined);
    const { status, body } = await readiness(running.baseUrl);
    assert.equal(status, 200);
    assert.match(JSON.stringify(body.warnings), /"data_damaged".*1 thing/);
    const logged = running
      .logged()
      .split('\n')
      .filter((line) => line.includes('something that is stored is damaged'));
    assert.equal(logged.length, 1, logged.join('\n'));
    assert.match(logged[0] ?? '', new RegExp(`${partitionOf('web')}/log\\.db.*node.*${id}`));
  });

  it('leaves out of lists what belongs to a damaged definition, and nothing else', async () => {
    const order = [
      { name: 'orderId', value: 'A-1' },
      { name: 'items', value: ['wheel'] },
      { name: 'amount', value: 1 },
      { name: 'card', value: 'valid' },
    ];
    await prepared(async (admin) => {
      for (const input of [
        { definitionKey: 'incident-handling' },
        { definitionKey: 'incident-handling' },
        { definitionKey: 'order-fulfilment', variables: order },
      ])
        await admin.run('mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }', { input });
    });
    const database = openDatabase(logOf('web'));
    const DEFINITION = `c_key = 'incident-handling'`;
    const id = String(database.prepare(`SELECT id FROM d_processDefinition WHERE ${DEFINITION}`).get()?.id);
    database.exec(`UPDATE d_processDefinition SET body = replace(body, 'Incident', 'incident') WHERE ${DEFINITION}`);
    database.close();
    const admin = (await within()).as('admin');
    const { data, errors = [] } = await admin.ask(`{
      processInstances { totalCount edges { node { definitionKey } } }
      tasks { totalCount edges { node { processDefinitionKey } } }
      processDefinition(key: "order-fulfilment") { instances { edges { node { definitionKey } } } }
    }`);
    const { processInstances, tasks } = data as ApiData;
    assert.deepEqual([processInstances.totalCount, tasks.totalCount], [3, 3]);
    assert.deepEqual(
      processInstances.edges.map(({ node }) => node.definitionKey),
      ['order-fulfilment'],
    );
    assert.deepEqual(
      tasks.edges.map(({ node }) => node.processDefinitionKey),
      ['order-fulfilment'],
    );
    assert.deepEqual(
      errors.map(({ path, extensions }) => [path, extensions?.code, extensions?.resourceId]),
      [
        [['processInstances'], 'DATA_DAMAGED', id],
        [['tasks'], 'DATA_DAMAGED', id],
      ],
    );
  });

  it('leaves out of lists what leads to a damaged thing at a field that is never null, and nothing else', async () => {
    const ids = await prepared(async (admin) => {
      const start = () => admin.run('mutation { startProcess(input: { definitionKey: "incident-handling" }) { id } }');
      return [await start(), await start(), await start()].map(({ startProcess }) => startProcess.id);
    });
    const [first = '', damaged = '', last = ''] = ids;
    const database = openDatabase(logOf('web'));
    database
      .prepare(`UPDATE d_processInstance SET body = replace(body, 'incident', 'Incident') WHERE id = ?`)
      .run(damaged);
    database.close();
    const admin = (await within()).as('admin');
    const { data, errors = [] } = await admin.ask(`{
      tasks(sortBy: CREATED, sortOrder: ASC) {
        totalCount
        again: edges { node { processInstanceId } }
        edges { node { processInstance { id tasks { edges { node { processInstance { id } } } } } } cursor }
      }
      processDefinition(key: "incident-handling") { key }
    }`);
    const { tasks, processDefinition } = data as ApiData;
    assert.equal(processDefinition?.key, 'incident-handling');
    assert.equal(tasks.totalCount, 3);
    assert.deepEqual(
      (tasks as unknown as Record<'again', typeof tasks.edges>).again.map(({ node }) => node.processInstanceId),
      ids,
    );
    assert.deepEqual(
      tasks.edges.map(({ node }) => [node.processInstance.id, node.processInstance.tasks.edges.length]),
      [
        [first, 1],
        [last, 1],
      ],
    );
    assert.deepEqual(
      errors.map(({ path, extensions }) => [path, extensions?.code, extensions?.resourceId]),
      [[['tasks', 'edges'], 'DATA_DAMAGED', damaged]],
    );
    // Any other error goes the way that the schema says, also when it comes later.
    const mixed = await admin.ask(
      '{ tasks { edges { node { processInstance { id tasks(first: -1) { totalCount } } } } } }',
    );
    assert.equal(mixed.data, null);
    const introspected = await admin.ask(
      '{ __type(name: "TaskConnection") { fields { type { ofType { kind ofType { kind } } } } } }',
    );
    const { __type } = introspected.data as unknown as { __type: { fields: { type: { ofType: unknown } }[] } };
    assert.deepEqual(__type.fields[0]?.type.ofType, { kind: 'LIST', ofType: { kind: 'NON_NULL' } });
  });

  it('finds in the background what nobody asks for', async () => {
    await prepared((admin) => folders(admin, 'a'));
    const id = damageNode('a');
    const { server: running } = await start({ MILLRACE_CHECK_EVERY: '200ms' });
    await eventually('it is found', async () => running.logged().includes(id));
  });

  it('serves the others where the folder of a workspace is gone, and is refused where the log of system is', async () => {
    await prepared((admin) => folders(admin, 'a'));
    const path = logOf('web');
    const ofWeb = join(folder.path, partitionOf('web'));
    renameSync(ofWeb, `${folder.path}/.aside`);
    const { server: without, admin: user } = await start();
    const told = /web.*log\.db, but it is missing; restore a backup, or set MILLRACE_ACCEPT_LOSS=/;
    assert.match(without.printed(), told);
    assert.match(without.logged(), told);
    const { status, body } = await readiness(without.baseUrl);
    assert.equal(status, 200);
    assert.match(JSON.stringify(body.warnings), /"workspace_failed".*1 workspace could not be opened/);
    await assert.rejects(user.run('{ me { username } }'), { code: 'UNAVAILABLE' });
    const system = clientOf(without.baseUrl, 'admin', 'system');
    const web = async () => (await system.run('{ workspace(name: "web") { state stateMessage } }')).workspace;
    const again = await workspaceJob(system, 'start', 'web');
    assert.equal(again.status, 'failed');
    assert.match(again.errorMessage ?? '', /log\.db, but it is missing/);
    assert.equal((await web())?.state, 'FAILED');
    assert.match((await web())?.stateMessage ?? '', /log\.db, but it is missing/);
    assert.ok(!existsSync(path), 'nothing is made in its place');
    rmSync(ofWeb, { recursive: true, force: true });
    renameSync(`${folder.path}/.aside`, ofWeb);
    await doWorkspace(system, 'start', 'web');
    assert.deepEqual(await web(), { state: 'ONLINE', stateMessage: null });
    assert.equal((await user.run('{ node(path: "/content/many/a") { name } }')).node?.name, 'a');
    assert.equal((await readiness(without.baseUrl)).body.warnings, undefined);
    await stop();
    rmSync(ofWeb, { recursive: true });
    const { admin, server: running } = await start({ MILLRACE_ACCEPT_LOSS: path });
    assert.match(running.printed(), / {2}LOST {7}.*log\.db is missing; it begins anew/);
    assert.equal((await admin.run('{ node(path: "/content/many") { name } }')).node, null);
    assert.match(JSON.stringify((await readiness(running.baseUrl)).body.warnings), /commits_lost/);
    await stop();
    const { server: unneeded } = await start({ MILLRACE_ACCEPT_LOSS: path, MILLRACE_LOG_LEVEL: 'warn' });
    assert.match(unneeded.logged(), /MILLRACE_ACCEPT_LOSS is set, but nothing is lost/);
    assert.doesNotMatch(running.logged(), /MILLRACE_ACCEPT_LOSS is set/);
    await stop();
    rmSync(join(folder.path, 'system'), { recursive: true });
    await assert.rejects(start(), /system\/log\.db, but it is missing; /);
    const others = partitionOf('web');
    const { server: anew } = await start({ MILLRACE_ACCEPT_LOSS: logOf('system') });
    assert.match(anew.logged(), new RegExp(`"partition":"${others}".*no workspace that is known`));
  });

  it('is refused in a sentence where a folder lies in the place of a file, or a file in that of a folder', async () => {
    // The program shows a sentence alone where it is one of these, and the whole stack where it is not.
    const isRefused = (told: RegExp) =>
      assert.rejects(within(), (thrown: Error) => thrown instanceof ServiceError && told.test(thrown.message));
    for (const file of ['system/head', 'system/index.db', 'system/log.db', 'blobs', 'system']) {
      const path = join(folder.path, file);
      const isFolder = statSync(path).isDirectory();
      renameSync(path, `${path}.aside`);
      if (isFolder) writeFileSync(path, 'x');
      else mkdirSync(path);
      await isRefused(new RegExp(isFolder ? 'expected a folder at .* it is a file' : `${file}.*, but it is a folder`));
      rmSync(path, { recursive: true });
      renameSync(`${path}.aside`, path);
    }
    await within();
  });

  it('makes an index anew that cannot be read', async () => {
    await prepared((admin) => folders(admin, 'a'));
    for (const workspace of ['system', 'web'] as const)
      writeFileSync(join(folder.path, partitionOf(workspace), 'index.db'), 'x'.repeat(9_000));
    const admin = (await within()).as('admin');
    const query = '{ processInstances { totalCount } children(path: "/content/many") { totalCount } }';
    const counted = async () => {
      const { processInstances, children } = await admin.run(query);
      return [processInstances.totalCount, children.totalCount];
    };
    assert.deepEqual(await counted(), [0, 1]);
    await admin.run(CREATE, { name: 'other' });
    assert.deepEqual(await counted(), [0, 1]);
    const isMade = (workspace: 'system' | 'web') =>
      readFileSync(join(folder.path, partitionOf(workspace), 'index.db'), 'latin1').startsWith('SQLite');
    await eventually('it is made anew', () => isMade('web'));
  });
});
