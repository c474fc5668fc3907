// Writes the pages of the documentation that are generated from the code. `--check` writes nothing and fails when a page is not what the code gives.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildTests, root } from './project.mjs';

const isCheck = process.argv.includes('--check');
const compiled = join(root, 'build/src/server/setting-table.js');
if (!isCheck && !buildTests()) process.exit(1);
if (!existsSync(compiled)) throw new Error(`expected the compiled sources in ${compiled}; build them first`);
const table = await import(compiled);

const rows = (settings) =>
  Object.values(settings).map(({ name, expected, fallback, description }) => {
    const cells = [`\`${name}\``, fallback === undefined ? 'unset' : `\`${fallback}\``, description, typeOf(expected)];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
const typeOf = (expected) => expected.replace(/^(a|an) /, '');
const section = (title, settings) => [
  `## ${title}`,
  '',
  '| variable | default | meaning | value |',
  '|---|---|---|---|',
  ...rows(settings),
  '',
];
const note = '<!-- Generated from src/server/setting-table.ts by `npm run docs`. -->';

const pages = {
  'docs/settings.md': [
    '# Settings',
    '',
    note,
    '',
    'Everything is set by environment variables, and nothing needs to be set. Each variable may also be given as `…_FILE`, the path of a file that',
    'holds the value, as orchestrators mount secrets. All problems are told at once at start. A name that begins with `MILLRACE_` and is none of these is',
    'warned of. Variables of OpenTelemetry (`OTEL_…`) are handed to its SDK, which is on when `OTEL_EXPORTER_OTLP_ENDPOINT` is set. The limits are in',
    '[limits.md](limits.md).',
    '',
    ...section('Server', table.serverSettings),
  ],
  'docs/limits.md': [
    '# Limits',
    '',
    note,
    '',
    'Everything that could grow has a limit, and every limit is a setting. How to set one: [settings.md](settings.md).',
    '',
    ...section('HTTP', table.httpLimits),
    ...section('Overload', table.admissionLimits),
    ...section('GraphQL', table.graphqlLimits),
    ...section('Event streams', table.streamLimits),
    ...section('Sign-in and sessions', table.signInLimits),
    ...section('Models, scripts and process instances', table.processLimits),
    ...section('Node types and XML', table.contentLimits),
    ...section('Uploads', table.uploadLimits),
    ...section('Imports', table.importLimits),
    ...section('What is kept, and for how long', table.retention),
  ],
};

for (const [page, lines] of Object.entries(pages)) {
  const text = `${lines.join('\n').trimEnd()}\n`;
  const file = join(root, page);
  const present = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (!isCheck) writeFileSync(file, text);
  else if (present !== text) {
    process.stderr.write(`${page} is not what the code gives; run npm run docs\n`);
    process.exitCode = 1;
  }
}
