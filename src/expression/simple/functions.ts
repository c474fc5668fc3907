import { convert } from '../conversion/convert.js';
import type { Expression } from '../exchange/language.js';
import { mapped } from '../exchange/stream.js';
import { CHANGING_FUNCTIONS } from './changing-functions.js';
import { COLLECTION_FUNCTIONS } from './collection-functions.js';
import { CONTEXT_CALLS, CONTEXT_FUNCTIONS, PREFIXED_FUNCTIONS, typeConstant } from './context-functions.js';
import { DATA_CALLS, DATA_FUNCTIONS } from './data-functions.js';
import { dateFunction, zonedDateFunction } from './date-functions.js';
import { FILE_FUNCTIONS } from './file-functions.js';
import { FunctionCall, type FunctionMaker } from './function-call.js';
import { LOGIC_FUNCTIONS } from './logic-functions.js';
import { keyedFunction, MESSAGE_CALLS, MESSAGE_FUNCTIONS, pathFunction } from './message-functions.js';
import { NUMBER_FUNCTIONS } from './number-functions.js';
import { SyntaxProblem } from './syntax-error.js';
import type { FunctionCompiler, TextCompiler } from './text-compiler.js';
import { TEXT_FUNCTIONS } from './text-functions.js';

const PLAIN: ReadonlyMap<string, Expression> = new Map(
  Object.entries({
    ...MESSAGE_FUNCTIONS,
    ...CONTEXT_FUNCTIONS,
    ...DATA_FUNCTIONS,
    uuid: ({ context }) => context.newId(),
  } satisfies Record<string, Expression>),
);
const CALLS: ReadonlyMap<string, FunctionMaker> = new Map(
  Object.entries({
    ...MESSAGE_CALLS,
    ...CONTEXT_CALLS,
    ...TEXT_FUNCTIONS,
    ...NUMBER_FUNCTIONS,
    ...COLLECTION_FUNCTIONS,
    ...CHANGING_FUNCTIONS,
    ...LOGIC_FUNCTIONS,
    ...DATA_CALLS,
  }),
);
/** Result types that may stand before a function. */
const RESULT_TYPES: Readonly<Record<string, string>> = {
  int: 'int',
  integer: 'int',
  long: 'long',
  boolean: 'boolean',
  string: 'String',
};

/** What stands within `${…}`. @throws SyntaxProblem where there is no such function */
export const compileFunction: FunctionCompiler = (written, compiler) => {
  const typed = /^(int|integer|long|boolean|string):/.exec(written);
  const type = RESULT_TYPES[typed?.[1] ?? ''];
  const text = withoutTypes(typed === null ? written : written.slice(typed[0].length));
  const value = functionOf(text, compiler);
  if (value === undefined) throw unknown(text);
  return type === undefined ? value : (exchange) => mapped(value(exchange), (known) => convert(known, type));
};

/** A constant within another function is put in its place beforehand. */
const withoutTypes = (text: string): string =>
  text.replace(/\$\{type:([\w.$]+)\}/g, (whole, name: string) => {
    const known = typeConstant(name);
    return known === undefined ? whole : String(known);
  });

function functionOf(text: string, compiler: TextCompiler): Expression | undefined {
  const plain = PLAIN.get(text);
  if (plain !== undefined) return plain;
  const call = /^(\w+)\(/.exec(text);
  if (call !== null) return callOf(call[1] ?? '', text.slice(call[0].length), compiler);
  if (text.startsWith('file:')) return fileFunction(text.slice('file:'.length));
  if (text.startsWith('date:')) return dateFunction(text.slice('date:'.length));
  if (text.startsWith('date-with-timezone:')) return zonedDateFunction(text.slice('date-with-timezone:'.length));
  const prefixed = PREFIXED_FUNCTIONS.find(([prefix]) => text.startsWith(prefix) && text.length > prefix.length);
  if (prefixed !== undefined) return prefixed[1](text.slice(prefixed[0].length), compiler);
  const absent = ABSENT.find(([prefix]) => text.startsWith(prefix));
  if (absent !== undefined) throw new SyntaxProblem(0, `${text}: there ${absent[1]} here, which this function needs`);
  return pathFunction(text, compiler) ?? keyedFunction(text, compiler);
}

const ABSENT: readonly (readonly [prefix: string, what: string])[] = [
  ['a2a:', 'are no A2A agents'],
  ['attachment', 'are no attachments'],
  ['clearAttachments', 'are no attachments'],
];

function callOf(name: string, behind: string, compiler: TextCompiler): Expression | undefined {
  const known = CALLS.get(name);
  if (known !== undefined) return known(new FunctionCall(name, behind, compiler));
  if (!compiler.functions.has(name)) return undefined;
  const argument = behind.slice(0, Math.max(behind.lastIndexOf(')'), 0));
  return CALLS.get('function')?.(
    new FunctionCall('function', `${name}${argument === '' ? '' : `,${argument}`})`, compiler),
  );
}

function fileFunction(name: string): Expression {
  const found = FILE_FUNCTIONS[name];
  if (found === undefined)
    throw new SyntaxProblem(0, `Unknown file language syntax: ${name}${suggestion(name, Object.keys(FILE_FUNCTIONS))}`);
  return found;
}

/** All names, for suggestions. */
const NAMES: readonly string[] = [
  ...PLAIN.keys(),
  ...CALLS.keys(),
  ...PREFIXED_FUNCTIONS.map(([prefix]) => prefix.slice(0, -1)),
  ...['header', 'headers', 'variable', 'exchangeProperty', 'date', 'date-with-timezone', 'file'],
];

function unknown(text: string): SyntaxProblem {
  const name = /^[\w-]*/.exec(text)?.[0] ?? '';
  return new SyntaxProblem(0, `Unknown function: ${text.slice(0, 200)}${suggestion(name, NAMES)}`);
}

/** The nearest name, where one is near. */
function suggestion(name: string, names: readonly string[]): string {
  let nearest = '';
  let least = Math.min(4, Math.ceil(name.length / 2));
  for (const other of name.length > 40 ? [] : names) {
    const far = distance(name.toLowerCase(), other.toLowerCase());
    if (far < least) [nearest, least] = [other, far];
  }
  return nearest === '' ? '' : `; did you mean ${nearest}?`;
}

/** How many characters have to be put in, taken out or changed. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
