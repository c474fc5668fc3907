import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bpmn, element, flows } from '../support/bpmn.js';
import type { ApiReply, GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { temporaryFolder } from '../support/temporary.js';

const MODEL = bpmn(
  `${element('startEvent', 'start')}${element('parallelGateway', 'fork')}${element('userTask', 'first')}
   ${element('serviceTask', 'hold', { 'camunda:delegateExpression': `\${hold}` })}${element('endEvent', 'held')}
   ${element('userTask', 'second', { 'camunda:candidateGroups': 'desk' })}${element('endEvent', 'end')}
   ${flows('start', 'fork', 'first', 'hold', 'held')}${flows('fork', 'second', 'end')}`,
  { key: 'holding' },
);

/** Commands wait for one mailbox up to this many. */
const WAITING_MAX = 100;

/** What the handler waits for; it runs in this process. */
const gate = globalThis as { holding?: { begun(): void; readonly open: Promise<void> } };

describe('a command that waits', () => {
  const folder = temporaryFolder();
  let server: LiveServer;
  let admin: GraphqlClient;
  let held = '';
  let task = '';
  before(async () => {
    const path = join(folder.path, 'handlers.mjs');
    writeFileSync(
      path,
      'export default (handlers) => handlers.register("hold", () => { globalThis.holding.begun(); return globalThis.holding.open; }, { inline: true });',
    );
    server = await liveServer({
      env: { MILLRACE_HANDLERS: path },
      users: [
        { userId: 'ann', groups: ['desk'] },
        { userId: 'sue', roles: ['supervisor'] },
        { userId: 'gus', groups: ['desk'] },
      ],
    });
    admin = server.as('admin');
    await admin.run(
      'mutation ($model: String!) { deployProcess(input: { name: "it", resources: [{ name: "it.bpmn", content: $model }] }) { id } }',
      { model: MODEL },
    );
    const { startProcess } = await admin.run(
      'mutation { startProcess(input: { definitionKey: "holding" }) { id tasks { edges { node { id taskDefinitionKey } } } } }',
    );
    const of = (key: string) =>
      startProcess.tasks.edges.find(({ node }) => node.taskDefinitionKey === key)?.node.id ?? '';
    [held, task] = [of('first'), of('second')];
  });
  after(async () => {
    await server.remove();
    folder.remove();
    delete gate.holding;
  });

  const codeOf = ({ errors }: ApiReply) => errors?.[0]?.extensions.code;

  it('is refused, in a mailbox that is full, when its caller has left the group, lost the role or is disabled by then', async () => {
    let opened = () => {};
    const open = new Promise<void>((resolve) => (opened = resolve));
    const begun = new Promise<void>((resolve) => (gate.holding = { begun: resolve, open }));
    const completed = admin.ask(`mutation { completeTask(input: { taskId: "${held}" }) { id } }`);
    await begun;
    const [ann, gus, sue] = [server.as('ann'), server.as('gus'), server.as('sue')];
    const say = (client: GraphqlClient, field: string) => client.ask(`mutation { ${field} }`);
    const roundTrips = () => Promise.all([ann, gus, sue].map((client) => client.run('{ __typename }')));
    await roundTrips(); // A password is checked once; that takes a while.
    const claim = `claimTask(taskId: "${task}") { id }`;
    const asked = [say(ann, claim), say(gus, claim), say(sue, `assignTask(taskId: "${task}", assignee: "sue") { id }`)];
    await roundTrips();
    // Whoever finds the mailbox full is told at once: by then the others wait in it.
    const more: Promise<ApiReply>[] = [];
    const full = new Promise<void>((resolve) => {
      for (let n = 0; n <= WAITING_MAX; n++)
        more.push(
          say(admin, `unclaimTask(taskId: "${task}") { id }`).then((reply) => {
            if (codeOf(reply) === 'UNAVAILABLE') resolve();
            return reply;
          }),
        );
    });
    await full;
    const system = server.as('admin', 'system');
    const { left, lost, disabled } = (await system.run(`mutation {
      left: removeGroupMembers(input: { groupId: "desk", usernames: ["ann"] }) { errors { code } }
      lost: revokeRoles(input: { username: "sue", roles: ["supervisor"] }) { errors { code } }
      disabled: updateUser(input: { username: "gus", enabled: false }) { errors { code } }
    }`)) as unknown as Record<string, { readonly errors: unknown }>;
    assert.deepEqual([left?.errors, lost?.errors, disabled?.errors], [null, null, null]);
    opened();
    const codes = (await Promise.all(asked)).map(codeOf);
    assert.deepEqual(codes, ['NOT_FOUND', 'UNAUTHORIZED', 'NOT_FOUND']);
    assert.equal(codeOf(await completed), undefined);
    await Promise.all(more);
    const seen = await admin.run(`{ task(id: "${task}") { assignee } }`);
    assert.equal(seen.task?.assignee, null);
  });
});
