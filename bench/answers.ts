import { readFileSync } from 'node:fs';
import { line, round, say, verdict } from './measure.js';
import { type BenchServer, benchServer } from './server.js';
import { starting } from './start-over-http.js';

const START = 'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }';
const LIST = 'processInstances(first: 60) { edges { node { id variables { name value } } } }';
const LARGE_CHARS = 3_900_000;
const INSTANCES = 60;
const BLOCK_MS_MAX = 100;

/** What answers of many megabytes cost a server: 60 process instances with a variable of 3.9 MB each are asked for. */
export async function answersBench(folder: string): Promise<void> {
  const server = await benchServer(folder);
  try {
    await starting(server);
    const variables = [{ name: 'large', value: 'x'.repeat(LARGE_CHARS) }];
    for (let n = 0; n < INSTANCES; n++) await server.ask(START, { definitionKey: 'd', variables });
    say(`${INSTANCES} process instances with a variable of ${round(LARGE_CHARS / 1e6)} MB each:`);
    await asked(server, 'all of them', `{ ${LIST} }`);
    await asked(server, 'all of them, 3 aliases', `{ ${aliases(3)} }`);
    await asked(server, 'all of them, 30 aliases', `{ ${aliases(30)} }`);
    await asked(server, 'ten of them', `{ ${LIST.replace('60', '10')} }`);
    await asked(server, 'ten of them, eight times at once', `{ ${LIST.replace('60', '10')} }`, 8);
  } finally {
    await server.end();
  }
}

const aliases = (count: number) => Array.from({ length: count }, (_, n) => `a${n}: ${LIST}`).join(' ');

/** Asks for it so many times at once, and tells what that cost the server: its longest block by CPU, the most memory so far. */
export async function asked(server: BenchServer, what: string, query: string, times = 1): Promise<void> {
  const body = JSON.stringify({ query });
  server.watchLoop();
  const replies = await Promise.all(Array.from({ length: times }, () => server.send(body)));
  const { longestMs, longestCpuMs } = await server.loop();
  const block = longestCpuMs || longestMs;
  const told = replies.map(({ status, text }) => {
    const code = /"code":"(\w+)"/.exec(text)?.[1];
    return `${status} ${code ?? `${round(text.length / 1e6)} MB`}`;
  });
  const counts = [...new Set(told)].map((one) => `${told.filter((other) => other === one).length} × ${one}`);
  line(
    what,
    `${round(block)} ms block, ${round(peakMb(server.pid))} MB peak; ${counts.join(', ')}`,
    verdict(block <= BLOCK_MS_MAX, `≤ ${BLOCK_MS_MAX} ms`),
  );
}

/** The most memory that a process has had; NaN where the system does not tell. */
function peakMb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}
