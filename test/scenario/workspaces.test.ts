import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { EventReader } from '../graphql/support/event-reader.js';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { Events, type Received } from './support/events.js';
import { toldOf } from './support/jobs.js';

const VERBS = ['createWorkspace', 'startWorkspace', 'stopWorkspace', 'restartWorkspace', 'deleteWorkspace'] as const;
type Verb = (typeof VERBS)[number];

/** What an event tells, by the field of its subscription. */
type Told = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Payload {
  readonly jobId: string | null;
  readonly status: string | null;
  readonly name?: string | null;
  readonly errors: readonly { readonly code: string; readonly field: string | null }[] | null;
}

describe('workspaces', function () {
  this.timeout(60_000);
  let server: LiveServer;
  let admin: GraphqlClient;
  const streams: Events[] = [];
  before(async () => {
    server = await liveServer({
      clock: 'system',
      users: [
        { userId: 'ann' },
        { userId: 'sue', roles: ['supervisor'] },
        { userId: 'otto', roles: ['operator'] },
        { userId: 'root', roles: ['administrator'] },
      ],
    });
    admin = server.as('admin');
  });
  afterEach(() => {
    for (const events of streams.splice(0)) events.close();
  });
  after(() => server.remove());

  const asked = async (verb: Verb, name: string, as = admin): Promise<Payload> => {
    const Input = `${verb[0]?.toUpperCase()}${verb.slice(1)}Input`;
    const shown = `jobId status ${verb === 'createWorkspace' ? '' : 'name'} errors { code field }`;
    const data = await as.run(`mutation ($input: ${Input}!) { it: ${verb}(input: $input) { ${shown} } }`, {
      input: { name },
    });
    return (data as unknown as { readonly it: Payload }).it;
  };
  /** Follows the job to its end, where it was begun. */
  const done = async (verb: Verb, name: string, as = admin) => {
    const { jobId, errors } = await asked(verb, name, as);
    assert.equal(errors, null, JSON.stringify(errors));
    const end = (await toldOf(as, jobId ?? '')).at(-1);
    return { jobId: jobId ?? '', status: end?.status, errorMessage: end?.errorMessage };
  };
  const completed = async (verb: Verb, name: string, as = admin) => {
    const { status, errorMessage } = await done(verb, name, as);
    assert.deepEqual([status, errorMessage ?? null], ['completed', null], `${verb} ${name}`);
  };
  const listed = async (as = admin) => {
    const { workspaces } = await as.run('{ workspaces { edges { node { name state current system } } totalCount } }');
    return workspaces;
  };
  const stateOf = async (name: string) =>
    (await admin.run('query ($name: String) { workspace(name: $name) { state } }', { name })).workspace?.state;
  const follow = async (client: GraphqlClient, query: string, single = false): Promise<Received> => {
    const events = new Events(client, single);
    streams.push(events);
    const received = events.follow(query);
    await events.connected(1);
    return received;
  };

  it('are listed for whoever is signed in, as a connection and as a plain list', async () => {
    const connection = {
      edges: [
        { node: { name: 'system', state: 'ONLINE', current: false, system: true } },
        { node: { name: 'web', state: 'ONLINE', current: true, system: false } },
      ],
      totalCount: 2,
    };
    assert.deepEqual(await listed(server.as('ann')), connection);
    const plain = await server.as('ann', 'system').run(
      `{ workspaces { name displayName current system autoStart state stateMessage processEngine { enabled running }
        integrationEngine { enabled running } } workspaceList { name availableOperations } }`,
    );
    const engines = {
      processEngine: { enabled: true, running: true },
      integrationEngine: { enabled: true, running: true },
    };
    const common = { displayName: null, autoStart: true, state: 'ONLINE', stateMessage: null, ...engines };
    assert.deepEqual(plain, {
      workspaces: [
        { name: 'system', current: true, system: true, ...common },
        { name: 'web', current: false, system: false, ...common },
      ],
      workspaceList: [
        { name: 'system', availableOperations: [] },
        { name: 'web', availableOperations: ['stop', 'restart', 'delete'] },
      ],
    });
    const first = await admin.run(
      '{ workspaces(first: 1) { edges { node { name } cursor } pageInfo { hasNextPage hasPreviousPage } } }',
    );
    assert.deepEqual(first.workspaces.pageInfo, { hasNextPage: true, hasPreviousPage: false });
    const after = first.workspaces.edges[0]?.cursor;
    const second = await admin.run(
      'query ($after: String) { workspaces(first: 1, after: $after) { edges { node { name } } pageInfo { hasNextPage } } }',
      { after },
    );
    assert.deepEqual(second.workspaces, { edges: [{ node: { name: 'web' } }], pageInfo: { hasNextPage: false } });
    assert.equal((await admin.run('{ workspace(name: "nothing") { name } }')).workspace, null);
    assert.equal((await admin.run('{ workspace { name } }')).workspace?.name, 'web');
  });

  it('are managed by administrators alone, from another workspace, and by names that are whole', async () => {
    const codes = async (verb: Verb, name: string, as = admin) => {
      const { errors, ...rest } = await asked(verb, name, as);
      assert.deepEqual([...new Set(Object.values(rest))], [null]);
      return errors?.map(({ code }) => code).join();
    };
    for (const user of ['ann', 'sue', 'otto'])
      for (const verb of VERBS)
        assert.equal(await codes(verb, 'shop', server.as(user)), 'ACCESS_DENIED', `${user} ${verb}`);
    for (const name of ['', 'Shop', '1shop', 'a b', '../x', 'ö', 'a'.repeat(65), 'a'.repeat(10_000)])
      assert.equal(await codes('createWorkspace', name), 'INVALID_INPUT', name.slice(0, 70));
    for (const name of ['system', 'web']) assert.equal(await codes('createWorkspace', name), 'ALREADY_EXISTS', name);
    for (const verb of ['stopWorkspace', 'restartWorkspace', 'deleteWorkspace'] as const) {
      for (const name of ['system', 'web']) assert.equal(await codes(verb, name), 'INVALID_INPUT', `${verb} ${name}`);
      assert.equal(await codes(verb, 'nothing'), 'NOT_FOUND', verb);
    }
    for (const name of ['nothing', '', 'Web', 'web ', 'a\u0000b', '\ud800', '../web', 'a'.repeat(10_000)]) {
      for (const verb of ['startWorkspace', 'stopWorkspace', 'deleteWorkspace'] as const)
        assert.equal(await codes(verb, name), 'NOT_FOUND', `${verb} ${name.slice(0, 20)}`);
      assert.equal(
        (await admin.run('query ($name: String) { workspace(name: $name) { name } }', { name })).workspace,
        null,
      );
    }
    await completed('startWorkspace', 'web');
    assert.equal((await listed()).totalCount, 2);
  });

  it('are those of a server whose others administrators alone are told of', async () => {
    const { cluster } = await admin.run('{ cluster { enabled nodeId members { nodeId } } }');
    if (process.env.MILLRACE_TEST_LOG !== 'redis')
      assert.deepEqual(cluster, { enabled: false, nodeId: null, members: [] });
    for (const user of ['ann', 'sue', 'otto']) {
      const { data, errors } = await server.as(user).ask('{ cluster { enabled } }');
      assert.deepEqual([data, errors?.[0]?.extensions.code], [{ cluster: null }, 'FORBIDDEN']);
    }
  });

  it('are made, used, stopped, started, restarted and removed; what lies in them answers accordingly', async () => {
    const root = server.as('root');
    await completed('createWorkspace', 'shop', root);
    // Who may do what is the same there: a supervisor deploys, whoever is signed in starts, an administrator changes the tree.
    const shop = server.as('ann', 'shop');
    const shopAdmin = server.as('root', 'shop');
    await shopAdmin.run(`mutation ($input: CreateFileInput!) { createFile(input: $input) { path } }`, {
      input: {
        path: '/content',
        name: 'hello.txt',
        mimeType: 'text/plain',
        content: Buffer.from('hello').toString('base64'),
      },
    });
    const bytes = randomBytes(100_000);
    await uploaded(shopAdmin, 'large.bin', bytes);
    const isThere = async () => {
      const reply = await fetch(`${server.baseUrl}/bin/download.cgi/shop/content/large.bin`, {
        headers: shopAdmin.headers,
      });
      return reply.status === 200 && Buffer.from(await reply.arrayBuffer()).equals(bytes);
    };
    assert.ok(await isThere());
    const { deployProcess } = await server
      .as('sue', 'shop')
      .run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
        input: { name: 'one', resources: [{ name: 'one.bpmn', content: ONE_TASK }] },
      });
    assert.ok(deployProcess.id);
    const { startProcess } = await shop.run(
      'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }',
      { input: { definitionKey: 'one' } },
    );
    const tasks = async () => (await shopAdmin.run('{ tasks { edges { node { processInstanceId } } } }')).tasks.edges;
    assert.deepEqual(await tasks(), [{ node: { processInstanceId: startProcess.id } }]);
    assert.equal((await admin.run('{ tasks { totalCount } }')).tasks.totalCount, 0, 'each has its own');
    assert.deepEqual(await statuses('shop', shopAdmin), WORKS);

    await completed('stopWorkspace', 'shop', root);
    assert.equal(await stateOf('shop'), 'STOPPED');
    for (const as of [shopAdmin, shop])
      assert.deepEqual(await statuses('shop', as), Array(5).fill('503 workspace_stopped'));
    assert.deepEqual(
      await statuses('shop', server.as()),
      GUESTS.map((status) => status ?? '503 workspace_stopped'),
    );
    await completed('startWorkspace', 'shop', root);
    assert.deepEqual(await statuses('shop', shopAdmin), WORKS);
    assert.ok(await isThere());
    assert.deepEqual(await tasks(), [{ node: { processInstanceId: startProcess.id } }]);
    await completed('restartWorkspace', 'shop', root);
    assert.deepEqual(await tasks(), [{ node: { processInstanceId: startProcess.id } }]);

    const jobs =
      '{ workspace(name: "shop") { jobs { edges { node { type status phase userId targetWorkspace } } totalCount } } }';
    const ended = { status: 'completed', userId: 'root', targetWorkspace: 'shop' };
    assert.deepEqual((await admin.run(jobs)).workspace?.jobs, {
      edges: [
        { node: { type: 'restart-workspace', phase: 'starting', ...ended } },
        { node: { type: 'start-workspace', phase: 'starting', ...ended } },
        { node: { type: 'stop-workspace', phase: 'stopping', ...ended } },
        { node: { type: 'create-workspace', phase: 'starting', ...ended } },
      ],
      totalCount: 4,
    });
    assert.deepEqual((await shop.run(jobs)).workspace?.jobs, { edges: [], totalCount: 0 });

    await completed('deleteWorkspace', 'shop', root);
    const gone = ['400 bad_request', '400 bad_request', ...Array(3).fill('404 workspace_not_found')];
    assert.deepEqual(await statuses('shop', shopAdmin), gone);
    assert.deepEqual(
      await statuses('shop', server.as()),
      GUESTS.map((status) => status ?? '404 workspace_not_found'),
    );
    assert.equal((await listed()).totalCount, 2);
    await completed('createWorkspace', 'shop', root);
    assert.equal(
      (await shopAdmin.run('{ tasks { totalCount } }')).tasks.totalCount,
      0,
      'nothing of the former one is left',
    );
    assert.deepEqual((await admin.run(jobs)).workspace?.jobs.totalCount, 1);
    await completed('deleteWorkspace', 'shop', root);
  });

  /** Puts a file below /content by the steps of an upload. */
  async function uploaded(client: GraphqlClient, name: string, bytes: Buffer): Promise<void> {
    const { initiateMultipartUpload } = await client.run('mutation { initiateMultipartUpload { uploadId } }');
    const { uploadId } = initiateMultipartUpload;
    const append =
      'mutation ($input: AppendMultipartUploadChunkInput!) { appendMultipartUploadChunk(input: $input) { totalSize } }';
    for (let from = 0; from < bytes.length; from += 40_000)
      await client.run(append, { input: { uploadId, data: bytes.subarray(from, from + 40_000).toString('base64') } });
    const complete =
      'mutation ($input: CompleteMultipartUploadInput!) { completeMultipartUpload(input: $input) { path } }';
    await client.run(complete, { input: { uploadId, path: '/content', name, mimeType: 'application/octet-stream' } });
  }

  /** What the paths of a workspace answer: API, stream, file, website, archive. */
  async function statuses(workspace: string, { headers }: GraphqlClient): Promise<string[]> {
    const paths: [string, string, object?][] = [
      ['POST', `/bin/graphql.cgi/${workspace}`, { query: '{ me { username } }' }],
      ['PUT', `/bin/graphql.cgi/${workspace}/stream`],
      ['GET', `/bin/download.cgi/${workspace}/content/hello.txt`],
      ['GET', `/bin/cms.cgi/${workspace}/content/hello.txt`],
      ['GET', `/bin/download-archive.cgi/${workspace}/1767225600000-00ff`],
    ];
    return Promise.all(
      paths.map(async ([method, path, body]) => {
        const reply = await fetch(server.baseUrl + path, {
          method,
          headers: { ...headers, 'Content-Type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await reply.text();
        const reason = /"reason":"(\w+)"/.exec(text)?.[1];
        return reason === undefined ? `${reply.status}` : `${reply.status} ${reason}`;
      }),
    );
  }
  /** Who is not signed in is told of websites alone. */
  const GUESTS = ['401', '401', '401 not_signed_in', undefined, '401 not_signed_in'];
  const WORKS = ['200', '201', '200', '200', '404 file_not_found'];

  it('change by what is given, at once', async () => {
    const update = async (input: object, as = admin) =>
      (
        await as.run(
          `mutation ($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) { errors { code field } workspace {
            name displayName autoStart processEngine { enabled } integrationEngine { enabled } } } }`,
          { input },
        )
      ).updateWorkspace;
    const web = {
      name: 'web',
      displayName: null,
      autoStart: true,
      processEngine: { enabled: true },
      integrationEngine: { enabled: true },
    };
    const changed = { ...web, displayName: 'The web', integrationEngine: { enabled: false } };
    assert.deepEqual(await update({ name: 'web', displayName: 'The web', eipEnabled: false }), {
      workspace: changed,
      errors: null,
    });
    assert.deepEqual(await update({ name: 'web', autoStart: null }), { workspace: changed, errors: null });
    assert.deepEqual(await update({ name: 'web', displayName: null, eipEnabled: true }), {
      workspace: web,
      errors: null,
    });
    assert.deepEqual(await update({ name: 'nothing' }), {
      workspace: null,
      errors: [{ code: 'NOT_FOUND', field: 'name' }],
    });
    assert.deepEqual(await update({ name: 'web', displayName: 'x'.repeat(256) }), {
      workspace: null,
      errors: [{ code: 'INVALID_INPUT', field: 'displayName' }],
    });
    assert.equal((await update({ name: 'system', autoStart: false })).workspace?.autoStart, true);
    assert.equal(
      (await update({ name: 'web', displayName: 'x' }, server.as('sue'))).errors?.[0]?.code,
      'ACCESS_DENIED',
    );
  });

  it('are in the audit log with whoever changed them, or would have', async () => {
    const entries = async (type: string, workspace: string) => {
      const query = 'query ($type: String) { auditLog(type: $type) { edges { node { userId targets outcome } } } }';
      const { auditLog } = await server.as('admin', workspace).run(query, { type });
      return auditLog.edges.map(({ node }) => node);
    };
    await asked('stopWorkspace', 'web', server.as('sue', 'system'));
    await completed('createWorkspace', 'noted', server.as('root'));
    await completed('stopWorkspace', 'noted');
    await completed('deleteWorkspace', 'noted');
    const isNoted = async () =>
      (await entries('deleteWorkspace', 'system')).some(({ targets }) => targets.includes('workspace/noted'));
    await eventually('they are noted', isNoted);
    for (const [type, userId] of [
      ['createWorkspace', 'root'],
      ['stopWorkspace', 'admin'],
    ] as const)
      assert.deepEqual((await entries(type, 'system'))[0], { userId, targets: ['workspace/noted'], outcome: 'DONE' });
    const refused = (await entries('stopWorkspace', 'system')).find(({ outcome }) => outcome !== 'DONE');
    assert.deepEqual(refused, { userId: 'sue', targets: ['web'], outcome: 'ACCESS_DENIED' });
  });

  it('tell of their changes in every workspace, and of their jobs where these were begun', async () => {
    const changes = 'subscription { workspaceChanged { workspace timestamp } }';
    const told = [await follow(server.as('ann'), changes), await follow(server.as('sue', 'system'), changes, true)];
    const { jobId } = await asked('createWorkspace', 'tell', admin);
    const progress = await toldOf(admin, jobId ?? '');
    assert.deepEqual(
      [...new Set(progress.map(({ phase, targetWorkspace }) => `${phase} ${targetWorkspace}`))],
      ['creating tell', 'starting tell'],
    );
    const query = 'query ($jobId: ID!) { jobProgress(job: $jobId) { status phase targetWorkspace } }';
    for (const workspace of ['web', 'system', 'tell'])
      assert.deepEqual((await server.as('admin', workspace).run(query, { jobId })).jobProgress, {
        ...{ status: 'completed', phase: 'starting', targetWorkspace: 'tell' },
      });
    for (const one of told)
      assert.deepEqual(
        (await one.events(2)).map((event) => (event as unknown as { workspace: string }).workspace),
        ['tell', 'tell'],
      );
    await completed('deleteWorkspace', 'tell');
  });

  it('tell whoever comes back what happened meanwhile, here and in `system`, whatever the place names', async () => {
    const ann = server.as('ann');
    const FOLLOWED = {
      nodes: 'subscription { nodeChanged(path: "/content") { path } }',
      workspaces: 'subscription { workspaceChanged { workspace } }',
    };
    const open = async (names: readonly (keyof typeof FOLLOWED)[], lastEventId?: string): Promise<EventReader> => {
      const headers = { ...ann.headers, ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }) };
      const token = await (await fetch(`${ann.url}/stream`, { method: 'PUT', headers })).text();
      const reader = await EventReader.open(`${ann.url}/stream?token=${token}`, { headers });
      for (const name of names) {
        const body = JSON.stringify({ query: FOLLOWED[name], extensions: { operationId: name } });
        const json = { ...headers, 'Content-Type': 'application/json' };
        await fetch(`${ann.url}/stream?token=${token}`, { method: 'POST', headers: json, body });
      }
      return reader;
    };
    /** What comes next of each operation, and the id of the last frame. */
    const told = async (reader: EventReader, count: number) => {
      const texts: string[] = [];
      let id = '';
      while (texts.length < count) {
        const frame = await reader.next();
        assert.ok(frame, `the stream ended behind ${texts}`);
        if (frame.event !== 'next') continue;
        const { payload } = JSON.parse(frame.data ?? '') as { payload: { data: Told; errors?: unknown } };
        assert.equal(payload.errors, undefined, frame.data);
        const { nodeChanged, workspaceChanged } = payload.data;
        texts.push(nodeChanged?.path ?? workspaceChanged?.workspace ?? '');
        id = frame.id ?? id;
      }
      reader.close();
      return { texts: texts.sort(), id };
    };
    const folder = (name: string) => admin.run(`mutation { createFolder(path: "/content", name: "${name}") { id } }`);
    const rename = (displayName: string, name = 'web') =>
      admin.run(
        `mutation { updateWorkspace(input: { name: "${name}", displayName: "${displayName}" }) { errors { code } } }`,
      );

    const both = await open(['nodes', 'workspaces']);
    await folder('back1');
    await rename('a');
    const first = await told(both, 2);
    assert.deepEqual(first.texts, ['/content/back1', 'web']);
    await folder('back2');
    await rename('b', 'system');
    assert.deepEqual((await told(await open(['nodes', 'workspaces'], first.id), 2)).texts, [
      '/content/back2',
      'system',
    ]);

    // A place that names one of the two: the other begins now.
    const one = await open(['nodes']);
    await folder('back3');
    const second = await told(one, 1);
    await rename('c', 'system');
    await folder('back4');
    const again = await open(['nodes', 'workspaces'], second.id);
    await rename('d');
    assert.deepEqual((await told(again, 2)).texts, ['/content/back4', 'web']);
    const other = await open(['workspaces']);
    await rename('e');
    const third = await told(other, 1);
    await folder('back5');
    await rename('f', 'system');
    const last = await open(['nodes', 'workspaces'], third.id);
    await folder('back6');
    assert.deepEqual((await told(last, 2)).texts, ['/content/back6', 'system']);
    for (const name of ['web', 'system'])
      await admin.run(
        `mutation { updateWorkspace(input: { name: "${name}", displayName: null }) { errors { code } } }`,
      );
  });

  it('end their streams without a last word when they stop, those of other workspaces’ events too', async () => {
    await completed('createWorkspace', 'quiet');
    const ann = server.as('ann', 'quiet');
    const followed = [
      await follow(ann, 'subscription { nodeChanged(path: "/", deep: true) { path } }'),
      await follow(ann, 'subscription { workspaceChanged { workspace } }'),
      await follow(ann, 'subscription { systemNotification { title } }', true),
    ];
    await completed('stopWorkspace', 'quiet');
    await eventually('all of them have ended', async () => followed.every(({ failure }) => failure !== undefined));
    assert.deepEqual(
      followed.map(({ isComplete }) => isComplete),
      [false, false, false],
    );
    await completed('deleteWorkspace', 'quiet');
  });

  it('are made once, however many ask for it at once, and never half, whatever is asked of them at once', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => asked('createWorkspace', 'race')));
    const ids = made.flatMap(({ jobId }) => (jobId === null ? [] : [jobId]));
    assert.equal(ids.length, 1);
    assert.deepEqual(
      made.flatMap(({ errors }) => errors ?? []).map(({ code }) => code),
      Array(4).fill('ALREADY_EXISTS'),
    );
    // While it is being made, stopped, and started.
    const verbs = [
      'stopWorkspace',
      'stopWorkspace',
      'startWorkspace',
      'restartWorkspace',
      'deleteWorkspace',
      'deleteWorkspace',
    ] as const;
    const ends = await Promise.all(verbs.map((verb) => done(verb, 'race')));
    assert.deepEqual(
      ends.map(({ status }) => status),
      Array(6).fill('completed'),
    );
    assert.equal(await stateOf('race'), undefined);
    await completed('createWorkspace', 'race');
    const late = await Promise.all([done('deleteWorkspace', 'race'), done('startWorkspace', 'race')]);
    assert.deepEqual(
      late.map(({ status }) => status),
      ['completed', 'failed'],
    );
    assert.equal(await stateOf('race'), undefined);
  });

  it('are made once for an idempotency key', async () => {
    const ask = () =>
      admin.ask('mutation { createWorkspace(input: { name: "keyed" }) { jobId errors { code } } }', {
        idempotencyKey: 'make keyed',
      });
    const [first, again] = [await ask(), await ask()];
    assert.equal(first.data?.createWorkspace.errors, null);
    assert.deepEqual(again.data, first.data);
    const position = first.extensions?.position;
    assert.ok(position);
    const changes = await follow(admin, `subscription { workspaceChanged(after: "${position}") { workspace } }`);
    const nodes = await follow(admin, `subscription { nodeChanged(after: "${position}") { path } }`);
    await toldOf(admin, first.data?.createWorkspace.jobId ?? '');
    assert.deepEqual(await changes.events(1), [{ workspace: 'keyed' }]);
    assert.equal(nodes.failure, undefined);
    const elsewhere = (
      await server.as('admin', 'keyed').ask('mutation { createFolder(input: { path: "/content", name: "a" }) { id } }')
    ).extensions?.position;
    const foreign = await follow(admin, `subscription { workspaceChanged(after: "${elsewhere}") { workspace } }`);
    await eventually('it is refused', async () => foreign.results.length > 0);
    assert.equal(foreign.results[0]?.errors?.[0]?.extensions?.reason, 'position_elsewhere');
    await completed('deleteWorkspace', 'keyed');
  });
});

const ONE_TASK = `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t">
  <process id="one" isExecutable="true"><startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="t"/><userTask id="t"/></process></definitions>`;
