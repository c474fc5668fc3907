import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGraphqlHandler, type GraphqlHandler, type GraphqlHandlerOptions } from '../../../src/graphql/index.js';
import type { Caller } from '../../../src/shared/caller.js';
import { ServiceError } from '../../../src/shared/errors.js';
import { ManualTimers } from './manual-timers.js';
import { earliestPosition, TestFeed } from './test-feed.js';
import { schema, type TestContext, type TestWorkspace } from './test-schema.js';

/** The JSON of an answer. */
export const answerOf = async (response: Response): Promise<Answer> => (await response.json()) as Answer;

/** When a query waits at the gate. */
export const atGate = (workspace: TestWorkspace): Promise<void> =>
  new Promise((resolve) => {
    workspace.onGate = resolve;
  });

/** The handler on a port, with a session per user: the cookie `user=<name>` signs in; `eve` has no role. */
export interface TestServer {
  readonly url: string;
  readonly streamUrl: string;
  readonly handler: GraphqlHandler;
  readonly timers: ManualTimers;
  readonly workspace: TestWorkspace;
  /** Users whose sessions no longer stand. */
  readonly signedOut: Set<string>;
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Posts a document and reads the answer. */
  ask(query: string, variables?: object): Promise<Answer>;
  /** Resolves when the next event stream is over. */
  streamClosed(): Promise<void>;
  close(): Promise<void>;
}

export interface Answer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: {
    message: string;
    path?: string[];
    extensions: { code: string; reason?: string; resourceId?: string; details?: unknown; committed?: boolean };
  }[];
  readonly extensions?: { position?: string };
}

export const signedIn = { cookie: 'user=ann' };
export const asJson = { ...signedIn, 'content-type': 'application/json' };

type Options = Partial<GraphqlHandlerOptions<TestWorkspace>>;

export async function startServer(options: Options = {}): Promise<TestServer> {
  const timers = new ManualTimers();
  const workspace: TestWorkspace = {
    name: 'w1',
    feed: new TestFeed(),
    added: [],
    made: 0,
    hold: Promise.resolve(),
    openGate: () => {},
    onGate: () => {},
  };
  const signedOut = new Set<string>();
  const handler = createGraphqlHandler<TestWorkspace>({
    schema,
    authenticate: ({ headers }) => callerOf(headers.cookie),
    workspace: (name) => {
      if (name === 'busy') throw new ServiceError('UNAVAILABLE', 'expected the workspace to be up, but it starts');
      return name === 'w1' ? workspace : name === 'w2' ? { ...workspace, name } : undefined;
    },
    context: (facts) => {
      const context: TestContext = {
        ...facts,
        position: () => context.lastPosition,
        hasCommitted: () => context.lastCommitted === true,
      };
      return context;
    },
    earliestPosition,
    stillValid: ({ userId }) => !signedOut.has(userId),
    timers,
    ...options,
  });
  const closing = new Set<() => void>();
  const server = createServer((request, response) => {
    response.once('close', () => {
      const isStream = request.url?.includes('/stream') || request.headers.accept?.includes('text/event-stream');
      if (request.method !== 'GET' || !isStream) return;
      for (const resolve of closing) resolve();
      closing.clear();
    });
    void handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bin/graphql.cgi/w1`;
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: { ...asJson, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return {
    url,
    streamUrl: `${url}/stream`,
    handler,
    timers,
    workspace,
    signedOut,
    post,
    ask: async (query, variables) => answerOf(await post({ query, variables })),
    streamClosed: () => new Promise((resolve) => closing.add(resolve)),
    close: () => closeServer(server, handler),
  };
}

function callerOf(cookie: string | undefined): Caller | null {
  const userId = /user=(\w+)/.exec(cookie ?? '')?.[1];
  if (userId === undefined) return null;
  const roles = userId === 'eve' ? [] : ['user'];
  return { userId, groups: [], roles, sessionId: `session-${userId}`, workspace: '', cause: {} };
}

function closeServer(server: Server, handler: GraphqlHandler): Promise<void> {
  handler.close();
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
