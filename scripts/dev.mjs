// `npm run dev`: the server, started anew whenever its sources have changed and compile; models of processes/ are deployed when they are saved.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { uploadModel } from './dev-upload.mjs';
import { endWithNpm } from './end-with-npm.mjs';
import { buildParts, installIfNeeded, root } from './project.mjs';
import { takeNoArguments } from './usage.mjs';

takeNoArguments();

/** Saving a file is several events. */
const PAUSE_MS = 50;
const say = (line) => process.stderr.write(`dev: ${line}\n`);
const dist = join(root, 'dist');
let server;
/** The one that comes after it. */
let next;
let ended = Promise.resolve();
let baseUrl;
let turn = Promise.resolve();

prepare();
next = standBy();
const compiler = startCompiler();
const soon = new Map();
watch(join(root, 'src'), { recursive: true }, (_, file) => {
  if (/\.graphql$|mappers\.json$/.test(file ?? '')) later('schema', () => buildParts('dist'));
});
watch(join(root, 'processes'), { recursive: true }, (_, file) => {
  if (file?.endsWith('.bpmn')) later(file, () => deploy(file));
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void end());
endWithNpm('dev');

/** What is compiled here has no stamp: `npm start` builds anew. */
function prepare() {
  try {
    installIfNeeded({ dev: true });
    rmSync(dist, { recursive: true, force: true });
    mkdirSync(dist);
    if (!buildParts('dist')) throw new Error('the sources could not be built');
  } catch (thrown) {
    say(thrown.message);
    process.exit(1);
  }
}

function startCompiler() {
  say('compiling …');
  const flags = ['--watch', '--preserveWatchOutput', '--incremental', '--tsBuildInfoFile', 'dist/.tsbuildinfo'];
  const args = [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json', ...flags];
  // It runs another program, which does not end with it: they are a group, so that both can be ended.
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, errors] = /Found (\d+) errors?\. Watching/.exec(line) ?? [];
    if (errors === '0') turn = turn.then(restart);
    else if (errors !== undefined) say(`not started anew: ${errors} errors`);
    else if (line.includes(': error TS')) say(line);
  });
  return child;
}

/** A server that waits to be started, with most of what it needs loaded: that is half of a start. */
function standBy() {
  const env = { MILLRACE_DRAIN_TIMEOUT: '1s', ...process.env };
  const stdio = ['ignore', 'pipe', 'inherit', 'ipc'];
  const child = spawn(process.execPath, [join(root, 'scripts/dev-standby.mjs')], { env, stdio });
  child.on('error', () => {}); // that nobody is there to be told is seen when it has closed
  return child;
}

async function restart() {
  const begun = performance.now();
  await stop();
  const child = next.connected ? next : standBy();
  child.send('start');
  server = child;
  ended = once(child, 'close').then(([code]) => {
    if (server === child) say(`the server ended with ${code}; it starts anew with the next change`);
  });
  const ready = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      // How long it has waited to be started is of no interest.
      process.stdout.write(`${line.replace(/ was ready in \d+ ms$/, ' is ready')}\n`);
      baseUrl = /^ {2}Address +(\S+)/.exec(line)?.[1] ?? baseUrl;
      if (line.startsWith('  curl ')) resolve();
    });
  });
  await Promise.race([ready, ended]);
  next = standBy();
  if (child.exitCode === null) say(`started in ${Math.round(performance.now() - begun)} ms`);
}

async function stop() {
  const child = server;
  server = undefined;
  child?.kill('SIGTERM');
  await ended;
}

async function deploy(file) {
  if (baseUrl === undefined) return;
  const { problem } = await uploadModel(baseUrl, join(root, 'processes', file), file);
  say(problem === undefined ? `processes/${file} is deployed` : `processes/${file} is not deployed: ${problem}`);
}

/** Does it when nothing more has happened to the file for a moment, after what is being done. */
function later(name, work) {
  clearTimeout(soon.get(name));
  const run = () => {
    turn = turn.then(work).catch((thrown) => say(`${name}: ${thrown.message}`));
  };
  soon.set(name, setTimeout(run, PAUSE_MS));
}

async function end() {
  if (compiler.exitCode === null) process.kill(-compiler.pid);
  next.kill();
  await stop();
  process.exit(0);
}
