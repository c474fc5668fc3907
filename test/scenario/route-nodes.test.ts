import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { createRoute, send } from './support/route-client.js';

describe('nodes from routes', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let dora: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'dora', roles: ['deployer'] }] });
    [admin, dora] = [server.as('admin'), server.as('dora')];
    await allow('/etc/eip/routes');
    await admin.run('mutation { createFolder(input: { path: "/content", name: "shop" }) { path } }');
    await allow('/content/shop');
    await admin.run('mutation { createFolder(input: { path: "/content", name: "closed" }) { path } }');
  });
  after(() => server.remove());

  const allow = (path: string) =>
    admin.run(
      `mutation { setAccessControl(input: { path: "${path}", entries: [
        { principal: "dora", privileges: ["jcr:all"], allow: true }] }) { entries { principal } } }`,
    );
  const nodeAt = async (path: string) =>
    (await admin.run(`{ node(path: "${path}") { path nodeType mimeType size version createdBy properties { name } } }`))
      .node;

  it('are written and read with their content, and a route sees its own writes', async () => {
    await createRoute(
      dora,
      'files',
      `
- to: { uri: "cms:write", parameters: { path: "/content/shop/\${header.name}", mimeType: text/plain } }
- setBody: { constant: "something else" }
- to: { uri: "cms:read", parameters: { path: "/content/shop/\${header.name}" } }
- setBody: { simple: "\${body}, version \${header.CamelCmsVersion} of \${header.CamelCmsPath}" }`,
    );
    const first = await send(admin, 'direct:files', 'one', { name: 'a/b.txt' });
    const node = await nodeAt('/content/shop/a/b.txt');
    assert.deepEqual([first.success, first.exception], [true, null]);
    assert.equal(first.body, `one, version ${node?.version} of /content/shop/a/b.txt`);
    assert.deepEqual(
      [node?.nodeType, node?.mimeType, node?.size, node?.createdBy],
      ['nt:file', 'text/plain', 3, 'dora'],
    );
    await send(admin, 'direct:files', 'two and more', { name: 'a/b.txt' });
    assert.equal((await nodeAt('/content/shop/a/b.txt'))?.size, 12);
  });

  it('may be large, and pass in pieces', async () => {
    const large = 'x'.repeat(3_000_000);
    const { body } = await send(admin, 'direct:files', large, { name: 'large.txt' });
    assert.equal(
      body?.length,
      large.length +
        `, version ${(await nodeAt('/content/shop/large.txt'))?.version} of /content/shop/large.txt`.length,
    );
    assert.ok(body?.startsWith('xxx'));
  });

  it('have the properties that a map or options give, of their types', async () => {
    await createRoute(
      dora,
      'facts',
      `
- unmarshal: { json: {} }
- to:
    uri: "cms:write"
    parameters: { path: "/content/shop/facts", property.title: "\${header.title}", property.count: "\${header.count}" }
- to: { uri: "cms:read", parameters: { path: "/content/shop/facts" } }
- setBody: { simple: "\${body[title]}/\${body[count]}/\${body[tags]}/\${body[open]}" }`,
    );
    const { body, exception } = await send(admin, 'direct:facts', JSON.stringify({ tags: ['a', 'b'], open: true }), {
      title: 'T',
      count: 3,
    });
    assert.deepEqual([body, exception], ['T/3/[a, b]/true', null]);
    const { node } = await admin.run(
      '{ node(path: "/content/shop/facts") { nodeType properties { name propertyValue { __typename } } } }',
    );
    const types = Object.fromEntries(
      (node?.properties ?? []).map(({ name, propertyValue }) => [name, propertyValue?.__typename]),
    );
    assert.equal(node?.nodeType, 'nt:folder');
    assert.deepEqual(
      [types.title, types.count, types.tags, types.open],
      ['StringPropertyValue', 'LongPropertyValue', 'StringPropertyValueArray', 'BooleanPropertyValue'],
    );
  });

  it('are listed page by page, and deleted', async () => {
    for (const name of ['1', '2', '3']) await send(admin, 'direct:files', name, { name: `list/${name}` });
    await createRoute(
      dora,
      'listing',
      `
- to: { uri: "cms:children", parameters: { path: "/content/shop/list", limit: 2, after: "\${header.CamelCmsAfter}" } }
- setBody: { simple: "\${body.size()} \${body[0][name]}" }`,
    );
    const first = await send(admin, 'direct:listing');
    assert.deepEqual([first.body, first.exception], ['2 1', null]);
    const { CamelCmsAfter } = first.headers;
    const second = await send(admin, 'direct:listing', null, { CamelCmsAfter });
    assert.deepEqual([second.body, second.headers.CamelCmsAfter], ['1 3', undefined]);
    await createRoute(dora, 'removing', '- to: { uri: "cms:delete", parameters: { path: "/content/shop/list" } }');
    assert.equal((await send(admin, 'direct:removing')).headers.CamelCmsDeleted, true);
    assert.equal((await send(admin, 'direct:removing')).headers.CamelCmsDeleted, false);
    assert.equal(await nodeAt('/content/shop/list'), null);
  });

  it('are refused to whoever may not, by classes that a route can catch', async () => {
    const tries = (id: string, uri: string, parameters: string) =>
      createRoute(
        dora,
        id,
        `
- doTry:
    steps:
      - to: { uri: "${uri}", parameters: ${parameters} }
    doCatch:
      - exception: ["javax.jcr.RepositoryException"]
        steps:
          - setBody: { simple: "\${exception.class.name}: \${exception.message}" }`,
      );
    const refusals: readonly (readonly [string, string, string, RegExp])[] = [
      ['forbidden', 'cms:write', '{ path: /content/closed/a.txt }', /^javax.jcr.AccessDeniedException: FORBIDDEN/],
      ['missing', 'cms:read', '{ path: /content/shop/none }', /^javax.jcr.PathNotFoundException/],
      ['hidden', 'cms:read', '{ path: /home/users/admin/preferences }', /^javax.jcr.PathNotFoundException/],
      [
        'there',
        'cms:write',
        '{ path: /content/shop/a/b.txt, exist: Fail }',
        /^javax.jcr.ItemExistsException: ALREADY_EXISTS/,
      ],
      [
        'changed',
        'cms:write',
        '{ path: /content/shop/a/b.txt, expectedVersion: 1 }',
        /^javax.jcr.InvalidItemStateException: CONFLICT/,
      ],
      ['bad', 'cms:write', '{ path: not-absolute }', /^javax.jcr.nodetype.ConstraintViolationException: BAD_REQUEST/],
    ];
    for (const [id, uri, parameters, expected] of refusals) {
      await tries(id, uri, parameters);
      const { body, exception } = await send(admin, `direct:${id}`, 'x');
      assert.equal(exception, null, id);
      assert.match(body ?? '', expected, id);
    }
    assert.equal(await nodeAt('/content/closed/a.txt'), null);
    const parameters = '{ path: /content/shop/none, required: false }';
    await createRoute(dora, 'perhaps', `- to: { uri: "cms:read", parameters: ${parameters} }`);
    assert.deepEqual((await send(admin, 'direct:perhaps', 'x')).body, null);
  });

  it('are those of whoever tries the endpoint itself', async () => {
    const { headers, success } = await send(admin, 'cms:write?path=/content/closed/of-admin.txt', 'x');
    assert.deepEqual([success, headers.CamelCmsPath], [true, '/content/closed/of-admin.txt']);
    assert.equal((await nodeAt('/content/closed/of-admin.txt'))?.createdBy, 'admin');
  });

  it('are in the audit log as the message that was sent, and not as what a route did', async () => {
    await send(admin, 'direct:files?block=false', 'x', { name: 'audited.txt' });
    await send(admin, 'direct:none?block=false', 'x');
    const entries = async (filter: string) => {
      const { auditLog } = await admin.run(
        `{ auditLog(first: 2, ${filter}) { edges { node { userId type targets outcome } } } }`,
      );
      return auditLog.edges.map(({ node }) => `${node.userId} ${node.targets.join()} ${node.outcome}`);
    };
    const sent = () => entries('type: "sendToEndpoint"');
    // Nobody waited for the first of them, which may end behind the other.
    const expected = ['admin direct:files DONE', 'admin direct:none FAILED'];
    await eventually('both are there', async () => (await sent()).sort().join() === expected.join());
    // What was sent to the endpoint itself was a command of whoever sent it.
    await eventually('that is there', async () => (await entries('type: "writeNode"')).length === 1);
    assert.deepEqual(await entries('type: "writeNode"'), ['admin /content/closed/of-admin.txt DONE']);
  });

  it('are found below a path by what they are, page by page, as far as the deployer may read them', async () => {
    for (const name of ['q/a.csv', 'q/deep/b.csv', 'q/deep/c.txt']) await send(admin, 'direct:files', name, { name });
    await admin.run('mutation { createFolder(input: { path: "/content/shop/q", name: "secret" }) { path } }');
    await send(admin, 'cms:write?path=/content/shop/q/secret/d.csv&mimeType=text/plain', 'x');
    await admin.run(`mutation { setAccessControl(input: { path: "/content/shop/q/secret", entries: [
      { principal: "dora", privileges: ["jcr:read"], allow: false }] }) { entries { principal } } }`);
    await send(admin, 'cms:write?path=/content/shop/q/deep/b.csv/jcr:content&property.jcr:description=new');
    const query = (id: string, more: string) =>
      createRoute(
        dora,
        id,
        `
- to: { uri: "cms:query", parameters: { path: "/content/shop/q", after: "\${header.CamelCmsAfter}", ${more} } }
- setBody: { simple: "\${body.size()} \${body[0][path]} \${body[0][mimeType]}" }`,
      );
    await query('csv', 'nodeType: "nt:file", name: "*.csv", limit: 1');
    const first = await send(admin, 'direct:csv');
    assert.deepEqual([first.exception, first.body], [null, '1 /content/shop/q/a.csv text/plain']);
    const { CamelCmsAfter } = first.headers;
    const second = await send(admin, 'direct:csv', null, { CamelCmsAfter });
    assert.deepEqual(
      [second.body, second.headers.CamelCmsAfter],
      ['1 /content/shop/q/deep/b.csv text/plain', undefined],
    );
    await query('described', 'property.jcr:description: "${header.wanted}", mimeType: "text/*"');
    assert.equal(
      (await send(admin, 'direct:described', null, { wanted: 'new' })).body,
      '1 /content/shop/q/deep/b.csv text/plain',
    );
    assert.match((await send(admin, 'direct:described')).body ?? '', /^2 .*a.csv/);
  });

  it('wrong endpoints are told when the route is deployed', async () => {
    const wrong = (uri: string) => createRoute(dora, 'wrong', `- to: { uri: "${uri}" }`);
    await assert.rejects(
      wrong('cms:wright'),
      /expected one of read, children, query, write, delete, watch, got 'wright'/,
    );
    await assert.rejects(wrong('cms:query?path=x&limit=2000'), /expected limit to be a whole number from 1 to 1000/);
    await assert.rejects(wrong('cms:read?paths=x'), /the nearest is path/);
    await assert.rejects(wrong('bpm:begin'), /expected one of start, correlate, complete, signal/);
  });

  it('nothing is done by routes of a user that is disabled, until it is enabled again', async () => {
    const enable = (enabled: boolean) =>
      server
        .as('admin', 'system')
        .run(
          'mutation ($on: Boolean) { updateUser(input: { username: "dora", enabled: $on }) { user { username } } }',
          {
            on: enabled,
          },
        );
    await createRoute(dora, 'harmless', '- setBody: { constant: done }');
    await createRoute(admin, 'around', '- to: direct:harmless');
    await enable(false);
    const failed = /^org.apache.camel.CamelAuthorizationException: UNAUTHORIZED: .*'(.*)'.*'dora' is disabled or gone/;
    for (const [id, refused] of Object.entries({ files: 'files', harmless: 'harmless', around: 'harmless' })) {
      const sent = await send(admin, `direct:${id}`, 'three', { name: 'late.txt' });
      assert.equal(failed.exec(sent.exception ?? '')?.[1], refused, sent.exception ?? 'nothing failed');
    }
    assert.equal(await nodeAt('/content/shop/late.txt'), null);
    const asked = () => admin.run('{ route(id: "harmless") { state exchangesFailed lastError { message } } }');
    await eventually('it is told', async () => (await asked()).route?.lastError?.message.includes('disabled') === true);
    const { route } = await asked();
    assert.deepEqual([route?.state, route?.exchangesFailed], ['Started', 2]);
    await enable(true);
    assert.equal((await send(admin, 'direct:around')).body, 'done');
  });

  it('are listed by the thousand, within a block too', async () => {
    await createRoute(
      dora,
      'many',
      `
- loop:
    constant: 10
    steps:
      - setVariable: { name: tens, simple: "\${exchangeProperty.CamelLoopIndex}" }
      - transacted:
          steps:
            - loop:
                constant: 100
                steps:
                  - to:
                      uri: "cms:write"
                      parameters: { path: "/content/shop/many/\${variable.tens}-\${exchangeProperty.CamelLoopIndex}.txt" }
- to: { uri: "cms:children", parameters: { path: "/content/shop/many", limit: 1000 } }
- setHeader: { name: plain, simple: "\${body.size()}" }
- transacted:
    steps:
      - to: { uri: "cms:write", parameters: { path: "/content/shop/many/more.txt" } }
      - to: { uri: "cms:children", parameters: { path: "/content/shop/many", limit: 1000 } }
      - setHeader: { name: first, simple: "\${body.size()}" }
      - to: { uri: "cms:children", parameters: { path: "/content/shop/many", limit: 1000, after: "\${header.CamelCmsAfter}" } }
      - setHeader: { name: rest, simple: "\${body.size()} \${body[0][name]}" }`,
    );
    const { exception, headers } = await send(admin, 'direct:many', 'text');
    assert.deepEqual([exception, headers.plain, headers.first, headers.rest], [null, 1000, 1000, '1 more.txt']);
  });
});
