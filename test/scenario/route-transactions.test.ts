import assert from 'node:assert/strict';
import { bpmn, flows } from '../support/bpmn.js';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { createRoute, send } from './support/route-client.js';

const MADE = bpmn(
  `<bpmn:startEvent id="s"/>
  <bpmn:intermediateCatchEvent id="paid"><bpmn:messageEventDefinition messageRef="m"/></bpmn:intermediateCatchEvent>
  <bpmn:userTask id="stays"/><bpmn:endEvent id="e"/>${flows('s', 'paid', 'stays', 'e')}`,
  { key: 'made', root: '<bpmn:message id="m" name="paid"/>' },
);

describe('transacted blocks of routes', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let dora: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'dora', roles: ['deployer'] }] });
    [admin, dora] = [server.as('admin'), server.as('dora')];
    await admin.run('mutation { createFolder(input: { path: "/content", name: "shop" }) { path } }');
    for (const path of ['/etc/eip/routes', '/content/shop'])
      await admin.run(`mutation { setAccessControl(input: { path: "${path}", entries: [
        { principal: "dora", privileges: ["jcr:all"], allow: true }] }) { entries { principal } } }`);
    await admin.run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
      input: { name: 'made', resources: [{ name: 'made.bpmn', content: MADE }] },
    });
  });
  after(() => server.remove());

  const versionsOf = async (...names: string[]) => {
    const fields = names.map((name, at) => `n${at}: node(path: "/content/shop/${name}") { version }`);
    const found = (await admin.run(`{ ${fields.join(' ')} }`)) as unknown as Record<string, { version: number } | null>;
    return names.map((_, at) => found[`n${at}`]?.version ?? null);
  };
  const made = async (businessKey: string) =>
    (
      await admin.run(
        'query ($key: String) { processInstances(definitionKey: "made", businessKey: $key) { edges { node { id startUserId tasks { edges { node { name } } } } } } }',
        { key: businessKey },
      )
    ).processInstances.edges.map(({ node }) => node);

  it('are one commit, of which each step sees those before it', async () => {
    await createRoute(
      dora,
      'whole',
      `
- transacted:
    steps:
      - to: { uri: "cms:write", parameters: { path: "/content/shop/a.txt" } }
      - to: { uri: "cms:read", parameters: { path: "/content/shop/a.txt" } }
      - setBody: { simple: "\${body} again" }
      - to: { uri: "cms:write", parameters: { path: "/content/shop/b.txt" } }
      - to: { uri: "cms:children", parameters: { path: "/content/shop" } }
      - setHeader: { name: seen, simple: "\${body[0][name]} \${body[1][name]}" }
      - to: { uri: "cms:query", parameters: { path: "/content", name: "*.txt", nodeType: "nt:file" } }
      - setHeader: { name: found, simple: "\${body[0][path]} \${body[1][path]} \${body.size()}" }
      - to: { uri: "cms:read", parameters: { path: "/content/shop/b.txt" } }
      - to: { uri: "bpm:start", parameters: { processDefinitionKey: made, businessKey: "o-1" } }
      - to: { uri: "bpm:correlate", parameters: { messageName: paid, businessKey: "o-1" } }`,
    );
    const { body, headers, exception } = await send(admin, 'direct:whole', 'one');
    assert.deepEqual([exception, body, headers.seen], [null, 'one again', 'a.txt b.txt']);
    assert.equal(headers.found, '/content/shop/a.txt /content/shop/b.txt 2');
    const [a, b] = await versionsOf('a.txt', 'b.txt');
    assert.ok(a !== null && a === b, `${a} and ${b}`);
    await eventually('the process is past its message', async () => (await made('o-1'))[0]?.tasks.edges.length === 1);
    const [instance, ...more] = await made('o-1');
    assert.deepEqual([instance?.startUserId, more.length], ['dora', 0]);
  });

  it('tell the id of a process before it is started', async () => {
    await createRoute(
      dora,
      'early',
      `
- transacted:
    steps:
      - to: { uri: "bpm:start", parameters: { processDefinitionKey: made, businessKey: "o-2" } }
      - setBody: { simple: "\${header.CamelBpmProcessInstanceId}" }
      - to: { uri: "cms:write", parameters: { path: "/content/shop/id.txt" } }`,
    );
    const { body } = await send(admin, 'direct:early');
    await eventually('it is started', async () => (await made('o-2')).length === 1);
    assert.equal((await made('o-2'))[0]?.id, body);
  });

  it('write nothing where one of their steps fails, also at their end', async () => {
    const failing = (id: string, step: string) =>
      createRoute(
        dora,
        id,
        `
- transacted:
    steps:
      - to: { uri: "cms:write", parameters: { path: "/content/shop/never.txt" } }
      - to: { uri: "bpm:start", parameters: { processDefinitionKey: made, businessKey: "o-3" } }
      - ${step}`,
      );
    const steps = {
      thrown: ['throwException: { exceptionType: java.io.IOException, message: gone }', /java.io.IOException: gone/],
      forbidden: ['to: "cms:write?path=/etc/x.txt"', /AccessDeniedException: FORBIDDEN: operations\[1\].writeNode/],
      undone: ['rollback: { markRollbackOnly: true }', /^$/],
    } as const;
    for (const [id, [step, expected]] of Object.entries(steps)) {
      await failing(id, step);
      const { exception } = await send(admin, `direct:${id}`, 'x');
      assert.match(exception ?? '', expected, id);
    }
    assert.deepEqual([await versionsOf('never.txt'), await made('o-3')], [[null], []]);
  });

  it('run again from their beginning where what they have read was changed, and lose nothing', async () => {
    await createRoute(
      dora,
      'counting',
      `
- transacted:
    steps:
      - setHeader: { name: runs, simple: "\${header.runs}x" }
      - to: { uri: "cms:read", parameters: { path: "/content/shop/count", required: false } }
      - setHeader: { name: count, simple: { expression: "\${body[count]}", resultType: String } }
      - setHeader: { name: next, simple: "\${header.count}1" }
      - setBody: { simple: "\${null}" }
      - to: { uri: "cms:write", parameters: { path: "/content/shop/count", property.count: "\${header.next}" } }`,
    );
    await admin.run('mutation { createFolder(input: { path: "/content/shop", name: "count" }) { path } }');
    await admin.run(`mutation { setProperties(input: { path: "/content/shop/count", properties: [
      { name: "count", value: { stringValue: "1" } }] }) { errors { message } } }`);
    const many = Array.from({ length: 25 });
    const sent = await Promise.all(many.map(() => send(admin, 'direct:counting')));
    assert.deepEqual(
      sent.map(({ exception }) => exception),
      many.map(() => null),
    );
    // Whoever ran again began with the message as it was.
    assert.deepEqual(
      sent.map(({ headers }) => headers.runs),
      many.map(() => 'x'),
    );
    const { node } = await admin.run(
      '{ node(path: "/content/shop/count") { properties { name propertyValue { ... on StringPropertyValue { value } } } } }',
    );
    const [count] = (node?.properties ?? []).filter(({ name }) => name === 'count');
    assert.equal((count?.propertyValue as { readonly value?: string } | null)?.value, '1'.repeat(26));
  });

  it('give up in the end where they conflict again and again', async () => {
    await createRoute(
      dora,
      'conflicting',
      `
- transacted:
    steps:
      - to: { uri: "cms:write", parameters: { path: "/content/shop/a.txt", expectedVersion: 1 } }`,
    );
    const { exception } = await send(admin, 'direct:conflicting', 'x');
    assert.match(exception ?? '', /^javax.jcr.InvalidItemStateException: CONFLICT/);
  });

  it('are of one user', async () => {
    await createRoute(admin, 'others', '- to: { uri: "cms:write", parameters: { path: "/content/shop/mixed.txt" } }');
    await createRoute(dora, 'mixing', '- transacted:\n    steps:\n      - to: "direct:others"');
    const { exception } = await send(admin, 'direct:mixing', 'x');
    assert.match(exception ?? '', /FORBIDDEN: expected all steps of a block to act as 'dora'/);
    assert.deepEqual(await versionsOf('mixed.txt'), [null]);
  });

  it('have one policy', async () => {
    await assert.rejects(
      createRoute(dora, 'anew', '- transacted: { ref: PROPAGATION_REQUIRES_NEW, steps: [] }'),
      /expected PROPAGATION_REQUIRED/,
    );
  });
});
