import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { line, round, say, verdict } from '../measure.js';
import type { CallTimes } from '../open-loop.js';
import { camel } from './camel.js';
import { routesOverHttp } from './http.js';
import { largeFile } from './large-file.js';
import { type ExchangesMeasured, type Kept, ROUTE_CASES, type RouteCase } from './route-cases.js';
import { besideRoute, routesStarted } from './routes-on-server.js';

/** What is asked of exchanges in a second of CPU: of the routes' thread, and of all threads. */
const FIVE_MIN = 150_000;
const FIVE_STEPS_MIN = 80_000;
const FIVE_STEPS_ALL_MIN = 66_000;
const FIVE_INDEX_ALL_MIN = 35_000;
const SPLIT_MIN = 25_000;
const STARTED_MS_MAX = 2_000;
const START_P99_MS_MAX = 50;
/** Of what a bare handler does. */
const HTTP_RATIO_MIN = 0.5;
const LARGE_MEMORY_MAX = 100 * 1024 * 1024;

/** Exchanges through routes, beside Camel; routes on a server. */
export async function routesBench(folder: string, { ms, isQuick }: { ms: number; isQuick: boolean }): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const beside = camel(folder);
  if (beside === undefined) say('Camel: neither Maven nor its repository within reach, left out.');
  for (const name of ['five', 'split'] as const) {
    say(
      `${ROUTE_CASES[name].words}, in thousands of exchanges in a second of CPU: of the routes' thread, of all threads`,
    );
    const counted = exchangesOf(folder, name, 'counters', ms);
    const stepped = exchangesOf(folder, name, 'steps', ms);
    const [min, stepsMin] = name === 'five' ? [FIVE_MIN, FIVE_STEPS_MIN] : [SPLIT_MIN, SPLIT_MIN];
    line('counters', told(counted), reached(perThread(counted), min));
    line('counters, steps and their times', told(stepped), reached(perThread(stepped), stepsMin));
    if (name === 'five') {
      line('  the same, all threads', '', reached(perCpu(stepped), FIVE_STEPS_ALL_MIN));
      const indexed = exchangesOf(folder, name, 'index', ms);
      line(
        'the same, each kept and found again, 10,000 in a second',
        told(indexed),
        reached(perCpu(indexed), FIVE_INDEX_ALL_MIN),
      );
    }
    if (beside === undefined) continue;
    const [bare, history] = [beside(name, 'bare', ms), beside(name, 'history', ms)];
    line('Camel, statistics', told(bare), `ours × ${round(perThread(counted) / perThread(bare))}`);
    line(
      'Camel, statistics and message history',
      told(history),
      `ours × ${round(perThread(stepped) / perThread(history))}`,
    );
  }
  say('On a server:');
  const { createdMs, restartedMs, readyMs } = await routesStarted(join(folder, 'started'));
  line('200 routes made by createRoute, one after the other', `${round(createdMs)} ms`);
  line(
    '200 routes there again when the server starts again',
    `${round(readyMs)} ms behind its being ready, ${round(restartedMs)} in all`,
    verdict(readyMs <= STARTED_MS_MAX, '< 2 s'),
  );
  const found = await besideRoute(join(folder, 'busy'), isQuick ? 4 : 20);
  const { alone, beside: busy, besideCommands, exchangesPerSecond, commandsPerSecond } = found;
  line('startProcess at 200/s', toldCalls(alone));
  line(
    `the same beside a route that never pauses (${round(exchangesPerSecond)}/s)`,
    toldCalls(busy),
    verdict(busy.failed === 0 && busy.p99 <= START_P99_MS_MAX, `p99 ≤ ${START_P99_MS_MAX} ms`),
  );
  line(
    `the same beside one that starts processes without end, 64 at a time (${round(commandsPerSecond)}/s)`,
    toldCalls(besideCommands),
    verdict(besideCommands.failed === 0 && besideCommands.p99 <= START_P99_MS_MAX, `p99 ≤ ${START_P99_MS_MAX} ms`),
  );
  const { route, express, bare } = await routesOverHttp(join(folder, 'http'), isQuick ? 1_000 : 4_000);
  line(
    'HTTP in, three steps, answer; a handler of express; one straight behind the front, in a second of CPU of all threads',
    `${round(route)}, ${round(express)}, ${round(bare)}`,
    verdict(route >= express * HTTP_RATIO_MIN, `≥ ${HTTP_RATIO_MIN * 100} % of the former`),
  );
  const { bytes, ms: took, memoryBytes } = await largeFile(join(folder, 'large'), isQuick ? 200e6 : 2e9);
  line(
    `a file of ${round(bytes / 1e6)} MB, split and written again`,
    `${round(took)} ms, ${round(memoryBytes / 1e6)} MB more memory`,
    verdict(memoryBytes <= LARGE_MEMORY_MAX, '≤ 100 MB'),
  );
}

function exchangesOf(folder: string, name: RouteCase, kept: Kept, ms: number): ExchangesMeasured {
  const script = fileURLToPath(new URL('./exchanges.js', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [script, name, kept, String(ms), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`exchanges of '${name}' ended with ${status}`);
  return JSON.parse(stdout);
}

const perThread = ({ operations, threadMicros }: ExchangesMeasured): number => (operations * 1e6) / threadMicros;
const perCpu = ({ operations, cpuMicros }: ExchangesMeasured): number => (operations * 1e6) / cpuMicros;
const told = (it: ExchangesMeasured): string => `${round(perThread(it) / 1_000)}k, ${round(perCpu(it) / 1_000)}k`;
const reached = (value: number, min: number): string => verdict(value >= min, `≥ ${round(min / 1_000)}k`);
const toldCalls = ({ failed, p50, p99, max }: CallTimes): string =>
  `${failed} failed; p50 ${round(p50)}, p99 ${round(p99)}, max ${round(max)} ms`;
