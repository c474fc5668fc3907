import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { modelOf } from './cases.js';
import { percentile } from './measure.js';

/** What callers of `startProcess` saw at a steady rate, in ms from the moment at which each call was due. */
export interface StartTimes {
  readonly calls: number;
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** CPU time of the server's process, all threads, per call; null where the system does not tell. */
  readonly serverCpuMicros: number | null;
}

const PASSWORD = 'bench-password';
const MAIN = fileURLToPath(new URL('../src/server/main.js', import.meta.url));
const START = `mutation Start($input: StartProcessInput!) { startProcess(input: $input) { id } }`;
const DEPLOY = `mutation Deploy($input: DeployProcessInput!) { deployProcess(input: $input) { id } }`;
const TICKS_PER_SECOND = 100;

/**
 * Starts a server of its own on the folder and calls `startProcess` of (d) at `perSecond`, whether or not earlier calls were answered: an
 * open loop, so a slow answer delays no later call and hides nothing.
 */
export async function startOverHttp(folder: string, perSecond: number, seconds: number): Promise<StartTimes> {
  const server = await serve(folder);
  try {
    const model = { name: 'd.bpmn', content: modelOf('d', 'millrace') };
    await server.ask(DEPLOY, { name: 'bench', resources: [model] });
    await openLoop(server.ask, perSecond, Math.min(2, seconds));
    const cpu = server.cpuMicros();
    const { times, failed } = await openLoop(server.ask, perSecond, seconds);
    const spent = cpu === null ? null : (server.cpuMicros() ?? 0) - cpu;
    times.sort((a, b) => a - b);
    return {
      calls: times.length,
      failed,
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      max: times.at(-1) ?? 0,
      serverCpuMicros: spent === null ? null : spent / times.length,
    };
  } finally {
    await server.end();
  }
}

type AskServer = (query: string, input: unknown) => Promise<void>;

function openLoop(ask: AskServer, perSecond: number, seconds: number): Promise<{ times: number[]; failed: number }> {
  const times: number[] = [];
  const total = perSecond * seconds;
  let sent = 0;
  let failed = 0;
  const begun = performance.now();
  return new Promise((resolve) => {
    const call = async (due: number) => {
      await ask(START, { definitionKey: 'd' }).catch(() => failed++);
      times.push(performance.now() - due);
      if (times.length === total) resolve({ times, failed });
    };
    const timer = setInterval(() => {
      for (; sent < total; sent++) {
        const due = begun + (sent * 1_000) / perSecond;
        if (due > performance.now()) return;
        void call(due);
      }
      clearInterval(timer);
    }, 1);
  });
}

async function serve(folder: string) {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    NODE_ENV: 'production',
    MILLRACE_LOG_LEVEL: 'error',
    PORT: '0',
    MILLRACE_DATA: folder,
    MILLRACE_ADMIN_PASSWORD: PASSWORD,
  };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  while (!/ {2}curl .*\n/.test(printed)) {
    await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(() => Promise.reject(new Error('the server ended'))),
    ]);
  }
  const url = new URL(/Address +(\S+)/.exec(printed)?.[1] ?? '');
  const agent = new Agent({ keepAlive: true });
  return {
    ask: (query: string, input: unknown) => post(url, agent, JSON.stringify({ query, variables: { input } })),
    cpuMicros: () => cpuMicrosOf(child.pid ?? 0),
    end: async () => {
      agent.destroy();
      child.kill();
      await once(child, 'exit');
    },
  };
}

function post(url: URL, agent: Agent, body: string): Promise<void> {
  const headers = {
    authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const target = { host: url.hostname, port: url.port, agent, method: 'POST', path: '/bin/graphql.cgi/web', headers };
  return new Promise((resolve, reject) => {
    const sent = request(target, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => (text.includes('"errors"') ? reject(new Error(text)) : resolve()));
    });
    sent.on('error', reject).end(body);
  });
}

/** User and system time of a process with all its threads, as Linux tells it. */
function cpuMicrosOf(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}
