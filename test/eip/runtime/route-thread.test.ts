import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NO_HOST } from '../../../src/eip/component/component-host.js';
import { readYaml } from '../../../src/eip/model/read-routes.js';
import type { RouteFault, RouteToRun } from '../../../src/eip/route-port.js';
import type { LogLine } from '../../../src/eip/runtime/thread/messages.js';
import { ThreadedRuntime } from '../../../src/eip/runtime/thread/threaded-runtime.js';
import { ExchangeFailure } from '../../../src/expression/index.js';
import { type ThreadPort, workerThread } from '../../../src/shared/thread.js';
import { systemTime, type Time } from '../../../src/shared/time.js';
import { Changes } from '../../support/changes.js';
import { ServedRoutes } from '../support/http-served.js';

const MODULE = new URL('../../../src/eip/runtime/thread/route-thread.js', import.meta.url);

const ADMIN = { userId: 'admin', principalId: null };

const nothing = () => Promise.reject(new Error('nothing of the workspace is asked for'));
const NO_WORKSPACE = { send: nothing, read: nothing, stage: nothing, watch: nothing, close: () => {} };

/** Routes in a thread, and what it tells. */
function threaded(
  beans: string | null = null,
  properties: Record<string, string> = { greeting: 'good day' },
  time: Time = systemTime,
) {
  const front = new ServedRoutes();
  const lines: LogLine[] = [];
  const ends: { readonly fault: RouteFault; readonly culprits: readonly string[] }[] = [];
  const ports: ThreadPort[] = [];
  const changes = new Changes();
  const runtime = new ThreadedRuntime({
    thread: (data) => {
      const port = workerThread(MODULE, { data });
      ports.push(port);
      return port;
    },
    begin: () => ({
      name: 'web',
      seed: 'seed',
      virtualNow: null,
      limits: NO_HOST,
      beans,
    }),
    properties: () => properties,
    told: {
      failed: () => {},
      ended: (fault, culprits) => {
        ends.push({ fault, culprits });
        changes.tell();
      },
    },
    log: (line) => {
      lines.push(line);
      changes.tell();
    },
    history: async () => {},
    workspace: () => NO_WORKSPACE,
    front: front.table,
    now: () => Date.now(),
    time,
  });
  return { runtime, lines, ends, ports, changes, front };
}

function routeOf(yaml: string): RouteToRun {
  const { file, errors } = readYaml(yaml);
  assert.deepEqual(errors, []);
  const [model] = file?.routes ?? [];
  assert.ok(model !== undefined && file !== undefined);
  const deployer = ADMIN;
  return {
    routeId: model.id,
    version: 1,
    file: '/etc/eip/routes/a.yaml',
    model,
    scoped: file.scoped,
    template: null,
    deployer,
  };
}

const TICKS = `
- route:
    id: ticks
    from:
      uri: timer:tick
      parameters: { period: 20, delay: 0, includeMetadata: true }
      steps:
        - log: { message: "{{greeting}}, \${exchangeProperty.CamelTimerCounter}" }
`;

describe('the thread of the routes of a workspace', () => {
  it('runs them, tells what they log, and counts where others can read it', async () => {
    const { runtime, lines, changes } = threaded();
    await runtime.start(routeOf(TICKS));
    await changes.until(() => lines.length >= 3);
    assert.deepEqual(
      lines.slice(0, 2).map(({ message }) => message),
      ['good day, 1', 'good day, 2'],
    );
    assert.deepEqual(await runtime.stop('ticks', { timeoutMs: 1000 }), { stuck: [] });
    const counted = runtime.statisticsOf('ticks').read();
    assert.ok(counted.completed >= 3 && counted.inflight === 0, JSON.stringify(counted));
    await runtime.close();
  });

  it('loads the beans of the operator, or says in the log why it cannot', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-beans-'));
    try {
      writeFileSync(join(folder, 'beans.mjs'), 'export const shout = (body) => String(body).toUpperCase();');
      const url = pathToFileURL(join(folder, 'beans.mjs')).href;
      const route = () => routeOf('- from: { uri: "direct:in", steps: [{ to: { uri: "bean:shout" } }] }');
      const message = {
        endpointUri: 'direct:in',
        body: 'x',
        headers: {},
        properties: {},
        pattern: 'InOut' as const,
        user: ADMIN,
      };
      const { runtime } = threaded(url);
      await runtime.start(route());
      assert.equal((await runtime.send(message)).body, 'X');
      await runtime.close();
      const missing = threaded(`${url}.none`);
      await assert.rejects(missing.runtime.start(route()), /shout, as the operator's module .* could not be loaded/);
      await missing.changes.until(() =>
        missing.lines.some(({ message: line }) => line.includes('could not be loaded')),
      );
      await missing.runtime.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('says what is wrong with a route before it runs', async () => {
    const { runtime } = threaded();
    const route = routeOf(TICKS.replace('period: 20', 'perriod: 20'));
    const shared = { templates: [], configurations: [], beans: [], dataFormats: [] };
    const { problems } = await runtime.prepare([route], { file: route.file, shared });
    assert.match(problems[0]?.message ?? '', /perriod/);
    const wrong = `- from:
    uri: direct:wrong
    steps:
      - setBody: { simple: "\${body" }
      - filter:
          constant: true
          steps:
            - to: "seda:x?sise=1"
      - convertBodyTo: { type: com.acme.Order }
      - bean: { ref: nobody }
`;
    const { problems: all } = await runtime.prepare([routeOf(wrong)], { file: route.file, shared });
    assert.deepEqual(
      all.map(({ line, element, message }) => [line, element, /functionEnd|sise|Order|nobody/.exec(message)?.[0]]),
      [
        [4, 'setBody', 'functionEnd'],
        [8, 'to', 'sise'],
        [9, 'convertBodyTo', 'Order'],
        [10, 'bean', 'nobody'],
      ],
    );
    await runtime.close();
  });

  it('refuses to start a route that cannot run, with the reason', async () => {
    const { runtime } = threaded();
    await assert.rejects(runtime.start(routeOf(TICKS.replace('timer:tick', 'nothing:there'))), (thrown) => {
      assert.ok(thrown instanceof ExchangeFailure);
      assert.match(thrown.message, /nothing/);
      assert.equal(thrown.type, 'org.apache.camel.NoSuchEndpointException');
      return true;
    });
    await runtime.close();
  });

  it('tells of its end, and has routes run anew in another thread', async () => {
    const { runtime, ends, ports, lines, changes } = threaded();
    await runtime.start(routeOf(TICKS));
    await runtime.start(
      routeOf(
        TICKS.replace('id: ticks', 'id: rests')
          .replace('timer:tick', 'direct:rest')
          .replace(/ +parameters.*\n/, ''),
      ),
    );
    await changes.until(() => lines.length > 0);
    ports[0]?.terminate();
    await changes.until(() => ends.length > 0);
    assert.deepEqual(ends[0]?.culprits, ['ticks']);
    assert.equal(runtime.statisticsOf('ticks').inflight, 0);
    const before = lines.length;
    await runtime.start(routeOf(TICKS));
    await changes.until(() => lines.length > before);
    assert.equal(ports.length, 2);
    await runtime.close();
  });

  it('whose event loop does not turn is ended, and that is why', async () => {
    const looks: (() => void)[] = [];
    const every: Time['every'] = (_, look) => {
      looks.push(look);
      return systemTime.every(86_400_000, () => {});
    };
    const { runtime, ends, changes } = threaded(null, undefined, { ...systemTime, every });
    await runtime.start(routeOf(TICKS));
    // Nothing turns between looks that follow each other at once.
    for (let look = 0; look < 40; look++) looks[0]?.();
    await changes.until(() => ends.length > 0);
    assert.match(ends[0]?.fault.message ?? '', /has computed for more than 10 s without giving way/);
    await runtime.close();
  });

  it('takes messages and expressions that people try, and tells what mocks got', async () => {
    const { runtime } = threaded();
    await runtime.start(
      routeOf(`
- route:
    id: hello
    from:
      uri: direct:hello
      steps:
        - setBody: { simple: "hello \${body}" }
        - setHeader: { name: seen, constant: "yes" }
        - to: { uri: "mock:out" }
`),
    );
    const message = { body: 'world', headers: { n: 1 }, properties: {} };
    const sent = await runtime.send({ ...message, endpointUri: 'direct:hello', pattern: 'InOut', user: ADMIN });
    assert.deepEqual([sent.body, sent.headers, sent.exception], ['hello world', { n: 1, seen: 'yes' }, null]);
    const mock = await runtime.mock('out');
    assert.deepEqual([mock?.receivedCounter, mock?.exchanges[0]?.body], [1, 'hello world']);
    await runtime.resetMocks();
    assert.equal((await runtime.mock('out'))?.receivedCounter, 0);
    const question = { ...message, language: 'simple', isPredicate: false, resultType: null };
    assert.equal(await runtime.evaluate({ ...question, text: '${body.toUpperCase()} ${header.n}' }), 'WORLD 1');
    assert.equal(await runtime.evaluate({ ...question, text: '${header.n} > 0', isPredicate: true }), true);
    await assert.rejects(runtime.evaluate({ ...question, text: '${nothing' }), /nothing/);
    const failed = await runtime.send({
      ...message,
      endpointUri: 'direct:other?block=false',
      pattern: 'InOut',
      user: ADMIN,
    });
    assert.equal(failed.exception?.type, 'org.apache.camel.component.direct.DirectConsumerNotAvailableException');
    await runtime.close();
  });

  describe('serves HTTP', () => {
    const served = (uri: string, steps: string) =>
      routeOf(`
- route:
    id: ${JSON.stringify(uri)}
    from:
      uri: ${JSON.stringify(`platform-http:${uri}`)}
      steps: [${steps}]
`);
    const large = Buffer.alloc(3_000_000, 'x');

    it('as it is told, with small bodies and large ones', async () => {
      const { runtime, front } = threaded();
      await runtime.start(served('/hello/{name}', '{ setBody: { simple: "hello ${header.name} ${body}" } }'));
      await runtime.start(served('/echo', '{ setHeader: { name: X-User, simple: "${header[mi:userId]}" } }'));
      const { status, text } = await front.call('/hello/ann', { method: 'POST', body: 'again', userId: 'ann' });
      assert.deepEqual([status, text], [200, 'hello ann again']);
      const streamed = await front.call('/echo', { method: 'POST', body: inPieces(large), userId: 'ann' });
      assert.equal(streamed.text.length, large.length);
      assert.equal(streamed.headers['X-User'], 'ann');
      await runtime.stop('/echo', { timeoutMs: 1000 });
      assert.equal((await front.call('/echo')).status, 404);
      await assert.rejects(
        runtime.start(served('/hello/{x}', '{ log: x }')),
        /serves every method of \/hello\/\{name\} already/,
      );
      await runtime.close();
      assert.equal((await front.call('/hello/ann')).status, 404);
    });

    it('takes no more of a body than the route takes, and sends no more than the client takes', async () => {
      const { runtime, front } = threaded();
      await runtime.start(served('/echo', '{ log: x }'));
      let taken = 0;
      const endless = (async function* () {
        for (;;) {
          taken += 65_536;
          yield Buffer.alloc(65_536, 'x');
        }
      })();
      const found = front.table.find('POST', ['echo']);
      assert.ok(found !== undefined && 'mount' in found);
      const head = { method: 'POST', path: '/echo', query: null, url: 'http://x/echo', parameters: {}, headers: [] };
      const { body } = await found.mount.serve({ ...head, userId: null, remoteAddress: '', body: endless });
      assert.ok(body !== null && typeof body === 'object' && Symbol.asyncIterator in body);
      let got = 0;
      for await (const piece of body) {
        got += piece.length;
        if (got > 5_000_000) break;
      }
      assert.ok(taken > got && taken - got < 2_000_000, `${taken} were taken for ${got}`);
      await runtime.close();
    });

    it('and tells whoever waits when it has ended', async () => {
      const { runtime, front, ports, ends, changes } = threaded();
      await runtime.start(served('/wait', '{ delay: { constant: 60000 } }'));
      const waiting = front.call('/wait');
      ports[0]?.terminate();
      await assert.rejects(waiting, /the thread of the routes has ended/);
      await changes.until(() => ends.length > 0);
      assert.equal((await front.call('/wait')).status, 404);
      await runtime.close();
    });
  });
});

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
}
