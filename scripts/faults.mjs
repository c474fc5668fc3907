// `npm run faults -- --room engine --count 100 --seed 1`: plants one small fault after the other into the rules of a room, as they are built, and
// runs the tests of that room alone. Says which faults no test has found, and how many were found.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildTests, installIfNeeded, root } from './project.mjs';

/** By the room: the folders and files of `src` that hold its rules, and where its tests are. */
const ROOMS = {
  content: {
    rules: ['content'],
    tests: ['content'],
    without: /-(job|thread|evaluators?|parser|services)\.js$|reader\/|index\.js$/,
  },
  engine: { rules: ['engine'], tests: ['engine'], without: /-(thread|parser)\.js$|reader\/|index\.js$/ },
  expression: { rules: ['expression'], tests: ['expression'], without: /-(thread|worker)\.js$|index\.js$/ },
  store: {
    rules: ['store/decide', 'store/partition', 'store/job', 'store/reaction', 'store/feed'],
    tests: ['store', 'contract'],
    without: /index\.js$/,
  },
};
/** Text and what it becomes. */
const FAULTS = [
  [' === ', ' !== '],
  [' !== ', ' === '],
  [' < ', ' <= '],
  [' <= ', ' < '],
  [' > ', ' >= '],
  [' >= ', ' > '],
  [' && ', ' || '],
  [' || ', ' && '],
  [' + 1', ' + 2'],
  [' - 1', ' - 2'],
  ['return true', 'return false'],
  ['return false', 'return true'],
  ['throw ', 'void '],
  ['.some(', '.every('],
  ['.every(', '.some('],
];
const RUN_MS = 600_000;

const { values } = parseArgs({
  options: { room: { type: 'string' }, count: { type: 'string' }, seed: { type: 'string' }, jobs: { type: 'string' } },
});
process.chdir(root);
process.env.MILLRACE_LOG_LEVEL ??= 'silent';
const rooms = values.room === undefined ? Object.keys(ROOMS) : [values.room];
installIfNeeded({ dev: true });
if (rooms.some((room) => ROOMS[room] === undefined) || !buildTests()) process.exit(2);
const { Random } = await import(join(root, 'build/test/support/random.js'));
const random = new Random(Number(values.seed ?? 1));
const places = rooms.flatMap(placesIn);
const left = Array.from({ length: Math.min(Number(values.count ?? 100), places.length) }, () => drawn(places));
const all = left.length;
const unfound = [];
const jobs = Number(values.jobs ?? Math.max(1, availableParallelism() - 1));
for (const room of rooms) {
  if (await passes(root, room)) continue;
  process.stderr.write(`the tests of ${room} fail without a fault\n`);
  process.exit(1);
}
await Promise.all(Array.from({ length: jobs }, worker));
for (const { file, line, from, to } of unfound.sort((a, b) => a.file.localeCompare(b.file)))
  process.stdout.write(`not found: ${file}:${line}  "${from.trim()}" for "${to.trim()}"\n`);
process.stdout.write(`${all - unfound.length} of ${all} faults found\n`);

/** Takes one fault after the other, in a copy of what is built. */
async function worker() {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-faults-'));
  try {
    for (const entry of readdirSync(root)) if (entry !== 'build') symlinkSync(join(root, entry), join(folder, entry));
    mkdirSync(join(folder, 'build'));
    cpSync('build', join(folder, 'build'), { recursive: true });
    for (let fault = left.pop(); fault !== undefined; fault = left.pop())
      if (!(await isFound(folder, fault))) unfound.push(fault);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function isFound(folder, { room, file, at, from, to }) {
  const path = join(folder, 'build/src', file);
  const sound = readFileSync(path, 'utf8');
  writeFileSync(path, sound.slice(0, at) + to + sound.slice(at + from.length));
  const isSound = await passes(folder, room);
  writeFileSync(path, sound);
  return !isSound;
}

/** Whether the tests of the room pass. */
async function passes(folder, room) {
  const specs = ROOMS[room].tests.map((tests) => `build/test/${tests}/**/*.test.js`);
  const args = ['--no-config', '--recursive', '--exit', '--bail', '--timeout', '30000', '--reporter', 'min', ...specs];
  const child = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', ...args], {
    cwd: folder,
    stdio: 'ignore',
    timeout: RUN_MS,
  });
  const code = await new Promise((resolve) => void child.on('exit', resolve));
  return code === 0;
}

/** Where a fault may be planted. */
function placesIn(room) {
  const { rules, without } = ROOMS[room];
  const files = rules.flatMap((folder) =>
    readdirSync(join('build/src', folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  return files
    .filter((file) => file.endsWith('.js') && !without.test(file))
    .flatMap((file) => {
      const text = readFileSync(join('build/src', file), 'utf8');
      const code = withoutTexts(text);
      return FAULTS.flatMap(([from, to]) => {
        const found = [];
        for (let at = code.indexOf(from); at >= 0; at = code.indexOf(from, at + 1))
          found.push({ room, file, at, from, to, line: code.slice(0, at).split('\n').length });
        return found;
      });
    });
}

/** The code with blanks for its comments and texts. */
function withoutTexts(code) {
  const texts = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
  return code.replace(texts, (text) => text.replace(/\S/g, ' '));
}

function drawn(from) {
  return from.splice(random.below(from.length), 1)[0];
}
