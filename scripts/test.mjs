// `npm test`: installs, builds, checks the code and runs all tests. `npm test -- test/server` runs a part, without the checks.
// The last line says how many passed and failed; a build or a check that fails counts as one. No test at all is a failure.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTests, installIfNeeded, root, run, runBin } from './project.mjs';

process.chdir(root);
process.env.MILLRACE_LOG_LEVEL ??= 'fatal'; // what tests provoke is no news
const parts = process.argv.slice(2);
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
  if (!buildTests()) return { passed: 0, failed: 1 };
  const problems = parts.length > 0 ? 0 : failedChecks();
  const tests = runMocha();
  return { passed: tests.passed, failed: tests.failed + problems };
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

/** The totals come from a file that the reporter writes. A run that dies counts as a failure, of the test that it was in. */
function runMocha() {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-'));
  const totals = join(folder, 'totals.json');
  try {
    const whole = parts.length === 0;
    const flags = [
      '--no-config',
      '--recursive',
      '--exit',
      '--timeout',
      '30000',
      '--reporter',
      'scripts/totals-reporter.cjs',
    ];
    const options = [
      '--reporter-option',
      `totals=${totals},style=${whole ? 'dot' : 'spec'}`,
      ...(whole ? ['--forbid-only'] : []),
    ];
    const specs = whole ? ['build/test/**/*.test.js'] : parts.flatMap(compiled);
    const went = run(process.execPath, ['node_modules/mocha/bin/mocha.js', ...flags, ...options, ...specs]);
    const none = { passed: 0, failed: 0, running: 'no test yet' };
    const { passed, failed, running } = existsSync(totals) ? JSON.parse(readFileSync(totals, 'utf8')) : none;
    if (running !== undefined) process.stderr.write(`\nThe run died in: ${running}\n`);
    return { passed, failed: running !== undefined || (!went && failed === 0) ? failed + 1 : failed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
