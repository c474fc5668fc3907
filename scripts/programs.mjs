// Programs beside Node that tests need. `node scripts/programs.mjs redis-server chromium` installs those that are missing, where that is permitted: CI
// asks for it, and nothing else does.
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
  mvn: {
    version: '--version',
    debian: 'maven',
    others: ['dnf install maven', 'apk add maven', 'brew install maven'],
  },
};

/** A sentence that says how to install the program where it is missing; undefined: it is there. */
export function lackOf(name) {
  const { version, debian, others } = PROGRAMS[name];
  if (isThere(name, version)) return undefined;
  const ways = [`apt-get install ${debian} (Debian, Ubuntu)`, ...others];
  return `expected the program ${name}, but it is not installed; install it by one of: ${ways.join(', ')}`;
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
  for (const name of process.argv.slice(2)) {
    if (lackOf(name) !== undefined && mayInstall()) install(PROGRAMS[name].debian);
    const lack = lackOf(name);
    if (lack === undefined) continue;
    process.stderr.write(`${lack}\n`);
    process.exitCode = 1;
  }
}
