import type { Expression } from '../exchange/language.js';
import { mapped } from '../exchange/stream.js';
import type { TextCompiler } from './text-compiler.js';

/** `condition ? yes : no` within a function. `undefined`: the text is none. @throws SyntaxProblem */
export function ternaryOf(text: string, compiler: TextCompiler): Expression | undefined {
  const question = placeOf(text, '?', 0);
  const colon = question < 0 ? -1 : placeOf(text, ':', question + 1);
  if (colon < 0) return undefined;
  const [condition, yes, no] = [text.slice(0, question), text.slice(question + 1, colon), text.slice(colon + 1)].map(
    (it) => it.trim(),
  );
  if (!condition || !yes || !no) return undefined;
  const holds = compiler.predicate(asPredicate(condition));
  const [ifTrue, ifFalse] = [branch(yes, compiler), branch(no, compiler)];
  return (exchange) => mapped(holds(exchange), (known) => (known === true ? ifTrue : ifFalse)(exchange));
}

/** The place of a sign outside of quotes and functions; -1: nowhere. */
function placeOf(text: string, sign: string, from: number): number {
  PARTS.lastIndex = from;
  let depth = 0;
  for (let part = PARTS.exec(text); part !== null; part = PARTS.exec(text)) {
    const [found] = part;
    if (found === '${') depth++;
    else if (found === '}') depth = Math.max(0, depth - 1);
    else if (found === sign && depth === 0) return part.index;
    else if (found.length > 1 && depth > 0) PARTS.lastIndex = part.index + 1;
  }
  return -1;
}

/** What opens and closes functions, quoted texts, and the signs themselves. */
const PARTS = /\$\{|\}|'[^']*'?|"[^"]*"?|[?:]/g;

function branch(text: string, compiler: TextCompiler): Expression {
  const quoted = /^'([\s\S]*)'$|^"([\s\S]*)"$/.exec(text);
  if (quoted !== null) {
    const value = quoted[1] ?? quoted[2] ?? '';
    return () => value;
  }
  if (text === 'null') return () => null;
  return text.startsWith('${') ? compiler.template(text) : compiler.function(text);
}

const OPERATOR = / (?:>=|<=|>|<|==|!=|=~|!=~|!?contains|!?~~|!?regex|!?in|!?is|!?range|!?startsWith|!?endsWith) /;

/** The left side may be without `${…}`, as it is within a function. */
function asPredicate(condition: string): string {
  if (condition.includes('${')) return condition;
  const operator = OPERATOR.exec(condition);
  if (operator === null || operator.index === 0) return condition;
  const left = condition.slice(0, operator.index).trim();
  if (/^['"]|^[-+]?\d+(?:\.\d+)?$|^(?:true|false|null)$/i.test(left)) return condition;
  return `\${${left}}${condition.slice(operator.index)}`;
}
