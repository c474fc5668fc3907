import { ExchangeFailure } from '../exchange/failure.js';
import { parseFilter } from './filter-parser.js';
import { type Parameter, type Path, pathOf, type Step } from './path.js';
import { Scanner } from './scanner.js';

const FUNCTIONS = new Set('length size min max avg sum stddev concat append keys first last index'.split(' '));

/** How long a path may be, in characters. */
const PATH_MAX = 10_000;

/** A path in Jayway's dialect: `$` may be left out. @throws ExchangeFailure InvalidPathException, with the place in the text */
export function parsePath(text: string): Path {
  if (text.length > PATH_MAX) throw invalidPath(`expected a path of at most ${PATH_MAX} characters`);
  const trimmed = text.trim();
  const written = /^[$@]/.test(trimmed) ? trimmed : `$.${trimmed}`;
  const scanner = new Scanner(written);
  if (written.endsWith('.')) throw scanner.failure(`a path that does not end with '.'`, written.length - 1);
  const path = readPath(scanner, () => false);
  if (!scanner.atEnd) throw scanner.unexpected(`'.' or '['`);
  return path;
}

/** Reads a path up to where `ends` says, or to the end. */
export function readPath(scanner: Scanner, ends: (sign: string) => boolean): Path {
  const begins = scanner.take('@') ? '@' : '$';
  if (begins === '$') scanner.expect('$');
  const steps: Step[] = [];
  while (!scanner.atEnd && !ends(scanner.peek())) readStep(scanner, steps, ends);
  if (steps.at(-1)?.kind === 'scan') throw scanner.unexpected('a name, an index or a filter');
  return pathOf(begins, invertedFunction(steps, begins));
}

/** `$..price.sum()` is `$.sum($..price)`. */
function invertedFunction(steps: readonly Step[], begins: Path['begins']): readonly Step[] {
  const last = steps.at(-1);
  if (last?.kind !== 'function' || steps[0]?.kind !== 'scan') return steps;
  const path = pathOf(begins, steps.slice(0, -1));
  if (path.steps.at(-1)?.kind === 'scan') throw invalidPath(`expected a name or an index between '..' and a function`);
  return [{ ...last, parameters: [{ path }] }];
}

function readStep(scanner: Scanner, steps: Step[], ends: (sign: string) => boolean): void {
  if (scanner.peek() === '[') {
    steps.push(readBracket(scanner));
    return;
  }
  scanner.expect('.');
  if (scanner.take('.')) steps.push({ kind: 'scan' });
  if (scanner.peek() === '[') steps.push(readBracket(scanner));
  else if (scanner.take('*')) steps.push({ kind: 'wildcard' });
  else steps.push(readName(scanner, ends));
}

function readName(scanner: Scanner, ends: (sign: string) => boolean): Step {
  const start = scanner.at;
  while (!scanner.atEnd && !/[.[(]/.test(scanner.peek()) && !ends(scanner.peek())) {
    if (scanner.peek() === ' ') throw scanner.failure(`a name with blanks as ['my name']`, scanner.at);
    scanner.skip();
  }
  const name = scanner.since(start);
  if (name === '') throw scanner.unexpected('a name');
  if (!scanner.take('(')) return { kind: 'names', names: [name] };
  if (!FUNCTIONS.has(name)) throw invalidPath(`Function with name: ${name} does not exist.`);
  return { kind: 'function', name, parameters: readParameters(scanner) };
}

function readParameters(scanner: Scanner): Parameter[] {
  const parameters: Parameter[] = [];
  scanner.skipBlanks();
  while (!scanner.take(')')) {
    if (parameters.length > 0) {
      scanner.expect(',');
      scanner.skipBlanks();
    }
    parameters.push(readParameter(scanner));
    scanner.skipBlanks();
  }
  return parameters;
}

function readParameter(scanner: Scanner): Parameter {
  const sign = scanner.peek();
  if (sign === '$' || sign === '@') return { path: readPath(scanner, (next) => /[,)\s]/.test(next)) };
  return { value: scanner.literal() };
}

function readBracket(scanner: Scanner): Step {
  const start = scanner.at;
  scanner.expect('[');
  scanner.skipBlanks();
  const sign = scanner.peek();
  if (sign === '?') return readFilter(scanner, start);
  const step = /['"]/.test(sign) ? readNames(scanner) : scanner.take('*') ? WILDCARD : readPlaces(scanner);
  scanner.skipBlanks();
  scanner.expect(']');
  return step;
}

const WILDCARD: Step = { kind: 'wildcard' };

function readNames(scanner: Scanner): Step {
  const names: string[] = [];
  do {
    scanner.skipBlanks();
    names.push(scanner.quoted());
    scanner.skipBlanks();
  } while (scanner.take(','));
  return { kind: 'names', names };
}

/** Indexes or a slice. The third part of a slice is read and has no effect, as there. */
function readPlaces(scanner: Scanner): Step {
  const text = scanner.match(/[-\d:,\s]+/y);
  if (text === '') throw scanner.unexpected(`?, ', 0-9 or *`);
  const slice = /^\s*(?:(-?\d+)\s*:\s*(-?\d+)?(?::-?\d+)?|:\s*(-?\d+))\s*$/.exec(text);
  if (slice !== null) {
    const number = (part: string | undefined) => (part === undefined ? undefined : Number(part));
    return { kind: 'slice', from: number(slice[1]), to: number(slice[2] ?? slice[3]) };
  }
  if (!/^\s*-?\d+\s*(?:,\s*-?\d+\s*)*$/.test(text)) throw scanner.failure('indexes or a slice', scanner.at);
  return { kind: 'indexes', indexes: text.split(',').map(Number) };
}

function readFilter(scanner: Scanner, start: number): Step {
  scanner.expect('?');
  scanner.skipBlanks();
  scanner.expect('(');
  const filter = parseFilter(scanner, readPath);
  scanner.skipBlanks();
  scanner.expect(')');
  scanner.skipBlanks();
  if (!scanner.take(']')) throw scanner.failure(`']' after the filter that begins at ${start}`, scanner.at);
  return { kind: 'filter', filter };
}

const invalidPath = (message: string) => new ExchangeFailure('com.jayway.jsonpath.InvalidPathException', message);
