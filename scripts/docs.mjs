// Writes the pages of the documentation that are generated from the code. `--check` writes nothing and fails when a page is not what the code gives.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildTests, root } from './project.mjs';

const isCheck = process.argv.includes('--check');
const compiled = join(root, 'build/src/server/settings/setting-table.js');
if (!isCheck && !buildTests()) process.exit(1);
if (!existsSync(compiled)) throw new Error(`expected the compiled sources in ${compiled}; build them first`);
const table = await import(compiled);
const { ALLOWED, verdictsOf } = await import(join(root, 'build/src/engine/model/allow-list.js'));
const { ALLOWED_GROUPS } = await import(join(root, 'build/src/engine/model/allow-groups.js'));

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
const note = '<!-- Generated from src/server/settings/setting-table.ts by `npm run docs`. -->';

const names = (verdicts, wanted) => {
  const found = [...verdicts].filter(([, { kind }]) => kind === wanted).map(([name]) => `\`${name}\``);
  return found.sort().join(' ');
};
/** What is its own; what it shares with others is its groups'. */
const allowedRows = (elements, titled) =>
  Object.entries(elements).map(([name, { like = [], ...own }]) => {
    const verdicts = verdictsOf(own);
    return `| ${[titled(name), like.join(', '), ...['runs', 'warned', 'refused', 'note'].map((kind) => names(verdicts, kind))].join(' | ')} |`;
  });
const { MODEL_RULES } = await import(join(root, 'build/src/engine/model/rules.js'));
const ruleTable = (title, { rules }) => [
  `## ${title}`,
  '',
  '| rule | what it asks |',
  '|---|---|',
  ...Object.entries(rules).map(([code, asked]) => `| \`${code}\` | ${asked} |`),
  '',
];
const reasons = new Map();
for (const allowed of Object.values(ALLOWED)) {
  for (const [name, { kind, reason }] of verdictsOf(allowed)) {
    if (kind === 'warned') reasons.set(reason, (reasons.get(reason) ?? new Set()).add(`\`${name}\``));
  }
}
const reasonRows = [...reasons].map(
  ([reason, names]) => `| ${[...names].sort().join(' ')} | ${reason.replace(/^(but|which) /, '')} |`,
);

const { STEPS, LANGUAGES, elementType } = await import(join(root, 'build/src/eip/model/dsl.js'));
const { RUN_STEPS, RUN_LANGUAGES, RUN_DATA_FORMATS, RUN_ERROR_HANDLERS } = await import(
  join(root, 'build/src/eip/model/what-runs.js')
);
const { refusalOf } = await import(join(root, 'build/src/eip/model/refusal.js'));

const EACH_HAS = ['id', 'description', 'note', 'disabled'];
const optionText = ([name, { isRequired, fallback, values, isList }]) => {
  const kinds = values.length > 0 ? ` (${values.join(', ')})` : '';
  return `\`${name}\`${isRequired ? '!' : ''}${isList ? '…' : ''}${kinds}${fallback === undefined ? '' : ` = \`${fallback}\``}`;
};
/** An element of the DSL with its options; `isOne`: those of which there is one, such as data formats. */
const elementRow = (name, type) => {
  const own = [...type.options].filter(([option, { isOneOf }]) => !EACH_HAS.includes(option) && !isOneOf);
  const expression = type.hasExpression ? ['an expression'] : [];
  const ones = [...type.options].filter(([, { isOneOf }]) => isOneOf).map(([option]) => `\`${option}\``);
  const one = ones.length === 0 ? [] : [ones.length > 20 ? 'a data format' : `one of ${ones.join(', ')}`];
  return `| \`${name}\` | ${[...expression, ...one, ...own.map(optionText)].join(', ').replaceAll('|', '\\|') || '–'} |`;
};
const formats = elementType('Marshal').options;
const handlers = elementType('ErrorHandler').options;
const refusedRows = (place, names) =>
  [...names].flatMap((name) => {
    const why = refusalOf(place, name);
    return why === undefined ? [] : [`| \`${name}\` | ${why.slice(name.length + 1).replace(/:.*$/, '')} |`];
  });
const elementTable = (title, what, rowsOf) => [
  `## ${title}`,
  '',
  `| ${what} | what it has |`,
  '|---|---|',
  ...rowsOf,
  '',
];

const pages = {
  'docs/route-language.md': [
    '# Routes: what a definition may hold',
    '',
    '<!-- Generated from src/eip/model/catalogue.ts and what-runs.ts by `npm run docs`. -->',
    '',
    'Names, types and defaults are those of Camel 4.18 to 4.22. `!` is required, `…` a list, `=` the default. Each step may have `id`, `description`, `note` and',
    '`disabled` beside. What is not listed is refused, with the nearest name. How routes are read and run is told in [routes.md](routes.md).',
    '',
    ...elementTable(
      'Steps',
      'step',
      RUN_STEPS.map((step) => elementRow(step, elementType(STEPS.get(step)))),
    ),
    ...elementTable('Parts of steps', 'part', [
      elementRow('when', elementType('When')),
      elementRow('otherwise', elementType('Otherwise')),
      elementRow('doCatch', elementType('Catch')),
      elementRow('doFinally', elementType('Finally')),
      elementRow('onFallback', elementType('OnFallback')),
    ]),
    ...elementTable('What holds for routes', 'element', [
      elementRow('onException', elementType('OnException')),
      elementRow('onCompletion', elementType('OnCompletion')),
      elementRow('intercept', elementType('Intercept')),
      elementRow('interceptFrom', elementType('InterceptFrom')),
      elementRow('interceptSendToEndpoint', elementType('InterceptSendToEndpoint')),
      elementRow('redeliveryPolicy', elementType('RedeliveryPolicy')),
    ]),
    ...elementTable(
      'Error handlers',
      'error handler',
      RUN_ERROR_HANDLERS.map((handler) => elementRow(handler, elementType(handlers.get(handler).element))),
    ),
    ...elementTable(
      'Languages of expressions',
      'language',
      RUN_LANGUAGES.map((language) => elementRow(language, elementType(LANGUAGES.get(language)))),
    ),
    ...elementTable(
      'Data formats',
      'data format',
      RUN_DATA_FORMATS.map((format) => elementRow(format, elementType(formats.get(format).element))),
    ),
    '## Refused by name',
    '',
    '| what | why: it |',
    '|---|---|',
    ...refusedRows('step', STEPS.keys()),
    ...refusedRows('top', ['sslContextParameters', 'transformers', 'validators']),
    ...refusedRows('errorHandler', handlers.keys()),
    ...refusedRows('language', LANGUAGES.keys()),
    ...refusedRows(
      'dataFormat',
      [...formats].filter(([, { isOneOf }]) => isOneOf).map(([name]) => name),
    ),
  ],
  'docs/bpmn-elements.md': [
    '# BPMN: what a model may hold',
    '',
    '<!-- Generated from src/engine/model/allow-list.ts by `npm run docs`. -->',
    '',
    'Attributes stand by their names, children as `<name>`, what is an extension with the prefix `camunda:`. **Executed** is what changes what runs.',
    '**Warned of** is what is passed over: `deployProcess` answers it as `warnings`, and the file of a model below `/etc/bpm/processes` shows it as',
    '`mi:deploymentWarnings`, with line and column. **Refused** is a model that has it: of attributes, where they say more than their default. **Notes** change',
    'nothing in any engine. What is not listed is no part of BPMN, which is refused, or of the dialect, which is warned of with the nearest name. Of another',
    "vendor's namespace the first part is warned of; colours and the rest of the drawing are none of an engine's business.",
    '',
    'What is executed, and how, is told in [bpmn.md](bpmn.md).',
    '',
    '## What several elements share',
    '',
    '| name | and as | executed | warned of | refused | notes |',
    '|---|---|---|---|---|---|',
    ...allowedRows(ALLOWED_GROUPS, (name) => name),
    '',
    '## Elements',
    '',
    '| element | as | executed | warned of | refused | notes |',
    '|---|---|---|---|---|---|',
    ...allowedRows(ALLOWED, (name) => `\`${name}\``),
    '',
    '## Why it is warned of',
    '',
    '| what | because |',
    '|---|---|',
    ...reasonRows,
  ],
  'docs/bpmn-rules.md': [
    '# BPMN and DMN: the rules of models',
    '',
    '<!-- Generated from src/engine/model/rules.ts by `npm run docs`. -->',
    '',
    'A file that is deployed is checked by these rules. One that breaks a rule is refused, and `extensions.details.problems` of the error names each place:',
    '`line`, `column`, `elementId`, `message`, a whole sentence, and `rule`, its code. The warnings of `deployProcess` have a `rule` likewise. Codes stay what they are.',
    'What may stand where is told in [bpmn-elements.md](bpmn-elements.md), what is executed, and how, in [bpmn.md](bpmn.md) and [dmn.md](dmn.md).',
    '',
    ...ruleTable('BPMN 2.0', MODEL_RULES.bpmn),
    ...ruleTable("Camunda's dialect", MODEL_RULES.dialect),
    ...ruleTable('DMN', MODEL_RULES.dmn),
    ...ruleTable('Deployed with a warning', MODEL_RULES.warnings),
  ],
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
    ...section('Sign-in with a provider', table.providerSettings),
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
