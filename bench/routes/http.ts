import { fileURLToPath } from 'node:url';
import type { RawClient } from '../raw-client.js';
import { benchServer } from '../server.js';

const CREATE = 'mutation Create($input: CreateRouteInput!) { createRoute(input: $input) { id } }';
const HELLO = `- route:
    id: hello
    from:
      uri: platform-http:/hello
      steps:
        - setHeader: { name: X-User, simple: "\${header[mi:userId]}" }
        - setHeader: { name: Content-Type, constant: text/plain }
        - setBody: { simple: "hello \${body}" }
`;
const BODY = JSON.stringify({ order: 4711, lines: [{ sku: 'a', count: 2 }] });
const CALLERS = 64;
const ROUNDS = 4;

/** Requests for a second of CPU, of all threads of the server. */
export interface HttpMeasured {
  /** Answered by a route of three steps, its steps and what they took kept. */
  readonly route: number;
  /** By a handler of express behind the same front, as all but GraphQL and routes are. */
  readonly express: number;
  /** By a handler straight behind the front. Callers are signed in by each of the three. */
  readonly bare: number;
}

const PATHS = { route: '/routes/web/hello', express: '/bench', bare: '/routes/web/bare' };

/** Requests that a route answers, beside those that handlers do, in turn. */
export async function routesOverHttp(folder: string, ms: number): Promise<HttpMeasured> {
  const main = fileURLToPath(new URL('./http-main.js', import.meta.url));
  const server = await benchServer(folder, {}, main);
  try {
    await server.ask(CREATE, { routeId: 'hello', yaml: HELLO, autoStart: true });
    const all = Object.entries(PATHS).map(([name, path]) => {
      return { name, client: server.poster(path, BODY), micros: 0, count: 0 };
    });
    for (const { client } of all) await callers(client, ms / 2);
    for (let round = 0; round < ROUNDS; round++)
      for (const one of all) {
        const from = server.cpu()?.all ?? 0;
        one.count += await callers(one.client, ms);
        one.micros += (server.cpu()?.all ?? 0) - from;
      }
    for (const { client } of all) client.close();
    const perSecond = all.map(({ name, count, micros }) => [name, (count * 1e6) / micros] as const);
    return Object.fromEntries(perSecond) as unknown as HttpMeasured;
  } finally {
    await server.end();
  }
}

/** So many callers, each with one request after the other. Gives how many were answered. */
async function callers(client: RawClient, ms: number): Promise<number> {
  const end = performance.now() + ms;
  let count = 0;
  const caller = async () => {
    while (performance.now() < end) {
      const { status, text } = await client.call();
      if (status !== 200) throw new Error(`expected an answer, but it was ${status}: ${text}`);
      count++;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return count;
}
