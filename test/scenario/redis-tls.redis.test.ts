import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type CertificateFiles, type Certificates, certificates } from '../support/certificates.js';
import { RedisServer } from '../support/redis-server.js';
import { liveServer } from '../support/server.js';
import { serverProcess } from '../support/server-process.js';
import { temporaryFolder } from '../support/temporary.js';
import { ADMIN_PASSWORD } from '../support/test-server.js';

const CREATE = 'mutation ($name: String!) { createFolder(input: { path: "/content", name: $name }) { path } }';

describe('a Redis behind TLS', function () {
  this.timeout(60_000);
  let folder: ReturnType<typeof temporaryFolder>;
  let made: Certificates;
  before(function () {
    if (!knowsTls()) return this.skip();
    folder = temporaryFolder();
    made = certificates(folder.path);
  });
  after(() => folder?.remove());

  const servers: RedisServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.remove();
  });

  /** `clients`: whether they must show a certificate. Gives its port. */
  async function redisWithTls(clients: 'yes' | 'no', shown: CertificateFiles = made.server): Promise<number> {
    const port = await freePort();
    const files = ['--tls-cert-file', shown.cert, '--tls-key-file', shown.key];
    const trust = ['--tls-ca-cert-file', made.ca, '--tls-auth-clients', clients];
    servers.push(await RedisServer.start(['--tls-port', String(port), '--bind', '127.0.0.1', ...files, ...trust]));
    return port;
  }

  const starts = async (env: Record<string, string>) => {
    const server = await liveServer({ clock: 'system', env });
    await server.remove();
  };

  it('keeps what is decided, and gives it back to a server with an empty folder', async () => {
    const port = await redisWithTls('no');
    const env = { REDIS_URL: `rediss://localhost:${port}`, REDIS_TLS_CA_FILE: made.ca };
    const first = await liveServer({ clock: 'system', env });
    await first.as('admin').run(CREATE, { name: 'kept' });
    await first.remove();
    const second = await liveServer({ clock: 'system', env });
    assert.equal((await second.as('admin').run('{ node(path: "/content/kept") { name } }')).node?.name, 'kept');
    await second.remove();
  });

  it('is believed by its address too, if the certificate names it', async () => {
    const port = await redisWithTls('no');
    await starts({ REDIS_URL: `rediss://127.0.0.1:${port}`, REDIS_TLS_CA_FILE: made.ca });
  });

  it('is trusted where Node is told to trust it', async () => {
    const port = await redisWithTls('no');
    const data = temporaryFolder();
    const server = await serverProcess({
      MILLRACE_DATA: data.path,
      MILLRACE_ADMIN_PASSWORD: ADMIN_PASSWORD,
      REDIS_URL: `rediss://localhost:${port}`,
      NODE_EXTRA_CA_CERTS: made.ca,
    });
    assert.equal(await server.end(), 0, server.logged());
    data.remove();
  });

  it('is not trusted just so, and the refusal names the setting', async () => {
    const port = await redisWithTls('no');
    await assert.rejects(starts({ REDIS_URL: `rediss://localhost:${port}` }), {
      code: 'UNAVAILABLE',
      message: /^expected the Redis server at rediss:\/\/localhost:\d+\/0 to answer, but: .*REDIS_TLS_CA/,
    });
  });

  it('is not trusted under a name that its certificate does not have', async () => {
    const port = await redisWithTls('no', made.client);
    await assert.rejects(starts({ REDIS_URL: `rediss://localhost:${port}`, REDIS_TLS_CA_FILE: made.ca }), {
      code: 'UNAVAILABLE',
      message: /altnames/,
    });
  });

  it('that wants to know its clients is shown a certificate', async () => {
    const port = await redisWithTls('yes');
    const env = { REDIS_URL: `rediss://localhost:${port}`, REDIS_TLS_CA_FILE: made.ca };
    await assert.rejects(starts(env), { code: 'UNAVAILABLE' });
    await starts({ ...env, REDIS_TLS_CERT_FILE: made.client.cert, REDIS_TLS_KEY_FILE: made.client.key });
  });
});

/** Whether the redis-server of this machine was built with TLS: one that was not does not know the directive. */
function knowsTls(): boolean {
  const { stdout } = spawnSync('redis-server', ['--port', '0', '--tls-port', '1'], {
    encoding: 'utf8',
    timeout: 5_000,
  });
  return /tls-cert-file/.test(stdout);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
