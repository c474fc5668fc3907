import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type Company, openCompany } from './support/company.js';

describe('routes by a clock that stands until it is set', () => {
  let company: Company;
  let admin: GraphqlClient;
  before(async () => {
    company = await openCompany();
    admin = company.server.as('admin');
  });
  after(() => company.server.remove());

  const create = (routeId: string, yaml: string) =>
    admin.run('mutation ($input: CreateRouteInput!) { createRoute(input: $input) { status } }', {
      input: { routeId, yaml, autoStart: true },
    });
  const advance = (by: string) => company.people.admin.advanceClock(by);
  const now = async () => Date.parse(String((await admin.run('mutation { advanceClock(by: "PT0S") }')).advanceClock));
  const bodies = async (name: string) => {
    const { mockEndpoint } = await admin.run(
      'query ($name: String!) { mockEndpoint(name: $name) { exchanges { body } } }',
      { name },
    );
    return mockEndpoint?.exchanges.map(({ body }) => body) ?? [];
  };
  const send = (uri: string, body: unknown) =>
    admin.run('mutation ($input: SendToEndpointInput!) { sendToEndpoint(input: $input) { body exception } }', {
      input: { endpointUri: uri, body },
    });

  const statuses = async () => {
    const { routes } = await admin.run('{ routes(group: "/etc/eip/routes/busy.yaml") { edges { node { status } } } }');
    return routes?.edges.map(({ node }) => node.status) ?? [];
  };

  const DATE = "${date:now:yyyy-MM-dd'T'HH:mm:ss.SSSX}";

  it('fires timers, each at its own instant', async () => {
    const began = await now();
    await create(
      'ticking',
      `- route: { id: ticking, from: { uri: "timer:tick?period=60s&delay=30s", steps: [
        { setBody: { simple: "${DATE}" } }, { to: "mock:ticks" } ] } }`,
    );
    await advance('PT29S');
    assert.deepEqual(await bodies('ticks'), []);
    await advance('PT10M1S');
    const at = (await bodies('ticks')).map((body) => Date.parse(String(body)) - began);
    assert.deepEqual(
      at,
      Array.from({ length: 11 }, (_, n) => 30_000 + n * 60_000),
    );
  });

  it('redelivers after its delays, and then gives up', async () => {
    await create(
      'failing',
      `- route:
    id: failing
    errorHandler:
      deadLetterChannel:
        deadLetterUri: mock:dead
        redeliveryPolicy: { maximumRedeliveries: 3, redeliveryDelay: 5000 }
    from:
      uri: direct:failing
      steps:
        - setBody: { simple: "${DATE}" }
        - to: mock:tried
        - throwException: { exceptionType: java.io.IOException, message: away }
`,
    );
    const sent = send('direct:failing', 'x');
    await eventually('it was tried', async () => (await bodies('tried')).length === 1);
    for (const [seconds, dead] of [
      [0, 0],
      [5, 0],
      [9, 0],
      [1, 1],
    ] as const) {
      await advance(`PT${seconds}S`);
      assert.equal((await bodies('dead')).length, dead, `${seconds} s later`);
    }
    assert.equal((await sent).sendToEndpoint?.exception, null);
  });

  it('completes groups by their time-out, and lets delayed exchanges go on', async () => {
    await create(
      'grouping',
      `- route:
    id: grouping
    from:
      uri: direct:grouping
      steps:
        - aggregate:
            correlationExpression: { constant: all }
            aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy"
            completionTimeout: 60000
            steps:
              - delay: { constant: "10000" }
              - to: mock:groups
`,
    );
    await send('direct:grouping', 'a');
    await advance('PT59S');
    await send('direct:grouping', 'b');
    await advance('PT60S');
    assert.deepEqual(await bodies('groups'), []);
    await advance('PT9S');
    assert.deepEqual(await bodies('groups'), []);
    await advance('PT1S');
    assert.deepEqual(await bodies('groups'), [['a', 'b']]);
  });

  it('are told their time in one order with processes', async () => {
    const { sue, otto } = company.people;
    const id = await sue.start('incident-handling', { summary: 'long' });
    await sue.perform(id, 'assess', { affectsCustomers: false, securityRelevant: false });
    await otto.perform(id, 'find', { cause: 'x' });
    const began = await now();
    await create(
      'hourly',
      `- route: { id: hourly, from: { uri: "timer:hourly?period=1h&delay=30m", steps: [
        { setBody: { simple: "${DATE}" } }, { to: "mock:hours" } ] } }`,
    );
    await advance('PT6H');
    const escalate = (await sue.history(id)).find(({ activityId }) => activityId === 'escalate');
    assert.equal(Date.parse(String(escalate?.startTime)) - began, 4 * 3_600_000, 'behind the fourth hour of the route');
    const hours = (await bodies('hours')).map((body) => (Date.parse(String(body)) - began) / 3_600_000);
    assert.deepEqual(hours, [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]);
  });

  it('waits for what computes: a script, and what is in a queue', async () => {
    await admin.run('mutation ($input: CreateFileInput!) { createFile(input: $input) { id } }', {
      input: {
        path: '/etc/eip/routes',
        name: 'busy.yaml',
        content: Buffer.from(`- route:
    id: busy
    from:
      uri: "timer:busy?repeatCount=3&period=1000"
      steps:
        - setBody: { js: "let sum = 0; for (let i = 0; i < 200000; i++) sum += i; sum" }
        - to: seda:next
- route: { id: next, from: { uri: "seda:next", steps: [ { delay: { constant: "500" } }, { to: "mock:next" } ] } }
`).toString('base64'),
      },
    });
    await advance('PT0S');
    assert.deepEqual(await statuses(), ['Started', 'Started'], 'the file is deployed');
    await advance('PT4S');
    assert.deepEqual(await bodies('next'), [19_999_900_000, 19_999_900_000, 19_999_900_000]);
  });
});
