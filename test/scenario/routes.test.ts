import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

const ROUTE =
  '{ id status state version description group autoStart deployedBy availableOperations health fault { message } }';

const route = (id: string, { uri = `direct:${id}`, description = '', more = '' } = {}) => `- route:
    id: ${id}
    description: "${description}"
${more}    from:
      uri: ${uri}
      steps:
        - to:
            uri: mock:done
`;

describe('routes', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let dora: GraphqlClient;
  let olga: GraphqlClient;
  before(async () => {
    const users = [
      { userId: 'dora', roles: ['deployer'] },
      { userId: 'olga', roles: ['operator'] },
      { userId: 'paul' },
    ];
    server = await liveServer({ users });
    [admin, dora, olga] = [server.as('admin'), server.as('dora'), server.as('olga')];
    await admin.run(`mutation { setAccessControl(input: { path: "/etc/eip/routes", entries: [
      { principal: "dora", privileges: ["jcr:all"], allow: true },
      { principal: "paul", privileges: ["jcr:all"], allow: true } ] }) { entries { principal } } }`);
  });
  after(() => server.remove());

  const one = async (id: string) => (await olga.run(`query ($id: ID!) { route(id: $id) ${ROUTE} }`, { id })).route;
  const status = async (id: string) => (await one(id))?.status;
  const create = (by: GraphqlClient, id: string, yaml = route(id), more: object = { autoStart: true }) =>
    by.ask(`mutation ($input: CreateRouteInput!) { createRoute(input: $input) ${ROUTE} }`, {
      variables: { input: { routeId: id, yaml, ...more } },
    });
  const put = (by: GraphqlClient, path: string, text: string) =>
    by.ask('mutation ($input: CreateFileInput!) { createFile(input: $input) { id } }', {
      variables: {
        input: {
          path: path.slice(0, path.lastIndexOf('/')),
          name: path.slice(path.lastIndexOf('/') + 1),
          content: Buffer.from(text).toString('base64'),
        },
      },
    });
  const operate = (by: GraphqlClient, verb: string, id: string) =>
    by.ask(`mutation { ${verb}Route(input: { id: "${id}" }) ${ROUTE} }`);

  it('are made as files, run, and act as whoever made them', async () => {
    const { data } = await create(dora, 'made', undefined, { autoStart: true, group: 'shop' });
    assert.deepEqual(data?.createRoute, {
      ...{ id: 'made', status: 'Started', state: 'Started', version: 1, description: '', autoStart: true },
      ...{ group: '/etc/eip/routes/shop/made.yaml', deployedBy: 'dora', health: 'UP', fault: null },
      availableOperations: ['suspend', 'stop', 'update', 'delete'],
    });
    const { node } = await dora.run('{ node(path: "/etc/eip/routes/shop/made.yaml") { path } }');
    assert.equal(node?.path, '/etc/eip/routes/shop/made.yaml');
  });

  it('do not start where that is not said', async () => {
    await create(dora, 'idle', undefined, {});
    assert.deepEqual([await status('idle'), (await one('idle'))?.autoStart], ['Stopped', false]);
  });

  it('are started, suspended, resumed and stopped, each answered when it is so', async () => {
    await create(dora, 'operated');
    for (const [verb, expected] of [
      ['suspend', 'Suspended'],
      ['suspend', 'Suspended'],
      ['resume', 'Started'],
      ['stop', 'Stopped'],
      ['stop', 'Stopped'],
      ['start', 'Started'],
      ['start', 'Started'],
    ] as const) {
      const { data } = await operate(olga, verb, 'operated');
      assert.equal((data?.[`${verb}Route`] as { status?: string } | undefined)?.status, expected, verb);
    }
  });

  it('refuse what cannot be', async () => {
    await create(dora, 'refusing', undefined, {});
    const codeOf = async (reply: Promise<{ errors?: readonly { extensions: { code: string } }[] }>) =>
      (await reply).errors?.[0]?.extensions.code;
    assert.equal(await codeOf(operate(olga, 'suspend', 'refusing')), 'CONFLICT');
    assert.equal(await codeOf(operate(olga, 'resume', 'refusing')), 'CONFLICT');
    assert.equal(await codeOf(operate(olga, 'start', 'nobody')), 'BAD_REQUEST');
    assert.equal(await codeOf(operate(dora, 'start', 'refusing')), 'FORBIDDEN');
    assert.equal(await codeOf(create(olga, 'of-olga')), 'FORBIDDEN');
    assert.equal(await codeOf(create(dora, 'refusing')), 'BAD_REQUEST');
    assert.equal(await codeOf(create(dora, 'odd/id', route('odd'))), 'BAD_REQUEST');
    assert.equal(await codeOf(create(dora, 'other', route('another'))), 'BAD_REQUEST');
    assert.equal(await codeOf(create(dora, 'out', undefined, { group: '/content' })), 'BAD_REQUEST');
    assert.equal(await codeOf(create(dora, 'none', '- route: [')), 'BAD_REQUEST');
    assert.equal(await one('nobody'), null);
  });

  it('go on as another version when they are changed, and back again', async () => {
    await create(dora, 'changed', route('changed', { description: 'one' }));
    const update = 'mutation ($input: UpdateRouteInput!) { updateRoute(input: $input) { version status description } }';
    const { updateRoute } = await dora.run(update, { input: { id: 'changed', description: 'two' } });
    assert.deepEqual(updateRoute, { version: 2, status: 'Started', description: 'two' });
    const { rollbackRoute } = await dora.run(
      'mutation { rollbackRoute(id: "changed", version: 1) { version description } }',
    );
    assert.deepEqual(rollbackRoute, { version: 3, description: 'one' });
    const { route: read } = await dora.run(
      '{ route(id: "changed") { versions { totalCount edges { node { version current deployedBy definition { yaml } } } } } }',
    );
    const { totalCount, edges } = read?.versions ?? { totalCount: 0, edges: [] };
    assert.deepEqual([totalCount, edges.map(({ node }) => node.version), edges[0]?.node.current], [3, [3, 2, 1], true]);
    assert.equal(edges[0]?.node.definition?.yaml, route('changed', { description: 'one' }));
  });

  it('show with their file, from the first, what they are warned of', async () => {
    const grouping = `- route: { id: warned, from: { uri: "direct:warned", steps: [ { aggregate: { correlationExpression: { constant: x },
        aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy", completionSize: 2, steps: [ { to: "mock:a" } ] } } ] } }`;
    const path = '/etc/eip/routes/warned.yaml';
    const warnings = async () => {
      const { node } = await dora.run(
        `{ node(path: "${path}") { properties { name propertyValue { ... on StringPropertyValueArray { values } } } } }`,
      );
      const found = node?.properties.find(({ name }) => name === 'mi:deploymentWarnings');
      return JSON.stringify(found?.propertyValue ?? null);
    };
    assert.equal((await create(dora, 'warned', grouping)).data?.createRoute?.status, 'Started');
    assert.match(await warnings(), /aggregate/);
    await dora.run('mutation ($yaml: String) { updateRoute(input: { id: "warned", yaml: $yaml }) { id } }', {
      yaml: route('warned'),
    });
    assert.equal(await warnings(), 'null');
    await dora.run('mutation { deleteRoute(id: "warned") }');
    assert.equal((await create(dora, 'warned')).data?.createRoute?.version, 1);
  });

  it('of one file change and go by themselves', async () => {
    const path = '/etc/eip/routes/pair.yaml';
    await put(dora, path, route('left') + route('right'));
    await eventually('both run', async () => (await status('right')) === 'Started');
    await dora.run('mutation { updateRoute(input: { id: "left", description: "new" }) { version } }');
    assert.deepEqual([(await one('left'))?.version, (await one('right'))?.version], [2, 1]);
    assert.deepEqual(await dora.run('mutation { deleteRoute(id: "left") }'), { deleteRoute: true });
    assert.deepEqual([await one('left'), await status('right')], [null, 'Started']);
    await dora.run('mutation { deleteRoute(id: "right") }');
    assert.equal((await dora.run(`{ node(path: "${path}") { path } }`)).node, null);
    assert.deepEqual(await dora.run('mutation { deleteRoute(id: "right") }'), { deleteRoute: false });
  });

  it('come and go with their files, and a bad file leaves what runs', async () => {
    const path = '/etc/eip/routes/filed.yaml';
    await put(dora, path, route('filed'));
    await eventually('it runs', async () => (await status('filed')) === 'Started');
    assert.equal((await one('filed'))?.deployedBy, 'dora');
    const write = async (text: string) => {
      const { initiateMultipartUpload } = await dora.run('mutation { initiateMultipartUpload { uploadId } }');
      const { uploadId } = initiateMultipartUpload;
      await dora.run(
        'mutation ($input: AppendMultipartUploadChunkInput!) { appendMultipartUploadChunk(input: $input) { totalSize } }',
        { input: { uploadId, data: Buffer.from(text).toString('base64') } },
      );
      return dora.ask(
        'mutation ($input: CompleteMultipartUploadInput!) { completeMultipartUpload(input: $input) { id } }',
        {
          variables: {
            input: {
              uploadId,
              path: '/etc/eip/routes',
              name: 'filed.yaml',
              mimeType: 'application/yaml',
              overwrite: true,
            },
          },
        },
      );
    };
    const { extensions } = await write('- route: [');
    assert.equal(extensions?.refusedModels?.[0]?.path, path);
    const incidents = async () =>
      (
        await admin.run('{ incidents(incidentType: "failedDeployment") { edges { node { message } } } }')
      ).incidents.edges.map(({ node }) => node.message ?? '');
    assert.deepEqual(
      [await status('filed'), (await one('filed'))?.version, (await incidents()).length],
      ['Started', 1, 1],
    );
    await write(route('filed', { description: 'mended' }));
    await eventually('the mended one is there', async () => (await one('filed'))?.version === 2);
    assert.deepEqual(await incidents(), []);
    await dora.run('mutation { deleteNode(input: { path: "/etc/eip/routes/filed.yaml" }) }');
    await eventually('it is gone', async () => (await one('filed')) === null);
  });

  it('are not deployed for whoever may not deploy, though the file is written', async () => {
    const { extensions } = await put(server.as('paul'), '/etc/eip/routes/of-paul.yaml', route('of-paul'));
    assert.match(extensions?.refusedModels?.[0]?.problem ?? '', /expected a deployer/);
    assert.equal(await one('of-paul'), null);
    await admin.run('mutation { deleteNode(input: { path: "/etc/eip/routes/of-paul.yaml" }) }');
  });

  it('are listed by id, page by page, and filtered', async () => {
    for (const id of ['list-c', 'list-a', 'list-b']) await create(dora, id, undefined, { group: 'lists' });
    const list = async (args: string) => {
      const { routes } = await olga.run(
        `{ routes(search: "LIST-" ${args}) { totalCount pageInfo { hasNextPage endCursor } edges { node { id } } } }`,
      );
      return { ...routes, ids: routes.edges.map(({ node }) => node.id).join() };
    };
    const first = await list('first: 2');
    assert.deepEqual([first.ids, first.totalCount, first.pageInfo.hasNextPage], ['list-a,list-b', 3, true]);
    assert.equal((await list(`first: 2 after: "${first.pageInfo.endCursor}"`)).ids, 'list-c');
    assert.equal((await list('last: 1')).ids, 'list-c');
    assert.equal((await list('status: Started')).ids, '');
    assert.equal((await list('group: "/etc/eip/routes/lists/list-b.yaml"')).ids, 'list-b');
  });

  it('show how they are written to those who work with them alone', async () => {
    await create(dora, 'written', undefined, {});
    const query =
      '{ route(id: "written") { definition { yaml xml } endpoints { uri component state } consumers { uri } } }';
    const { route: seen } = await olga.run(query);
    assert.equal(seen?.definition?.yaml, route('written'));
    assert.match(seen?.definition?.xml ?? '', /<route id="written"/);
    assert.deepEqual(seen?.consumers, [{ uri: 'direct://written' }]);
    assert.equal((await server.as('paul').run(query)).route?.definition, null);
  });

  it('are stopped and started together', async () => {
    const { stopCamelContext } = await olga.run('mutation { stopCamelContext { state name } }');
    assert.deepEqual(stopCamelContext, { state: 'Stopped', name: 'web' });
    const { startCamelContext } = await olga.run('mutation { startCamelContext { state routes { totalCount } } }');
    assert.equal(startCamelContext.state, 'Started');
    const { camelContexts, camelContext } = await olga.run(
      '{ camelContexts { totalCount edges { node { name uptimeMillis } } } camelContext { sourceFile routes { id status exchangesTotal } } }',
    );
    assert.equal(camelContexts.totalCount, 1);
    const made = camelContext.find(({ sourceFile }) => sourceFile === '/etc/eip/routes/shop/made.yaml');
    assert.deepEqual(made?.routes, [{ id: 'made', status: 'Started', exchangesTotal: 0 }]);
  });

  it('run together as long as one does, whatever others are on their way to', async () => {
    await create(dora, 'first', route('first', { uri: 'direct:taken' }));
    await put(dora, '/etc/eip/routes/second.yaml', route('second', { uri: 'direct:taken' }));
    await eventually('the second one finds no place', async () => (await one('second'))?.fault != null);
    assert.equal(await status('second'), 'Starting');
    const { camelContexts, camelContext } = await olga.run(
      '{ camelContexts { edges { node { state } } } camelContext { state } }',
    );
    assert.deepEqual([camelContexts.edges[0]?.node.state, camelContext[0]?.state], ['Started', 'Started']);
    for (const id of ['first', 'second']) await dora.run('mutation ($id: ID!) { deleteRoute(id: $id) }', { id });
  });

  it('are said to be sound or not without being deployed', async () => {
    const check = async (yaml: string) =>
      (
        await dora.run(
          'query ($yaml: String!) { validateRouteDefinition(yaml: $yaml) { valid errors { line message } } }',
          { yaml },
        )
      ).validateRouteDefinition;
    assert.deepEqual(await check(route('sound')), { valid: true, errors: [] });
    const { valid, errors } = await check('- route: [');
    assert.deepEqual([valid, errors.length > 0], [false, true]);
    const steps = '        - setBody: { simple: "${body" }\n        - bean: { ref: nobody }\n';
    const wrong = await check(`${route('wrong')}${steps}`);
    assert.deepEqual(
      wrong.errors.map(({ line }) => line),
      [9, 10],
    );
    assert.equal(await one('sound'), null);
  });

  it('survive the server: what ran runs again, what was suspended or stopped stays so', async () => {
    await create(dora, 'kept');
    await create(dora, 'paused');
    await operate(olga, 'suspend', 'paused');
    const { folder } = server;
    await server.end();
    server = await liveServer({ folder });
    [admin, dora, olga] = [server.as('admin'), server.as('dora'), server.as('olga')];
    await eventually('it runs', async () => (await status('kept')) === 'Started');
    assert.deepEqual([await status('paused'), await status('idle')], ['Suspended', 'Stopped']);
  });
});
