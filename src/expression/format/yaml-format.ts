import { createRequire } from 'node:module';
import type { ScalarTag } from 'yaml';
import { Double, doubleText } from '../exchange/double.js';
import { ExchangeFailure } from '../exchange/failure.js';
import type { DataFormat } from './data-format.js';
import type { FormatOptions } from './format-options.js';
import { writeJson } from './json-writer.js';
import { withText } from './payload.js';

/** As SnakeYAML: how long a document may be, in characters. */
const LENGTH_MAX = 3_145_728;
/** Loaded with the first document: most servers have none. */
const load = createRequire(import.meta.url);

/** YAML 1.1, as SnakeYAML reads it without tags of Java, and writes it. @throws ExchangeFailure where an option asks for a class of Java */
export function yamlFormat(options: FormatOptions): DataFormat {
  options.oneOf('library', ['SnakeYAML'], 'SnakeYAML');
  const isPretty = options.boolean('prettyFlow', false);
  const maxAliasCount = options.number('maxAliasesForCollections', 50);
  const type = options.text('unmarshalType') ?? options.text('unmarshalTypeName');
  if (type !== undefined && !/^(?:java\.(?:lang|util)\.)?(?:Object|Map|List|LinkedHashMap|ArrayList)$/.test(type)) {
    throw options.failure(`the unmarshalType ${type} is not supported: classes of Java do not exist here`);
  }
  options.refuse(
    'constructor',
    'representer',
    'dumperOptions',
    'resolver',
    'allowAnyType',
    'typeFilter',
    'allowRecursiveKeys',
  );
  options.ignore('useApplicationContextClassLoader', 'allowRecursiveKeys');
  options.end();
  return {
    marshal: (_, value) => Buffer.from(writeYaml(value, isPretty)),
    unmarshal: (_, body) => withText(body, (text) => readYaml(text, maxAliasCount)),
  };
}

/** @throws ExchangeFailure YAMLException, with line and column */
export function readYaml(text: string, maxAliasCount: number): unknown {
  if (text.length > LENGTH_MAX)
    throw yamlFailure(`The incoming YAML document exceeds the limit: ${LENGTH_MAX} code points.`);
  const { LineCounter, parseDocument } = load('yaml') as typeof import('yaml');
  const lineCounter = new LineCounter();
  const settings = {
    version: '1.1',
    schema: 'yaml-1.1',
    lineCounter,
    prettyErrors: false,
    logLevel: 'error',
    uniqueKeys: false,
    merge: true,
    intAsBigInt: true,
    customTags: (tags: ScalarTag[]) => tags.map(asSnakeYaml),
  } as const;
  try {
    const document = parseDocument(text, settings as unknown as Parameters<typeof parseDocument>[1]);
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) {
      const { line, col } = lineCounter.linePos(problem.pos[0]);
      throw yamlFailure(`line ${line}, column ${col}: ${problem.message}`);
    }
    return exact(document.toJS({ maxAliasCount, mapAsMap: true }), 0);
  } catch (thrown) {
    if (thrown instanceof ExchangeFailure) throw thrown;
    throw yamlFailure(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** What SnakeYAML takes otherwise: `y` and `n` are texts, `09` is no number, and a float keeps that it is one. */
function asSnakeYaml(tag: ScalarTag): ScalarTag {
  if (tag.tag === 'tag:yaml.org,2002:bool') {
    const words = tag.test?.test('yes')
      ? /^(?:[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON)$/
      : /^(?:[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/;
    return { ...tag, test: words };
  }
  if (tag.tag === 'tag:yaml.org,2002:int' && tag.test?.test('09')) return { ...tag, test: /^[-+]?(?:0|[1-9][0-9_]*)$/ };
  return tag.tag === 'tag:yaml.org,2002:float' ? { ...tag, resolve: exactFloat(tag) } : tag;
}

const exactFloat =
  (tag: ScalarTag): ScalarTag['resolve'] =>
  (text, onError, options) => {
    const value = tag.resolve(text, onError, options) as { readonly value?: unknown } | number;
    const number = typeof value === 'number' ? value : Number(value.value);
    return Number.isInteger(number) ? new Double(number) : number;
  };

const DEPTH_MAX = 50;

/** Java's values: integers as numbers, maps as objects where their names are texts. */
function exact(value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) throw yamlFailure(`Nesting Depth exceeded max ${DEPTH_MAX}`);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map((item) => exact(item, depth + 1));
  if (value instanceof Set) return new Set([...value].map((item) => exact(item, depth + 1)));
  if (!(value instanceof Map)) return value;
  const entries = [...value].map(([name, inner]): [unknown, unknown] => [
    exact(name, depth + 1),
    exact(inner, depth + 1),
  ]);
  const isPlain = entries.every(([name]) => typeof name === 'string' && !/^\d+$/.test(name));
  return isPlain ? Object.fromEntries(entries as [string, unknown][]) : new Map(entries);
}

/** As SnakeYAML's default: what holds nothing but plain values stands on one line, else each on its own. @throws ExchangeFailure */
export function writeYaml(value: unknown, isPretty: boolean): string {
  const plain = simplified(value, 0);
  if (!isCollection(plain) || isFlow(plain)) return `${isPretty ? prettyFlow(plain, '') : flow(plain)}\n`;
  return block(plain, '', isPretty);
}

type Simple = string | number | bigint | boolean | null | Double | Date | Uint8Array;
type Tree = Simple | readonly Tree[] | ReadonlyMap<Simple, Tree>;

function simplified(value: unknown, depth: number): Tree {
  if (depth > DEPTH_MAX) throw yamlFailure(`expected a value of at most ${DEPTH_MAX} levels`);
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object')
    return typeof value === 'function' || typeof value === 'symbol' ? null : (value as Simple);
  if (value instanceof Double || value instanceof Date || value instanceof Uint8Array) return value;
  if (Array.isArray(value) || value instanceof Set) return [...value].map((item) => simplified(item, depth + 1));
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return new Map(
    entries.map(([name, inner]) => [typeof name === 'object' ? String(name) : name, simplified(inner, depth + 1)]),
  );
}

const isCollection = (tree: Tree): tree is readonly Tree[] | ReadonlyMap<Simple, Tree> =>
  Array.isArray(tree) || tree instanceof Map;

const innerOf = (tree: readonly Tree[] | ReadonlyMap<Simple, Tree>): readonly Tree[] =>
  tree instanceof Map ? [...tree.values()] : (tree as readonly Tree[]);

/** It holds no collections, and nothing that needs lines of its own. */
const isFlow = (tree: readonly Tree[] | ReadonlyMap<Simple, Tree>): boolean =>
  innerOf(tree).every((inner) => !isCollection(inner) && !(inner instanceof Uint8Array) && !isPlainLines(inner));

const isPlainLines = (tree: Tree): boolean => typeof tree === 'string' && tree.includes('\n');

function flow(tree: Tree): string {
  if (!isCollection(tree)) return scalar(tree, true);
  if (tree instanceof Map)
    return `{${[...tree].map(([name, inner]) => `${scalar(name, true)}: ${flow(inner)}`).join(', ')}}`;
  return `[${(tree as readonly Tree[]).map(flow).join(', ')}]`;
}

function prettyFlow(tree: Tree, indent: string): string {
  if (!isCollection(tree) || innerOf(tree).length === 0) return flow(tree);
  const inner = `${indent}  `;
  if (!(tree instanceof Map))
    return `[\n${(tree as readonly Tree[]).map((one) => inner + prettyFlow(one, inner)).join(',\n')}\n${indent}]`;
  const lines = [...tree].map(([name, one]) => `${inner}${scalar(name, true)}: ${prettyFlow(one, inner)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

function block(tree: readonly Tree[] | ReadonlyMap<Simple, Tree>, indent: string, isPretty: boolean): string {
  const isMap = tree instanceof Map;
  const entries: [string, Tree][] = isMap
    ? [...tree].map(([name, inner]) => [`${scalar(name, false)}:`, inner])
    : (tree as readonly Tree[]).map((inner) => ['-', inner]);
  return entries
    .map(([lead, inner], at) => {
      const start = at === 0 && indent.endsWith('\u0000') ? '' : indent.replace('\u0000', '');
      return start + entry(lead, inner, indent.replace('\u0000', ''), isMap, isPretty);
    })
    .join('');
}

function entry(lead: string, inner: Tree, indent: string, isMap: boolean, isPretty: boolean): string {
  if (!isCollection(inner)) return `${lead} ${scalar(inner, false, `${indent}  `)}\n`;
  if (isFlow(inner)) return `${lead} ${isPretty ? prettyFlow(inner, indent) : flow(inner)}\n`;
  // A list stands below its name without more indent; what is in a list begins on the line of its dash.
  if (!isMap) return `- ${block(inner, `${indent}  \u0000`, isPretty)}`;
  return `${lead}\n${block(inner, inner instanceof Map ? `${indent}  ` : indent, isPretty)}`;
}

/** Texts that would be read as something else without quotes. */
const OTHER =
  /^(?:|~|null|Null|NULL|true|True|TRUE|false|False|FALSE|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|<<|[-+]?(?:0b[01_]+|0x[\da-fA-F_]+|0[0-7_]*|[1-9][\d_]*(?::[0-5]?\d)*|[\d_]*\.[\d_]*(?:[eE][-+]?\d+)?|[\d_]+[eE][-+]?\d+|\.(?:inf|Inf|INF|nan|NaN|NAN))|\d{4}-\d\d?-\d\d?(?:[Tt \t].*)?)$/;
const SPECIAL = /^[-?:](?:\s|$)|^[,[\]{}#&*!|>'"%@`]|^---|^\.\.\.|:(?:\s|$)|\s#|^\s|\s$/;

function scalar(value: Simple, inFlow: boolean, indent = ''): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number' || value instanceof Double) return numeral(value);
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (value instanceof Uint8Array) {
    return `!!binary |-\n${indent}${Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64')}`;
  }
  return textScalar(value, inFlow, indent);
}

function textScalar(text: string, inFlow: boolean, indent: string): string {
  if (/(?!\n)\p{Cc}/u.test(text) || (inFlow && text.includes('\n'))) return writeJson(text);
  if (text.includes('\n')) return literal(text, indent);
  const isQuoted = OTHER.test(text) || SPECIAL.test(text) || (inFlow && /[,[\]{}]/.test(text));
  return isQuoted ? `'${text.replaceAll("'", "''")}'` : text;
}

function literal(text: string, indent: string): string {
  if (/^\s|[ \t]\n|\n$|\r/.test(text) || indent === '') return writeJson(text);
  return `|-\n${text
    .split('\n')
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n')}`;
}

function numeral(value: number | Double): string {
  const number = Number(value);
  if (Number.isNaN(number)) return '.NaN';
  if (!Number.isFinite(number)) return number > 0 ? '.inf' : '-.inf';
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : doubleText(number);
}

const yamlFailure = (message: string) => new ExchangeFailure('org.yaml.snakeyaml.error.YAMLException', message);
