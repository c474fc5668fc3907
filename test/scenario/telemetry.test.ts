import assert from 'node:assert/strict';
import { type DataFolder, dataFolder } from '../support/data-folder.js';
import { fillAsStarted } from '../support/first-start.js';
import { type OtlpReceiver, otlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.js';
import { type ServerProcess, serverProcess } from '../support/server-process.js';
import { ADMIN_PASSWORD, basic } from '../support/test-server.js';

/** The numbers of span kinds in OTLP. */
const INTERNAL = 1;
const SERVER = 2;
const CLIENT = 3;
const CONSUMER = 5;

const MODEL = `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:camunda="http://camunda.org/schema/1.0/bpmn"
             targetNamespace="test">
  <process id="order" isExecutable="true" camunda:historyTimeToLive="P1D">
    <startEvent id="received"/>
    <sequenceFlow id="f1" sourceRef="received" targetRef="price"/>
    <scriptTask id="price" scriptFormat="javascript" camunda:resultVariable="total"><script>6 * 7</script></scriptTask>
    <sequenceFlow id="f2" sourceRef="price" targetRef="pack"/>
    <scriptTask id="pack" scriptFormat="javascript" camunda:asyncBefore="true"><script>1</script></scriptTask>
    <sequenceFlow id="f3" sourceRef="pack" targetRef="approve"/>
    <userTask id="approve"/>
    <sequenceFlow id="f4" sourceRef="approve" targetRef="pause"/>
    <intermediateCatchEvent id="pause"><timerEventDefinition><timeDuration>PT2H</timeDuration></timerEventDefinition></intermediateCatchEvent>
    <sequenceFlow id="f5" sourceRef="pause" targetRef="done"/>
    <endEvent id="done"/>
  </process>
</definitions>`;

const DEPLOY = `mutation Deploy($resources: [DeploymentResourceInput!]!) { deployProcess(input: { name: "order", resources: $resources }) { id } }`;
const START = `mutation Start { startProcess(input: { definitionKey: "order", businessKey: "o-1" }) { id } }`;

describe('telemetry of a server', () => {
  let folder: DataFolder;
  let receiver: OtlpReceiver;
  let server: ServerProcess;
  before(async () => {
    folder = dataFolder();
    receiver = await otlpReceiver();
    server = await start();
  });
  after(async () => {
    await server.end();
    await receiver.close();
    folder.remove();
  });

  const start = () =>
    serverProcess({
      MILLRACE_DATA: folder.path,
      MILLRACE_ADMIN_PASSWORD: ADMIN_PASSWORD,
      MILLRACE_CLOCK: 'virtual',
      ...receiver.env,
    });

  const headers = { 'Content-Type': 'application/json', ...basic('admin', ADMIN_PASSWORD) };
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  async function ask(query: string, variables: object = {}): Promise<any> {
    const response = await fetch(`${server.baseUrl}/bin/graphql.cgi/web`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    return response.json();
  }

  const named = (name: string) => receiver.spans.filter((span) => span.name === name);
  const named1 = (name: string): ReceivedSpan => {
    const [found, another] = named(name);
    assert.ok(found !== undefined && another === undefined, `${named(name).length} spans '${name}'`);
    return found;
  };
  const arrived = (...names: readonly string[]) => receiver.until(() => names.every((name) => named(name).length > 0));
  const parentOf = (span: ReceivedSpan) => receiver.spans.find(({ spanId }) => spanId === span.parentSpanId);
  /** From a span to its root, by name. */
  const pathOf = (span: ReceivedSpan): string[] => {
    const parent = parentOf(span);
    return [span.name, ...(parent === undefined ? [] : pathOf(parent))];
  };

  let instanceId: string;

  it('follows a call from its request to the commit', async () => {
    const deployed = await ask(DEPLOY, { resources: [{ name: 'order.bpmn', content: MODEL }] });
    assert.ok(deployed.data?.deployProcess, JSON.stringify(deployed));
    const started = await ask(START);
    instanceId = started.data?.startProcess?.id;
    assert.ok(instanceId, JSON.stringify(started));
    await ask('mutation { advanceClock(by: "PT1S") }'); // on a clock that stands continuations wait too
    await arrived('create task', 'scriptTask pack', 'command runJob', 'process continuation pack');

    const command = named1('command startProcess');
    assert.deepEqual(pathOf(command), ['command startProcess', 'mutation', 'POST /bin/graphql.cgi/:workspace']);
    assert.equal(command.kind, INTERNAL);
    assert.equal(command.attributes['app.workspace'], 'web');
    const operation = parentOf(command);
    assert.deepEqual(operation?.attributes, {
      'graphql.operation.type': 'mutation',
      'graphql.operation.name': 'Start',
      'app.workspace': 'web',
    });
    assert.equal(operation?.kind, INTERNAL);
    assert.equal(operation && parentOf(operation)?.kind, SERVER);

    const commit = named('commit').find(({ parentSpanId }) => parentSpanId === command.spanId);
    assert.equal(commit?.kind, CLIENT);
    assert.equal(commit?.attributes['db.system.name'], 'sqlite');
    assert.ok(Number(commit?.attributes['db.operation.batch.size']) >= 1);
    assert.ok(Number(commit?.attributes['app.commit.group.bytes']) > 0);
    assert.ok(commit !== undefined && commit.endTime > commit.startTime);
  });

  it('has a short span where an instance starts, and one for each activity that is over', () => {
    const anchor = named1('start order');
    assert.deepEqual(pathOf(anchor).slice(0, 2), ['start order', 'command startProcess']);
    assert.deepEqual(anchor.attributes, {
      'bpm.process.instance.id': instanceId,
      'bpm.process.definition.key': 'order',
      'bpm.process.definition.version': 1,
    });
    const price = named1('scriptTask price');
    assert.equal(price.parentSpanId, anchor.spanId);
    assert.equal(price.attributes['bpm.activity.id'], 'price');
    assert.equal(price.attributes['bpm.activity.type'], 'scriptTask');
    assert.equal(price.attributes['bpm.process.instance.id'], instanceId);
    assert.equal(named('userTask approve').length, 0, 'it waits');
  });

  it('continues the trace in the job that the command made', () => {
    const attempt = named1('process continuation pack');
    const command = named1('command startProcess');
    assert.equal(attempt.kind, CONSUMER);
    assert.equal(attempt.traceId, command.traceId);
    assert.equal(attempt.parentSpanId, command.spanId);
    const { 'bpm.job.id': jobId, ...attributes } = attempt.attributes;
    assert.match(String(jobId), /^[\da-f-]{36}$/);
    assert.deepEqual(attributes, {
      'messaging.system': 'bpm',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'continuation',
      'bpm.job.attempt': 1,
      'bpm.activity.id': 'pack',
      'bpm.process.instance.id': instanceId,
      'bpm.process.definition.key': 'order',
    });
    assert.deepEqual(pathOf(named1('command runJob')).slice(0, 3), [
      'command runJob',
      'process continuation pack',
      'command startProcess',
    ]);
    assert.deepEqual(pathOf(named1('create task')).slice(0, 2), ['create task', 'command runJob']);
  });

  it('says why an operation was refused', async () => {
    await ask('mutation { completeTask(input: { taskId: "nothing" }) { id } }');
    await arrived('command completeTask');
    const command = named1('command completeTask');
    assert.equal(command.attributes['error.type'], 'NOT_FOUND');
    await receiver.until(() => parentOf(command) !== undefined);
    assert.equal(parentOf(command)?.attributes['error.type'], 'NOT_FOUND');
  });

  it('links the completion of a task with its creation, also after a restart', async () => {
    await server.end();
    server = await start();
    const listed = await ask('{ tasks(first: 10) { edges { node { id } } } }');
    const taskId = listed.data?.tasks?.edges?.[0]?.node?.id;
    const done = await ask('mutation($id: ID!) { completeTask(input: { taskId: $id }) { id } }', { id: taskId });
    assert.equal(done.errors, undefined, JSON.stringify(done));
    await arrived('complete task', 'userTask approve');
    const created = named1('create task');
    const completed = named1('complete task');
    assert.equal(completed.attributes['bpm.task.id'], created.attributes['bpm.task.id']);
    assert.equal(completed.attributes['bpm.task.definition.key'], 'approve');
    assert.notEqual(completed.traceId, created.traceId);
    assert.deepEqual(
      completed.links.map(({ traceId }) => traceId),
      [created.traceId],
    );
    const approve = named1('userTask approve');
    assert.equal(approve.traceId, created.traceId);
    assert.deepEqual(
      approve.links.map(({ traceId }) => traceId),
      [completed.traceId],
    );
  });

  it('begins a trace of its own after a long wait, linked to what came before', async () => {
    const moved = await ask('mutation { advanceClock(by: "PT3H") }');
    assert.equal(moved.errors, undefined, JSON.stringify(moved));
    await arrived('end order', 'process timer pause');
    const attempt = named1('process timer pause');
    const before = named('command completeTask').at(-1);
    assert.equal(attempt.parentSpanId, '');
    assert.notEqual(attempt.traceId, before?.traceId);
    assert.deepEqual(
      attempt.links.map(({ spanId }) => spanId),
      [before?.spanId],
    );
    const end = named1('end order');
    assert.equal(end.attributes['bpm.process.instance.outcome'], 'completed');
    assert.deepEqual(pathOf(end), ['end order', 'command runJob', 'process timer pause']);
    assert.equal(end.links[0]?.traceId, named1('start order').traceId);
  });

  it('has a span for the opening of an event stream, not for its life', async () => {
    const ending = new AbortController();
    const stream = await fetch(`${server.baseUrl}/bin/graphql.cgi/web`, {
      method: 'POST',
      headers: { ...headers, Accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription Ends { processStarted { processInstance { id } } }' }),
      signal: ending.signal,
    });
    await arrived('subscription');
    const opening = named1('subscription');
    assert.equal(opening.attributes['graphql.operation.name'], 'Ends');
    assert.deepEqual(pathOf(opening), ['subscription', 'POST /bin/graphql.cgi/:workspace']);
    assert.equal(parentOf(opening)?.attributes['app.sse.mode'], 'distinct');
    await ask(START);
    for await (const chunk of stream.body ?? []) if (Buffer.from(chunk).includes('processInstance')) break;
    await receiver.until(() => ['sse.connections', 'sse.events.sent'].every((name) => receiver.metrics.has(name)));
    ending.abort();
    assert.equal(named('subscription').length, 1);
  });

  it('follows a message from the request through an exchange to the command of its route', async () => {
    const yaml = `- route:
    id: writes
    from:
      uri: direct:writes
      steps:
        - setBody: { constant: hello }
        - to: { id: store, uri: "cms:write?path=/content/traced.txt" }
- route:
    id: fails
    from: { uri: direct:fails, steps: [{ throwException: { exceptionType: java.io.IOException, message: gone } }] }
`;
    const made = await ask(
      'mutation Make($content: Base64!) { createFile(input: { path: "/etc/eip/routes", name: "traced.yaml", content: $content }) { id } }',
      { content: Buffer.from(yaml).toString('base64') },
    );
    assert.ok(made.data?.createFile, JSON.stringify(made));
    await ask('mutation { startAllRoutes { id } }');
    for (const id of ['writes', 'fails'])
      await ask(`mutation Send { sendToEndpoint(input: { endpointUri: "direct:${id}" }) { success exception } }`);
    await arrived('receive direct:writes', 'receive direct:fails', 'send cms:write');
    const exchange = named1('receive direct:writes');
    assert.equal(exchange.kind, CONSUMER);
    assert.deepEqual(pathOf(exchange).slice(1), ['mutation', 'POST /bin/graphql.cgi/:workspace']);
    const { 'eip.exchange.id': exchangeId, ...facts } = exchange.attributes;
    assert.ok(typeof exchangeId === 'string');
    assert.deepEqual(facts, {
      ...{ 'messaging.system': 'eip', 'messaging.operation.name': 'receive', 'messaging.operation.type': 'process' },
      'messaging.destination.template': 'direct:writes',
      ...{ 'eip.context': 'web', 'eip.route.id': 'writes' },
    });
    const sent = named1('send cms:write');
    assert.deepEqual([sent.parentSpanId, sent.attributes['eip.step.id']], [exchange.spanId, 'store']);
    const commands = receiver.spans.filter(
      ({ name, parentSpanId }) => name.startsWith('command ') && parentSpanId === exchange.spanId,
    );
    assert.equal(commands.length, 1);
    assert.equal(commands[0]?.traceId, exchange.traceId);
    assert.equal(named1('receive direct:fails').attributes['error.type'], 'java.io.IOException');
    await receiver.until(() =>
      [
        'messaging.process.duration',
        'messaging.client.consumed.messages',
        'messaging.client.sent.messages',
        'eip.exchange.inflight',
        'eip.route.state',
      ].every((name) => receiver.metrics.has(name)),
    );
  });

  it('sends what it measures', async () => {
    const wanted = [
      'http.server.request.duration',
      'graphql.server.operation.duration',
      'bpm.process.instance.active',
      'bpm.process.instance.duration',
      'bpm.job.duration',
      'bpm.job.wait.duration',
      'bpm.task.age',
      'db.client.operation.duration',
      'store.commit.group.size',
    ];
    await receiver.until(() => wanted.every((name) => receiver.metrics.has(name)));
  });
});

describe('a collector that never answers', () => {
  it('neither slows the server nor keeps it from ending', async () => {
    const folder = dataFolder();
    await fillAsStarted(folder.path);
    const receiver = await otlpReceiver({ answers: false });
    const server = await serverProcess({
      MILLRACE_DATA: folder.path,
      MILLRACE_ADMIN_PASSWORD: ADMIN_PASSWORD,
      ...receiver.env,
      OTEL_BSP_MAX_QUEUE_SIZE: '16',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '8',
    });
    const startedAt = performance.now();
    const calls = Array.from({ length: 100 }, () =>
      fetch(`${server.baseUrl}/bin/graphql.cgi/web`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...basic('admin', ADMIN_PASSWORD) },
        body: JSON.stringify({ query: START }),
      }),
    );
    for (const response of await Promise.all(calls)) assert.match(await response.text(), /NOT_FOUND/);
    // One hanging export alone would take 10 s.
    assert.ok(performance.now() - startedAt < 8_000);
    assert.ok(receiver.spans.length > 0, 'it took some');
    const endedAt = performance.now();
    assert.equal(await server.end(), 0);
    assert.ok(performance.now() - endedAt < 8_000);
    assert.match(server.logged(), /the last of the telemetry is lost/);
    await receiver.close();
    folder.remove();
  });
});
