import { badSyntax, expressionTooLong } from '../errors.js';
import { Load } from './feel-load.js';
import { type Feelin, feelin } from './feelin.js';

/** Camunda's dialect of FEEL: names between backticks. */
export const DIALECT = 'camunda';

/** `unaryTests`: what an input entry of a decision table says of a value, which is `?`. */
export type FeelKind = 'expression' | 'unaryTests';

/** Names as the reader has to know them: those with spaces or signs in them, at their places within contexts. */
export interface FeelShape {
  readonly [name: string]: FeelShape | 0;
}

/** One of the tests between the commas. */
export interface FeelTest {
  readonly text: string;
  /** `compared`: a range, or an operator with a value; `literal`: true or false; `name`: a variable; `other`: any expression. */
  readonly kind: 'compared' | 'literal' | 'name' | 'other';
  /** Whether it mentions the value that is tested. */
  readonly asks: boolean;
}

export type Tree = ReturnType<Feelin['parseExpression']>;

/** A text of FEEL, read. */
export interface FeelSyntax {
  /** Of the names that it mentions; some may be its own. */
  readonly names: readonly string[];
  /** Whether nobody can say how long it takes: it calls a function with a pattern, one of its own, or goes round within a round. */
  readonly long: boolean;
  /** The most values that it may look at in line; 0 where it is `long`. */
  readonly heaviest: number;
  /** Of unary tests: empty where everything passes. */
  readonly tests: readonly FeelTest[];
  readonly negated: boolean;
  /** Of what {@link readable} makes of the text. Null: there is nothing to read. */
  readonly tree: Tree | null;
}

const LENGTH_MAX = 4096;
const DEPTH_MAX = 400;
/** A context in which each entry doubles the one before grows to this power of two. */
const ENTRIES_INLINE_MAX = 8;

/** Functions that match patterns, which may take for ever, compare each with each, or call back. */
const LONG_FUNCTIONS = [
  ...['matches', 'replace', 'split', 'extract', 'list replace'],
  ...['sort', 'distinct values', 'duplicate values', 'union'],
];

/** Reads a text. @throws BAD_REQUEST with the column */
export function readFeel(text: string, kind: FeelKind, shape: FeelShape): FeelSyntax {
  if (text.length > LENGTH_MAX) throw expressionTooLong(text, 0, LENGTH_MAX);
  const everything = {
    names: [],
    long: false,
    heaviest: Number.POSITIVE_INFINITY,
    tests: [],
    negated: false,
    tree: null,
  };
  if (kind === 'unaryTests' && /^\s*-?\s*$/.test(text)) return everything;
  const { parseExpression, parseUnaryTests } = feelin();
  const parse: Feelin['parseExpression'] = kind === 'expression' ? parseExpression : parseUnaryTests;
  const tree = parse(readable(text), shape, DIALECT);
  const { names, long, heaviest, tests, negated } = new Look(tree, text);
  return { names: [...names], long, heaviest, tests, negated, tree };
}

/** The text as the reader can read it, with all signs in their places: it does not know what a range is of. */
export const readable = (text: string): string =>
  text.replace(
    /(\binstance\s+of\s+range)(\s*<[^<>]*>)/g,
    (_all, type: string, of: string) => type + ' '.repeat(of.length),
  );

/** Goes through the tree once. */
class Look {
  readonly names = new Set<string>();
  long = false;
  readonly tests: FeelTest[] = [];
  negated = false;
  readonly #text: string;
  readonly #within: string[] = [];
  readonly #load = new Load();
  /** Of the entry of a context that is gone through. */
  #key = '';
  /** How many entries each open context has so far. */
  readonly #entries: number[] = [];
  #rounds = 0;
  /** The one that is gone through. */
  #test: { readonly from: number; asks: boolean; first: string | null } | null = null;

  constructor(tree: Tree, text: string) {
    this.#text = text;
    tree.iterate({ enter: (node) => this.#enter(node), leave: (node) => this.#leave(node) });
    if (LONG_FUNCTIONS.some((name) => this.names.has(name))) this.long = true;
  }

  get heaviest(): number {
    return this.long ? 0 : this.#load.heaviest;
  }

  #enter({ type, name, from, to }: Node): false | undefined {
    const text = this.#text.slice(from, to);
    if (type.isError) throw badSyntax(this.#text, from, 'what FEEL has there', text || nextOf(this.#text, from));
    if (type.isSkipped) return false;
    if (this.#within.length > DEPTH_MAX) throw badSyntax(this.#text, from, `at most ${DEPTH_MAX} levels`, 'more');
    this.#enterTest(name, from);
    if (name === 'VariableName') this.names.add(nameIn(text));
    if (name === 'Key') this.#key = nameIn(text.replace(/^"(.*)"$/, '$1'));
    this.#load.enter(name, nameIn(text), this.#within.at(-1));
    this.#measure(name, text);
    this.#within.push(name);
    return undefined;
  }

  #enterTest(name: string, from: number): void {
    const parent = this.#within.at(-1);
    if (name === 'not' && parent === 'UnaryTests') this.negated = true;
    if (name === 'PositiveUnaryTest' && this.#isTest()) this.#test = { from, asks: false, first: null };
    else if (this.#test !== null) {
      if (parent === 'PositiveUnaryTest') this.#test.first ??= name;
      if (name === '?') this.#test.asks = true;
    }
  }

  #leave({ type, name, from, to }: Node): void {
    if (type.isSkipped) return;
    this.#within.pop();
    if (name === 'Context') this.#entries.pop();
    if (name === 'ContextEntry') this.#load.leave(this.#key);
    if (name !== 'PositiveUnaryTest' || this.#test?.from !== from || !this.#isTest()) return;
    const { first, asks } = this.#test;
    this.tests.push({ text: this.#text.slice(from, to), kind: kindOf(first), asks });
    this.#test = null;
  }

  #measure(name: string, text: string): void {
    if (ROUNDS.has(name) && ++this.#rounds > 1) this.long = true;
    if (name === 'FunctionDefinition' || (name === 'IterationContext' && text.includes('..'))) this.long = true;
    if (name === 'Context') this.#entries.push(0);
    if (name !== 'ContextEntry') return;
    const entries = (this.#entries.pop() ?? 0) + 1;
    this.#entries.push(entries);
    if (this.#entries.length > 1 || entries > ENTRIES_INLINE_MAX) this.long = true;
  }

  /** Whether what is gone through now is one of the tests between the commas. */
  #isTest(): boolean {
    const [outer, inner] = this.#within;
    return this.#within.length === 2 && outer === 'UnaryTests' && inner === 'PositiveUnaryTests';
  }
}

type Node = Parameters<NonNullable<Parameters<Tree['iterate']>[0]['enter']>>[0];

const ROUNDS = new Set(['ForExpression', 'QuantifiedExpression', 'FilterExpression']);

function kindOf(first: string | null): FeelTest['kind'] {
  switch (first) {
    case 'SimplePositiveUnaryTest':
      return 'compared';
    case 'BooleanLiteral':
      return 'literal';
    case 'VariableName':
    case 'PathExpression':
      return 'name';
    default:
      return 'other';
  }
}

/** Spaces within a name count as one. */
export const nameIn = (text: string): string => text.replace(/`/g, '').replace(/\s+/g, ' ').trim();

const nextOf = (text: string, at: number): string => text.slice(at, at + 20).trim() || 'its end';
