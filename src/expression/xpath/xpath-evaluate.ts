import type { Attr, Element, Node } from 'slimdom';
import { ExchangeFailure } from '../exchange/failure.js';
import { axisNodes, documentOrder, localName, stringValue } from './xpath-nodes.js';
import type { Axis, NodeTest, Step, XPath } from './xpath-parser.js';

/** Environment of an expression in XPath: namespaces, variables and functions. */
export type Value = readonly Node[] | number | string | boolean;

/** What an expression is asked with. */
export interface Environment {
  /** Of a prefix. `undefined`: it has none. */
  namespace(prefix: string): string | undefined;
  variable(name: string): Value;
  /** A function that is not XPath's own. `undefined`: there is none. */
  call(name: string, given: readonly Value[]): Value | undefined;
  readonly functions: Readonly<Record<string, XPathFunction>>;
  readonly budget: { left: number };
}

export type XPathFunction = (given: readonly Value[], context: Context) => Value;

export interface Context {
  /** `undefined`: there is no document. */
  readonly node: Node | undefined;
  readonly position: number;
  readonly size: number;
  readonly environment: Environment;
}

export function evaluate(xpath: XPath, context: Context): Value {
  switch (xpath.kind) {
    case 'number':
    case 'text':
      return xpath.value;
    case 'variable':
      return context.environment.variable(xpath.name);
    case 'negative':
      return -toNumber(evaluate(xpath.inner, context));
    case 'operator':
      return operated(xpath, context);
    case 'call':
      return called(xpath, context);
    case 'path':
      return located(xpath, context);
  }
}

function called({ name, arguments: given }: XPath & { kind: 'call' }, context: Context): Value {
  const [first, ...predicates] = given;
  if (name === '[]' && first !== undefined) {
    return predicates.reduce((nodes, one) => passing(nodes, one, context), toNodes(evaluate(first, context)));
  }
  const values = given.map((one) => evaluate(one, context));
  const { functions } = context.environment;
  const own = Object.hasOwn(functions, name) ? functions[name] : undefined;
  const value = own === undefined ? context.environment.call(name, values) : own(values, context);
  if (value !== undefined) return value;
  throw new ExchangeFailure('javax.xml.xpath.XPathExpressionException', `Could not find function: ${name}`);
}

function operated({ sign, left, right }: XPath & { kind: 'operator' }, context: Context): Value {
  const a = evaluate(left, context);
  if (sign === 'or') return toBoolean(a) || toBoolean(evaluate(right, context));
  if (sign === 'and') return toBoolean(a) && toBoolean(evaluate(right, context));
  const b = evaluate(right, context);
  if (sign === '|') return documentOrder([...new Set([...toNodes(a), ...toNodes(b)])]);
  const calculate = ARITHMETIC[sign];
  return calculate === undefined ? compared(a, sign, b) : calculate(toNumber(a), toNumber(b));
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  div: (a, b) => a / b,
  mod: (a, b) => a % b,
};

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** XPath 1.0, 3.4: of nodes, whether one of them compares so. */
function compared(a: Value, sign: string, b: Value): boolean {
  if (isNodes(a)) {
    if (typeof b === 'boolean') return comparedPlain(a.length > 0, sign, b);
    if (isNodes(b))
      return a.some((node) => b.some((other) => comparedPlain(stringValue(node), sign, stringValue(other))));
    return a.some((node) => comparedPlain(stringValue(node), sign, b));
  }
  return isNodes(b) ? compared(b, MIRRORED[sign] ?? sign, a) : comparedPlain(a, sign, b);
}

type Plain = number | string | boolean;

function comparedPlain(a: Plain, sign: string, b: Plain): boolean {
  if (sign === '=' || sign === '!=') return equalPlain(a, b) === (sign === '=');
  const [x, y] = [toNumber(a), toNumber(b)];
  if (sign === '<') return x < y;
  if (sign === '<=') return x <= y;
  return sign === '>' ? x > y : x >= y;
}

function equalPlain(a: Plain, b: Plain): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') return toBoolean(a) === toBoolean(b);
  return typeof a === 'number' || typeof b === 'number' ? toNumber(a) === toNumber(b) : a === b;
}

function located({ from, isRooted, steps }: XPath & { kind: 'path' }, context: Context): Value {
  let nodes = from === undefined ? beginning(isRooted, context) : toNodes(evaluate(from, context));
  for (let at = 0; at < steps.length; at++) {
    const [step, next] = [steps[at], steps[at + 1]];
    if (step === undefined) break;
    // `//name` goes down once, instead of once for each node there is.
    if (isDescending(step) && next?.axis === 'child' && next.predicates.length === 0) {
      nodes = stepped(nodes, { ...next, axis: 'descendant' }, context);
      at++;
    } else nodes = stepped(nodes, step, context);
  }
  return nodes;
}

const isDescending = ({ axis, test, predicates }: Step): boolean =>
  axis === 'descendant-or-self' && test.kind === 'node' && predicates.length === 0;

function beginning(isRooted: boolean, { node }: Context): readonly Node[] {
  if (node === undefined) return [];
  if (!isRooted) return [node];
  let root: Node = node;
  for (let up = parentOf(root); up !== null; up = parentOf(root)) root = up;
  return [root];
}

const parentOf = (node: Node): Node | null => (node.nodeType === 2 ? (node as Attr).ownerElement : node.parentNode);

function stepped(nodes: readonly Node[], step: Step, context: Context): readonly Node[] {
  const [only] = nodes;
  if (nodes.length === 1 && only !== undefined) {
    const found = steppedOnce(only, step, context);
    return isReverse(step.axis) ? [...found].reverse() : found;
  }
  const all = new Set<Node>();
  for (const node of nodes) for (const found of steppedOnce(node, step, context)) all.add(found);
  return documentOrder([...all]);
}

const isReverse = (axis: Axis): boolean => /^(?:ancestor|preceding)/.test(axis);

/** In the order of the axis, in which predicates count. */
function steppedOnce(node: Node, { axis, test, predicates }: Step, context: Context): readonly Node[] {
  const found: Node[] = [];
  for (const one of axisNodes(axis, node)) {
    spend(context.environment);
    if (fits(one, test, axis, context.environment)) found.push(one);
  }
  return predicates.reduce<readonly Node[]>((left, predicate) => passing(left, predicate, context), found);
}

const STEPS_MAX = 1_000_000;
export const newBudget = () => ({ left: STEPS_MAX });

function spend({ budget }: Environment): void {
  if (--budget.left < 0) {
    throw new ExchangeFailure(
      'javax.xml.xpath.XPathExpressionException',
      `expected an evaluation within ${STEPS_MAX} steps, but it needs more`,
    );
  }
}

function passing(nodes: readonly Node[], predicate: XPath, { environment }: Context): readonly Node[] {
  return nodes.filter((node, at) => {
    spend(environment);
    const value = evaluate(predicate, { node, position: at + 1, size: nodes.length, environment });
    return typeof value === 'number' ? value === at + 1 : toBoolean(value);
  });
}

function fits(node: Node, test: NodeTest, axis: Axis, environment: Environment): boolean {
  const { nodeType } = node;
  switch (test.kind) {
    case 'node':
      return true;
    case 'text':
      return nodeType === 3 || nodeType === 4;
    case 'comment':
      return nodeType === 8;
    case 'processing-instruction':
      return nodeType === 7 && (test.target === undefined || node.nodeName === test.target);
    case 'name':
      return nodeType === (axis === 'attribute' ? 2 : 1) && isNamed(node, test, environment);
  }
}

function isNamed(node: Node, { local, prefix }: NodeTest & { kind: 'name' }, environment: Environment): boolean {
  if (local !== '*' && localName(node) !== local) return false;
  if (prefix === undefined) return local === '*' || ((node as Element).namespaceURI ?? '') === '';
  return (node as Element).namespaceURI === namespaceOf(prefix, environment);
}

function namespaceOf(prefix: string, environment: Environment): string {
  const uri = environment.namespace(prefix);
  if (uri !== undefined) return uri;
  throw new ExchangeFailure(
    'javax.xml.xpath.XPathExpressionException',
    `Prefix must resolve to a namespace: ${prefix}`,
  );
}

const isNodes = (value: Value): value is readonly Node[] => typeof value === 'object';

export function toNodes(value: Value): readonly Node[] {
  if (isNodes(value)) return value;
  const type = typeof value === 'number' ? '#NUMBER' : typeof value === 'string' ? '#STRING' : '#BOOLEAN';
  throw new ExchangeFailure('javax.xml.xpath.XPathExpressionException', `Can not convert ${type} to a NodeList!`);
}

export function toBoolean(value: Value): boolean {
  if (isNodes(value)) return value.length > 0;
  return typeof value === 'number' ? value !== 0 && !Number.isNaN(value) : value !== '' && value !== false;
}

export function toText(value: Value): string {
  if (isNodes(value)) return value[0] === undefined ? '' : stringValue(value[0]);
  return typeof value === 'number' ? numberText(value) : String(value);
}

/** Never with an exponent. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Object.is(value, -0)) return '0';
  const text = String(value);
  if (!text.includes('e')) return text;
  return Math.abs(value) >= 1 ? BigInt(value).toString() : value.toFixed(20).replace(/0+$/, '');
}

export function toNumber(value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const text = toText(value).trim();
  return /^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
}
