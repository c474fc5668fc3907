import { type LargeBody, largeBodies } from './large-bodies.js';
import { line, round, say, verdict } from './measure.js';
import { type BenchReply, type BenchServer, benchServer } from './server.js';
import { starting } from './start-over-http.js';

const BLOCK_MS_MAX = 100;
/** Each body is sent so often; the least of its blocks counts: the first also compiles what it runs through. */
const TIMES = 2;

/**
 * How long permitted bodies of nearly 8 MB hold a server's event loop, as CPU time of its thread, which is the same whatever else the machine
 * does. `only`: a pattern of names.
 */
export async function bodiesBench(folder: string, only = ''): Promise<void> {
  const bodies = largeBodies().filter(({ name }) => new RegExp(only).test(name));
  say(`${bodies.length} permitted bodies of at most 8 MB: the longest turn of the server's event loop, CPU time`);
  const server = await benchServer(folder);
  let missed = 0;
  try {
    await starting(server);
    for (const body of bodies) if ((await blockOf(server, body)) > BLOCK_MS_MAX) missed++;
    say(`  ${bodies.length - missed} of ${bodies.length} ${verdict(missed === 0, `≤ ${BLOCK_MS_MAX} ms`)}`);
  } finally {
    await server.end();
  }
}

async function blockOf(server: BenchServer, { name, make }: LargeBody): Promise<number> {
  const body = make();
  let least = Number.POSITIVE_INFINITY;
  let told = '';
  for (let time = 0; time < TIMES; time++) {
    server.watchLoop();
    const begun = performance.now();
    const reply = await server.send(body);
    const took = performance.now() - begun;
    const { longestMs, longestCpuMs } = await server.loop();
    least = Math.min(least, longestCpuMs || longestMs);
    told = `${round(body.length / 1e6)} MB, answered after ${round(took)} ms: ${shortly(reply)}`;
    if (least <= BLOCK_MS_MAX) break;
  }
  line(name.slice(-58), `${round(least).padStart(5)} ms ${least > BLOCK_MS_MAX ? 'MISSED ' : ''}${told}`);
  return least;
}

function shortly({ status, text }: BenchReply): string {
  const code = /"code":"(\w+)"/.exec(text)?.[1];
  return code === undefined ? `${status}, ${text.length} characters` : `${status} ${code} ${told(text)}`;
}

const told = (text: string) => /"message":"(.{0,100})/.exec(text)?.[1] ?? '';
