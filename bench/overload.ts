import { modelOf } from './cases.js';
import { measure, percentile, perSecond, round, say, verdict } from './measure.js';
import type { NoAnswer, RawAnswer } from './raw-client.js';
import { type BenchServer, benchServer } from './server.js';

const DEPLOY = `mutation Deploy($input: DeployProcessInput!) { deployProcess(input: $input) { id } }`;
/** What is offered, by its name in the report. Each is asked for with `definitionKey: 'd'`. */
const KINDS = {
  'startProcess { id }': 'mutation Start($input: StartProcessInput!) { startProcess(input: $input) { id } }',
  'startProcess, its tasks and history read back':
    'mutation Start($input: StartProcessInput!) { startProcess(input: $input) { id tasks { edges { node { id name } } } activityInstances { id } } }',
};
/** How much more than its peak the server is offered. */
const FACTORS = [1, 2, 3];
const CALLERS = 64;
const CONNECTIONS = 2_000;
const COMMON_PER_SECOND = 200;
const GOODPUT_MIN = 0.9;
const P99_MS_MAX = 1_000;

interface Outcome {
  readonly offered: number;
  /** Sorted times of what was carried out and answered without an error, in ms from when it was due. */
  readonly accepted: readonly number[];
  /** How many others there were, by what they were answered with. */
  readonly refused: ReadonlyMap<string, number>;
  /** From the first call to the last answer. */
  readonly ms: number;
}

/** What becomes of calls that are more than a server can do: a server of its own on the folder, open loop, `seconds` for each rate. */
export async function overload(folder: string, seconds: number): Promise<void> {
  for (const [at, [name, document]] of Object.entries(KINDS).entries()) {
    const server = await benchServer(`${folder}-${at}`);
    try {
      await offered(server, name, document, seconds);
    } finally {
      await server.end();
    }
  }
}

async function offered(server: BenchServer, name: string, document: string, seconds: number): Promise<void> {
  await server.ask(DEPLOY, { name: 'bench', resources: [{ name: 'd.bpmn', content: modelOf('d', 'millrace') }] });
  const client = server.client(document, { definitionKey: 'd' });
  const call = () => client.call();
  const peak = perSecond(await measure(call, seconds * 1_000, CALLERS));
  say(`${name}: ${round(peak)}/s with ${CALLERS} callers who wait for their answers; open loop for ${seconds} s each:`);
  await client.warmUp(CONNECTIONS);
  const common = told('200/s', await offer(call, COMMON_PER_SECOND, seconds));
  say(`    ${verdict(common.refused === 0, 'nothing is refused')}`);
  for (const factor of FACTORS) {
    const { goodput, p99 } = told(`${factor} x`, await offer(call, factor * peak, seconds));
    if (factor !== 2) continue;
    say(`    ${verdict(goodput >= GOODPUT_MIN * peak, `≥ ${GOODPUT_MIN * 100} % of the peak is carried out`)}`);
    say(`    ${verdict(p99 <= P99_MS_MAX, `p99 of it ≤ ${P99_MS_MAX} ms`)}`);
  }
  client.close();
}

/** Calls at a steady rate, whether or not earlier calls were answered. */
function offer(call: () => Promise<RawAnswer>, rate: number, seconds: number): Promise<Outcome> {
  const accepted: number[] = [];
  const refused = new Map<string, number>();
  const total = Math.round(rate * seconds);
  const begun = performance.now();
  let sent = 0;
  let answered = 0;
  return new Promise((resolve) => {
    const one = async (due: number) => {
      const answer = await call().then(kindOf, ({ message }: NoAnswer) => message);
      if (answer === 'accepted') accepted.push(performance.now() - due);
      else refused.set(answer, (refused.get(answer) ?? 0) + 1);
      if (++answered < total) return;
      resolve({ offered: total, accepted: accepted.sort((a, b) => a - b), refused, ms: performance.now() - begun });
    };
    const timer = setInterval(() => {
      for (; sent < total; sent++) {
        const due = begun + (sent * 1_000) / rate;
        if (due > performance.now()) return;
        void one(due);
      }
      clearInterval(timer);
    }, 1);
  });
}

function kindOf({ status, retryAfter, text }: RawAnswer): string {
  if (status === 200 && !text.includes('"errors"')) return 'accepted';
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? 'no code';
  return `${status} ${code}${retryAfter === undefined ? ', no Retry-After' : `, Retry-After ${retryAfter}`}`;
}

function told(name: string, { offered: calls, accepted, refused, ms }: Outcome) {
  const goodput = (accepted.length * 1_000) / ms;
  const p99 = percentile(accepted, 0.99);
  const others = [...refused].map(([kind, count]) => `${count} × ${kind}`).join('; ') || 'none';
  say(
    `  ${name.padEnd(6)} ${String(calls).padStart(6)} calls: ${round(goodput).padStart(6)}/s carried out, p50 ${round(percentile(accepted, 0.5))}, p99 ${round(p99)}, max ${round(accepted.at(-1) ?? 0)} ms; refused: ${others}`,
  );
  return { goodput, p99, refused: calls - accepted.length };
}
