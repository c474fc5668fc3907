// `npm run structure`: measures the sources. What is counted, and of which files, is said in each line. `-- --requests` also sends a few requests
// to a server of its own, and counts the files of src of which the main thread runs a function for each.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { buildTests, installIfNeeded, root } from './project.mjs';
import { filesEntered } from './structure-requests.mjs';

process.chdir(root);
const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('generated'))
    .map((file) => join(folder, file))
    .sort();
const measured = (path) => {
  const text = readFileSync(path, 'utf8');
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1');
  const imports = [...bare.matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)';/gm)].map(([whole, to]) => ({
    lines: whole.split('\n').length,
    to: to.startsWith('.') ? relative('.', resolve(dirname(path), to)).replace(/\.js$/, '.ts') : undefined,
  }));
  return {
    path,
    text,
    bare,
    lines: text.split('\n').length - 1,
    code: bare.split('\n').filter((l) => /\S/.test(l)).length,
    imports,
  };
};

const src = filesBelow('src').map(measured);
const test = filesBelow('test').map(measured);
const rows = [];
const row = (what, value) => rows.push([what, String(value)]);

const code = sum(src, (file) => file.code);
const lengths = src.map((file) => file.lines).sort((a, b) => a - b);
const importers = new Map();
for (const { imports } of src) for (const { to } of imports) importers.set(to, (importers.get(to) ?? 0) + 1);
row('code lines (neither blank nor comment)', code);
row('files', src.length);
row('lines per file: median / p95 / max', [0.5, 0.95, 1].map((part) => quantile(lengths, part)).join(' / '));
row('files below 25 lines', src.filter((file) => file.lines < 25).length);
row('files below 60 lines with one importer', src.filter((f) => f.lines < 60 && importers.get(f.path) === 1).length);
row('lines that import', `${((100 * sum(src, (f) => sum(f.imports, (i) => i.lines))) / code).toFixed(1)} %`);
row(
  'circles of imports, types counted',
  circles()
    .map((files) => `${files.length} files`)
    .join(', ') || 'none',
);
const throws = count(src, /\bthrow\b/g);
const plain = count(src, /\bthrow new (Type|Range)?Error\(/g);
row('throws: typed, plain', `${throws - plain}, ${plain}`);
row('any per 1,000 code lines', ((1000 * count(src, /(:|<|as) any\b/g)) / code).toFixed(2));
const docs = src.flatMap(({ text }) =>
  [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*\n(?=\s*export\b)/g)].map((m) => m[1]),
);
const exported = src.flatMap(({ bare }) => bare.match(/^export (?!\*|\{|type \{)/gm) ?? []).length;
const words = (doc) =>
  doc
    .replace(/[\s*]+/g, ' ')
    .trim()
    .split(' ').length;
row('exports with a docstring', `${Math.round((100 * docs.length) / exported)} %`);
row(
  'of these: begin with "What"; 5 words or fewer',
  `${docs.filter((d) => /^[\s*]*What\b/.test(d)).length}; ${docs.filter((d) => words(d) <= 5).length}`,
);
row('test : source (code lines)', (sum(test, (file) => file.code) / code).toFixed(2));
row('folders below src', new Set(src.map(({ path }) => dirname(path))).size);
if (process.argv.includes('--requests')) {
  installIfNeeded({ dev: true });
  if (!buildTests()) process.exit(1);
  for (const [what, files] of await filesEntered()) row(`files entered by ${what}`, files);
}
const width = Math.max(...rows.map(([what]) => what.length));
process.stdout.write(rows.map(([what, value]) => `${what.padEnd(width)}  ${value}\n`).join(''));
process.exit(0);

function sum(all, of) {
  return all.reduce((total, one) => total + of(one), 0);
}

function quantile(sorted, part) {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}

function count(files, pattern) {
  return sum(files, ({ bare }) => bare.match(pattern)?.length ?? 0);
}

/** Sets of files that import one another in a loop. */
function circles() {
  const importsOf = new Map(src.map(({ path, imports }) => [path, imports.flatMap(({ to }) => to ?? [])]));
  const reached = new Map(src.map(({ path }) => [path, reachedFrom(path, importsOf)]));
  const found = new Map();
  for (const { path } of src) {
    const circle = [...reached.get(path)].filter((other) => reached.get(other)?.has(path));
    if (circle.length > 0) found.set(circle.sort().join(' '), circle);
  }
  return [...found.values()];
}

function reachedFrom(path, importsOf) {
  const reached = new Set();
  const left = [path];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const to of importsOf.get(next) ?? []) {
      if (!reached.has(to)) left.push(to);
      reached.add(to);
    }
  }
  return reached;
}
