import assert from 'node:assert/strict';
import { bpmn, element, line } from '../support/bpmn.js';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { basic } from '../support/test-server.js';
import { Events } from './support/events.js';

const WAITING = bpmn(line(['work'], element('userTask', 'work', { 'camunda:candidateGroups': 'desk' })), {
  key: 'waiting',
});

/** What the original did wrong or left open, and is right here. Who may do what is asked of each field elsewhere. */
describe('faults of the original that are none here', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let ann: GraphqlClient;
  let bob: GraphqlClient;
  before(async () => {
    server = await liveServer({
      users: [
        { userId: 'ann', groups: ['desk'] },
        { userId: 'bob', groups: ['desk'] },
        { userId: 'eve', groups: ['desk', 'board'] },
        { userId: 'off' },
      ],
    });
    [admin, ann, bob] = [server.as('admin'), server.as('ann'), server.as('bob')];
    await admin.run(
      'mutation ($model: String!) { deployProcess(input: { name: "it", resources: [{ name: "it.bpmn", content: $model }] }) { id } }',
      { model: WAITING },
    );
    const system = server.as('admin', 'system');
    await system.run('mutation { updateUser(input: { username: "off", enabled: false }) { errors { code } } }');
  });
  after(() => server.remove());

  const code = async (call: Promise<unknown>) => (await refusal(call)).code;
  const folder = (name: string) =>
    admin.run('mutation ($name: String!) { createFolder(path: "/content", name: $name) { path id } }', { name });
  const newTask = async () => {
    const { startProcess } = await admin.run(
      'mutation { startProcess(input: { definitionKey: "waiting" }) { tasks { edges { node { id } } } } }',
    );
    return startProcess.tasks.edges[0]?.node.id ?? '';
  };

  it('all that happens below the root is told to who follows it', async () => {
    const { extensions } = await admin.ask('mutation { createFolder(path: "/content", name: "told") { path } }');
    const events = new Events(admin, true);
    try {
      const received = events.follow(
        `subscription { nodeChanged(path: "/", deep: true, after: "${extensions?.position}") { path } }`,
      );
      await admin.run('mutation { createFolder(path: "/content/told", name: "deeper") { path } }');
      const [event] = await received.events(1);
      assert.match(event?.path ?? '', /^\/content\/told\/deeper$/);
    } finally {
      events.close();
    }
  });

  it('a whole number is a Long variable, as a number and as a text', async () => {
    const { startProcess } = await admin.run(
      'mutation { startProcess(input: { definitionKey: "waiting", variables: [{ name: "a", type: "Long", value: 42 }, { name: "b", type: "Long", value: "42" }] }) { variables { name type value } } }',
    );
    assert.deepEqual(startProcess.variables, [
      { name: 'a', type: 'Long', value: 42 },
      { name: 'b', type: 'Long', value: 42 },
    ]);
  });

  it('a cursor that is none is refused by each list', async () => {
    await server
      .as('admin', 'system')
      .run('mutation { addMixin(path: "/content", mixinType: "mix:referenceable") { path } }');
    for (const field of [
      'tasks(after: "x")',
      'processInstances(after: "x")',
      'processDefinitions(after: "x")',
      'incidents(after: "x")',
      'jobs(after: "x")',
      'children(path: "/content", after: "x")',
      'references(path: "/content", after: "x")',
      'nodeTypes(after: "x")',
      'auditLog(after: "x")',
      'users(after: "x")',
      'groups(after: "x")',
      'roles(after: "x")',
    ]) {
      const { errors } = await server.as('admin', 'system').ask(`{ ${field} { edges { cursor } } }`);
      assert.equal(errors?.[0]?.extensions.code, 'BAD_REQUEST', field);
    }
  });

  it('properties of a folder are its own, as it has no content', async () => {
    await admin.run(
      'mutation { createNode(input: { path: "/content", name: "plain", nodeType: "nt:folder", mixins: ["mix:title"] }) { path } }',
    );
    const { setProperties } = await admin.run(
      'mutation { setProperties(path: "/content/plain", properties: [{ name: "jcr:title", value: { stringValue: "x" } }]) { errors { message } } }',
    );
    assert.deepEqual(setProperties.errors, []);
  });

  it('an id of an upload is no name of a file', async () => {
    for (const id of ['../../../etc/passwd', '..', '', '/etc/passwd', 'a\u0000b'])
      for (const field of [
        'appendMultipartUploadChunk(input: { uploadId: $id, data: "YQ==" }) { uploadId }',
        'completeMultipartUpload(input: { uploadId: $id, path: "/content", name: "u", mimeType: "a/b" }) { path }',
      ])
        assert.equal(await code(admin.run(`mutation ($id: ID!) { ${field} }`, { id })), 'BAD_REQUEST', id);
    assert.equal(
      (await admin.run('mutation { abortMultipartUpload(input: { uploadId: "../x" }) }')).abortMultipartUpload,
      false,
    );
  });

  it('a user that is disabled signs in by no way', async () => {
    const login = await fetch(`${server.baseUrl}/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: 'off', password: 'off' }),
    });
    await login.body?.cancel();
    const download = await fetch(`${server.baseUrl}/bin/download.cgi/web/content`, { headers: basic('off', 'off') });
    await download.body?.cancel();
    const { status } = await server.as('off').ask('{ __typename }');
    assert.deepEqual([login.status, download.status, status], [401, 401, 401]);
  });

  it('counts of tasks are never negative, whoever has them', async () => {
    const id = await newTask();
    await admin.run(`mutation { claimTask(taskId: "${id}") { id } }`);
    for (const filter of ['', '(candidateUser: "ann")', '(candidateGroups: ["desk"])', '(assignee: "admin")']) {
      const { taskCounts } = await admin.run(`{ taskCounts${filter} { total unassigned assigned } }`);
      assert.equal(taskCounts.total, taskCounts.unassigned + taskCounts.assigned, filter);
      assert.ok(taskCounts.assigned >= 0, filter);
    }
  });

  it('what a user did wrong is told with its reason', async () => {
    await folder('taken');
    await admin.run('mutation { lockNode(path: "/content/taken") { path } }');
    await admin.run(
      'mutation { setAccessControl(path: "/content/taken", principal: "ann", privileges: ["jcr:all"]) { __typename } }',
    );
    const id = await newTask();
    await ann.run(`mutation { claimTask(taskId: "${id}") { id } }`);
    const wrong: readonly (readonly [GraphqlClient, string, string])[] = [
      [admin, 'createFolder(path: "/content", name: "taken") { path }', 'ALREADY_EXISTS'],
      [ann, 'deleteNode(input: { path: "/content/taken" })', 'FORBIDDEN'],
      [ann, 'createFolder(path: "/content/taken", name: "x") { path }', 'CONFLICT'],
      [bob, `claimTask(taskId: "${id}") { id }`, 'CONFLICT'],
      [bob, `setTaskAssignee(taskId: "${id}", assignee: "bob") { id }`, 'FORBIDDEN'],
      [admin, 'startProcess(input: { definitionKey: "none" }) { id }', 'NOT_FOUND'],
      [
        admin,
        'deployProcess(input: { name: "a", resources: [{ name: "a.bpmn", content: "<a>" }] }) { id }',
        'BAD_REQUEST',
      ],
      [admin, 'checkin(input: { path: "/content/taken" }) { name }', 'BAD_REQUEST'],
    ];
    for (const [client, field, expected] of wrong) {
      const refused = await refusal(client.run(`mutation { ${field} }`));
      assert.equal(refused.code, expected, field);
      assert.doesNotMatch(refused.message, /Internal server error/);
    }
  });

  it('who is in which group is not told by whose tasks there are', async () => {
    await newTask();
    const found = async (client: GraphqlClient, candidateUser: string) =>
      await client.run(
        `{ tasks(candidateUser: "${candidateUser}") { totalCount } taskCounts(candidateUser: "${candidateUser}") { total } }`,
      );
    const own = await found(ann, 'ann');
    assert.ok(own.tasks.totalCount > 0);
    assert.equal(own.taskCounts.total, own.tasks.totalCount);
    assert.ok((await found(admin, 'ann')).tasks.totalCount > 0);
    const other = await found(ann, 'eve');
    assert.deepEqual([other.tasks.totalCount, other.taskCounts.total], [0, 0]);
  });
});
