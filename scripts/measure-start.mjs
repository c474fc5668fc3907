// `node scripts/measure-start.mjs`: how long a server takes until it is ready, on a new data folder and then again on the same one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDist, distIsFresh, root } from './project.mjs';

if (!distIsFresh()) buildDist();
const folder = mkdtempSync(join(tmpdir(), 'millrace-start-'));
try {
  for (const name of ['first start', 'second start', 'third start']) {
    process.stdout.write(`${name.padEnd(12)} ${await readyMs()} ms\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** From the start of the process until it says that it is ready, as it says itself. */
async function readyMs() {
  const env = { ...process.env, MILLRACE_DATA: folder, PORT: '0', MILLRACE_LOG_LEVEL: 'error' };
  const server = spawn(process.execPath, [join(root, 'dist/server/main.js')], { env, stdio: ['ignore', 'pipe', 2] });
  let printed = '';
  const ended = once(server, 'close');
  for await (const chunk of server.stdout) {
    printed += chunk;
    if (printed.includes('was ready in')) break;
  }
  server.kill('SIGTERM');
  await ended;
  return Number(/was ready in (\d+) ms/.exec(printed)?.[1]);
}
