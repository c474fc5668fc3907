import { request } from 'node:http';
import { replyError, replyJson } from '../../src/server/http/reply.js';
import { type MakeWire, type RunningServer, startServer, type Wire } from '../../src/server/server.js';
import { type Config, readConfig } from '../../src/server/settings/config.js';
import type { FirstUser } from '../../src/server/wire/domain.js';
import { makeWire } from '../../src/server/wire/wire.js';
import { dataFolder } from './data-folder.js';

/** The password of `admin` in tests. */
export const ADMIN_PASSWORD = 'a password for tests';

/** The header that signs a user in with every request. */
export const basic = (userId: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${userId}:${password}`).toString('base64')}`,
});

/** A server on a folder and a port of its own. */
export interface TestServer extends RunningServer {
  readonly folder: string;
  /** Sends a request; redirects are not followed. */
  call(path: string, init?: CallInit): Promise<Reply>;
  /** Ends the server and removes its folder. */
  remove(): Promise<void>;
}

export interface CallInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  json(): unknown;
}

export interface TestServerOptions {
  /** Settings by the names of their variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly users?: readonly FirstUser[];
  readonly wire?: MakeWire;
  /** The folder of a server that has ended. */
  readonly folder?: string;
  /** Fills a new folder, as `fillAsStarted` does. Default: it is empty. */
  readonly fill?: (folder: string) => Promise<void>;
}

/** Starts a server whose GraphQL handler, unless told otherwise, answers with who is calling. */
export async function testServer({
  env = {},
  users = [],
  wire = whoAmI,
  folder,
  fill,
}: TestServerOptions = {}): Promise<TestServer> {
  const own = folder === undefined ? dataFolder() : { path: folder, remove: () => {} };
  if (folder === undefined) await fill?.(own.path);
  const config = configOf({ MILLRACE_DATA: own.path, ...env });
  const server = await startServer(config, wire, { users });
  return {
    ...server,
    folder: own.path,
    call: (path, init) => call(server.port, path, init),
    remove: async () => {
      await server.end();
      own.remove();
    },
  };
}

/** Settings of a test: a free port, a password, and little patience at the end. */
export function configOf({ MILLRACE_CLOCK = 'system', ...env }: Readonly<Record<string, string>>): Config {
  const fixed = { PORT: '0', MILLRACE_ADMIN_PASSWORD: ADMIN_PASSWORD, MILLRACE_DRAIN_TIMEOUT: '2s' };
  if (MILLRACE_CLOCK !== 'virtual' || env.REDIS_URL === undefined) {
    return readConfig({ ...fixed, ...env, MILLRACE_CLOCK }).config;
  }
  // The settings refuse it, because servers that share a Redis share real time; a server of a test is alone.
  return { ...readConfig({ ...fixed, ...env }).config, clock: 'virtual' };
}

/** Everything behind it is real, but every call is answered with the identity of its caller, and 401 to nobody. */
export const whoAmI: MakeWire = async (parts) => ({
  ...(await makeWire(parts)),
  graphql: (req, res) => {
    parts.signIn.authenticate(req).then(
      (identity) => replyJson(res, identity === undefined ? 401 : 200, identity ?? null),
      (thrown: unknown) => replyError(res, thrown),
    );
  },
});

/** A wire that is ready and has nothing to end. */
export const wireOf = (parts: Pick<Wire, 'graphql'> & Partial<Wire>): Wire => ({
  routeRequests: (_req, res) => void res.writeHead(404).end(),
  unready: async () => undefined,
  warnings: () => [],
  losses: [],
  failures: [],
  drain: async () => {},
  close: async () => {},
  ...parts,
});

/** Sends one request on a connection of its own. */
export function call(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: CallInit = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const req = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, json: () => JSON.parse(text) as unknown });
      });
    });
    req.on('error', reject);
    req.end(body);
  });
}
