import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMPONENTS } from '../../src/eip/component/components.js';
import type { Received } from '../../src/eip/component/mock/mock.js';
import { Histories } from '../../src/eip/index.js';
import { PATTERNS } from '../../src/eip/pattern/patterns.js';
import type { HistoryOptions } from '../../src/eip/runtime/exchange-history.js';
import { InlineRuntime } from '../../src/eip/runtime/inline-runtime.js';
import { RouteContext } from '../../src/eip/runtime/route-context.js';
import { MachineTime } from '../../src/eip/runtime/runner-time.js';
import { Exchange, Headers, languageOf } from '../../src/expression/routes.js';
import { readRoutes } from '../../test/eip/support/read-routes.js';
import { measure } from '../measure.js';
import { type ExchangesMeasured, type Kept, ROUTE_CASES, type RouteCase } from './route-cases.js';

/**
 * `node build/bench/routes/exchanges.js <case> <kept> <ms> <folder>`: exchanges sent to a route, one after the other, in a process of its own; what is indexed at 10,000 a
 * second. Prints what was measured as JSON.
 */

/** So many exchanges follow each other before the clock is asked. */
const BATCH = 100;
const INDEXED_PER_SECOND = 10_000;
const ORIGIN = { routeId: 'bench', endpointUri: 'bench:' };

const [, , name, kept, ms, folder] = process.argv as unknown as [string, string, RouteCase, Kept, string, string];
const { body, yaml } = ROUTE_CASES[name];
if (kept === 'index') mkdirSync(join(folder, 'bench'), { recursive: true });
const retention = { ageMaxMs: 7 * 86_400_000, rowsMax: 1_000_000, countsAgeMaxMs: 90 * 86_400_000 };
const histories = kept === 'index' ? new Histories({ dataFolder: folder, retention, now: Date.now }) : null;
let ids = 0;
let sent = 0;
const context = new RouteContext({
  name: 'bench',
  time: new MachineTime(),
  patterns: PATTERNS,
  components: COMPONENTS,
  language: languageOf,
  resolved: (text) => text,
  property: () => undefined,
  random: Math.random,
  newId: () => `000000000000-${(++ids).toString(16).padStart(12, '0')}`,
  log: () => {},
  history: taker(),
});
const runtime = new InlineRuntime(context);
for (const model of readRoutes(yaml).routes) {
  const deployer = { userId: 'bench', principalId: null };
  const shared = { version: 1, file: 'bench.yaml', scoped: model.scoped, template: null, deployer };
  await runtime.start({ routeId: model.id, model, ...shared });
}
const producer = context.endpointOf('direct:in').producer?.();
if (producer === undefined) throw new Error('expected direct:in to take messages');
const send = producer;

const measured = kept === 'index' ? await paced() : await measureBatches();
// One may have given way for the turn of others.
await new Promise(setImmediate);
const received = context.shared('mock', () => new Map<string, Received>()).get('out')?.counter ?? 0;
if (received !== sent) throw new Error(`expected ${sent} exchanges at mock:out, but it has ${received}`);
process.stdout.write(JSON.stringify(measured));
await histories?.close();

/** Who takes over what is kept of exchanges. */
function taker(): HistoryOptions | undefined {
  if (kept === 'counters') return undefined;
  return { send: (batch) => void histories?.take('bench', batch) };
}

function batch(): void {
  for (let i = 0; i < BATCH; i++) {
    sent++;
    const exchange = new Exchange(context, ORIGIN, { body, headers: new Headers([['n', i % 10]]) });
    context.runner.start(exchange, send, (thrown) => {
      if (thrown !== undefined) throw thrown;
    });
  }
}

async function measureBatches(): Promise<ExchangesMeasured> {
  let thread = 0;
  const { operations, wallMs, cpuMicros } = await measure(batch, Number(ms), 1, () => {
    thread = threadMicros();
  });
  return { operations: operations * BATCH, wallMs, cpuMicros, threadMicros: threadMicros() - thread };
}

/** As many as are due, and a pause; what was handed over is written before the clock is read. */
async function paced(): Promise<ExchangesMeasured> {
  await pacedFor(Number(ms) / 2);
  const [from, cpu, thread, begun] = [sent, process.cpuUsage(), threadMicros(), performance.now()];
  await pacedFor(Number(ms));
  context.history?.flush();
  await histories?.list('bench', { filter: {}, limit: 1 });
  const { user, system } = process.cpuUsage(cpu);
  const operations = sent - from;
  return {
    operations,
    wallMs: performance.now() - begun,
    cpuMicros: user + system,
    threadMicros: threadMicros() - thread,
  };
}

async function pacedFor(time: number): Promise<void> {
  const [begun, from] = [performance.now(), sent];
  for (let passed = 0; passed < time; passed = performance.now() - begun) {
    while (sent - from < (passed / 1_000) * INDEXED_PER_SECOND) batch();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** CPU time of the main thread, as Linux tells it. */
function threadMicros(): number {
  const [nanos] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(nanos) / 1_000;
}
