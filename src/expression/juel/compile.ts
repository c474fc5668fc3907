import { toBoolean, toText } from './coerce.js';
import { Failure, UnknownName, Work } from './failure.js';
import { callMethod, readMember } from './member.js';
import * as operator from './operator.js';
import type { BinaryOperator, Node, UnaryOperator } from './parser.js';
import { type Bean, fromHost, toHost } from './value.js';

/** A function of the caller's: `now()`. Gets and gives plain values or beans. */
export type BeanFunction = (...args: unknown[]) => unknown;

/** The names that an expression finds: variables and beans. */
export interface ExpressionContext {
  /**
   * The variable of this name, undefined when there is none. `type` of a typed variable is honoured: Double stays one, Date (ISO 8601 text)
   * becomes a date, Long as text a Long.
   */
  variable(name: string): { readonly value: unknown; readonly type?: string } | undefined;
  /** `execution`, `task`, and functions such as `now`; undefined when there is none. Variables go first, except before those two. */
  bean(name: string): Bean | BeanFunction | undefined;
}

/** One evaluation: what it reads, and what it may still spend. */
export class Evaluation extends Work {
  readonly context: ExpressionContext;

  constructor(context: ExpressionContext) {
    super();
    this.context = context;
  }
}

/** A compiled part of an expression. Values within are those of `value.ts`. */
export type Run = (evaluation: Evaluation) => unknown;

/** Turns a parsed expression into closures. */
export function compile(node: Node): Run {
  switch (node.kind) {
    case 'literal': {
      const { value } = node;
      return () => value;
    }
    case 'name':
      return compileName(node.name);
    case 'member':
      return compileMember(compile(node.object), node.key);
    case 'function':
      return compileFunction(node.name, node.args.map(compile));
    case 'method':
      return compileMethod(compile(node.object), compile(node.method), node.args.map(compile));
    case 'unary':
      return compileUnary(node.operator, compile(node.operand));
    case 'binary':
      return compileBinary(node.operator, compile(node.left), compile(node.right));
    case 'choice': {
      const [test, yes, no] = [compile(node.test), compile(node.yes), compile(node.no)];
      return (e) => (toBoolean(test(e)) ? yes(e) : no(e));
    }
  }
}

/** Names that Camunda looks up before any variable. */
const RESERVED: ReadonlySet<string> = new Set(['execution', 'task', 'authenticatedUserId']);

function compileName(name: string): Run {
  if (RESERVED.has(name))
    return ({ context }) => readBean(name, context) ?? readVariable(name, context) ?? unknown(name);
  return ({ context }) => {
    const variable = context.variable(name);
    if (variable !== undefined) return fromHost(variable.value, variable.type);
    return readBean(name, context) ?? unknown(name);
  };
}

function readVariable(name: string, context: ExpressionContext): unknown {
  const variable = context.variable(name);
  return variable === undefined ? undefined : fromHost(variable.value, variable.type);
}

function readBean(name: string, context: ExpressionContext): unknown {
  const bean = context.bean(name);
  if (typeof bean === 'function') throw new Failure(`expected a value, but '${name}' is a function: write ${name}()`);
  return bean;
}

function unknown(name: string): never {
  throw new UnknownName(name);
}

function compileFunction(name: string, args: readonly Run[]): Run {
  return (e) => {
    const found = e.context.bean(name);
    if (found === undefined) throw new UnknownName(name);
    if (typeof found !== 'function') throw new Failure(`expected '${name}' to be a function, but it is a bean`);
    return fromHost(found(...args.map((arg) => toHost(arg(e)))));
  };
}

function compileMember(object: Run, key: Node): Run {
  if (key.kind === 'literal') {
    const { value } = key;
    return (e) => readMember(object(e), value);
  }
  const run = compile(key);
  return (e) => {
    const base = object(e);
    return base === null ? null : readMember(base, run(e));
  };
}

const compileMethod =
  (object: Run, method: Run, args: readonly Run[]): Run =>
  (e) => {
    const base = object(e);
    return callMethod(
      base,
      toText(method(e)),
      args.map((arg) => arg(e)),
      e,
    );
  };

function compileUnary(symbol: UnaryOperator, operand: Run): Run {
  switch (symbol) {
    case '!':
      return (e) => !toBoolean(operand(e));
    case '-':
      return (e) => operator.negate(operand(e));
    case 'empty':
      return (e) => operator.isEmpty(operand(e));
  }
}

/** `and` and `or` do not evaluate what they need not (§1.9.1). */
function compileBinary(symbol: BinaryOperator, left: Run, right: Run): Run {
  switch (symbol) {
    case '&&':
      return (e) => toBoolean(left(e)) && toBoolean(right(e));
    case '||':
      return (e) => toBoolean(left(e)) || toBoolean(right(e));
    case '==':
      return (e) => operator.equal(left(e), right(e), e);
    case '!=':
      return (e) => !operator.equal(left(e), right(e), e);
    case '<':
      return (e) => operator.less(left(e), right(e));
    case '>':
      return (e) => operator.greater(left(e), right(e));
    case '<=':
      return (e) => operator.lessOrEqual(left(e), right(e));
    case '>=':
      return (e) => operator.greaterOrEqual(left(e), right(e));
    case '+':
      return (e) => operator.add(left(e), right(e));
    case '-':
      return (e) => operator.subtract(left(e), right(e));
    case '*':
      return (e) => operator.multiply(left(e), right(e));
    case '/':
      return (e) => operator.divide(left(e), right(e));
    case '%':
      return (e) => operator.modulo(left(e), right(e));
  }
}
