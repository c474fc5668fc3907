import { fork } from 'node:child_process';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { createHandler } from 'graphql-http/lib/use/express';
import { createGraphqlHandler, makeSchema } from '../src/graphql/index.js';

/**
 * A small query with variables over loopback: our handler on node:http against express with graphql-http, which parses and validates each time.
 * `node build/bench/graphql-http.js` prints requests per second and CPU time of the server per request; it takes ten seconds.
 */

const ROUNDS = 2;
const ROUND_MS = 2_000;
const WARM_UP_MS = 300;
const CONNECTIONS = 20;
const BODY = JSON.stringify({
  query:
    'query Task($id: ID!) { task(id: $id) { id name assignee created priority processInstance { id businessKey } } }',
  variables: { id: 't1' },
});

const typeDefs = `
  scalar DateTime
  type Task { id: ID! name: String assignee: String created: DateTime priority: Int processInstance: ProcessInstance }
  type ProcessInstance { id: ID! businessKey: String }
  type Query { task(id: ID!): Task }`;

const resolvers = {
  Query: {
    task: (_: unknown, { id }: { id: string }) => ({
      id,
      name: 'Check the invoice',
      assignee: 'ann',
      created: 1_900_000_000_000,
      priority: 50,
      processInstance: { id: 'p1', businessKey: 'order-7' },
    }),
  },
};

const KINDS = ['ours', 'express + graphql-http'] as const;
type Kind = (typeof KINDS)[number];

function serve(kind: Kind): void {
  const { schema } = makeSchema({ typeDefs: [typeDefs], resolvers });
  const handler = createGraphqlHandler({
    schema,
    authenticate: () => ({ userId: 'ann', groups: [], roles: ['user'], sessionId: 's', workspace: '', cause: {} }),
    workspace: () => ({}),
    context: (facts) => Object.assign({ position: () => undefined }, facts),
    earliestPosition: ([first = '']) => first,
  });
  const app = express();
  app.all('/bin/graphql.cgi/w1', createHandler({ schema, context: () => ({}) }));
  const server = createServer(kind === 'ours' ? (req, res) => void handler(req, res) : app);
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicros: user + system });
  });
}

interface Running {
  readonly port: number;
  cpuMicros(): Promise<number>;
  stop(): void;
}

async function launch(kind: Kind): Promise<Running> {
  const child = fork(fileURLToPath(import.meta.url), [kind], { env: { ...process.env, NODE_ENV: 'production' } });
  const reply = <T>() => new Promise<T>((resolve) => child.once('message', (message) => resolve(message as T)));
  const { port } = await reply<{ port: number }>();
  return {
    port,
    cpuMicros: async () => {
      const answer = reply<{ cpuMicros: number }>();
      child.send('cpu');
      return (await answer).cpuMicros;
    },
    stop: () => child.kill(),
  };
}

/** How many requests are answered within `ms`. */
async function load(port: number, ms: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY) };
  const until = performance.now() + ms;
  let answered = 0;
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const target = { host: '127.0.0.1', port, agent, method: 'POST', path: '/bin/graphql.cgi/w1', headers };
      const sent = request(target, (response) => {
        if (response.statusCode !== 200) reject(new Error(`expected 200, but got ${response.statusCode}`));
        response.resume().on('end', resolve);
      });
      sent.on('error', reject).end(BODY);
    });
  const connection = async () => {
    while (performance.now() < until) {
      await ask();
      answered++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  agent.destroy();
  return answered;
}

async function compare(): Promise<void> {
  const contestants = await Promise.all(
    KINDS.map(async (kind) => ({ kind, server: await launch(kind), requests: 0, cpuMicros: 0 })),
  );
  for (let round = 0; round < ROUNDS; round++) {
    for (const contestant of contestants) {
      const { port, cpuMicros } = contestant.server;
      await load(port, WARM_UP_MS);
      const before = await cpuMicros();
      contestant.requests += await load(port, ROUND_MS);
      contestant.cpuMicros += (await cpuMicros()) - before;
    }
  }
  for (const { kind, server, requests, cpuMicros } of contestants) {
    server.stop();
    const rate = ((requests * 1_000) / (ROUNDS * ROUND_MS)).toFixed(0).padStart(7);
    const cost = (cpuMicros / requests).toFixed(0).padStart(6);
    process.stdout.write(`${kind.padEnd(24)} ${rate} requests/s ${cost} µs CPU each\n`);
  }
  const [ours, other] = contestants;
  process.stdout.write(`ratio ${((ours?.requests ?? 0) / (other?.requests ?? 1)).toFixed(1)}\n`);
}

const wanted = KINDS.find((kind) => kind === process.argv[2]);
if (wanted === undefined) await compare();
else serve(wanted);
