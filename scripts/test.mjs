// `npm test`: installs, builds, checks the code and runs all tests. `npm test -- test/server` runs a part, without the checks,
// and builds only what has changed.
// The last line says how many passed and failed; a build or a check that fails counts as one. No test at all is a failure.
// A whole run drives the scenarios twice: on the embedded log, and on Redis. What needs a program that is missing is skipped, and said so.
// It also lists what costs most, in CPU seconds, which are the same on a busy machine; a file that is slow for a reason has it in a line `// Slow: …`.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { childrenSeconds } from './cpu-usage.cjs';
import { lackOf } from './programs.mjs';
import { buildTests, installIfNeeded, root, run, runBin } from './project.mjs';

process.chdir(root);
process.env.MILLRACE_LOG_LEVEL ??= 'fatal'; // what tests provoke is no news
const parts = process.argv.slice(2);
/** How many files a whole run works at: more than one per core, as many wait for their servers and disks. */
const JOBS = Math.min(5, 2 * availableParallelism());
/** Where tests keep their files, if it has as much room: in memory, as no test is about a real disk, and none reads what another has left. */
const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 4 * 2 ** 30;
/** Most of what is started lives for seconds: code is made faster later, and more is born before the young are looked through. */
const V8_FLAGS = ['--interrupt-budget=500000', '--max-semi-space-size=32', '--preserve-symlinks'];
/** How many files are listed as the slowest. */
const LISTED = 25;
/** What is left out where a program is missing: its files, and what they are in a few words. */
const NEEDS = {
  'redis-server': { files: 'build/test/**/*.redis.test.js', what: 'the tests on Redis' },
  chromium: { files: 'build/test/browser/**', what: 'the tests in a browser' },
  mvn: { files: 'build/test/java/**', what: "the tests with Camunda's worker in Java" },
  openssl: { files: 'build/test/scenario/redis-tls.redis.test.js', what: 'the tests with certificates' },
};
const { passed, failed } = everything();
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

function everything() {
  try {
    installIfNeeded({ dev: true });
  } catch (thrown) {
    process.stderr.write(`${thrown.message}\n`);
    return { passed: 0, failed: 1 };
  }
  if (!buildTests({ anew: parts.length === 0 })) return { passed: 0, failed: 1 };
  const specs = parts.length > 0 ? parts.flatMap(compiled) : slowFirst('build/test');
  const missing = missingPrograms();
  const ignored = missing.map((program) => NEEDS[program].files);
  if (parts.length > 0) return runMocha({ specs, ignored });
  const problems = failedChecks();
  const runs = [runMocha({ specs, ignored }), ...(missing.includes('redis-server') ? [] : [runMocha(onRedis())])];
  const sum = (of) => runs.reduce((total, run) => total + of(run), 0);
  tellSlowest(runs.flatMap((run) => run.usage));
  // Said once more where it is read: above the last line.
  tellSkipped(missing);
  return { passed: sum((run) => run.passed), failed: sum((run) => run.failed) + problems };
}

/** Those that tests need and that are not there, each with how to install it: nothing is installed by itself. The rest is worth running. */
function missingPrograms() {
  const lacks = Object.keys(NEEDS).map((program) => [program, lackOf(program)]);
  const missing = lacks.filter(([, lack]) => lack !== undefined);
  for (const [, lack] of missing) process.stderr.write(`${lack}\n`);
  const programs = missing.map(([program]) => program);
  tellSkipped(programs);
  return programs;
}

function tellSkipped(programs) {
  for (const program of programs)
    process.stderr.write(`SKIPPED: ${NEEDS[program].what}, because ${program} is missing\n`);
}

/**
 * The scenarios on Redis. Left out are those that set a virtual clock by the server's settings, which refuse it beside Redis (the README's walk,
 * telemetry), the audits of GraphQL over HTTP, which write nothing, and those that are on Redis in every run.
 */
function onRedis() {
  return {
    specs: slowFirst('build/test/scenario'),
    ignored: ['readme', 'telemetry', 'audits', '*.redis'].map((name) => `build/test/scenario/${name}.test.js`),
    env: { MILLRACE_TEST_LOG: 'redis', MILLRACE_TEST_SERVER_KILLS: process.env.MILLRACE_TEST_SERVER_KILLS ?? '2' },
  };
}

/** How many of the checks of the code found something. */
function failedChecks() {
  const checks = [
    () => runBin('@biomejs/biome/bin/biome', ['check', '--diagnostic-level=warn', '.']),
    () =>
      runBin('oxlint/bin/oxlint', [
        '--type-aware',
        '-A',
        'all',
        '-D',
        'typescript/no-floating-promises',
        'src',
        'test',
      ]),
  ];
  return checks.filter((check) => !check()).length;
}

/** All compiled tests below the folder; first those that say that they are slow, so that nobody waits for one of them at the end. */
function slowFirst(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.test.js'));
  const paths = files.map((file) => join(folder, file)).sort();
  const isSlow = (path) => whySlow(sourceOf(path)) !== undefined;
  return [...paths.filter(isSlow), ...paths.filter((path) => !isSlow(path))];
}

function sourceOf(path) {
  return relative('build', path).replace(/\.js$/, '.ts');
}

/** What a file of tests says of why it is slow. */
function whySlow(source) {
  return /^\/\/ Slow: (.*)$/m.exec(readFileSync(source, 'utf8'))?.[1];
}

/** The files that cost most, over all runs. */
function tellSlowest(usage) {
  const files = new Map();
  for (const { file = '', own, children } of usage) {
    const source = sourceOf(file);
    const before = files.get(source) ?? { own: 0, children: 0 };
    files.set(source, { own: before.own + own, children: before.children + children });
  }
  const all = [...files].map(([source, { own, children }]) => ({ source, own, children, seconds: own + children }));
  const slowest = all.sort((a, b) => b.seconds - a.seconds).slice(0, LISTED);
  const lines = slowest.map(({ source, seconds, children }) => {
    const why = whySlow(source);
    return `${shown(seconds)} ${shown(children)}  ${source}${why === undefined ? '' : `: ${why}`}`;
  });
  const tests = all.reduce((sum, { seconds }) => sum + seconds, 0);
  process.stderr.write(
    `\nCPU seconds of the slowest files, of both runs together, and of these what their processes took:\n${lines.join('\n')}\n` +
      `${shown(tests)} of all ${all.length} files, ${shown(childrenSeconds())} with building and checking\n\n`,
  );
}

function shown(seconds) {
  return seconds.toFixed(1).padStart(6);
}

/** The totals come from a file that the reporter writes. A run that dies counts as a failure, of the test that it was in. */
function runMocha({ specs, ignored = [], env = {} }) {
  const folder = mkdtempSync(join(isRoomy(MEMORY) ? MEMORY : tmpdir(), 'millrace-test-'));
  const totals = join(folder, 'totals.json');
  const usage = join(folder, 'usage.jsonl');
  try {
    const whole = parts.length === 0;
    const flags = [
      '--no-config',
      '--recursive',
      '--exit',
      '--timeout',
      '60000',
      '--reporter',
      'scripts/totals-reporter.cjs',
    ];
    const options = [
      '--reporter-option',
      `totals=${totals},style=${whole ? 'dot' : 'spec'}`,
      ...(whole ? ['--forbid-only', '--parallel', '--jobs', String(JOBS), '--require', './scripts/cpu-usage.cjs'] : []),
    ];
    const left = ignored.flatMap((file) => ['--ignore', file]);
    const args = [...V8_FLAGS, 'node_modules/mocha/bin/mocha.js', ...flags, ...options, ...left, ...specs];
    const went = run(process.execPath, args, { TMPDIR: folder, ...env, ...(whole && { MILLRACE_TEST_USAGE: usage }) });
    const none = { passed: 0, failed: 0, running: 'no test yet' };
    const { passed, failed, running } = existsSync(totals) ? JSON.parse(readFileSync(totals, 'utf8')) : none;
    if (running !== undefined) process.stderr.write(`\nThe run died in: ${running}\n`);
    const isDead = running !== undefined || (!went && failed === 0);
    return { passed, failed: isDead ? failed + 1 : failed, usage: linesOf(usage) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isRoomy(folder) {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= MEMORY_BYTES_MIN;
}

function linesOf(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** The compiled tests of a part, which may be named by source or by output: `test/server`, `test/server/lock.test.ts`, `build/test/server`. */
function compiled(part) {
  const path = join(
    'build',
    part
      .replace(/^\.\//, '')
      .replace(/^build\//, '')
      .replace(/\.ts$/, '.js'),
  );
  return existsSync(path) && statSync(path).isDirectory() ? [`${path}/**/*.test.js`] : [path];
}
