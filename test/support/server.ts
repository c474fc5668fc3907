import type { FirstUser } from '../../src/server/wire/domain.js';
import { makeWire } from '../../src/server/wire/wire.js';
import { dataFolder } from './data-folder.js';
import { fillAsStarted } from './first-start.js';
import { GraphqlClient } from './graphql-client.js';
import { logSettings } from './log-of-run.js';
import { ADMIN_PASSWORD, testServer } from './test-server.js';

/** A whole server in this process, on a folder and a port of its own. */
export interface LiveServer {
  readonly baseUrl: string;
  readonly folder: string;
  /** A client for a user; without one, for a guest. */
  as(userId?: string, workspace?: string): GraphqlClient;
  /** Ends the server; its folder stays. */
  end(): Promise<void>;
  /** Ends the server and removes its folder. */
  remove(): Promise<void>;
}

export interface LiveOptions {
  /** Default `virtual`. */
  readonly clock?: 'virtual' | 'system';
  /** Users beside `admin`; their password is their name. */
  readonly users?: readonly FirstUser[];
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of a server that has ended. */
  readonly folder?: string;
  /** Whether it is a first start, on an empty folder. Default: a start on what a first one has left. */
  readonly isFirst?: boolean;
}

/** Starts the real server with everything behind it. */
export async function liveServer({
  clock = 'virtual',
  users = [],
  env = {},
  folder,
  isFirst = false,
}: LiveOptions = {}): Promise<LiveServer> {
  const own = folder === undefined ? dataFolder() : { path: folder, remove: () => {} };
  // A test that names a Redis of its own has its own first start.
  if (folder === undefined && !isFirst && env.REDIS_URL === undefined) await fillAsStarted(own.path);
  const server = await testServer({
    env: { MILLRACE_CLOCK: clock, ...(await logSettings(own.path)), ...env },
    users: users.map((user) => ({ password: user.userId, ...user })),
    wire: makeWire,
    folder: own.path,
  });
  return {
    baseUrl: server.baseUrl,
    folder: server.folder,
    as: (userId, workspace = 'web') => clientOf(server.baseUrl, userId, workspace),
    end: async () => void (await server.end()),
    remove: async () => {
      await server.end();
      own.remove();
    },
  };
}

/** A client for a user of a server in tests, whose password is its name. */
export function clientOf(baseUrl: string, userId?: string, workspace = 'web'): GraphqlClient {
  const url = `${baseUrl}/bin/graphql.cgi/${workspace}`;
  if (userId === undefined) return new GraphqlClient(url);
  return new GraphqlClient(url, { userId, password: userId === 'admin' ? ADMIN_PASSWORD : userId });
}
