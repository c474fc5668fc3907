import { ExchangeFailure } from '../exchange/failure.js';

/** An expression of XPath 1.0, read. */
export type XPath =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly XPath[] }
  | { readonly kind: 'negative'; readonly inner: XPath }
  | { readonly kind: 'operator'; readonly sign: string; readonly left: XPath; readonly right: XPath }
  /** `from`: an expression whose nodes the steps begin at; else the context, or the root. */
  | {
      readonly kind: 'path';
      readonly from: XPath | undefined;
      readonly isRooted: boolean;
      readonly steps: readonly Step[];
    };

export interface Step {
  readonly axis: Axis;
  readonly test: NodeTest;
  readonly predicates: readonly XPath[];
}

export type NodeTest =
  | { readonly kind: 'name'; readonly prefix: string | undefined; readonly local: string }
  | { readonly kind: 'node' | 'text' | 'comment' }
  | { readonly kind: 'processing-instruction'; readonly target: string | undefined };

const AXES = [
  'child',
  'descendant',
  'parent',
  'ancestor',
  'following-sibling',
  'preceding-sibling',
  'following',
  'preceding',
  'attribute',
  'namespace',
  'self',
  'descendant-or-self',
  'ancestor-or-self',
] as const;
export type Axis = (typeof AXES)[number];

const TOKEN =
  /\s*(?:(\d+(?:\.\d*)?|\.\d+)|("[^"]*"|'[^']*')|(::|\/\/|\.\.|!=|<=|>=|[()[\].@,/|+\-=<>*$])|([\p{L}_][\p{L}\p{N}_.-]*(?::(?:[\p{L}_][\p{L}\p{N}_.-]*|\*))?)|(\S))/uy;
const NODE_TYPES = new Set(['node', 'text', 'comment', 'processing-instruction']);
/** By how much they bind, the least first. */
const LEVELS = [['or'], ['and'], ['=', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', 'div', 'mod']];
/** Signs behind which a name, or `*`, is no operator. */
const NO_OPERAND = /^(?:[@([,/|+\-=<>$]|::|\/\/|!=|<=|>=|and|or|div|mod|\*)$/;
const LENGTH_MAX = 10_000;
const DEPTH_MAX = 100;

interface Token {
  readonly text: string;
  readonly kind: 'number' | 'text' | 'sign' | 'name' | 'operator' | 'end';
  readonly at: number;
}

/** @throws ExchangeFailure XPathExpressionException, with the place */
export function parseXPath(text: string): XPath {
  if (text.length > LENGTH_MAX) throw syntaxError(text, LENGTH_MAX, `at most ${LENGTH_MAX} characters`, 'more');
  const parser = new Parser(text, tokensOf(text));
  const xpath = parser.level(0);
  parser.end();
  return xpath;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex;
    tokens.push(tokenOf(text, at, TOKEN.exec(text) ?? [], tokens.at(-1)));
  }
  return tokens;
}

function tokenOf(text: string, at: number, found: readonly (string | undefined)[], before: Token | undefined): Token {
  const [, number, quoted, sign, name, unknown] = found;
  if (unknown !== undefined) throw syntaxError(text, at, 'an expression', unknown);
  if (number !== undefined) return { kind: 'number', text: number, at };
  if (quoted !== undefined) return { kind: 'text', text: quoted.slice(1, -1), at };
  // XPath 1.0, 3.7: what a name or a star is depends on what stands before it.
  const mayOperate = before !== undefined && (before.kind === 'name' || !NO_OPERAND.test(before.text));
  if (name !== undefined) {
    return { kind: mayOperate && /^(?:and|or|div|mod)$/.test(name) ? 'operator' : 'name', text: name, at };
  }
  return { kind: sign === '*' && !mayOperate ? 'name' : 'sign', text: sign ?? '', at };
}

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  end(): void {
    if (this.#peek().kind !== 'end') throw this.#unexpected('the end, or an operator');
  }

  level(level: number): XPath {
    const signs = LEVELS[level];
    if (signs === undefined) return this.#negative();
    let left = this.level(level + 1);
    for (;;) {
      const { kind, text } = this.#peek();
      if ((kind !== 'sign' && kind !== 'operator') || !signs.includes(text)) return left;
      this.#at++;
      left = { kind: 'operator', sign: text, left, right: this.level(level + 1) };
    }
  }

  #negative(): XPath {
    if (this.#take('-')) return this.#nested(() => ({ kind: 'negative', inner: this.#negative() }));
    let left = this.#path();
    while (this.#take('|')) left = { kind: 'operator', sign: '|', left, right: this.#path() };
    return left;
  }

  #nested<V>(read: () => V): V {
    if (++this.#depth > DEPTH_MAX) throw this.#unexpected(`at most ${DEPTH_MAX} levels`);
    const value = read();
    this.#depth--;
    return value;
  }

  #path(): XPath {
    const primary = this.#primary();
    if (primary === undefined) return this.#location(undefined);
    const predicates = this.#predicates();
    const steps: Step[] = predicates.length === 0 ? [] : [{ axis: 'self', test: { kind: 'node' }, predicates }];
    if (!/^\/\/?$/.test(this.#peek().text) && steps.length === 0) return primary;
    // Predicates behind an expression count in all of its nodes, not in each step's.
    const filtered: XPath =
      predicates.length === 0 ? primary : { kind: 'call', name: '[]', arguments: [primary, ...predicates] };
    return this.#peek().kind === 'sign' && /^\/\/?$/.test(this.#peek().text) ? this.#location(filtered) : filtered;
  }

  #primary(): XPath | undefined {
    const { kind, text } = this.#peek();
    if (kind === 'number' || kind === 'text') {
      this.#at++;
      return kind === 'number' ? { kind, value: Number(text) } : { kind, value: text };
    }
    if (kind === 'sign' && text === '$') {
      this.#at++;
      return { kind: 'variable', name: this.#name() };
    }
    if (kind === 'sign' && text === '(') {
      this.#at++;
      const inner = this.#nested(() => this.level(0));
      this.#expect(')');
      return inner;
    }
    const isCall = kind === 'name' && this.#tokens[this.#at + 1]?.text === '(' && !NODE_TYPES.has(text);
    return isCall ? this.#call() : undefined;
  }

  #call(): XPath {
    const name = this.#name();
    this.#expect('(');
    const given: XPath[] = [];
    while (!this.#take(')')) {
      if (given.length > 0) this.#expect(',');
      given.push(this.#nested(() => this.level(0)));
    }
    return { kind: 'call', name, arguments: given };
  }

  #location(from: XPath | undefined): XPath {
    const steps: Step[] = [];
    const isRooted = from === undefined && /^\/\/?$/.test(this.#peek().text) && this.#peek().kind === 'sign';
    if (isRooted && this.#peek().text === '/' && !this.#beginsStep(this.#at + 1)) {
      this.#at++;
      return { kind: 'path', from, isRooted, steps };
    }
    if (from === undefined && !isRooted) steps.push(this.#step());
    for (;;) {
      if (this.#take('//')) steps.push({ axis: 'descendant-or-self', test: { kind: 'node' }, predicates: [] });
      else if (!this.#take('/')) return { kind: 'path', from, isRooted, steps };
      steps.push(this.#step());
    }
  }

  #beginsStep(at: number): boolean {
    const token = this.#tokens[at];
    return token?.kind === 'name' || (token?.kind === 'sign' && /^(?:@|\.|\.\.)$/.test(token.text));
  }

  #step(): Step {
    if (this.#take('.')) return { axis: 'self', test: { kind: 'node' }, predicates: [] };
    if (this.#take('..')) return { axis: 'parent', test: { kind: 'node' }, predicates: [] };
    const axis = this.#axis();
    return { axis, test: this.#test(), predicates: this.#predicates() };
  }

  #axis(): Axis {
    if (this.#take('@')) return 'attribute';
    if (this.#tokens[this.#at + 1]?.text !== '::') return 'child';
    const axis = AXES.find((name) => name === this.#peek().text);
    if (axis === undefined) throw this.#unexpected('an axis');
    this.#at += 2;
    return axis;
  }

  #test(): NodeTest {
    const name = this.#name();
    if (NODE_TYPES.has(name) && this.#take('(')) {
      const target = this.#peek().kind === 'text' ? this.#tokens[this.#at++]?.text : undefined;
      this.#expect(')');
      if (name === 'processing-instruction') return { kind: name, target };
      return { kind: name as 'node' | 'text' | 'comment' };
    }
    const [prefix, local] = name.includes(':') ? name.split(':') : [undefined, name];
    return { kind: 'name', prefix, local: local ?? '' };
  }

  #predicates(): XPath[] {
    const predicates: XPath[] = [];
    while (this.#take('[')) {
      predicates.push(this.#nested(() => this.level(0)));
      this.#expect(']');
    }
    return predicates;
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '', at: this.#text.length };
  }

  #take(sign: string): boolean {
    const { kind, text } = this.#peek();
    if (kind !== 'sign' || text !== sign) return false;
    this.#at++;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) throw this.#unexpected(`'${sign}'`);
  }

  #name(): string {
    const { kind, text } = this.#peek();
    if (kind !== 'name') throw this.#unexpected('a name');
    this.#at++;
    return text;
  }

  #unexpected(expected: string): ExchangeFailure {
    const { text, at, kind } = this.#peek();
    return syntaxError(this.#text, at, expected, kind === 'end' ? 'the end' : `'${text}'`);
  }
}

const syntaxError = (text: string, at: number, expected: string, found: string) =>
  new ExchangeFailure(
    'javax.xml.xpath.XPathExpressionException',
    `expected ${expected} at position ${at} of '${text.slice(0, 200)}', but found ${found}`,
  );
