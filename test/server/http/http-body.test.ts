import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { BodyBudget } from '../../../src/graphql/index.js';
import { jsonOf, withBody } from '../../../src/server/http/body.js';
import { replyError, replyJson } from '../../../src/server/http/reply.js';
import { fillAsStarted } from '../../support/first-start.js';
import { call, testServer } from '../../support/test-server.js';

describe('a body of a request that is no GraphQL', () => {
  it('counts with all others, for whoever sends it', async () => {
    const bodies = new BodyBudget({ bytesMax: 100_000, perClientMax: 60_000 });
    const rules = { bodies, bytesMax: 90_000, clientOf: () => 'address:192.0.2.1' };
    const server = createServer((req, res) => {
      withBody(req, rules, jsonOf, (body) => replyJson(res, 200, body)).catch((thrown) => replyError(res, thrown));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const stalled = [1, 2].map((): ClientRequest => {
      const one = request({ port, method: 'POST', headers: { 'content-length': 80_000 } }).on('error', () => {});
      one.write('"'.padEnd(25_000, 'x'));
      return one;
    });
    const large = { method: 'POST', body: JSON.stringify('x'.repeat(20_000)) };
    const refused = async () => {
      const reply = await call(port, '/', large);
      if (reply.status === 200) return undefined;
      return [reply.status, reply.headers['retry-after'], /at most 60000 bytes together/.test(reply.text)];
    };
    let why = await refused();
    while (why === undefined) why = await refused();
    assert.deepEqual(why, [503, '1', true]);
    for (const one of stalled) one.destroy();
    while ((await refused()) !== undefined);
    const packed = await call(port, '/', { ...large, headers: { 'content-encoding': 'gzip' } });
    assert.equal(packed.status, 415);
    server.close();
  });

  it('that is refused passes by, and its sender hears why', async () => {
    const server = await testServer({ fill: fillAsStarted });
    for (const [path, status] of [
      ['/auth/login', 413],
      ['/nowhere', 401],
      ['/idp/nowhere', 404],
      ['/bin/auth.cgi/saml2/login', 413],
    ] as const) {
      const socket = connect(server.port, '127.0.0.1');
      const type = path === '/auth/login' ? 'application/json' : 'application/x-www-form-urlencoded';
      const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: ${type}\r\n`;
      socket.write(`${head}content-length: 5000000\r\n\r\n`);
      for (let n = 0; n < 50; n++) if (!socket.write(Buffer.alloc(100_000, 32))) await once(socket, 'drain');
      const [answer] = (await once(socket, 'data')) as [Buffer];
      assert.match(answer.toString(), new RegExp(`^HTTP/1\\.1 ${status} `), path);
      await once(socket, 'close');
    }
    await server.remove();
  });
});
