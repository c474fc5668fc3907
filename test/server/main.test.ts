import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type DataFolder, dataFolder } from '../support/data-folder.js';
import { fillAsStarted } from '../support/first-start.js';
import { otlpReceiver } from '../support/otlp-receiver.js';
import { type ServerProcess, serverProcess } from '../support/server-process.js';

// Slow: the main program starts for it, and again.

const run = promisify(execFile);
const passwordIn = (banner: string) => /Password +(\S+) +\(shown this once/.exec(banner)?.[1];
const commandIn = (banner: string) =>
  banner
    .split('\n')
    .find((line) => line.startsWith('  curl '))
    ?.trim() ?? '';

describe('the server program at its first start', () => {
  let folder: DataFolder;
  let data: string;
  let server: ServerProcess;
  before(async () => {
    folder = dataFolder();
    data = `${folder.path}/it's "here" $HOME`;
    server = await serverProcess({ MILLRACE_DATA: data });
  });
  after(async () => {
    await server.end();
    folder.remove();
  });

  it('says in a few lines where it is and how to sign in', async () => {
    const banner = server.printed();
    assert.ok(banner.split('\n').length <= 15, banner);
    assert.match(banner, /^Millrace \d+\.\d+\.\d+ \(Node .* was ready in \d+ ms\n/);
    assert.match(banner, /Sign in +admin\n/);
    assert.match(passwordIn(banner) ?? '', /^[\w-]{24}$/);
    assert.equal(server.logged(), '', 'nothing is warned of at a first start');
    assert.equal((await fetch(`${server.baseUrl}/health/ready`)).status, 200);
  });

  it('shows a command that signs in as it stands, in a folder of any name', async () => {
    const { stdout } = await run('bash', ['-c', commandIn(server.printed())]);
    const { data: answer } = JSON.parse(stdout) as { data: { processDefinitions: { totalCount: number } } };
    assert.equal(typeof answer.processDefinitions.totalCount, 'number', stdout);
  });

  it('ends with 0 at SIGTERM, and shows the password no more when it starts again', async () => {
    const password = passwordIn(server.printed()) ?? '';
    assert.equal(await server.end(), 0);
    server = await serverProcess({ MILLRACE_DATA: data });
    assert.equal(passwordIn(server.printed()), undefined);
    assert.match(server.printed().replaceAll(data, '<data>'), /Password +in <data>\/admin-password\n/);
    assert.ok(!server.printed().includes(password) && !server.logged().includes(password));
    const body = JSON.stringify({ username: 'admin', password });
    const login = await fetch(`${server.baseUrl}/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    assert.equal(login.status, 200);
  });

  it('ends with 0 at SIGINT too, and lets go of a reader of its log that has gone', async () => {
    server.child.stderr?.destroy();
    server.child.stdout?.destroy();
    assert.equal(await server.end('SIGINT'), 0);
  });
});

describe('the server program', () => {
  let folder: DataFolder;
  let server: ServerProcess;
  before(async () => {
    folder = dataFolder();
    await fillAsStarted(folder.path);
    const env = { MILLRACE_ADMIN_PASSWORD: 'set by me', MILLRACE_SLOTS: '1' };
    server = await serverProcess({ MILLRACE_DATA: folder.path, ...env });
  });
  after(async () => {
    await server.end('SIGKILL');
    folder.remove();
  });

  it('shows a command without the password when that was set', () => {
    assert.doesNotMatch(server.printed(), /set by me/);
    assert.match(server.printed(), /Password +as set by MILLRACE_ADMIN_PASSWORD\n/);
    assert.match(commandIn(server.printed()), /-u "admin:\$MILLRACE_ADMIN_PASSWORD"/);
  });

  it('tells all problems of its settings and ends with 1', async () => {
    const start = serverProcess({ MILLRACE_DATA: folder.path, PORT: 'x', MILLRACE_CLOCK: 'sundial' });
    await assert.rejects(
      start,
      /the server ended with 1: the settings cannot be used:\n {2}PORT: .*\n {2}MILLRACE_CLOCK: /,
    );
  });

  it('tells an unknown setting with the nearest one', () => {
    assert.match(server.logged(), /MILLRACE_SLOTS is no setting of this server; the nearest is MILLRACE_/);
  });

  it('refuses to be the second on its data folder, and ends with 1', async () => {
    await assert.rejects(
      serverProcess({ MILLRACE_DATA: folder.path }),
      /the server ended with 1: expected to be the only server/,
    );
  });

  it('starts again after a kill, and sends spans and metrics where it is told, the last of them while it ends', async () => {
    assert.equal(await server.end('SIGKILL'), 'SIGKILL');
    const receiver = await otlpReceiver();
    server = await serverProcess({ MILLRACE_DATA: folder.path, ...receiver.env });
    assert.match(server.printed(), new RegExp(`Telemetry +${receiver.url}\n`));
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    await fetch(`${server.baseUrl}/health/live`, { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } });
    await fetch(`${server.baseUrl}/bin/graphql.cgi/web`, { method: 'POST' });
    assert.equal(await server.end(), 0);
    const live = receiver.spans.find(({ name }) => name === 'GET /health/live');
    const graphql = receiver.spans.find(({ name }) => name.startsWith('POST'));
    assert.deepEqual(
      [live?.name, live?.traceId, live?.parentSpanId, live?.kind],
      ['GET /health/live', traceId, 'b7ad6b7169203331', 2],
    );
    assert.equal(live?.attributes['http.response.status_code'], 200);
    assert.equal(live?.resource['service.name'], 'millrace');
    assert.equal(graphql?.name, 'POST /bin/graphql.cgi/:workspace');
    assert.ok(receiver.metrics.has('http.server.request.duration'), [...receiver.metrics].join());
    await receiver.close();
  });

  it('says when a collector is away', async () => {
    const away = 'http://127.0.0.1:1';
    const more = { OTEL_EXPORTER_OTLP_TIMEOUT: '100', OTEL_METRICS_EXPORTER: 'none' };
    server = await serverProcess({ MILLRACE_DATA: folder.path, OTEL_EXPORTER_OTLP_ENDPOINT: away, ...more });
    assert.equal(await server.end(), 0);
    assert.match(server.logged(), /telemetry.*ECONNREFUSED/);
  });
});
