import type { Exchange } from '../exchange/exchange.js';
import type { Expression } from '../exchange/language.js';
import { mapped } from '../exchange/stream.js';
import { setVariable } from '../exchange/variable.js';
import { unquoted } from './arguments.js';
import { SyntaxProblem } from './syntax-error.js';
import type { TextCompiler } from './text-compiler.js';

const START = '$init{';
const END = '}init$';
/** How long a text may be when its variables are put in. */
const TEXT_MAX = 1_000_000;

/** What is worked out before the text behind it. */
export interface InitBlock {
  /** The text behind it, with its variables and functions as functions. */
  readonly text: string;
  /** Sets the variables, in order. `undefined`: there are none. */
  readonly run: Expression | undefined;
}

/**
 * `$init{` … `}init$` at the beginning of a text: lines `$name := value;`, which set variables, and `$name ~:= function;`, which define functions.
 * `undefined`: there is none. @throws SyntaxProblem
 */
export function initBlock(text: string, compiler: TextCompiler): InitBlock | undefined {
  const end = text.indexOf(END);
  if (!text.startsWith(START) || end < 0) return undefined;
  const variables: (readonly [string, Expression])[] = [];
  for (const [, name = '', sign, value = ''] of text.slice(START.length, end).matchAll(STATEMENT)) {
    const expression = compiler.template(unquoted(value.trim()));
    if (sign === '~:=') compiler.functions.set(name, expression);
    else variables.push([name, expression]);
  }
  if (variables.length === 0 && compiler.functions.size === 0) {
    throw new SyntaxProblem(START.length, 'expected lines such as $name := function; in the init block');
  }
  const rest = text.slice(end + END.length).replace(/^\n/, '');
  return {
    text: named(
      rest,
      variables.map(([name]) => name),
      [...compiler.functions.keys()],
    ),
    run: runner(variables),
  };
}

const STATEMENT = /(?:^|\n)[ \t]*\$(\w+)[ \t]+(~?:=)[ \t]+([\s\S]*?)(?:;[ \t]*(?=\n|$)|$)/g;

/** `$name` is the variable, `$name()` the function; longer names first, as one may begin with another. */
function named(text: string, variables: readonly string[], functions: readonly string[]): string {
  const byLength = (names: readonly string[]) => [...names].sort((a, b) => b.length - a.length);
  let made = text;
  for (const name of byLength(variables)) made = checked(made.replaceAll(`$${name}`, () => `\${variable.${name}}`));
  for (const name of byLength(functions)) {
    made = made.replaceAll(`$${name}()`, () => `\${function(${name})}`);
    made = checked(made.replaceAll(`\${${name}(`, () => `\${function(${name},`));
  }
  return made;
}

function checked(text: string): string {
  if (text.length > TEXT_MAX)
    throw new SyntaxProblem(0, `expected a text of at most ${TEXT_MAX} characters with its variables in it`);
  return text;
}

function runner(variables: readonly (readonly [string, Expression])[]): Expression | undefined {
  if (variables.length === 0) return undefined;
  const from = (exchange: Exchange, at: number): unknown => {
    const [name, value] = variables[at] ?? [];
    if (name === undefined || value === undefined) return null;
    return mapped(value(exchange), (known) => {
      setVariable(exchange, name, known);
      return from(exchange, at + 1);
    });
  };
  return (exchange) => from(exchange, 0);
}
