import assert from 'node:assert/strict';
import { NO_HOST } from '../../../src/eip/component/component-host.js';
import { COMPONENTS } from '../../../src/eip/component/components.js';
import { readYaml } from '../../../src/eip/model/read-routes.js';
import { PATTERNS } from '../../../src/eip/pattern/patterns.js';
import type { RouteCounters, RouteRuntime, RouteToRun } from '../../../src/eip/route-port.js';
import { InlineRuntime } from '../../../src/eip/runtime/inline-runtime.js';
import { RouteContext } from '../../../src/eip/runtime/route-context.js';
import { MachineTime } from '../../../src/eip/runtime/runner-time.js';
import { ThreadedRuntime } from '../../../src/eip/runtime/thread/threaded-runtime.js';
import { languageOf } from '../../../src/expression/routes.js';
import { ServiceError } from '../../../src/shared/errors.js';
import { type ThreadPort, workerThread } from '../../../src/shared/thread.js';
import { systemTime } from '../../../src/shared/time.js';
import { eventually } from '../../support/eventually.js';
import { FakeWorkspace } from '../support/fake-workspace.js';
import { ServedRoutes } from '../support/http-served.js';

const MODULE = new URL('../../../src/eip/runtime/thread/route-thread.js', import.meta.url);
const ADMIN = { userId: 'admin', principalId: null };

type AskedRuntime = Omit<RouteRuntime, Exclude<keyof RouteCounters, 'statistics'>>;

interface Running {
  readonly runtime: AskedRuntime;
  readonly workspace: FakeWorkspace;
  readonly thread?: () => ThreadPort | undefined;
}

function inline(): Running {
  const workspace = new FakeWorkspace();
  let ids = 0;
  const context = new RouteContext({
    name: 'web',
    time: new MachineTime(),
    patterns: PATTERNS,
    components: COMPONENTS,
    host: { workspace },
    language: languageOf,
    resolved: (text) => text,
    property: () => undefined,
    random: () => 0.5,
    newId: () => `id-${++ids}`,
    log: () => {},
  });
  return { runtime: new InlineRuntime(context), workspace };
}

function threaded(): Running {
  const workspace = new FakeWorkspace();
  let port: ThreadPort | undefined;
  const runtime = new ThreadedRuntime({
    thread: (data) => {
      port = workerThread(MODULE, { data });
      return port;
    },
    begin: () => ({ name: 'web', seed: 'id', virtualNow: null, limits: NO_HOST, beans: null }),
    properties: () => ({}),
    told: { failed: () => {}, ended: () => {} },
    log: () => {},
    history: async () => {},
    workspace: () => workspace,
    front: new ServedRoutes().table,
    now: () => Date.now(),
    time: systemTime,
  });
  return { runtime, workspace, thread: () => port };
}

function routeOf(id: string, steps: string, uri = `direct:${id}`): RouteToRun {
  const indented = steps.trim().replace(/^/gm, '        ');
  const { file, errors } = readYaml(
    `- route:\n    id: ${id}\n    from:\n      uri: ${uri}\n      steps:\n${indented}\n`,
  );
  assert.deepEqual(errors, []);
  const [model] = file?.routes ?? [];
  assert.ok(model !== undefined && file !== undefined);
  const facts = { file: '/etc/eip/routes/a.yaml', template: null, deployer: ADMIN, version: 1 };
  return { routeId: id, model, scoped: file.scoped, ...facts };
}

const send = (runtime: AskedRuntime, id: string, body: unknown = null) =>
  runtime.send({ endpointUri: `direct:${id}`, body, headers: {}, properties: {}, pattern: 'InOut', user: ADMIN });
const call = (runtime: AskedRuntime, id: string, key: string) =>
  runtime.call({ endpointUri: `direct:${id}`, body: null, headers: {}, key, at: 1 });

const START = '- to: { uri: "bpm:start", parameters: { processDefinitionKey: p, businessKey: "${body}" } }';

const GROUPED = `
- aggregate:
    correlationExpression: { constant: all }
    aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy"
    completionSize: 9
    forceCompletionOnStop: true
    steps: [{ to: "mock:whole" }]`;

for (const [name, make] of Object.entries({ 'in line': inline, 'in a thread of their own': threaded }))
  describe(`commands of routes that run ${name}`, () => {
    let it_: Running;
    beforeEach(() => {
      it_ = make();
    });
    afterEach(() => it_.runtime.close());
    const start = (id: string, steps: string) => it_.runtime.start(routeOf(id, steps));
    const keys = () => it_.workspace.came.map(({ by }) => by.key);

    it('tell of the route and exchange that they are of', async () => {
      await start('one', START);
      const { exchangeId, headers } = await send(it_.runtime, 'one', 'b');
      assert.equal(headers.CamelBpmProcessInstanceId, 'instance-1');
      const { key, ...by } = it_.workspace.came[0]?.by ?? { key: '' };
      assert.deepEqual(by, { routeId: 'one', exchangeId });
      assert.ok(key.endsWith(`/${exchangeId}/one/to1/0`), key);
    });

    it('are not sent while whoever deployed the route may not act, and nothing else is done then', async () => {
      await start('one', START);
      await start('grouped', GROUPED);
      await send(it_.runtime, 'grouped', 'a');
      await it_.runtime.refuse([ADMIN]);
      const { exception } = await send(it_.runtime, 'one', 'b');
      assert.equal(exception?.type, 'org.apache.camel.CamelAuthorizationException');
      assert.match(
        exception.message,
        /who deployed route 'one' to be one who may act, but 'admin' is disabled or gone/,
      );
      // What was taken in before ends as a group by itself.
      await it_.runtime.stop('grouped', { timeoutMs: 1_000 });
      assert.equal((await it_.runtime.mock('whole')).receivedCounter, 0);
      await it_.runtime.refuse([{ ...ADMIN, principalId: 'another' }]);
      assert.equal((await send(it_.runtime, 'one', 'b')).exception, null);
      assert.equal(keys().length, 1);
    });

    it('have another key for each round of a loop, and the same for each attempt', async () => {
      await start('rounds', `- loop:\n    constant: "2"\n    steps:\n      ${START}`);
      const { exchangeId } = await send(it_.runtime, 'rounds');
      assert.deepEqual(
        keys().map((key) => key.slice(key.indexOf('/') + 1)),
        [`${exchangeId}/rounds/to1/0`, `${exchangeId}/rounds/to1/1`],
      );
      it_.workspace.came.length = 0;
      it_.workspace.refusals.push(new ServiceError('UNAVAILABLE', 'away'));
      await start(
        'tried',
        `- doTry:\n    steps:\n      ${START}\n    doCatch:\n      - exception: [java.lang.Exception]\n        steps:\n          - setHeader: { name: caught, constant: "yes" }`,
      );
      const { headers } = await send(it_.runtime, 'tried');
      assert.deepEqual([headers.caught, new Set(keys()).size], ['yes', 1]);
    });

    it('of a call that is made again have the keys of before, in its branches too', async () => {
      await start(
        'branches',
        `- setBody: { constant: "a,b" }\n- split:\n    tokenize: { token: "," }\n    steps:\n      ${START}`,
      );
      await call(it_.runtime, 'branches', 'job-7');
      await call(it_.runtime, 'branches', 'job-7');
      const [first, second, ...again] = keys();
      assert.deepEqual(again, [first, second]);
      assert.notEqual(first, second);
      assert.ok(first?.startsWith('job-7.'), first);
    });

    it('wait where too many are under way', async () => {
      await start('many', `- to: "seda:work?waitForTaskToComplete=Never"`);
      await it_.runtime.start(routeOf('worker', START, 'seda:work?concurrentConsumers=100'));
      it_.workspace.hold();
      for (let n = 0; n < 80; n++) await send(it_.runtime, 'many', String(n));
      await it_.workspace.changes.until(() => it_.workspace.came.length === 64);
      assert.equal(it_.workspace.inside, 64);
      it_.workspace.letGo();
      await it_.workspace.changes.until(() => it_.workspace.came.length === 80);
    });

    it('fail the exchange by the class of their refusal', async () => {
      await start('refused', '- to: "cms:write?path=/content/a"');
      for (const [code, type] of [
        ['CONFLICT', 'javax.jcr.InvalidItemStateException'],
        ['FORBIDDEN', 'javax.jcr.AccessDeniedException'],
        ['NOT_FOUND', 'javax.jcr.PathNotFoundException'],
        ['BAD_REQUEST', 'javax.jcr.nodetype.ConstraintViolationException'],
        ['UNAVAILABLE', 'javax.jcr.RepositoryException'],
      ] as const) {
        it_.workspace.refusals.push(new ServiceError(code, 'no'));
        assert.deepEqual((await send(it_.runtime, 'refused', 'x')).exception, { type, message: `${code}: no` });
      }
    });

    it('take content along, and read it, in pieces', async () => {
      await start(
        'content',
        '- to: "cms:read?path=/from"\n- to: "cms:write?path=/to"\n- setBody: { constant: "done" }',
      );
      const bytes = Buffer.from('0123456789'.repeat(250_000));
      it_.workspace.blobs.set('large', bytes);
      it_.workspace.nodes.set('/from', { content: { blob: 'large', size: bytes.length }, size: bytes.length });
      assert.equal((await send(it_.runtime, 'content')).exception, null);
      assert.ok(it_.workspace.came[0]?.bytes?.equals(bytes));
      assert.ok(it_.workspace.read_.length > 5, String(it_.workspace.read_.length));
    });

    it('of a block are one, with what it has read', async () => {
      it_.workspace.nodes.set('/there', { version: 4 });
      await start(
        'block',
        `
- transacted:
    steps:
      - to: "cms:read?path=/there"
      - to: "cms:read?path=/not&required=false"
      - to: "cms:delete?path=/there"
      - to: "cms:read?path=/there"
      - to: "bpm:start?processDefinitionKey=p"
      - setBody: { simple: "\${header.CamelBpmProcessInstanceId}" }`,
      );
      const { body } = await send(it_.runtime, 'block');
      const [{ command } = { command: undefined }, ...more] = it_.workspace.came;
      assert.deepEqual([command?.kind, more.length], ['block', 0]);
      assert.ok(command?.kind === 'block');
      assert.deepEqual(command.reads, [
        { path: '/there', version: 4 },
        { path: '/not', version: null },
      ]);
      assert.deepEqual(
        command.steps.map((step) => [step.command.kind, step.routeId]),
        [
          ['cms.delete', 'block'],
          ['bpm.start', 'block'],
        ],
      );
      const [, started] = command.steps;
      assert.ok(started?.command.kind === 'bpm.start');
      assert.equal(started.command.instanceId, body);
      const pending = it_.workspace.read_.map(({ query }) => ('pending' in query ? query.pending?.length : 0));
      assert.deepEqual(pending, [0, 0, 1]);
    });

    it('of a block are not sent by what it leaves behind, nor taken in of what goes on by itself', async () => {
      await it_.runtime.start(routeOf('worker', '- to: "cms:delete?path=/worker"', 'seda:work'));
      await start(
        'left',
        `
- transacted:
    steps:
      - wireTap: { uri: "seda:work" }
      - to: { uri: "seda:work", pattern: InOut }
      - multicast:
          parallelProcessing: true
          stopOnException: true
          steps:
            - doTry:
                steps:
                  - to: { uri: "seda:late", pattern: InOut }
                  - to: "cms:delete?path=/late"
                doCatch: [{ exception: [java.lang.IllegalStateException], steps: [{ to: "mock:ended" }] }]
            - throwException: { exceptionType: java.io.IOException, message: no }`,
      );
      const { exception } = await send(it_.runtime, 'left');
      assert.match(exception?.message ?? '', /no/);
      await it_.runtime.start(routeOf('late', '- to: "mock:late"', 'seda:late'));
      await eventually('what is left fails', async () => (await it_.runtime.mock('ended')).receivedCounter === 1);
      const sent = it_.workspace.came.map(({ command }) => ('path' in command ? command.path : command.kind));
      assert.deepEqual(sent, ['/worker', '/worker']);
    });

    it('of a block run again where they conflict, with the same key and the message of before', async () => {
      await start(
        'again',
        `
- setHeader: { name: n, constant: "1" }
- transacted:
    steps:
      - setHeader: { name: n, simple: "\${header.n}1" }
      - to: "cms:write?path=/content/\${header.n}"`,
      );
      it_.workspace.refusals.push(new ServiceError('CONFLICT', 'one'), new ServiceError('CONFLICT', 'two'));
      const { headers, exception } = await send(it_.runtime, 'again', 'x');
      assert.deepEqual([exception, headers.n, it_.workspace.came.length], [null, '11', 3]);
      assert.equal(new Set(keys()).size, 1);
      for (let n = 0; n < 20; n++) it_.workspace.refusals.push(new ServiceError('CONFLICT', 'again'));
      const failed = await send(it_.runtime, 'again', 'x');
      assert.equal(failed.exception?.type, 'javax.jcr.InvalidItemStateException');
      assert.equal(it_.workspace.came.length, 3 + 10);
    });
  });

describe('commands of routes whose thread ends', () => {
  it('stand', async () => {
    const { runtime, workspace, thread } = threaded();
    await runtime.start(routeOf('sent', START));
    workspace.hold();
    const sent = send(runtime, 'sent').catch((thrown: unknown) => thrown);
    await workspace.changes.until(() => workspace.came.length === 1);
    thread?.()?.terminate();
    assert.match(String(await sent), /the thread of the routes has ended/);
    workspace.letGo();
    assert.deepEqual([workspace.came.length, workspace.isClosed], [1, true]);
    await runtime.close();
  });
});
