import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type CertificateFiles, type Certificates, certificates, hasOpenssl, textOf } from '../support/certificates.js';
import { fillAsStarted } from '../support/first-start.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { logSettings } from '../support/log-of-run.js';
import { clientOf } from '../support/server.js';
import { type ServerProcess, serverProcess } from '../support/server-process.js';
import { temporaryFolder } from '../support/temporary.js';
import { ADMIN_PASSWORD } from '../support/test-server.js';
import { tlsProxy } from '../support/tls-proxy.js';
import { createRoute, send } from './support/route-client.js';

const portOf = (server: Server) => (server.address() as AddressInfo).port;

describe('routes that speak TLS', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let made: Certificates;
  let server: ServerProcess;
  let admin: GraphqlClient;
  const peers: Server[] = [];
  before(async function () {
    if (!hasOpenssl()) return this.skip();
    folder = temporaryFolder();
    made = certificates(folder.path);
    const data = join(folder.path, 'data');
    mkdirSync(data);
    await fillAsStarted(data);
    server = await serverProcess({
      ...{ MILLRACE_DATA: data, MILLRACE_ADMIN_PASSWORD: ADMIN_PASSWORD, MILLRACE_LOG_LEVEL: 'fatal' },
      ...{ MILLRACE_HTTP_HOSTS: 'localhost,127.0.0.1', NODE_EXTRA_CA_CERTS: made.ca, MILLRACE_PROXY_HOPS: '1' },
      ...(await logSettings(data)),
    });
    admin = clientOf(server.baseUrl, 'admin');
  });
  after(async () => {
    for (const peer of peers) {
      peer.close();
      peer.closeAllConnections();
    }
    await server?.end();
    folder?.remove();
  });

  /** Another server that shows a certificate, and answers with what it was sent. */
  async function peer({ cert, key }: CertificateFiles): Promise<string> {
    const one = createServer({ cert: textOf(cert), key: textOf(key) }, (req, res) => req.pipe(res));
    peers.push(one);
    await once(one.listen(0, '127.0.0.1'), 'listening');
    return `localhost:${portOf(one)}`;
  }
  const post = (to: string) => send(admin, `https://${to}/in`, 'hello');

  it('believe a server whose certificate comes of an authority that Node is told to trust', async () => {
    const host = await peer(made.server);
    for (const to of [host, host.replace('localhost', '127.0.0.1')]) {
      const { body, exception } = await post(to);
      assert.deepEqual([exception, body], [null, 'hello'], to);
    }
  });

  it('refuse one with a certificate of another name, or of nobody whom they know, and say so', async () => {
    const stranger = join(folder.path, 'stranger');
    mkdirSync(stranger);
    const wrong = {
      'another name': [
        made.client,
        /DNS:client: expected the certificate of https:\/\/localhost:\d+ to be one of that host/,
      ],
      'another authority': [certificates(stranger).server, /: expected the certificate of https:.*NODE_EXTRA_CA_CERTS/],
    } as const;
    for (const [what, [shown, expected]] of Object.entries(wrong)) {
      const { exception } = await post(await peer(shown));
      assert.match(exception ?? '', /^javax\.net\.ssl\.SSLHandshakeException/, what);
      assert.match(exception ?? '', expected, what);
    }
    const plain = await send(admin, `https://${server.baseUrl.replace('http://', '')}/in`, 'hello');
    assert.match(
      plain.exception ?? '',
      /^javax\.net\.ssl\.SSLHandshakeException: .*: expected https:\S+ to speak TLS as this server does$/s,
    );
  });

  it('are reached behind a proxy that speaks it', async () => {
    const proxy = await tlsProxy(made.server, () => server.baseUrl);
    peers.push(proxy);
    const uri = 'platform-http:/echo?authentication=none';
    await createRoute(admin, 'echo', '- setBody: { simple: "${body} at ${header.CamelHttpPath}" }', uri);
    const address = `https://localhost:${portOf(proxy)}/routes/web/echo`;
    const { body, exception } = await send(admin, address, 'hello');
    assert.deepEqual([exception, body], [null, 'hello at /echo']);
  });
});
