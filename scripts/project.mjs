// What starting and testing share: installing what the lockfile says, and building when sources have changed. Needs Node alone, because it
// runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const say = (line) => process.stderr.write(`${line}\n`);

/** Runs a program of this project in its folder; its output goes to stderr. Whether it went well. */
export function run(program, args, env = {}) {
  return spawnSync(program, args, { cwd: root, stdio: ['ignore', 2, 2], env: { ...process.env, ...env } }).status === 0;
}

/** Runs a script of an installed package with this Node. */
export const runBin = (path, args) => run(process.execPath, [join(root, 'node_modules', path), ...args]);

/** Installs what the lockfile names when anything of it is missing. `dev`: also what only builds and tests need. */
export function installIfNeeded({ dev }) {
  const missing = firstMissing(dev);
  if (missing === undefined) return;
  const folder = lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false });
  if (folder?.isSymbolicLink()) {
    say(`node_modules is a link to a folder that lacks ${missing}; it is used as it is`);
    return;
  }
  say(`Installing packages (${missing} is missing) …`);
  // What it warns of (tools of the build that ask for a newer Node, scripts that it does not run) is no concern of who starts a server.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const script = process.env.npm_execpath;
  const done = script?.endsWith('.js') ? run(process.execPath, [script, ...args]) : run('npm', args);
  if (!done) throw new Error('the packages could not be installed; npm says why above');
}

/** The first package of the lockfile that is not installed in the version it says; npm keeps a list of what it installed. */
function firstMissing(dev) {
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (installed === undefined) return 'node_modules';
  const wanted = packagesOf(join(root, 'package-lock.json')) ?? {};
  const lacks = ([path, entry]) => {
    if (path === '' || entry.optional || entry.devOptional || (entry.dev && !dev)) return false;
    return installed[path]?.version !== entry.version;
  };
  return Object.entries(wanted).find(lacks)?.[0];
}

const packagesOf = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined);

/** Whether `dist/` is what the sources give; `build` makes it so. */
export function distIsFresh() {
  const stamp = readStamp();
  if (stamp === undefined || !existsSync(join(root, 'dist/server/main.js'))) return false;
  const files = sources();
  const glance = glanceOf(files);
  if (stamp.glance === glance) return true;
  const hash = hashOf(files);
  if (stamp.hash !== hash) return false;
  writeStamp({ glance, hash }); // touched, but the same: a copy, or a branch that was left and entered again
  return true;
}

/** Builds `dist/` from nothing, so that nothing stays of sources that are gone. */
export function buildDist() {
  say('Building …');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const files = sources();
  const stamp = { glance: glanceOf(files), hash: hashOf(files) };
  if (!compile('tsconfig.json', 'dist')) throw new Error('the sources could not be built');
  writeStamp(stamp);
}

/** Installs and builds what is missing for `dist/`; where that cannot be, says why and ends with the code. */
export function prepareDist(code) {
  try {
    const isFresh = distIsFresh();
    installIfNeeded({ dev: !isFresh });
    if (!isFresh) buildDist();
  } catch (thrown) {
    say(thrown.message);
    process.exit(code);
  }
}

/** Builds sources and tests into `build/`, from nothing. Whether it went well. */
export function buildTests() {
  rmSync(join(root, 'build'), { recursive: true, force: true });
  return compile('tsconfig.test.json', 'build/src');
}

/** Compiled code, and all else. `out`: where the compiled `src` goes. */
const compile = (project, out) => buildParts(out) && runBin('typescript/bin/tsc', ['-p', project]);

/** What is not compiled: types from the SDL, and the SDL and GraphiQL beside the code that reads them. Whether it went well. */
export const buildParts = (out) =>
  runOwn('scripts/codegen.mjs', []) &&
  runOwn('scripts/copy-sdl.mjs', [out]) &&
  runOwn('scripts/copy-graphiql.mjs', [out]);

const runOwn = (script, args) => run(process.execPath, [script, ...args]);

const STAMP = join(root, 'dist/.stamp.json');
const readStamp = () => (existsSync(STAMP) ? JSON.parse(readFileSync(STAMP, 'utf8')) : undefined);

function writeStamp(stamp) {
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, JSON.stringify(stamp));
}

/** Everything that decides what is in `dist/`; generated code is not a source. */
function sources() {
  const build = [
    'package-lock.json',
    'tsconfig.json',
    'scripts/codegen.mjs',
    'scripts/copy-sdl.mjs',
    'scripts/copy-graphiql.mjs',
  ];
  const inSrc = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .filter((file) => !file.includes('/generated/'));
  return [...build, ...inSrc.sort()];
}

/** Names, sizes and times: cheap, and enough when nothing was touched. */
function glanceOf(files) {
  const lines = files.map((file) => {
    const { size, mtimeMs } = statSync(join(root, file));
    return `${file} ${size} ${mtimeMs}`;
  });
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(join(root, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}
