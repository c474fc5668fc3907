// Programs beside Node that tests need: `node scripts/programs.mjs redis-server` installs one where it is missing and that is permitted.
import { spawnSync } from 'node:child_process';

/** What is known of each: how it tells its version, Debian's package, and how others install it. */
const PROGRAMS = {
  'redis-server': {
    version: '--version',
    debian: 'redis-server',
    others: ['dnf install redis', 'apk add redis', 'brew install redis'],
  },
  openssl: {
    version: 'version',
    debian: 'openssl',
    others: ['dnf install openssl', 'apk add openssl', 'brew install openssl'],
  },
  chromium: {
    version: '--version',
    debian: 'chromium',
    others: ['dnf install chromium', 'apk add chromium'],
  },
};

/**
 * Makes sure that a program is there; Debian's package is installed where this process may do so.
 * @throws an Error whose sentence says what to install
 */
export function ensureProgram(name) {
  const { version, debian, others } = PROGRAMS[name];
  if (isThere(name, version)) return;
  if (mayInstall() && install(debian) && isThere(name, version)) return;
  const ways = [`apt-get install ${debian} (Debian, Ubuntu)`, ...others];
  throw new Error(`expected the program ${name}, but it is not installed; install it by one of: ${ways.join(', ')}`);
}

const isThere = (name, version) => spawnSync(name, [version], { stdio: 'ignore' }).status === 0;

/** Debian's packages, and the right to install them. */
const mayInstall = () => process.getuid?.() === 0 && isThere('apt-get', '--version');

function install(debian) {
  process.stderr.write(`Installing ${debian} …\n`);
  // No service is to be started by it: tests start their own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args) => spawnSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 2, 2] }).status === 0;
  const get = () => apt('install', '-y', '--no-install-recommends', debian);
  return get() || (apt('update') && get());
}

if (process.argv[1]?.endsWith('programs.mjs')) {
  try {
    for (const name of process.argv.slice(2)) ensureProgram(name);
  } catch (thrown) {
    process.stderr.write(`${thrown.message}\n`);
    process.exitCode = 1;
  }
}
