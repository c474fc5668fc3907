import { Work } from '../juel/failure.js';
import { Pattern } from '../juel/pattern.js';
import { type Filter, OPERATORS, type Operand, type Operator, type Path } from './path.js';
import type { Scanner } from './scanner.js';

/** How deep parentheses may be. */
const DEPTH_MAX = 50;

type ReadPath = (scanner: Scanner, ends: (sign: string) => boolean) => Path;

/** The condition of a filter, up to the parenthesis that closes it: `||` binds less than `&&`, and `!` most. */
export function parseFilter(scanner: Scanner, readPath: ReadPath): Filter {
  if (++scanner.depth > DEPTH_MAX)
    throw scanner.unexpected(`at most ${DEPTH_MAX} parentheses and filters in each other`);
  const filter = readAll('or', '||', scanner, () => readAll('and', '&&', scanner, () => readPart(scanner, readPath)));
  scanner.depth--;
  return filter;
}

function readAll(kind: 'or' | 'and', sign: string, scanner: Scanner, read: () => Filter): Filter {
  const parts: Filter[] = [];
  do {
    scanner.skipBlanks();
    parts.push(read());
    scanner.skipBlanks();
  } while (scanner.take(sign));
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind, parts };
}

function readPart(scanner: Scanner, readPath: ReadPath): Filter {
  scanner.skipBlanks();
  if (scanner.take('!')) {
    if (++scanner.depth > DEPTH_MAX) throw scanner.unexpected('fewer negations');
    const inner = readPart(scanner, readPath);
    scanner.depth--;
    return { kind: 'not', inner };
  }
  if (scanner.take('(')) {
    const inner = parseFilter(scanner, readPath);
    scanner.skipBlanks();
    scanner.expect(')');
    return inner;
  }
  const left = readOperand(scanner, readPath);
  scanner.skipBlanks();
  const operator = readOperator(scanner);
  if (operator === undefined) {
    if (left.kind !== 'path') throw scanner.unexpected('an operator');
    return { kind: 'exists', path: left.path };
  }
  scanner.skipBlanks();
  return { kind: 'compare', operator, left, right: readOperand(scanner, readPath) };
}

function readOperator(scanner: Scanner): Operator | undefined {
  const start = scanner.at;
  const text = scanner.match(/[<>=~!]+|[A-Za-z]+/y);
  if (text === '') return undefined;
  const operator = OPERATORS.find((one) => one === text.toUpperCase());
  if (operator === undefined) throw scanner.failure(`one of ${OPERATORS.join(' ')}`, start);
  return operator;
}

function readOperand(scanner: Scanner, readPath: ReadPath): Operand {
  const sign = scanner.peek();
  if (sign === '$' || sign === '@') {
    return { kind: 'path', path: readPath(scanner, (next) => /[\s)<>=~!&|,]/.test(next)) };
  }
  if (sign !== '/') return { kind: 'value', value: scanner.literal() };
  const start = scanner.at;
  const written = scanner.match(/\/((?:[^/\\]|\\.)+)\/[a-zA-Z]*/y);
  if (written === '') throw scanner.failure('a pattern between slashes', start);
  const end = written.lastIndexOf('/');
  return { kind: 'pattern', matches: patternOf(written.slice(1, end), written.slice(end + 1), scanner, start) };
}

/** In linear time. Flags of Java that change what is matched here: i (any letter case) and s (`.` is any sign). */
function patternOf(source: string, flags: string, scanner: Scanner, start: number): (text: string) => boolean {
  const kept = [...flags.toLowerCase()].filter((flag) => flag === 'i' || flag === 's').join('');
  try {
    const pattern = new Pattern(`${kept === '' ? '' : `(?${kept})`}${source.replaceAll('\\/', '/')}`);
    return (text) => pattern.matches(text, new Work());
  } catch (thrown) {
    throw scanner.failure(`a pattern (${thrown instanceof Error ? thrown.message : ''})`, start);
  }
}
