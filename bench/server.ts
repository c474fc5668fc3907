import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { LoopReport } from './loop-report.js';
import { RawClient } from './raw-client.js';

/** A server in a process of its own, as `npm start` runs it. */
export interface BenchServer {
  /** Sends a GraphQL operation with `$input`; gives its data. Rejects with the errors of the answer. */
  ask<T>(query: string, input: unknown): Promise<T>;
  readonly url: URL;
  /** What sends that operation over and over; `workspace`: default `web`. */
  client(query: string, input: unknown, workspace?: string): RawClient;
  /** What posts a body to a path over and over. */
  poster(path: string, body: string): RawClient;
  /** Sends a body as it is; gives the answer whatever it is. */
  send(body: string): Promise<BenchReply>;
  readonly pid: number;
  /** CPU time so far; null where the system does not tell. */
  cpu(): CpuTime | null;
  /** Watches the server's event loop from now on. */
  watchLoop(): void;
  /** How the loop did since {@link watchLoop}. */
  loop(): Promise<LoopReport>;
  end(): Promise<void>;
}

/** CPU time in µs. */
export interface CpuTime {
  /** Of all threads. */
  readonly all: number;
  /** Of the main one. */
  readonly main: number;
}

/** An answer as it came. */
export interface BenchReply {
  readonly status: number;
  readonly text: string;
}

const PASSWORD = 'bench-password';
const AUTHORIZATION = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
const PATH = '/bin/graphql.cgi/';
const WORKSPACE = 'web';
const MAIN = fileURLToPath(new URL('../src/server/main.js', import.meta.url));
const LOOP_REPORT = new URL('./loop-report.js', import.meta.url).href;
const TICKS_PER_SECOND = 100;

/** Starts a server on the folder. `settings`: beside those of every bench. `main`: the program, where it is another one. */
export async function benchServer(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
  main = MAIN,
): Promise<BenchServer> {
  const env = {
    ...settings,
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    NODE_ENV: 'production',
    MILLRACE_LOG_LEVEL: 'error',
    PORT: '0',
    MILLRACE_DATA: folder,
    MILLRACE_ADMIN_PASSWORD: PASSWORD,
  };
  const program = ['--import', LOOP_REPORT, ...profiled(), main];
  const child = spawn(process.execPath, program, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  let printed = '';
  child.stdout?.on('data', (chunk) => (printed += chunk));
  while (!/ {2}curl .*\n/.test(printed)) {
    await Promise.race([
      once(child.stdout ?? child, 'data'),
      once(child, 'exit').then(() => Promise.reject(new Error('the server ended'))),
    ]);
  }
  const url = new URL(/Address +(\S+)/.exec(printed)?.[1] ?? '');
  const agent = new Agent({ keepAlive: true });
  const client = (query: string, input: unknown, workspace = WORKSPACE) =>
    new RawClient(new URL(`${PATH}${workspace}`, url), [`authorization: ${AUTHORIZATION}`], bodyOf(query, input));
  const asking = client('{ __typename }', null);
  return {
    ask: async <T>(query: string, input: unknown) => {
      const { text } = await asking.call(asking.requestOf(bodyOf(query, input)));
      if (text.includes('"errors"')) throw new Error(text);
      return (JSON.parse(Buffer.from(text, 'latin1').toString()) as { data: T }).data;
    },
    url,
    client,
    poster: (path, body) => new RawClient(new URL(path, url), [`authorization: ${AUTHORIZATION}`], body),
    send: (body) => post(url, agent, body),
    pid: child.pid ?? 0,
    cpu: () => cpuOf(child.pid ?? 0),
    watchLoop: () => void child.send('begin'),
    loop: async () => {
      const reported = once(child, 'message');
      child.send('end');
      return (await reported)[0] as LoopReport;
    },
    end: async () => {
      agent.destroy();
      asking.close();
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** `BENCH_PROFILE=<folder>`: the server leaves a CPU profile there. */
const profiled = (): string[] =>
  process.env.BENCH_PROFILE === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`];

const bodyOf = (query: string, input: unknown): string => JSON.stringify({ query, variables: { input } });

function post(url: URL, agent: Agent, body: string): Promise<BenchReply> {
  const headers = {
    accept: 'application/json, text/event-stream',
    authorization: AUTHORIZATION,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const target = { host: url.hostname, port: url.port, agent, method: 'POST', path: `${PATH}${WORKSPACE}`, headers };
  return new Promise((resolve, reject) => {
    const sent = request(target, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject).end(body);
  });
}

/** CPU time of a process with all its threads, and of its main one, as Linux tells it. */
function cpuOf(pid: number): CpuTime | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const [nanos] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return { all: ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS_PER_SECOND, main: Number(nanos) / 1_000 };
  } catch {
    return null;
  }
}
