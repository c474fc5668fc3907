import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseRedisUrl, RedisLogs } from '../src/store/index.js';
import { RedisServer } from '../test/support/redis-server.js';
import { answersBench } from './answers.js';
import { auditBench } from './audit.js';
import { bodiesBench } from './bodies.js';
import { bytesOnDisk } from './bytes-on-disk.js';
import { CASES, type Case, cases } from './cases.js';
import { contentBench } from './content.js';
import { contentOverHttp } from './content-over-http.js';
import { decisionsBench } from './decisions.js';
import { diskRate } from './disk.js';
import { engineInStore } from './engine-in-store.js';
import type { Contestant } from './in-memory.js';
import { LoopWatch } from './loop-watch.js';
import { cpuEach, type Measured, measure, perSecond, round, say, told, verdict } from './measure.js';
import { oneCaller } from './one-caller.js';
import { overload } from './overload.js';
import { pagesBench } from './pages.js';
import { peerStateBytes } from './peer.js';
import { routesBench } from './routes/routes.js';
import type { CpuTime } from './server.js';
import { startOverHttp, tasksOverHttp } from './start-over-http.js';
import { dueTimers } from './timers.js';
import { usersBench } from './users.js';
import { waitState } from './wait-state.js';

/**
 * `npm run bench`: everything that docs/performance.md tells, measured anew, about two minutes. `npm run bench -- quick`: the same in half a
 * minute. `npm run bench -- durable http`: these parts alone.
 */

const quick = process.argv.includes('quick');
const CASE_MS = quick ? 500 : 2_000;
const PROCESSES = quick ? 1 : 3;
const DURABLE_MS = quick ? 2_000 : 10_000;
const DISK_MS = quick ? 300 : 1_000;
const HTTP_SECONDS = quick ? 5 : 30;
const HTTP_PER_SECOND = 200;
const OVERLOAD_SECONDS = quick ? 4 : 15;
const BESIDE_MS = quick ? 4_000 : 10_000;
const CALLERS = 64;
const TIMERS = quick ? 10_000 : 90_000;
const WAITING = quick ? 2_000 : 10_000;

const RATIO_MIN = 30;
const DURABLE_CPU_MICROS_MAX = 400;
const DURABLE_PER_SECOND_MIN = 3_000;
const START_P99_MS_MAX = 8;
const START_CPU_MICROS_MAX = 1_200;
const TASK_CPU_MICROS_MAX = 1_500;
const TIMERS_PER_SECOND_MIN = 5_000;
const TIMERS_START_P99_MS_MAX = 100;
const WAIT_STATE_BYTES_MAX = 500; // all documents together
const DISK_BYTES_MAX = 1_900; // with all tables and indexes

const PARTS = {
  memory,
  durable,
  redis,
  http,
  overloaded,
  timers,
  size,
  graphql,
  content,
  bodies,
  answers,
  pages,
  users: () => usersBench(join(folder, 'users')),
  routes: () => routesBench(join(folder, 'routes'), { ms: CASE_MS, isQuick: quick }),
  decisions: () => decisionsBench(CASE_MS),
  audit: () => auditBench(join(folder, 'audit'), quick ? 8 : 40),
} as const;
const chosen = Object.entries(PARTS).filter(([name]) => process.argv.includes(name));
const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
try {
  const load = loadavg()[0] ?? 0;
  say(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}; load of the machine before: ${load.toFixed(2)}`,
  );
  if (load > 0.7) say('Others use this machine now: trust CPU times and ratios, not rates and waits.');
  for (const [, part] of chosen.length > 0 ? chosen : Object.entries(PARTS)) {
    say();
    await part();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function memory(): Promise<void> {
  say(
    `In memory, CPU time per process instance (all threads), median of ${PROCESSES} processes each. The store is an SQLite database in memory, with all`,
  );
  say(
    `documents, indexes, history and the feed that a durable one has; ${CALLERS} callers share its transactions, as they do in a server. The others: one.`,
  );
  for (const name of cases) {
    const peer = inMemory('bpmn-engine', name, 'bpmn-engine');
    const ours = {
      // It calls nobody: another instance is reached by a job.
      ...(name !== 'g' && { interpreter: inMemory('interpreter', name, 'Millrace, interpreter alone') }),
      store: inMemory('store', name, 'Millrace, operations on a store in memory'),
    };
    for (const [who, measured] of Object.entries(ours)) {
      const ratio = cpuEach(peer) / cpuEach(measured);
      say(
        `      ${who.padEnd(11)} ${round(ratio).padStart(6)} × bpmn-engine ${verdict(ratio >= RATIO_MIN, `≥ ${RATIO_MIN} ×`)}`,
      );
    }
  }
}

/** The median of some processes. */
function inMemory(who: Contestant, name: Case, words: string): Measured {
  const runs = Array.from({ length: PROCESSES }, () => inProcess(who, name));
  const measured = runs.sort((a, b) => cpuEach(a) - cpuEach(b))[PROCESSES >> 1] as Measured;
  say(`  (${name}) ${CASES[name].padEnd(32)} ${words.padEnd(42)} ${told(measured)}`);
  return measured;
}

function inProcess(who: Contestant, name: Case): Measured {
  const script = fileURLToPath(new URL('./in-memory.js', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [script, who, name, String(CASE_MS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${who} on (${name}) ended with ${status}`);
  return JSON.parse(stdout);
}

async function durable(): Promise<void> {
  const disk = diskRate(folder, DISK_MS);
  const flushed = `${round(disk.perSecond)}/s, p50 ${round(disk.p50Micros)} µs, p99 ${round(disk.p99Micros)} µs`;
  say(`The disk: 4 KB appended + fdatasync, one after the other: ${flushed}`);
  const watch = new LoopWatch();
  const engine = await engineInStore(join(folder, 'durable'), { decided: watch.decided });
  say(
    `Durable, through the embedded log (two commits per instance, each flushed before it is answered), (d) ${CASES.d}:`,
  );
  for (const callers of [1, CALLERS]) {
    const ms = callers === 1 ? CASE_MS : DURABLE_MS;
    const result = await measure(engine.work('d'), ms, callers, () => watch.begin());
    const { longest, decision, p99Ms } = watch.end();
    say(`  ${String(callers).padStart(2)} callers: ${told(result)}`);
    if (callers === 1) continue;
    const cpu = cpuEach(result);
    const rate = perSecond(result);
    say(`    ${verdict(cpu <= DURABLE_CPU_MICROS_MAX, `≤ ${DURABLE_CPU_MICROS_MAX} µs CPU each`)}`);
    say(`    ${verdict(rate >= DURABLE_PER_SECOND_MIN, `≥ ${DURABLE_PER_SECOND_MIN}/s on an idle machine`)}`);
    const cause =
      longest.decision === null ? 'no decision' : `'${longest.decision.type}', ${round(longest.decision.ms)} ms`;
    say(`    longest block of the event loop ${round(longest.ms)} ms (p99 of its delay ${round(p99Ms)} ms);`);
    say(`      the longest decision within that block: ${cause}`);
    say(`      the longest decision of the run: '${decision?.type}', ${round(decision?.ms ?? 0)} ms`);
  }
  await oneCaller(engine, 2 * CASE_MS);
  await engine.close();
}

async function redis(): Promise<void> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return say('Redis: no redis-server here, left out.');
  say(`The same through Redis on this machine (unix socket, appendfsync always), (d) ${CASES.d}:`);
  const server = await RedisServer.start();
  try {
    const address = parseRedisUrl(server.url());
    if (address === undefined) throw new Error('expected a URL of Redis');
    const dataFolder = join(folder, 'redis');
    const logs = { redis: new RedisLogs({ address, dataFolder }), embedded: undefined };
    const rates: Record<string, number> = {};
    // Side by side: what else the machine does then holds for both.
    for (const [name, log] of Object.entries(logs)) {
      const engine = await engineInStore(log ? dataFolder : join(folder, 'beside'), log && { logs: log });
      for (const callers of [1, CALLERS]) {
        const result = await measure(engine.work('d'), callers === 1 ? CASE_MS : DURABLE_MS, callers);
        rates[name] = perSecond(result);
        say(`  ${name.padEnd(8)} ${String(callers).padStart(2)} callers: ${told(result)}`);
      }
      await engine.close();
    }
    say(
      `    Redis makes ${round((rates.redis ?? 0) / (rates.embedded ?? 1))} × of the embedded log's rate (${CALLERS} callers)`,
    );
    say('    (CPU without that of redis-server)');
  } finally {
    await server.remove();
  }
}

async function http(): Promise<void> {
  say(
    `GraphQL startProcess of (d) over HTTP, server in a process of its own, open loop at ${HTTP_PER_SECOND}/s for ${HTTP_SECONDS} s:`,
  );
  const { calls, failed, p50, p99, max, cpu } = await startOverHttp(
    join(folder, 'http'),
    HTTP_PER_SECOND,
    HTTP_SECONDS,
  );
  say(`  ${calls} calls, ${failed} failed; p50 ${round(p50)} ms, p99 ${round(p99)} ms, max ${round(max)} ms`);
  say(`    ${verdict(failed === 0 && p99 <= START_P99_MS_MAX, `p99 ≤ ${START_P99_MS_MAX} ms`)}`);
  sayCost(cpu, START_CPU_MICROS_MAX);
  say(`Start, find and complete a task of (d), each a call over HTTP, ${CALLERS} callers who wait for each answer:`);
  const tasks = await tasksOverHttp(join(folder, 'http-tasks'), DURABLE_MS);
  say(`  ${round(tasks.perSecond)}/s, ${tasks.failed} failed`);
  sayCost(tasks.cpu, TASK_CPU_MICROS_MAX);
}

function sayCost(cpu: CpuTime | null, microsMax: number): void {
  if (cpu === null) return;
  say(`  ${round(cpu.all)} µs CPU of the server each, ${round(cpu.main)} of them in its main thread`);
  say(`    ${verdict(cpu.all <= microsMax, `≤ ${round(microsMax)} µs`)}`);
}

async function timers(): Promise<void> {
  say(
    `Timers of ${round(TIMERS)} instances due at once, through the embedded log, beside ${HTTP_PER_SECOND} starts/s of (d) (no HTTP):`,
  );
  const {
    perSecond: rate,
    cpuMicros,
    starts,
    blockMs,
  } = await dueTimers(join(folder, 'timers'), TIMERS, HTTP_PER_SECOND);
  say(`  ${round(rate)} timers/s, ${round(cpuMicros)} µs CPU each (all threads, the starts included)`);
  const { calls, failed, p50, p99, max } = starts;
  say(`  ${calls} starts, ${failed} failed; p50 ${round(p50)} ms, p99 ${round(p99)} ms, max ${round(max)} ms`);
  say(`  longest block of the event loop ${round(blockMs)} ms`);
  say(`    ${verdict(rate >= TIMERS_PER_SECOND_MIN, `≥ ${TIMERS_PER_SECOND_MIN}/s on an idle machine`)}`);
  say(`    ${verdict(failed === 0 && starts.p99 <= TIMERS_START_P99_MS_MAX, `p99 ≤ ${TIMERS_START_P99_MS_MAX} ms`)}`);
}

async function overloaded(): Promise<void> {
  say('More than the server can do, over HTTP, (d), server in a process of its own:');
  await overload(join(folder, 'overload'), OVERLOAD_SECONDS);
}

async function size(): Promise<void> {
  const { documents, feed } = await waitState();
  const all = Object.entries(documents).map(([name, bytes]) => `${name} ${bytes}`);
  const total = Object.values(documents).reduce((sum, bytes) => sum + bytes, 0);
  say(`Stored of an instance of (d) that waits at its task, without variables, in bytes of JSON:`);
  say(
    `  documents: ${all.join(' + ')} = ${total}; the feed's entry ${feed}; bpmn-engine's state ${await peerStateBytes()}`,
  );
  say(`    all documents ${verdict(total <= WAIT_STATE_BYTES_MAX, `≤ ${WAIT_STATE_BYTES_MAX}`)}`);
  const { log, index, trees } = await bytesOnDisk(join(folder, 'bytes'), WAITING);
  say(`On disk for each of ${WAITING} such instances: log.db ${round(log)} bytes, index.db ${round(index)}`);
  say(`  of log.db: ${trees.map(({ name, bytes }) => `${name} ${round(bytes)}`).join(', ')}`);
  say(`    log.db ${verdict(log <= DISK_BYTES_MAX, `≤ ${DISK_BYTES_MAX}`)}`);
}

async function content(): Promise<void> {
  await contentBench(folder, { ms: CASE_MS, isQuick: quick });
  await contentOverHttp(join(folder, 'content-http'), BESIDE_MS);
}

async function bodies(): Promise<void> {
  await bodiesBench(join(folder, 'bodies'), process.env.BENCH_BODY);
}

async function answers(): Promise<void> {
  await answersBench(join(folder, 'answers'));
}

async function pages(): Promise<void> {
  await pagesBench(join(folder, 'pages'));
}

async function graphql(): Promise<void> {
  say('A small GraphQL query over HTTP, 20 connections, our handler beside express + graphql-http [target: ≥ 2 ×]:');
  const script = fileURLToPath(new URL('./graphql-http.js', import.meta.url));
  const { status } = spawnSync(process.execPath, [script], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`graphql-http ended with ${status}`);
}
