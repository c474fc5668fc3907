import { ExchangeFailure } from '../exchange/failure.js';
import type { Expression, ExpressionModel, Language } from '../exchange/language.js';

/** Argument of a bean's method: a value of the exchange, or `bound`: the one that the parameter is bound to by its name. */
export type BeanArgument = Expression | 'bound';

export interface MethodText {
  /** `undefined`: none was written. */
  readonly name: string | undefined;
  /** `undefined`: there are no parentheses. */
  readonly arguments: readonly BeanArgument[] | undefined;
}

/** `hello`, `hello('a', ${body}, 5, true, *)`: the name of a method, and what its parameters are given. @throws ExchangeFailure ExpressionIllegalSyntaxException */
export function parseMethod(model: ExpressionModel, text: string | undefined, simple: Language): MethodText {
  if (text === undefined || text.trim() === '') return { name: undefined, arguments: undefined };
  const [, name = '', inner] = /^\s*([\w$]*)\s*(?:\(([\s\S]*)\))?\s*$/.exec(text) ?? [];
  if (name === '' && inner === undefined)
    throw illegal(model, `expected a method as name or name(…), but found ${text}`);
  const written = inner === undefined ? undefined : partsOf(model, inner);
  return { name: name === '' ? undefined : name, arguments: written?.map((part) => argumentOf(model, part, simple)) };
}

/** Parts between commas that stand neither in quotes nor in brackets. */
function partsOf(model: ExpressionModel, text: string): string[] {
  if (text.trim() === '') return [];
  const parts = [''];
  let depth = 0;
  for (const [token] of text.matchAll(/'[^']*'|"[^"]*"|[\s\S]/g)) {
    if (token === "'" || token === '"') throw illegal(model, `expected a closing ${token} in ${text}`);
    depth += DEPTH[token] ?? 0;
    if (token === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts.map((part) => part.trim());
}

const DEPTH: Readonly<Record<string, number>> = { '(': 1, '{': 1, '[': 1, ')': -1, '}': -1, ']': -1 };

function argumentOf(model: ExpressionModel, part: string, simple: Language): BeanArgument {
  if (part === '*' || part.endsWith('.class')) return 'bound';
  if (part === 'null') return () => null;
  if (part === 'true' || part === 'false') return () => part === 'true';
  if (/^-?\d+(?:\.\d+)?$/.test(part)) return () => Number(part);
  const quoted = /^(['"])([\s\S]*)\1$/.exec(part);
  const text = quoted === null ? part : (quoted[2] ?? '');
  if (!/\$(?:simple)?\{/.test(text)) return () => text;
  return simple.expression({ ...model, language: 'simple', text, options: {} });
}

const illegal = ({ text }: ExpressionModel, message: string) =>
  new ExchangeFailure('org.apache.camel.ExpressionIllegalSyntaxException', `Illegal syntax: ${text}: ${message}`);
