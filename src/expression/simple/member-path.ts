import { asText } from '../conversion/convert.js';
import { isMap, isStream, typeName } from '../conversion/java-class.js';
import { textOf } from '../conversion/text.js';
import type { Exchange } from '../exchange/exchange.js';
import { Headers } from '../exchange/headers.js';
import type { Expression } from '../exchange/language.js';
import { mapped } from '../exchange/stream.js';
import { splitArguments, unquoted } from './arguments.js';
import { callMember, memberFailure } from './member.js';
import { SyntaxProblem } from './syntax-error.js';
import type { TextCompiler } from './text-compiler.js';

/** One step of `.name`, `.name(…)`, `[key]`. */
type Access = (value: unknown, exchange: Exchange) => unknown;

/**
 * What stands behind a value: `.name`, `?.name`, `.name(a, 'b')`, `[0]`, `[last-1]`, `['key']`, any number of them. Of null nothing can be asked, unless there is a `?`.
 * @throws SyntaxProblem
 */
export function memberPath(text: string, compiler: TextCompiler): Access {
  const steps = pathSteps(text).map((step) => ({
    isSafe: step.startsWith('?'),
    access: accessOf(step.replace(/^\?/, ''), compiler),
  }));
  /** What becomes of null before a step. */
  const ofNull = (at: number): null => {
    if (at === 0 || steps.slice(at - 1, at + 1).some((it) => it.isSafe)) return null;
    throw lostFailure(text);
  };
  return (value, exchange) => {
    let known: unknown = value ?? null;
    for (let at = 0; at < steps.length; at++) {
      if (known === null) return ofNull(at);
      known = steps[at]?.access(isStream(known) ? asText(known) : known, exchange) ?? null;
    }
    return known;
  };
}

const lostFailure = (text: string) =>
  memberFailure(text, 'java.lang.NullPointerException', 'last method returned null and therefore cannot continue');

/** As a path of a value that an expression gives. */
export function pathOf(base: Expression, text: string, compiler: TextCompiler): Expression {
  if (text === '') return base;
  const path = memberPath(text, compiler);
  return (exchange) => mapped(base(exchange), (value) => path(value, exchange));
}

/** `.a(b)?.c['d']` in its steps: `a(b)`, `?c`, `['d']`. */
export function pathSteps(text: string): string[] {
  const steps: string[] = [];
  let from = 0;
  let safe = '';
  const end = (at: number, next: number, mark = safe) => {
    if (at > from) steps.push(safe + text.slice(from, at));
    safe = at > from && mark === safe ? '' : mark;
    from = next;
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (sign === '?') end(at, at + 1, '?');
    else if (sign === '.') end(at, at + 1);
    else if (sign === '[') {
      end(at, at);
      at = closingOf(text, at);
      end(at + 1, at + 1);
    } else if (OPENING.includes(sign)) at = closingOf(text, at);
  }
  end(text.length, text.length);
  return steps;
}

const OPENING = '([{\'"';
const CLOSING = ')]}\'"';

/** Where what is opened at a place is closed. */
function closingOf(text: string, from: number): number {
  const closing = CLOSING[OPENING.indexOf(text[from] ?? '')] ?? '';
  const isQuote = closing === text[from];
  for (let at = from + 1; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (sign === closing) return at;
    if (!isQuote && OPENING.includes(sign)) at = closingOf(text, at);
  }
  throw new SyntaxProblem(0, `expected a path in which ${text[from]} is closed, but found ${text}`);
}

function accessOf(step: string, compiler: TextCompiler): Access {
  if (step.startsWith('[')) return indexAccess(unquoted(step.slice(1, -1)), compiler);
  const called = /^([A-Za-z_$][\w$]*)\(([\s\S]*)\)$/.exec(step);
  if (called === null && !/^[A-Za-z_$][\w$]*$/.test(step)) {
    throw new SyntaxProblem(0, `Method name must be valid java identifier: ${step}`);
  }
  const name = called?.[1] ?? step;
  const written = called?.[2]?.trim() ?? '';
  const args = written === '' ? [] : splitArguments(written, { keepQuotes: true }).map((it) => argument(it, compiler));
  return (value, exchange) =>
    callMember(
      value,
      name,
      args.map((it) => it(exchange)),
      called !== null,
    );
}

function argument(text: string, compiler: TextCompiler): Expression {
  const trimmed = text.trim();
  const inner = unquoted(trimmed);
  if (inner !== trimmed) return inner.includes('${') ? compiler.template(inner) : () => inner;
  if (/^-?\d{1,15}$/.test(trimmed)) return () => Number(trimmed);
  if (trimmed === 'true' || trimmed === 'false') return () => trimmed === 'true';
  if (trimmed === 'null') return () => null;
  return trimmed.includes('${') ? compiler.template(trimmed) : () => trimmed;
}

function indexAccess(key: string, compiler: TextCompiler): Access {
  const computed = key.includes('${') ? compiler.template(key) : undefined;
  return (value, exchange) => {
    const known = computed === undefined ? key : textOf(computed(exchange));
    const list = value instanceof Set ? [...value] : value;
    if (Array.isArray(list) || list instanceof Uint8Array) return itemAt(list, known);
    if (value instanceof Headers || isMap(value)) return entryOf(value, known);
    throw memberFailure(
      `[${known}]`,
      'java.lang.IndexOutOfBoundsException',
      `Key: ${known} not found in bean: ${textOf(value).slice(0, 200)} of type: ${typeName(value)}`,
    );
  };
}

function entryOf(map: Headers | Map<unknown, unknown> | Record<string, unknown>, key: string): unknown {
  if (map instanceof Headers) return map.get(key) ?? null;
  if (map instanceof Map) return map.get(key) ?? map.get(Number(key)) ?? null;
  return Object.hasOwn(map, key) ? (map[key] ?? null) : null;
}

function itemAt(list: readonly unknown[] | Uint8Array, key: string): unknown {
  const last = /^last(?:\s*-\s*(\d+))?$/.exec(key);
  const at = last === null ? Number(key) : list.length - 1 - Number(last[1] ?? 0);
  if (key.trim() !== '' && Number.isInteger(at) && at >= 0 && at < list.length) return list[at] ?? null;
  throw memberFailure(
    `[${key}]`,
    'java.lang.IndexOutOfBoundsException',
    `Index: ${key}, Size: ${list.length} out of bounds with List`,
  );
}
