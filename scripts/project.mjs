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

const packagesOf = (file) => readJson(file)?.packages;

/** Whether `dist/` is what the sources give; `build` makes it so. */
export function distIsFresh() {
  const stamp = readJson(STAMP);
  if (stamp === undefined || !existsSync(join(root, 'dist/server/main.js'))) return false;
  const files = sources();
  const glance = glanceOf(files);
  if (stamp.glance === glance) return true;
  const hash = hashOf(files);
  if (stamp.hash !== hash) return false;
  writeJson(STAMP, { glance, hash }); // touched, but the same: a copy, or a branch that was left and entered again
  return true;
}

/** Builds `dist/` from nothing, so that nothing stays of sources that are gone. */
export function buildDist() {
  say('Building …');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const files = sources();
  const stamp = { glance: glanceOf(files), hash: hashOf(files) };
  if (!buildParts('dist') || !runBin('typescript/bin/tsc', ['-p', 'tsconfig.json']))
    throw new Error('the sources could not be built');
  writeJson(STAMP, stamp);
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

/**
 * Builds sources and tests into `build/`: what has changed since the last build, as far as `build/` is what that one left; else, or `anew`, all of
 * it. Whether it went well.
 */
export function buildTests({ anew = false } = {}) {
  const build = join(root, 'build');
  const settings = hashOf([...BUILD_FILES, 'tsconfig.test.json']);
  const last = readJson(TEST_STAMP);
  const goesOn = !anew && last?.settings === settings && last.outputs === glanceOf(filesBelow('build', isOutput));
  if (!goesOn) rmSync(build, { recursive: true, force: true });
  rmSync(TEST_STAMP, { force: true }); // what is cut off from here on is nothing to go on from
  removeOrphans();
  if (!(goesOn && last.parts === glanceOf(partSources())) && !buildParts('build/src')) return false;
  const parts = glanceOf(partSources());
  const flags = ['--incremental', '--tsBuildInfoFile', 'build/.tsbuildinfo'];
  const went = runBin('typescript/bin/tsc', ['-p', 'tsconfig.test.json', ...flags]);
  writeJson(TEST_STAMP, { settings, parts, outputs: glanceOf(filesBelow('build', isOutput)) });
  return went;
}

const TEST_STAMP = join(root, 'build/.stamp.json');
const isOutput = (file) => file !== 'build/.stamp.json';

/** Removes what was compiled of sources that are gone: it would be tested, and imported, as if they were there. */
function removeOrphans() {
  for (const file of filesBelow('build', (path) => /\.js(\.map)?$/.test(path))) {
    const source = file.slice('build/'.length).replace(/\.js(\.map)?$/, '.ts');
    if (!existsSync(join(root, source)) && !file.startsWith('build/src/server/graphiql/')) rmSync(join(root, file));
  }
}

/** What {@link buildParts} reads, and the one thing that it writes among the sources. */
const partSources = () => [
  ...filesBelow('src/graphql', (file) => /\.graphql$|\/mappers\.json$|\/generated\//.test(file)),
  ...filesBelow('src/server/graphiql', () => true),
];

/** Files below the folder, as seen from the root, in order; none where there is no such folder. */
const filesBelow = (folder, isWanted) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
        .filter(isWanted)
        .sort()
    : [];

/** What is not compiled: types from the SDL, and the SDL and GraphiQL beside the code that reads them. Whether it went well. */
export const buildParts = (out) =>
  runOwn('scripts/codegen.mjs', []) &&
  runOwn('scripts/copy-sdl.mjs', [out]) &&
  runOwn('scripts/copy-graphiql.mjs', [out]);

const runOwn = (script, args) => run(process.execPath, [script, ...args]);

const STAMP = join(root, 'dist/.stamp.json');
const readJson = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

function writeJson(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
}

/** What decides how all is built. */
const BUILD_FILES = [
  'package-lock.json',
  'tsconfig.json',
  'scripts/codegen.mjs',
  'scripts/sdl-descriptions.mjs',
  'scripts/copy-sdl.mjs',
  'scripts/copy-graphiql.mjs',
];

/** Everything that decides what is in `dist/`; generated code is not a source. */
function sources() {
  const inSrc = filesBelow('src', (file) => !file.includes('/generated/'));
  return [...BUILD_FILES, ...inSrc];
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
