import assert from 'node:assert/strict';
import { api } from '../graphql/support/api-schema.js';
import { EventReader } from '../graphql/support/event-reader.js';
import { bpmn, element, line } from '../support/bpmn.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

/** A subscription in the workspace `system`. */
interface Case {
  readonly field: string;
  /** The role that sees by itself what `cause` makes; null: none does. Undefined: neither a role nor a group has to do with it. */
  readonly role?: string | null;
  /** Makes it tell, once, of what the group `outer` sees, and supervisors; gives what is in there of it. */
  cause?(of: Causes): Promise<string>;
}

/** What makes subscriptions tell something. */
interface Causes {
  readonly admin: GraphqlClient;
  run(mutation: string): Promise<Record<string, string>>;
  /** Another name each time. */
  name(): string;
}

const started = async ({ run }: Causes) =>
  (await run('startProcess(input: { definitionKey: "waiting" }) { id }')).id ?? '';

async function task(of: Causes, change: (taskId: string) => string): Promise<string> {
  const id = await started(of);
  const { tasks } = await of.admin.run(`{ tasks(processInstanceId: "${id}") { edges { node { id } } } }`);
  await of.run(change(tasks.edges[0]?.node.id ?? ''));
  return id;
}

const TASK = '{ task { processInstanceId } }';
const INSTANCE = '{ processInstance { id } }';

/** Each subscription of the schema. */
const CASES: Readonly<Record<string, Case>> = {
  nodeChanged: {
    field: 'nodeChanged(path: "/secret", deep: true) { path }',
    role: 'administrator',
    cause: async ({ run, name }) => (await run(`createFolder(path: "/secret", name: "${name()}") { path }`)).path ?? '',
  },
  taskAssigned: {
    field: `taskAssigned ${TASK}`,
    role: 'supervisor',
    cause: (of) => task(of, (id) => `assignTask(taskId: "${id}", assignee: "zoe") { id }`),
  },
  taskCompleted: {
    field: `taskCompleted ${TASK}`,
    role: 'supervisor',
    cause: (of) => task(of, (id) => `completeTask(input: { taskId: "${id}" }) { id }`),
  },
  taskUpdated: { field: `taskUpdated ${TASK}`, role: 'supervisor', cause: started },
  processStarted: { field: `processStarted ${INSTANCE}`, role: 'supervisor', cause: started },
  processUpdated: { field: `processUpdated ${INSTANCE}`, role: 'supervisor', cause: started },
  processEnded: {
    field: `processEnded ${INSTANCE}`,
    role: 'supervisor',
    cause: async (of) => {
      const id = await started(of);
      await of.admin.run(`mutation { cancelProcessInstance(id: "${id}") }`);
      return id;
    },
  },
  externalTaskUpdated: {
    field: 'externalTaskUpdated { externalTask { processInstanceId } }',
    role: 'worker',
    cause: async ({ run }) => (await run('startProcess(input: { definitionKey: "outside" }) { id }')).id ?? '',
  },
  systemNotification: {
    field: 'systemNotification { title }',
    role: null,
    cause: async ({ run, name }) =>
      (await run(`notify(input: { title: "${name()}", message: "it", groups: ["outer"] }) { title }`)).title ?? '',
  },
  workspaceChanged: { field: 'workspaceChanged { workspace }' },
  routeStateChanged: { field: 'routeStateChanged { routeId }' },
  jobProgress: { field: 'jobProgress(jobId: "1767225600000-0a1b") { jobId }' },
  preferenceChanged: { field: 'preferenceChanged { category }' },
  wallpaperChanged: { field: 'wallpaperChanged { filename }' },
  avatarChanged: { field: 'avatarChanged { userId }' },
};

/** How a user is no longer in `outer/inner`, and how it is again. */
const LEAVES: Readonly<Record<string, readonly [leave: string, join: string]>> = {
  'has left the group': [
    'removeGroupMembers(input: { groupId: "outer/inner", usernames: ["USER"] })',
    'addGroupMembers(input: { groupId: "outer/inner", usernames: ["USER"] })',
  ],
  'is in a group that was taken out of another': [
    'moveGroup(input: { groupId: "outer/inner" })',
    'moveGroup(input: { groupId: "inner", newParentGroupId: "outer" })',
  ],
};

const WAITING = bpmn(line(['work'], element('userTask', 'work', { 'camunda:candidateGroups': 'outer' })), {
  key: 'waiting',
});

const OUTSIDE = bpmn(
  line(['out'], element('serviceTask', 'out', { 'camunda:type': 'external', 'camunda:topic': 'outside' })),
  { key: 'outside' },
);

// Slow: each subscription is followed through each loss of rights.

describe('an open stream', function () {
  this.timeout(60_000);
  let server: LiveServer;
  let admin: GraphqlClient;
  let named = 0;
  before(async () => {
    server = await liveServer();
    admin = server.as('admin', 'system');
    await admin.run(
      `mutation ($model: String!, $outside: String!) {
        outer: createGroup(input: { name: "outer", roles: ["supervisor"] }) { errors { code } }
        inner: createGroup(input: { name: "inner", parentGroupId: "outer" }) { errors { code } }
        folder: createFolder(path: "/", name: "secret") { path }
        open: setAccessControl(path: "/secret", entries: [{ principal: "everyone", privileges: ["jcr:all"], allow: false }, { principal: "outer", privileges: ["jcr:read"], allow: true }]) { __typename }
        model: deployProcess(input: { name: "waiting", resources: [{ name: "waiting.bpmn", content: $model }, { name: "outside.bpmn", content: $outside }] }) { id }
      }`,
      { model: WAITING, outside: OUTSIDE },
    );
  });
  after(() => server.remove());

  const name = () => `n${++named}`;
  const run = async (mutation: string) => {
    const data = (await admin.run(`mutation { it: ${mutation} }`)) as unknown as {
      readonly it: Record<string, string>;
    };
    return data.it;
  };
  const change = async (mutation: string) => {
    const { errors } = await run(`${mutation} { errors { code } }`);
    assert.equal(errors, null, mutation);
  };
  const causes = (): Causes => ({ admin, run, name });
  const makeUser = async (memberOf: string, roles = '') => {
    const username = name();
    await change(
      `createUser(input: { username: "${username}", password: "${username}", memberOf: [${memberOf}], roles: [${roles}] })`,
    );
    return username;
  };
  const open = ({ url, headers }: GraphqlClient, subscription: string) =>
    EventReader.open(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', ...headers },
      body: JSON.stringify({ query: `subscription { ${subscription} }` }),
    });
  /** What comes next, heartbeats left out: the data of an event, else its name, or the end. */
  const told = async (reader: EventReader): Promise<string> => {
    for (;;) {
      const frame = await reader.next();
      if (frame === undefined) return 'end';
      if (frame.event !== undefined) return frame.event === 'next' ? (frame.data ?? '') : frame.event;
    }
  };

  /** What is caused before and after is told, and nothing that is caused in between. */
  const tellsNothingBetween = async (user: string, { field, cause }: Case, leave: string, join: string) => {
    assert.ok(cause !== undefined);
    const reader = await open(server.as(user, 'system'), field);
    try {
      const before = await cause(causes());
      assert.ok((await told(reader)).includes(before));
      await change(leave.replace('USER', user));
      await cause(causes());
      await change(join.replace('USER', user));
      const behind = await cause(causes());
      const next = await told(reader);
      assert.ok(next.includes(behind), `${behind} comes next, not ${next}`);
    } finally {
      reader.close();
    }
  };

  it('that comes back is not sent again what its user may no longer know', async () => {
    const user = await makeUser('"outer/inner"');
    const { url, headers } = server.as(user, 'system');
    const stream = `${url}/stream`;
    const token = await (await fetch(stream, { method: 'PUT', headers })).text();
    const connect = (lastEventId: Record<string, string> = {}) =>
      EventReader.open(`${stream}?token=${token}`, { headers: { ...headers, ...lastEventId } });
    const follow = (operationId: string, path: string) =>
      fetch(`${stream}?token=${token}`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          query: `subscription { nodeChanged(path: "${path}", deep: true) { path } }`,
          extensions: { operationId },
        }),
      });
    const note = (path: string) => run(`createFolder(path: "${path}", name: "${name()}") { path }`);
    const next = async (reader: EventReader) => {
      for (;;) {
        const frame = await reader.next();
        if (frame?.event === 'next') return { id: frame.id ?? '', data: frame.data ?? '' };
        assert.ok(frame !== undefined, 'the stream goes on');
      }
    };
    await note('/content');
    let reader = await connect();
    await follow('secret', '/secret');
    await follow('open', '/content');
    const { path: first } = await note('/secret');
    const { id, data } = await next(reader);
    assert.ok(data.includes(first ?? 'none'));
    const { path: second } = await note('/secret');
    assert.ok((await next(reader)).data.includes(second ?? 'none'));
    reader.close();
    await change(`removeGroupMembers(input: { groupId: "outer/inner", usernames: ["${user}"] })`);
    reader = await connect({ 'Last-Event-ID': id });
    try {
      const { path: open } = await note('/content');
      assert.ok((await next(reader)).data.includes(open ?? 'none'), 'and nothing before');
    } finally {
      reader.close();
    }
  });

  it('is asked for by each subscription of the schema', () => {
    const fields = Object.keys(api.schema.getSubscriptionType()?.getFields() ?? {});
    assert.deepEqual(Object.keys(CASES).sort(), fields.sort());
  });

  for (const [subscription, one] of Object.entries(CASES)) {
    if (one.role !== undefined)
      for (const [what, [leave, join]] of Object.entries(LEAVES))
        it(`of ${subscription} tells nothing of what only the group sees to who ${what}`, async () => {
          await tellsNothingBetween(await makeUser('"outer/inner"'), one, leave, join);
        });

    if (one.role != null)
      it(`of ${subscription} tells nothing of what only the role sees to who has lost it`, async () => {
        const user = await makeUser('', `"${one.role}"`);
        const input = `(input: { username: "USER", roles: ["${one.role}"] })`;
        await tellsNothingBetween(user, one, `revokeRoles${input}`, `assignRoles${input}`);
      });

    it(`of ${subscription} ends without a word when its user is disabled, and when it is deleted`, async () => {
      for (const end of [
        'updateUser(input: { username: "USER", enabled: false })',
        'deleteUser(input: { username: "USER" })',
      ]) {
        const user = await makeUser('"outer/inner"');
        const client = server.as(user, 'system');
        await client.run('{ __typename }');
        const reader = await open(client, one.field);
        try {
          await change(end.replace('USER', user));
          await one.cause?.(causes());
          assert.equal(await told(reader), 'end', end);
        } finally {
          reader.close();
        }
      }
    });
  }
});
