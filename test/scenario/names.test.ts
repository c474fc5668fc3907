import assert from 'node:assert/strict';
import { bpmn, flows } from '../support/bpmn.js';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { sessionClient } from '../support/session-client.js';
import { denyFolders } from './support/denied-folders.js';
import { Events } from './support/events.js';
import { endOf } from './support/jobs.js';
import { isDeclared, placesOf } from './support/stored-names.js';
import { partitionOf } from './support/stored-trees.js';

/** A user and a group whose names are in no other text. */
const USER = 'qzxuser';
const GROUP = 'qzxgroup';

/** Waits: of the starter's own task, of one that it has handed on, of those for it alone, for others too, for the group, and for a timer. */
const MODEL = bpmn(
  `
  <bpmn:startEvent id="start" camunda:initiator="starter"/>
  <bpmn:parallelGateway id="fork"/>
  <bpmn:userTask id="own" camunda:assignee="\${starter}"/>
  <bpmn:userTask id="lent" camunda:assignee="\${starter}"/>
  <bpmn:userTask id="alone" camunda:candidateUsers="${USER}"/>
  <bpmn:userTask id="both" camunda:assignee="\${starter}" camunda:candidateUsers="${USER},ann"/>
  <bpmn:userTask id="team" camunda:candidateGroups="${GROUP}"/>
  <bpmn:intermediateCatchEvent id="later"><bpmn:timerEventDefinition><bpmn:timeDuration>PT1H</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>
  <bpmn:userTask id="after" camunda:candidateUsers="ann"/>
  ${flows('start', 'fork', 'own')}
  ${['lent', 'alone', 'both', 'team', 'later'].map((id) => flows('fork', id)).join('')}
  ${flows('later', 'after')}`,
  { attributes: `camunda:candidateStarterUsers="${USER}"` },
);

/** Sent with the same key by the former one, and by the new one. */
const KEYED = 'mutation { createFolder(path: "/shared", name: "first") { path } }';

/** Where names stay, and why. */
const NOT_DECLARED: Readonly<Record<string, string>> = {
  'credential id': 'goes with the user',
  'lastSignIn id': 'goes with the user',
  'apiToken createdBy': 'who made it then',
  'principalName id': 'says that the name is taken',
  'node name': 'of a home, which goes with the user, or moves with the group',
  'node properties.identifier.value': 'of a profile, which goes with the user, or is changed with the group',
  'node properties.jcr:createdBy.value': 'who made it then',
  'node properties.jcr:lastModifiedBy.value': 'who changed it then',
  'version createdBy': 'who made it then',
  'frozenNode properties.jcr:createdBy.value': 'who made it then',
  'frozenNode properties.jcr:lastModifiedBy.value': 'who changed it then',
  'run userId': 'whose command it was',
  'run command.groups[]': 'what it was decided by',
  'taskComment userId': 'who said it then',
  'processInstance state.scopes[].variables.starter.value': 'a variable is data',
  'longJobPiece items[] (in a text)': 'a path that a job was given',
  'resource text (in a text)': 'a model says what its author wrote',
  'definitionModel text (in a text)': 'a model says what its author wrote',
};

describe('a name that comes back', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let ann: GraphqlClient;
  let system: GraphqlClient;
  let traces: Traces;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    [admin, ann, system] = [server.as('admin'), server.as('ann'), server.as('admin', 'system')];
    await run(system, `createGroup(input: { name: "${GROUP}" }) { errors { code } }`);
    await makeUser();
    traces = await leaveTraces();
  });
  after(() => server.remove());

  const run = async <T = unknown>(client: GraphqlClient, mutation: string): Promise<T> =>
    ((await client.run(`mutation { it: ${mutation} }`)) as unknown as { readonly it: T }).it;
  const code = async (call: Promise<unknown>) => (await refusal(call)).code;
  interface Changed {
    readonly jobId?: string | null;
    readonly errors: readonly { readonly code: string; readonly jobId: string | null }[] | null;
  }
  const makeUser = () =>
    run<Changed>(
      system,
      `createUser(input: { username: "${USER}", password: "${USER}", memberOf: ["${GROUP}"] }) { errors { code jobId } }`,
    );
  /** Follows the job to its end. */
  const through = async ({ jobId, errors }: Changed) => {
    assert.equal(errors, null);
    assert.equal((await endOf(system, jobId ?? '')).status, 'completed');
  };
  const places = (name: string) =>
    ['system', partitionOf(server.folder)].flatMap((partition) => [...placesOf(server.folder, partition, name)]);
  const declared = (name: string) => places(name).filter(isDeclared);
  const taskOf = async (id: string) => {
    const { task } = await admin.run(
      `{ task(id: "${traces.tasks[id]}") { assignee owner candidateUsers candidateGroups } }`,
    );
    return task;
  };

  interface Traces {
    /** Behind which the user's process began. */
    readonly position: string;
    readonly tasks: Readonly<Record<string, string>>;
    readonly instanceId: string;
    readonly uploadId: string;
  }

  /** The user and the group leave their names wherever they can. */
  async function leaveTraces(): Promise<Traces> {
    const user = await sessionClient(server, USER);
    await leaveInTree(user);
    const { uploadId } = await run<{ uploadId: string }>(user, 'initiateMultipartUpload { uploadId }');
    await run(user, 'initDeleteNodes(input: {}) { jobId }');
    await archiveHome(user);
    await run(
      server.as(USER, 'system'),
      `updatePreferences(input: { username: "${USER}", category: "look", data: { dark: true } }) { errors { code } }`,
    );
    await run(server.as(USER, 'system'), 'createApiToken(input: { name: "mine", scopes: [READ] }) { errors { code } }');
    await admin.run(
      'mutation ($content: String!) { deployProcess(input: { name: "p", resources: [{ name: "p.bpmn", content: $content }] }) { id } }',
      { content: MODEL },
    );
    const { extensions } = await admin.ask('mutation { createFolder(path: "/", name: "last") { path } }');
    const { id: instanceId } = await run<{ id: string }>(user, 'startProcess(input: { definitionKey: "p" }) { id }');
    const { tasks } = await admin.run(
      `{ tasks(processInstance: "${instanceId}") { edges { node { id taskDefinitionKey } } } }`,
    );
    await run(admin, 'createFolder(path: "/", name: "shared") { path }');
    await run(
      admin,
      'setAccessControl(path: "/shared", entries: [{ principal: "everyone", privileges: ["jcr:all"] }]) { __typename }',
    );
    for (let times = 0; times < 2; times++)
      assert.equal((await server.as(USER).ask(KEYED, { idempotencyKey: 'key' })).errors, undefined);
    const byKey = Object.fromEntries(tasks.edges.map(({ node }) => [node.taskDefinitionKey ?? '', node.id]));
    await run(user, `addTaskComment(taskId: "${byKey.own}", message: "mine") { id }`);
    await run(user, `delegateTask(taskId: "${byKey.lent}", assignee: "ann") { id }`);
    return { tasks: byKey, instanceId, uploadId, position: extensions?.position ?? '' };
  }

  /** A long job of the user's about its own home. */
  async function archiveHome(user: GraphqlClient): Promise<void> {
    const { jobId } = await run<{ jobId: string }>(user, 'initDownloadArchive(input: {}) { jobId }');
    await run(user, `appendDownloadArchive(input: { jobId: "${jobId}", paths: ["/home/users/${USER}"] }) { jobId }`);
    await run(user, `startDownloadArchive(input: { jobId: "${jobId}", filename: "home.zip" }) { jobId }`);
    assert.equal((await endOf(user, jobId)).status, 'completed');
  }

  async function leaveInTree(user: GraphqlClient): Promise<void> {
    await run(admin, 'createFolder(path: "/", name: "room") { path }');
    const list = (...entries: string[]) => `entries: [${entries.map((entry) => `{ ${entry} }`).join(', ')}]`;
    const [all, denied] = ['privileges: ["jcr:all"]', 'privileges: ["jcr:all"], allow: false'];
    const [his, theirs] = [`principal: "${USER}"`, `principal: "${GROUP}"`];
    const hers = 'principal: "ann"';
    await run(
      admin,
      `setAccessControl(path: "/room", ${list(`principal: "everyone", ${denied}`, `${hers}, ${all}`, `${his}, ${all}`)}) { __typename }`,
    );
    for (const name of ['kept', 'hidden', 'locked'])
      await run(admin, `createFolder(path: "/room", name: "${name}") { path }`);
    await run(
      admin,
      `setAccessControl(path: "/room/hidden", ${list(`${theirs}, ${denied}`, `${his}, ${denied}`)}) { __typename }`,
    );
    await run(
      admin,
      `setAccessControl(path: "/room/kept", ${list(`${theirs}, privileges: ["jcr:write"], allow: false`, `${his}, privileges: ["jcr:read"]`)}) { __typename }`,
    );
    await run(admin, 'addVersionControl(input: { path: "/room/kept" }) { path }');
    await run(admin, 'checkout(input: { path: "/room/kept" })');
    await run(admin, 'checkpoint(input: { path: "/room/kept" }) { name }');
    await run(user, 'lockNode(input: { path: "/room/locked" }) { path }');
    await leaveInVersion(list(`principal: "everyone", ${denied}`, `${his}, ${all}`));
    await run(user, `createFolder(path: "/home/users/${USER}", name: "mine") { path }`);
    await run(ann, 'lockNode(input: { path: "/room" }) { path }');
    await run(ann, 'unlockNode(input: { path: "/room" })');
  }

  /** A version has a folder that is gone since, and that the user alone could read. */
  async function leaveInVersion(entries: string): Promise<void> {
    await run(admin, 'createFolder(path: "/", name: "open") { path }');
    await run(
      admin,
      'setAccessControl(path: "/open", entries: [{ principal: "everyone", privileges: ["jcr:read"] }]) { __typename }',
    );
    await run(admin, 'createFolder(path: "/open", name: "inner") { path }');
    await run(admin, `setAccessControl(path: "/open/inner", ${entries}) { __typename }`);
    await run(admin, 'addVersionControl(input: { path: "/open" }) { path }');
    await run(admin, 'checkout(input: { path: "/open" })');
    await run(admin, 'checkpoint(input: { path: "/open" }) { name }');
    await run(admin, 'deleteNode(input: { path: "/open/inner" })');
  }
  const frozenInner = async (client: GraphqlClient) => {
    const { versionHistory } = await client.run('{ versionHistory(path: "/open") { versions { frozenNodePath } } }');
    const path = versionHistory?.versions[0]?.frozenNodePath;
    return (await client.run(`{ node(path: "${path}/inner") { name } }`)).node?.name;
  };

  it('is declared wherever a document has it, but for what says who did something', () => {
    for (const name of [USER, GROUP]) {
      const unknown = places(name).filter((place) => !isDeclared(place) && NOT_DECLARED[place] === undefined);
      assert.deepEqual(unknown, [], `'${name}' is found where no collection declares a principal`);
    }
    assert.deepEqual([...new Set([...declared(USER), ...declared(GROUP)])].sort(), [
      'apiToken userId',
      'frozenNode acl[].principal',
      'job userId',
      'longJob userId',
      'node acl[].principal',
      'node lock.owner',
      'processDefinition candidateStarterUsers[]',
      'processInstance startUserId',
      'session userId',
      'task actor.context.assignee',
      'task actor.context.owner',
      'task candidateGroups[]',
      'task candidateUsers[]',
      'upload owner',
    ]);
  });

  it('gives rights to what versions keep, as long as it is somebody’s', async () => {
    assert.deepEqual([await frozenInner(server.as(USER)), await frozenInner(ann)], ['inner', undefined]);
  });

  it('gives nobody rights to what a version has kept who was made later', async () => {
    await run(admin, 'createFolder(path: "/", name: "early") { path }');
    await run(
      admin,
      'setAccessControl(path: "/early", entries: [{ principal: "everyone", privileges: ["jcr:read"] }]) { __typename }',
    );
    const entries = ['late', 'crew'].map((name) => `{ principal: "${name}", privileges: ["jcr:all"] }`);
    await run(admin, 'createFolder(path: "/early", name: "inner") { path }');
    await run(
      admin,
      `setAccessControl(path: "/early/inner", entries: [{ principal: "everyone", privileges: ["jcr:all"], allow: false }, ${entries}]) { __typename }`,
    );
    await run(admin, 'addVersionControl(input: { path: "/early" }) { path }');
    await run(admin, 'checkout(input: { path: "/early" })');
    const frozenAt = () =>
      run<{ frozenNodePath: string }>(admin, 'checkpoint(input: { path: "/early" }) { frozenNodePath }');
    const before = await frozenAt();
    await run(admin, 'advanceClock(by: "PT1S")');
    await run(system, 'createGroup(input: { name: "crew" }) { errors { code } }');
    for (const [username, memberOf] of [
      ['late', ''],
      ['mate', '"crew"'],
    ])
      await run(
        system,
        `createUser(input: { username: "${username}", password: "${username}", memberOf: [${memberOf}] }) { errors { code } }`,
      );
    await run(admin, 'advanceClock(by: "PT1S")');
    const behind = await frozenAt();
    const seen = async (username: string) => {
      const names: (string | undefined)[] = [];
      for (const { frozenNodePath } of [before, behind])
        names.push((await server.as(username).run(`{ node(path: "${frozenNodePath}/inner") { name } }`)).node?.name);
      return names;
    };
    const users = ['late', 'mate', 'ann'] as const;
    assert.deepEqual(await Promise.all(users.map(seen)), [
      ['inner', 'inner'],
      ['inner', 'inner'],
      [undefined, undefined],
    ]);
    await run(admin, 'deleteNode(input: { path: "/early/inner" })');
    assert.deepEqual(await Promise.all(users.map(seen)), [
      [undefined, 'inner'],
      [undefined, 'inner'],
      [undefined, undefined],
    ]);
  });

  it('is not had by anybody until a job has taken it out of all documents', async () => {
    await run(admin, 'advanceClock(by: "PT1M")');
    const deleted = await run<Changed>(
      system,
      `deleteUser(input: { username: "${USER}" }) { jobId errors { code jobId } }`,
    );
    const { errors } = await makeUser();
    // The job may have been through by then.
    if (errors !== null) assert.deepEqual(errors, [{ code: 'ALREADY_EXISTS', jobId: deleted.jobId }]);
    await through(deleted);
    assert.deepEqual(declared(USER), errors === null ? ['node acl[].principal'] : [], 'but of the new home');
    if (errors !== null) assert.equal((await makeUser()).errors, null);
  });

  it('has no rights, locks or uploads of the former one, and a home of its own', async () => {
    const user = server.as(USER);
    const { room, mine, home } = (await user.run(
      `{ room: node(path: "/room") { path } mine: node(path: "/home/users/${USER}/mine") { path } home: node(path: "/home/users/${USER}/Desktop") { path } }`,
    )) as unknown as Record<string, { path: string } | null>;
    assert.deepEqual([room, mine, home?.path], [null, null, `/home/users/${USER}/Desktop`]);
    const { node } = await ann.run('{ node(path: "/room/locked") { isLocked } }');
    assert.equal(node?.isLocked, false);
    assert.equal(await run(user, `abortMultipartUpload(input: { uploadId: "${traces.uploadId}" })`), false);
    const { mySessions } = await server.as(USER, 'system').run('{ mySessions { id } }');
    assert.deepEqual(mySessions, []);
  });

  it('has no tasks of the former one, and none becomes everybody’s', async () => {
    const former = `${USER}:deleted`;
    assert.deepEqual(await Promise.all(['own', 'lent', 'alone', 'both', 'team'].map(taskOf)), [
      { assignee: null, owner: null, candidateUsers: [former], candidateGroups: [] },
      { assignee: 'ann', owner: null, candidateUsers: [former], candidateGroups: [] },
      { assignee: null, owner: null, candidateUsers: [former], candidateGroups: [] },
      { assignee: null, owner: null, candidateUsers: ['ann'], candidateGroups: [] },
      { assignee: null, owner: null, candidateUsers: [], candidateGroups: [GROUP] },
    ]);
    for (const id of ['own', 'alone'])
      for (const client of [server.as(USER), ann])
        assert.equal(await code(run(client, `claimTask(taskId: "${traces.tasks[id]}") { id }`)), 'NOT_FOUND');
    await run(ann, `claimTask(taskId: "${traces.tasks.both}") { id }`);
    await run(admin, `assignTask(taskId: "${traces.tasks.alone}", assignee: "ann") { id }`);
  });

  it('is not answered what the former one was', async () => {
    const again = await server.as(USER).ask(KEYED, { idempotencyKey: 'key' });
    assert.equal(again.errors?.[0]?.extensions.code, 'ALREADY_EXISTS', 'it is done, and finds the folder of the other');
  });

  it('hears nothing of what happened to the former one', async () => {
    const events = new Events(server.as(USER), false);
    try {
      const heard = events.follow(
        `subscription { taskAssigned(assignee: "${USER}", after: "${traces.position}") { task { id assignee } } }`,
      );
      await events.connected(1);
      await run(admin, `assignTask(taskId: "${traces.tasks.both}", assignee: "${USER}") { id }`);
      assert.deepEqual(
        (await heard.events(1)).map(({ task }) => task?.id),
        [traces.tasks.both],
      );
    } finally {
      events.close();
    }
  });

  it('may neither start what only the former one might, nor cancel what that has started', async () => {
    const user = server.as(USER);
    for (const client of [user, ann])
      assert.equal(await code(run(client, 'startProcess(input: { definitionKey: "p" }) { id }')), 'FORBIDDEN');
    assert.equal(await code(run(user, `cancelProcessInstance(id: "${traces.instanceId}")`)), 'FORBIDDEN');
  });

  it('keeps nothing from going on that the former one has set off', async () => {
    await run(admin, 'advanceClock(by: "PT2H")');
    const { tasks } = await admin.run(
      `{ tasks(processInstance: "${traces.instanceId}", taskDefinitionKey: "after") { totalCount } }`,
    );
    assert.equal(tasks.totalCount, 1);
  });

  it('has no rights by a version of before', async () => {
    await run(admin, 'restoreVersion(input: { path: "/room/kept", versionName: "1.0" }) { path }');
    const { accessControl } = await admin.run('{ accessControl(path: "/room/kept") { entries { principal { id } } } }');
    assert.deepEqual(accessControl, { entries: [{ principal: { id: GROUP } }] });
    assert.deepEqual([await frozenInner(server.as(USER)), await frozenInner(admin)], [undefined, 'inner']);
  });

  it('is given nothing in a workspace that was stopped while the former one went', async () => {
    const shop = async (verb: string) => {
      const { jobId, errors } = await run<Changed>(
        system,
        `${verb}(input: { name: "shop" }) { jobId errors { code } }`,
      );
      assert.equal(errors, null);
      assert.equal((await endOf(system, jobId ?? '')).status, 'completed');
    };
    await shop('createWorkspace');
    const [inShop, user] = [server.as('admin', 'shop'), server.as(USER, 'shop')];
    await run(inShop, 'createFolder(path: "/", name: "room") { path }');
    await run(
      inShop,
      `setAccessControl(path: "/room", entries: [{ principal: "everyone", privileges: ["jcr:all"], allow: false }, { principal: "${USER}", privileges: ["jcr:all"] }]) { __typename }`,
    );
    await run(user, `createFolder(path: "/home/users/${USER}", name: "mine") { path }`);
    const both = `{ room: node(path: "/room") { name } mine: node(path: "/home/users/${USER}/mine") { name } }`;
    assert.deepEqual(await user.run(both), { room: { name: 'room' }, mine: { name: 'mine' } });
    await shop('stopWorkspace');
    await through(
      await run<Changed>(system, `deleteUser(input: { username: "${USER}" }) { jobId errors { code jobId } }`),
    );
    assert.equal((await makeUser()).errors, null);
    await shop('startWorkspace');
    assert.deepEqual(await user.run(both), { room: null, mine: null });
    await shop('deleteWorkspace');
  });

  it('is kept by its rights and tasks where a group is given another one, and is free behind that', async () => {
    const moved = await run<Changed>(
      system,
      `moveGroup(input: { groupId: "${GROUP}", newName: "team" }) { jobId errors { code jobId } }`,
    );
    await through(moved);
    assert.deepEqual(declared(GROUP), []);
    const { accessControl } = await admin.run(
      '{ accessControl(path: "/room/kept") { entries { principal { id } allow } } }',
    );
    assert.deepEqual(accessControl, { entries: [{ principal: { id: 'team' }, allow: false }] });
    assert.deepEqual((await taskOf('team'))?.candidateGroups, ['team']);
    const user = server.as(USER);
    await run(user, `claimTask(taskId: "${traces.tasks.team}") { id }`);
    const made = await run<Changed>(system, `createGroup(input: { name: "${GROUP}" }) { errors { code jobId } }`);
    assert.equal(made.errors, null);
    await run(admin, 'restoreVersion(input: { path: "/room/kept", versionName: "1.0" }) { path }');
    const restored = await admin.run('{ accessControl(path: "/room/kept") { entries { principal { id } allow } } }');
    assert.deepEqual(restored.accessControl, accessControl);
  });

  it('goes with a group, and with those that are nested in it', async () => {
    await run(system, 'createGroup(input: { name: "inner", parentGroupId: "team" }) { errors { code } }');
    await run(admin, 'checkout(input: { path: "/room/kept" })');
    await run(
      admin,
      'setAccessControl(path: "/room/kept", principal: "inner", privileges: ["jcr:read"]) { __typename }',
    );
    await through(
      await run<Changed>(
        system,
        'deleteGroup(input: { groupId: "team", recursive: true }) { jobId errors { code jobId } }',
      ),
    );
    const { accessControl } = await admin.run('{ accessControl(path: "/room/kept") { entries { principal { id } } } }');
    assert.deepEqual(accessControl, { entries: [] });
    for (const name of ['team', 'inner'])
      assert.equal(
        (await run<Changed>(system, `createGroup(input: { name: "${name}" }) { errors { code jobId } }`)).errors,
        null,
      );
  });

  it('keeps what is denied to a group from its members at any instant of its being renamed', async () => {
    await run(system, 'createGroup(input: { name: "first" }) { errors { code } }');
    await run(system, 'addGroupMembers(input: { groupId: "first", usernames: ["ann"] }) { errors { code } }');
    await denyFolders(admin, { count: 120, path: '/denied', principal: 'first' });
    let isRenaming = true;
    let asked = 0;
    const ask = async () => {
      for (; isRenaming; asked++) {
        const { node } = await ann.run(
          '{ node(path: "/denied") { children(first: 200) { edges { node { path } } } } }',
        );
        assert.deepEqual(node?.children.edges, []);
      }
    };
    const readers = [ask(), ask(), ask()];
    const names = ['first', 'second', 'third', 'fourth', 'fifth'];
    for (const [at, name] of names.slice(1).entries())
      await through(
        await run<Changed>(
          system,
          `moveGroup(input: { groupId: "${names[at]}", newName: "${name}" }) { jobId errors { code jobId } }`,
        ),
      );
    isRenaming = false;
    await Promise.all(readers);
    assert.ok(asked > names.length, `${asked} questions`);
    assert.deepEqual(declared('first'), []);
  });
});
