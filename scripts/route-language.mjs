// Writes src/eip/model/catalogue.ts and component-paths.ts: the language of routes, as Camel publishes it. Names, types and defaults only; nothing of it is needed at run time or to build.
//
//   npm pack @kaoto/camel-catalog@0.10.4 && tar xf kaoto-camel-catalog-0.10.4.tgz   (in a folder outside of the project)
//   node scripts/route-language.mjs <folder>/package/dist/camel-catalog
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The newest says what there is; what the older one has beside that is still read. */
const VERSIONS = ['camel-main/4.22.1', 'camel-springboot/4.18.4'];
/** What a text in the place of an element stands for, where no option is required that it could be. */
const TEXT = {
  Bean: 'ref',
  InterceptFrom: 'uri',
  Rollback: 'message',
  Sampling: 'samplePeriod',
  MethodCallExpression: 'ref',
  CsvDataFormat: 'delimiter',
};
const FOLDER = 'src/eip/model';

const [catalog] = process.argv.slice(2);
if (catalog === undefined) throw new Error('expected the folder of the catalogue');

const read = (version, name) => {
  const folder = join(catalog, version);
  const file = readdirSync(folder).find((found) => found.startsWith(`${name}-`));
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
};
const nameOf = (ref) =>
  ref
    .split('.')
    .at(-1)
    .replace(/Definition$/, '')
    .replace(/^(\w+)DefinitionDeserializer$/, '$1');

/** The elements of one version, by name. */
function elementsOf(schema) {
  const { definitions } = schema.items;
  const byRef = (ref) => definitions[ref.replace('#/items/definitions/', '')];
  const elements = new Map();
  for (const [full, definition] of Object.entries(definitions))
    elements.set(nameOf(full), elementOf(nameOf(full), definition, byRef));
  return { steps: refsOf(definitions['org.apache.camel.model.ProcessorDefinition'].properties), elements };
}

const refsOf = (properties) => new Map(Object.entries(properties).map(([name, { $ref }]) => [name, nameOf($ref)]));

function elementOf(name, definition, byRef) {
  const object = definition.oneOf?.find(({ type }) => type === 'object') ?? definition;
  const required = new Set([...(definition.required ?? []), ...(object.required ?? [])]);
  const oneOf = refsOf(Object.assign({}, ...variants([definition, object], byRef)));
  const hasExpression = oneOf.has('simple');
  const options = optionsOf(object, required);
  // Languages are known once, for all that have an expression.
  for (const [option, type] of oneOf)
    if (!hasExpression || !type.endsWith('Expression')) options.set(option, `?@${type}`);
  const isText = definition.oneOf?.some(({ type }) => type === 'string');
  const text = isText ? (TEXT[name] ?? [...required][0]) : undefined;
  return { text, hasExpression, options, oneOf };
}

function optionsOf({ properties = {} }, required) {
  const options = new Map();
  for (const [option, schema] of Object.entries(properties)) {
    const type = typeOf(schema);
    if (type !== undefined) options.set(option, `${type}${required.has(option) ? '!' : ''}${defaultOf(schema)}`);
  }
  return options;
}

/** The properties of which one may be there. */
function* variants(schemas, byRef) {
  for (const { anyOf = [], oneOf = [], properties = {}, required = [], $ref } of schemas.flatMap((schema) => [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ])) {
    if ($ref !== undefined) yield* variants([byRef($ref)], byRef);
    yield* variants([{ anyOf, oneOf }], byRef);
    for (const one of required)
      if (properties[one]?.$ref !== undefined && one !== 'expression') yield { [one]: properties[one] };
  }
}

const TYPES = { string: 's', boolean: 'b', number: 'n', integer: 'n', object: 'o' };

function typeOf({ type, $ref, items, enum: values }) {
  if ($ref !== undefined)
    return /ExpressionSubElement|language\.ExpressionDefinition$/.test($ref) ? 'x' : `@${nameOf($ref)}`;
  if (values !== undefined) return values.join('|');
  if (type === 'array') return `${items === undefined ? 'o' : typeOf(items)}*`;
  return TYPES[type];
}

const defaultOf = ({ default: value }) => (value === undefined || value === '' ? '' : `=${encodeURIComponent(value)}`);

const [newest, ...older] = VERSIONS.map((version) => elementsOf(read(version, 'camelYamlDsl')));
for (const { elements, steps } of older) {
  for (const [name, step] of steps) if (!newest.steps.has(name)) newest.steps.set(name, step);
  for (const [name, element] of elements) {
    const known = newest.elements.get(name);
    if (known === undefined) newest.elements.set(name, element);
    else for (const [option, type] of element.options) if (!known.options.has(option)) known.options.set(option, type);
  }
}

// The YAML schema leaves it out; the XML schema has it.
newest.elements.get('Route').options.set('routeProperty', '@Property*');
// Ours: who may ask.
for (const name of ['Rest', 'Get', 'Head', 'Post', 'Put', 'Patch', 'Delete'])
  newest.elements.get(name).options.set('authentication', 'required|none=required');

const components = Object.values(read(VERSIONS[0], 'camel-catalog-aggregate-components')).map(
  ({ component: { scheme, syntax } }) => {
    const path = syntax.slice(syntax.indexOf(':') + 1).replace(/^\/\//, '');
    return `${scheme}=${path}`;
  },
);

const line = ([name, { text, hasExpression, options }]) =>
  [
    `${name}${hasExpression ? '~' : ''}${text === undefined ? '' : `"${text}`}`,
    ...[...options].map(([option, type]) => `${option}:${type}`),
  ].join(' ');
const pairs = (map) => [...map].map(([name, type]) => `${name}=${type}`);
const wrapped = (words) => {
  const lines = [''];
  for (const word of words) {
    if (lines.at(-1).length + word.length > 158) lines.push('');
    lines[lines.length - 1] += lines.at(-1) === '' ? word : ` ${word}`;
  }
  return lines.join('\n');
};
/** Java, Spring and parts of the schema that files do not name. */
const UNNAMED =
  /\$Inline$|Deserializer$|ContextRef$|^(Processor|RouteBuilder|ContextScan|PackageScan|GlobalOptions?|Rests)$|^(Beans|DataFormats|ErrorHandler|RouteFrom)Deserializer$/;
const listed = [...newest.elements].filter(
  ([name, { options, hasExpression }]) => !UNNAMED.test(name) && (options.size > 0 || hasExpression),
);

const NOTE = `// Written by scripts/route-language.mjs of Camel's catalogue: names, types and defaults. Not to be edited.\n`;

writeFileSync(
  join(FOLDER, 'catalogue.ts'),
  `${NOTE}
/**
 * The elements of the DSL, one per line: its name, \`~\` where it takes an expression of its own, and behind \`"\` the option that a text in its place is; then its options.
 * Types: s text, b true or false, n number, o anything, x an expression, @ an element, * a list, a|b one of; \`?\` one of several, \`!\` required, \`=\` the default.
 */
export const ELEMENTS = \`
${listed.map(line).join('\n')}
\`;

/** The steps, by name, with their elements. */
export const STEPS = \`
${wrapped(pairs(newest.steps))}
\`;

/** The languages of expressions. */
export const LANGUAGES = \`
${wrapped(pairs(newest.elements.get('SetBody').oneOf))}
\`;
`,
);

writeFileSync(
  join(FOLDER, 'component-paths.ts'),
  `${NOTE}
/** What stands in the path of a component's URIs, by scheme. */
export const COMPONENT_PATHS = \`
${wrapped(components.sort())}
\`;
`,
);
