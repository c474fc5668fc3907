import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { call, testServer, wireOf } from '../support/test-server.js';

const PATH = '/bin/graphql.cgi/web';

/** A server whose calls wait until they are let go. */
async function serverThatWaits(env: Record<string, string> = {}) {
  const waiting: ServerResponse[] = [];
  const done: string[] = [];
  let arrived: () => void = () => {};
  const server = await testServer({
    env,
    wire: async () =>
      wireOf({
        graphql: (req, res) => {
          waiting.push(res);
          if (req.url?.endsWith('/stream')) res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
          arrived();
        },
        drain: async () => {
          done.push('drain');
          for (const res of waiting)
            if (res.getHeader('content-type') === 'text/event-stream') res.end('event: complete\n\n');
        },
        close: async () => {
          done.push('close');
        },
      }),
  });
  const arrival = () => new Promise<void>((resolve) => (arrived = resolve));
  return { server, waiting, done, arrival };
}

describe('the end of a server', () => {
  it('waits for calls in flight, and then closes', async () => {
    const { server, waiting, done, arrival } = await serverThatWaits();
    const arrived = arrival();
    const reply = server.call(PATH);
    await arrived;
    const ended = server.end();
    await assert.rejects(call(server.port, '/health/live'), { code: 'ECONNREFUSED' });
    assert.deepEqual(done, ['drain']);
    waiting[0]?.end('late but complete');
    assert.equal((await reply).text, 'late but complete');
    assert.equal(await ended, true);
    assert.deepEqual(done, ['drain', 'close']);
    await server.remove();
  });

  it('ends streams', async () => {
    const { server, arrival } = await serverThatWaits();
    const arrived = arrival();
    const stream = server.call(`${PATH}/stream`);
    await arrived;
    const startedAt = performance.now();
    assert.equal(await server.end(), true);
    assert.match((await stream).text, /event: complete/);
    assert.ok(performance.now() - startedAt < 1500, 'it did not wait for the end of the drain');
    await server.remove();
  });

  it('refuses further calls on connections that are kept alive, and closes them', async () => {
    const { server, waiting, arrival } = await serverThatWaits();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = (path: string) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        request({ port: server.port, host: '127.0.0.1', path, agent }, (res) => resolve(res.resume()))
          .on('error', reject)
          .end();
      });
    const arrived = arrival();
    const first = send(PATH);
    await arrived;
    const ended = server.end();
    waiting[0]?.end('done');
    assert.equal((await first).headers.connection, 'close');
    assert.equal(await ended, true);
    agent.destroy();
    await server.remove();
  });

  it('does not wait for connections on which nothing was asked', async () => {
    const { server } = await serverThatWaits({ MILLRACE_DRAIN_TIMEOUT: '20s' });
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    const startedAt = performance.now();
    await server.call('/health/live');
    assert.equal(await server.end(), true);
    assert.ok(performance.now() - startedAt < 5000);
    socket.destroy();
    await server.remove();
  });

  it('cuts off calls that take longer than the drain may take', async () => {
    const { server, done, arrival } = await serverThatWaits({ MILLRACE_DRAIN_TIMEOUT: '100ms' });
    const arrived = arrival();
    const reply = server.call(PATH);
    await arrived;
    const ended = server.end();
    await assert.rejects(reply, { code: 'ECONNRESET' });
    assert.equal(await ended, true);
    assert.deepEqual(done, ['drain', 'close']);
    await server.remove();
  });

  it('is one end, however often it is asked for', async () => {
    const { server, done } = await serverThatWaits();
    assert.deepEqual(await Promise.all([server.end(), server.end()]), [true, true]);
    assert.deepEqual(done, ['drain', 'close']);
    await server.remove();
  });

  it('closes the rest when one thing cannot be closed, and says so', async () => {
    const server = await testServer({
      wire: async () => wireOf({ graphql: (_req, res) => res.end(), close: () => Promise.reject(new Error('stuck')) }),
    });
    assert.equal(await server.end(), false);
    const again = await testServer({ folder: server.folder, wire: async () => wireOf({ graphql: () => {} }) });
    await again.remove();
    await server.remove();
  });
});
