import { kindOfFilter, saysTruthAlone, testsItemAlone } from './feel-filter.js';
import { ownFunction } from './feel-functions.js';
import { DIALECT, type FeelShape, nameIn, readable, type Tree } from './feel-syntax.js';
import { isUsual } from './feel-temporal.js';
import { feelin } from './feelin.js';

/** A text as the library is given it. */
export interface Rewritten {
  readonly text: string;
  /** The functions of ours that it calls by names that are no names of FEEL's. */
  readonly calls: ReadonlySet<string>;
}

type Node = Tree['topNode'];

/**
 * A text with functions of ours where the library's operators and literals are not those of the standard: `a * b` is `` `*`(a, b) ``, for there may be
 * durations. What can only be of numbers or texts stays as it is. `read`: its tree, where there is one.
 */
export function rewrite(text: string, shape: FeelShape, read: Tree | null): Rewritten {
  const calls = new Set<string>();
  if (!MAY_NEED.test(text)) return { text, calls };
  const tree = read ?? feelin().parseExpression(readable(text), shape, DIALECT);
  const rewritten = new Rewriting(text, calls).of(tree.topNode);
  return { text: rewritten, calls };
}

const MAY_NEED = /[-+*/@{[=]|\.\.|\b(?:true|false|function|instance|date|time|duration|if)\b/;

/** Types that the library tells apart as the standard does. */
const USUAL_TYPES =
  /^(?:Any|Null|number|string|boolean|date|time|date and time|context|list|function|range|duration|(?:days and time|years and months) duration)$/;

class Rewriting {
  readonly #written: string;
  /** As the reader has it. */
  readonly #text: string;
  readonly #calls: Set<string>;

  constructor(text: string, calls: Set<string>) {
    this.#written = text;
    this.#text = readable(text);
    this.#calls = calls;
  }

  of(node: Node): string {
    return this.#rewritten(node) ?? this.#kept(node);
  }

  /** Undefined: what is within counts. */
  #rewritten(node: Node): string | undefined {
    switch (node.name) {
      case 'ArithmeticExpression':
        return this.#arithmetic(node);
      case 'DateTimeLiteral':
        return this.#dateTime(node);
      case 'SpecialFunctionName':
        return this.#special(node);
      case 'IterationContext':
        return this.#iteration(node);
      case 'Interval':
        return this.#interval(node, '[..]');
      case 'PositiveUnaryTest':
        return this.#test(node);
      case 'ParenthesizedExpression':
        return this.#equality(node);
      case 'Comparison':
        return this.#comparison(node);
      case 'FilterExpression':
        return this.#filter(node);
      case 'IfExpression':
        return this.#if(node);
      case 'Context':
        return this.#context(node);
      case 'FunctionDefinition':
        return this.#function(node);
      case 'InstanceOfExpression':
        return this.#instanceOf(node);
      default:
        return undefined;
    }
  }

  /** The text with what is within rewritten; `condition`: what has to be true. */
  #kept(node: Node, condition?: Node): string {
    let result = '';
    let at = node.from;
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      const written = this.of(child);
      const isCondition = condition !== undefined && child.from === condition.from && child.to === condition.to;
      result += this.#text.slice(at, child.from) + (isCondition ? `((${written}) = true)` : written);
      at = child.to;
    }
    return result + this.#text.slice(at, node.to);
  }

  #call(name: string, ...values: readonly string[]): string {
    this.#calls.add(name);
    return `\`${name}\`(${values.join(', ')})`;
  }

  #arithmetic(node: Node): string | undefined {
    const [first, second, third] = partsOf(node);
    if (first === undefined || second === undefined) return undefined;
    if (third === undefined) return isNumber(second) ? undefined : this.#call('-x', this.of(second));
    const operator = this.#text.slice(second.from, second.to);
    const isPlain = operator === '+' || operator === '-' ? isPlainSum : isPlainProduct;
    if (!['+', '-', '*', '/'].includes(operator) || isPlain(first, third)) return undefined;
    return this.#call(operator, this.of(first), this.of(third));
  }

  #dateTime(node: Node): string | undefined {
    const [first, , parameters] = partsOf(node);
    if (first === undefined) return undefined;
    if (first.name === 'AtLiteral') {
      const literal = this.#text.slice(first.from + 1, first.to).trim();
      return isUsual(literal.slice(1, -1)) ? undefined : this.#call('@', literal);
    }
    const name = this.#text.slice(first.from, first.to).replace(/\s+/g, ' ');
    const given = parameters === undefined ? '' : this.#text.slice(parameters.from, parameters.to).trim();
    if (!REPLACED.has(name) || (LITERAL.test(given) && isUsual(given.slice(1, -1)))) return undefined;
    this.#calls.add(name);
    return `\`${name}\`${this.#kept(node).slice(first.to - first.from)}`;
  }

  /** Names that the library looks up for itself. */
  #special(node: Node): string {
    const written = this.#text.slice(node.from, node.to);
    const name = written.replace(/\s+/g, ' ');
    if (ownFunction(name) === undefined) return written;
    this.#calls.add(name);
    return `\`${name}\``;
  }

  #iteration(node: Node): string | undefined {
    const [start, , end] = partsOf(node);
    if (start !== undefined && end !== undefined) return this.#call('..', this.of(start), this.of(end));
    const range = start?.name === 'SimplePositiveUnaryTest' ? start.firstChild : null;
    return range?.name === 'Interval' ? this.#interval(range, '[..] each') : undefined;
  }

  /** A range one of whose ends may be null is null; one that is gone through is the list of what is in it. */
  #interval(node: Node, name: '[..]' | '[..] each'): string | undefined {
    const [open, start, , end, close] = partsOf(node);
    if (open === undefined || start === undefined || end === undefined || close === undefined) return undefined;
    if (name === '[..]' && LITERALS.has(start.name) && LITERALS.has(end.name)) return undefined;
    const brackets = this.#text.slice(open.from, open.to) + this.#text.slice(close.from, close.to);
    return this.#call(name, this.of(start), this.of(end), JSON.stringify(brackets));
  }

  /** The library takes a boolean for what a test of a decision table says. */
  #test(node: Node): string | undefined {
    let [only] = partsOf(node);
    while (only?.name === 'ParenthesizedExpression') only = partsOf(only)[1];
    const isWithin = node.parent?.name === 'Comparison' || node.parent?.parent?.name === 'Comparison';
    return isWithin && only?.name === 'BooleanLiteral' ? `= ${this.of(only)}` : undefined;
  }

  /** `(= 10)` is the range of 10 alone. */
  #equality(node: Node): string | undefined {
    const [, test] = partsOf(node);
    if (test?.name !== 'SimplePositiveUnaryTest') return undefined;
    const [operator, value] = partsOf(test);
    if (operator === undefined || value === undefined) return undefined;
    if (this.#text.slice(operator.from, operator.to) !== '=') return undefined;
    return this.#call('[..]', this.of(value), this.of(value), '"[]"');
  }

  /** Lists are equal, or they are not; what a filter compares stays a test. */
  #comparison(node: Node): string | undefined {
    const [one, operator, other] = partsOf(node);
    if (one === undefined || operator === undefined || other === undefined) return undefined;
    const sign = this.#text.slice(operator.from, operator.to);
    if ((sign !== '=' && sign !== '!=') || !MAY_BE_LIST.has(one.name) || !MAY_BE_LIST.has(other.name)) return undefined;
    const call = this.#call(sign, this.of(one), this.of(other));
    return node.parent?.name === 'FilterExpression' ? `${call} = true` : call;
  }

  /** `a[true]` is a list, also where `a` is none; what may be a test is made one. */
  #filter(node: Node): string | undefined {
    const [list, , test] = partsOf(node);
    if (list === undefined || test === undefined) return undefined;
    const kind = kindOfFilter(test, this.#text);
    const ofItem = testsItemAlone(test, this.#text);
    if (kind === 'index' && test.name !== 'BooleanLiteral' && !ofItem) return undefined;
    const all = this.of(list);
    const tested = this.of(test);
    if (test.name === 'BooleanLiteral') return `${this.#call('list of', all)}[${tested}]`;
    const found = `${all}[${kind === 'index' ? tested : `(${tested}) = true`}]`;
    // What is written twice doubles with each filter behind another.
    const isShort = found.length + all.length + tested.length < TWICE_LENGTH_MAX;
    if (!isShort) return kind === 'either' ? `${all}[${tested}]` : found;
    if (ofItem) return this.#call('with nothing', found, all, `function(item) (${tested})`);
    return kind === 'either' ? this.#call('filtered', found, all, tested) : found;
  }

  /** What is no boolean does not hold; the library takes it for true. */
  #if(node: Node): string | undefined {
    const [, condition] = partsOf(node);
    return condition === undefined || saysTruthAlone(condition, this.#text) ? undefined : this.#kept(node, condition);
  }

  /** No two entries of a context have the same name. */
  #context(node: Node): string | undefined {
    const names = partsOf(node).flatMap((entry) => {
      const [key] = entry.name === 'ContextEntry' ? partsOf(entry) : [];
      return key === undefined ? [] : [nameIn(this.#text.slice(key.from, key.to).replace(/^"(.*)"$/, '$1'))];
    });
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    return twice === undefined
      ? undefined
      : this.#call('refused', JSON.stringify(`a context has several entries of the name '${twice}'`));
  }

  /** Parameters with types take no other values. */
  #function(node: Node): string | undefined {
    const parameters = partsOf(node).find(({ name }) => name === 'FormalParameters');
    if (parameters === undefined) return undefined;
    const types = partsOf(parameters)
      .filter(({ name }) => name === 'FormalParameter')
      .map((parameter) => {
        const type = partsOf(parameter).find(({ name }) => name === 'Type');
        return type === undefined ? '' : this.#text.slice(type.from, type.to).trim();
      });
    if (types.every((type) => type === '')) return undefined;
    return this.#call('typed', this.#kept(node), JSON.stringify(types));
  }

  /** Compared with true, for a filter has to know that it is a test. */
  #instanceOf(node: Node): string | undefined {
    const parts = partsOf(node);
    const [value] = parts;
    const type = parts.at(-1);
    if (value === undefined || type === undefined) return undefined;
    const ofRange = /^range\s*<[^<>]*>/.exec(this.#written.slice(type.from))?.[0];
    const named = (ofRange ?? this.#text.slice(type.from, type.to)).trim();
    if (USUAL_TYPES.test(named.replace(/\s+/g, ' '))) return undefined;
    return `(${this.#call('instance of', this.of(value), JSON.stringify(named))} = true)`;
  }
}

/** Of filters that are written twice. */
const TWICE_LENGTH_MAX = 2_000;

/** What a list may be written as. */
const MAY_BE_LIST: ReadonlySet<string> = new Set([
  ...['List', 'VariableName', 'PathExpression', 'FunctionInvocation', 'FilterExpression', 'ParenthesizedExpression'],
]);

/** Ends of ranges that are never null. */
const LITERALS: ReadonlySet<string> = new Set(['NumericLiteral', 'StringLiteral', 'DateTimeLiteral']);

const REPLACED = new Set(['date', 'time', 'date and time']);
const LITERAL = /^"[^"\\]*"$/;

/** The children that count. */
function partsOf(node: Node): readonly Node[] {
  const parts: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (!child.type.isSkipped) parts.push(child);
  return parts;
}

const isNumber = ({ name }: Node) => name === 'NumericLiteral';
const isText = ({ name }: Node) => name === 'StringLiteral';

/** A number or a text has no part in sums of dates and durations. */
const isPlainSum = (one: Node, other: Node) => isNumber(one) || isNumber(other) || isText(one) || isText(other);
const isPlainProduct = (one: Node, other: Node) => isNumber(one) && isNumber(other);
