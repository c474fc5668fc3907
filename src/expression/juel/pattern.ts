import { Failure, type Work } from './failure.js';
import { type CharacterSet, classOf, escapeOf, folded, isCharacter } from './pattern-class.js';

/**
 * Java's regular expressions, as far as they can be matched in one pass over the text: all but back references, look-around, possessive
 * quantifiers and intersections of classes. No text can make a pattern slow: the work is at most text times pattern, and is charged.
 */
export class Pattern {
  readonly #states: readonly State[];
  readonly #start: number;

  /** @throws Failure (a pattern that cannot be read, or is not among those above) */
  constructor(source: string) {
    const builder = new Builder();
    const parser = new Parser(source);
    const node = parser.all();
    this.#start = builder.build(node, builder.add({ kind: 'end' }));
    this.#states = builder.states;
  }

  /** Whether it matches the whole text, as `String.matches` asks. */
  matches(text: string, work: Work): boolean {
    work.charge(text.length);
    const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    let now = this.#closure([this.#start], points, 0);
    for (let at = 0; at < points.length; at++) {
      work.charge(STATE_COST * now.length);
      const next = this.#behind(now, points[at] ?? 0);
      if (next.length === 0) return false;
      now = this.#closure(next, points, at + 1);
    }
    return now.some((index) => this.#states[index]?.kind === 'end');
  }

  /** The places of a text that match, from left to right, each as long as it can be, none of which overlap. */
  *found(text: string, work: Work): Generator<{ readonly start: number; readonly end: number }> {
    const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    work.charge(points.length);
    // Offsets count in UTF-16 units.
    let unit = 0;
    for (let at = 0; at <= points.length; ) {
      const end = this.#longest(points, at, work);
      if (end !== undefined) yield { start: unit, end: unit + unitsOf(points, at, end) };
      const next = end === undefined || end === at ? at + 1 : end;
      unit += unitsOf(points, at, next);
      at = next;
    }
  }

  /** Where the longest match from a place ends. */
  #longest(points: readonly number[], from: number, work: Work): number | undefined {
    let now = this.#closure([this.#start], points, from);
    let end: number | undefined;
    for (let at = from; ; at++) {
      work.charge(STATE_COST * now.length);
      if (now.some((index) => this.#states[index]?.kind === 'end')) end = at;
      const next = at < points.length ? this.#behind(now, points[at] ?? 0) : [];
      if (next.length === 0) return end;
      now = this.#closure(next, points, at + 1);
    }
  }

  /** The states that are reached with a character. */
  #behind(states: readonly number[], point: number): number[] {
    const next: number[] = [];
    for (const index of states) {
      const state = this.#states[index];
      if (state?.kind === 'character' && state.set(point)) next.push(state.next);
    }
    return next;
  }

  /** The states that are reached without a character. */
  #closure(from: readonly number[], points: readonly number[], at: number): number[] {
    const seen = new Set<number>();
    const open = [...from];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (seen.has(index)) continue;
      seen.add(index);
      const state = this.#states[index];
      if (state?.kind === 'split') open.push(...state.ways);
      if (state?.kind === 'place' && state.holds(points, at)) open.push(state.next);
    }
    return [...seen];
  }
}

const unitsOf = (points: readonly number[], from: number, to: number): number => {
  let units = 0;
  for (let at = from; at < to; at++) units += (points[at] ?? 0) > 0xffff ? 2 : 1;
  return units;
};

/** Cost of a state, beside that of a character that is gone through. */
const STATE_COST = 5;

type State =
  | { readonly kind: 'character'; readonly set: CharacterSet; readonly next: number }
  | { readonly kind: 'place'; readonly holds: Place; readonly next: number }
  | { readonly kind: 'split'; readonly ways: number[] }
  | { readonly kind: 'end' };

/** Condition on a place between characters. */
type Place = (points: readonly number[], at: number) => boolean;

type Node =
  | { readonly kind: 'character'; readonly set: CharacterSet }
  | { readonly kind: 'place'; readonly holds: Place }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'choice'; readonly ways: readonly Node[] }
  | { readonly kind: 'repeat'; readonly item: Node; readonly min: number; readonly max: number };

/** How many states a pattern may have: `(a{100}){100}` is short to write. */
const STATES_MAX = 5_000;

class Builder {
  readonly states: State[] = [];

  add(state: State): number {
    if (this.states.length >= STATES_MAX) throw new Failure(`expected a pattern of at most ${STATES_MAX} states`);
    return this.states.push(state) - 1;
  }

  /** The states of a node that go on to `next`; gives the first. */
  build(node: Node, next: number): number {
    switch (node.kind) {
      case 'character':
      case 'place':
        return this.add({ ...node, next });
      case 'sequence':
        return node.items.reduceRight((after, item) => this.build(item, after), next);
      case 'choice':
        return this.add({ kind: 'split', ways: node.ways.map((way) => this.build(way, next)) });
      case 'repeat':
        return this.#repeat(node.item, node, next);
    }
  }

  #repeat(item: Node, { min, max }: { readonly min: number; readonly max: number }, next: number): number {
    let first = next;
    if (max === Number.POSITIVE_INFINITY) {
      const ways = [next];
      first = this.add({ kind: 'split', ways });
      ways.push(this.build(item, first));
    } else {
      for (let n = min; n < max; n++) first = this.add({ kind: 'split', ways: [this.build(item, first), next] });
    }
    for (let n = 0; n < min; n++) first = this.build(item, first);
    return first;
  }
}

const DEPTH_MAX = 50;

class Parser {
  readonly #source: string;
  #at = 0;
  #depth = 0;
  #isFolded = false;
  #isDotAll = false;

  constructor(source: string) {
    this.#source = source;
  }

  all(): Node {
    const flags = /^\(\?([is]+)\)/.exec(this.#source);
    this.#isFolded = flags?.[1]?.includes('i') ?? false;
    this.#isDotAll = flags?.[1]?.includes('s') ?? false;
    this.#at = flags?.[0].length ?? 0;
    const node = this.#choice();
    if (this.#at < this.#source.length) throw this.#unexpected();
    return node;
  }

  #choice(): Node {
    const ways = [this.#sequence()];
    while (this.#take('|')) ways.push(this.#sequence());
    return ways.length === 1 && ways[0] !== undefined ? ways[0] : { kind: 'choice', ways };
  }

  #sequence(): Node {
    const items: Node[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#peek())) items.push(this.#quantified());
    return { kind: 'sequence', items };
  }

  #quantified(): Node {
    let item = this.#item();
    for (;;) {
      const quantifier = /^(?:[*+?]|\{(\d{1,4})(,(\d{1,4})?)?\})/.exec(this.#source.slice(this.#at));
      if (quantifier === null) return item;
      this.#at += quantifier[0].length;
      item = { kind: 'repeat', item, ...timesOf(quantifier) };
      // A reluctant one matches the same whole texts.
      if (!this.#take('?') && this.#peek() === '+') throw this.#unexpected();
    }
  }

  #item(): Node {
    const sign = this.#peek();
    if (sign === '(') return this.#group();
    if (sign === '[') return this.#set(classOf(this.#source, this.#at, this.#isFolded));
    if (sign === '\\') return this.#escaped();
    if (/[*+?{]/.test(sign)) throw this.#unexpected();
    this.#at += sign.length;
    if (sign === '.') return { kind: 'character', set: this.#isDotAll ? () => true : isNoLineEnd };
    if (sign === '^') return { kind: 'place', holds: isStart };
    if (sign === '$') return { kind: 'place', holds: isEnd };
    return this.#literal(sign.codePointAt(0) ?? 0);
  }

  #group(): Node {
    const opening = /^\((?:\?:|\?<[A-Za-z][A-Za-z0-9]*>)?/.exec(this.#source.slice(this.#at))?.[0] ?? '(';
    this.#at += opening.length;
    if (this.#peek() === '?' || ++this.#depth > DEPTH_MAX) throw this.#unexpected();
    const inner = this.#choice();
    if (!this.#take(')')) throw this.#unexpected();
    this.#depth--;
    return inner;
  }

  #escaped(): Node {
    const quoted = /^\\Q([\s\S]*?)(?:\\E|$)/.exec(this.#source.slice(this.#at));
    if (quoted !== null) {
      this.#at += quoted[0].length;
      const items = Array.from(quoted[1] ?? '', (character) => this.#literal(character.codePointAt(0) ?? 0));
      return { kind: 'sequence', items };
    }
    const holds = PLACES[this.#source[this.#at + 1] ?? ''];
    if (holds === undefined) return this.#set(escapeOf(this.#source, this.#at));
    this.#at += 2;
    return { kind: 'place', holds };
  }

  #set({ set, end }: { readonly set: CharacterSet; readonly end: number }): Node {
    this.#at = end;
    return { kind: 'character', set };
  }

  #literal(point: number): Node {
    const set = isCharacter(point);
    return { kind: 'character', set: this.#isFolded ? folded(set) : set };
  }

  #peek(): string {
    const point = this.#source.codePointAt(this.#at);
    return point === undefined ? '' : String.fromCodePoint(point);
  }

  #take(sign: string): boolean {
    if (this.#peek() !== sign) return false;
    this.#at += sign.length;
    return true;
  }

  #unexpected(): Failure {
    const found = this.#peek() === '' ? 'its end' : `'${this.#peek()}'`;
    return new Failure(
      `expected a pattern that can be matched, but found ${found} at ${this.#at} in '${this.#source}'`,
    );
  }
}

function timesOf([sign = '', least, more, most]: readonly (string | undefined)[]): { min: number; max: number } {
  if (sign === '*') return { min: 0, max: Number.POSITIVE_INFINITY };
  if (sign === '+') return { min: 1, max: Number.POSITIVE_INFINITY };
  if (sign === '?') return { min: 0, max: 1 };
  const min = Number(least);
  if (more === undefined) return { min, max: min };
  const max = most === undefined ? Number.POSITIVE_INFINITY : Number(most);
  if (max < min)
    throw new Failure(`expected a pattern that repeats from ${min} times on, but at most ${max} are allowed`);
  return { min, max };
}

const LINE_ENDS = new Set([0x0a, 0x0d, 0x85, 0x2028, 0x2029]);
const isNoLineEnd: CharacterSet = (point) => !LINE_ENDS.has(point);
const isStart: Place = (_, at) => at === 0;
const isVeryEnd: Place = (points, at) => at === points.length;
const isEnd: Place = (points, at) =>
  isVeryEnd(points, at) || (at === points.length - 1 && LINE_ENDS.has(points[at] ?? 0));
const isWord = (point: number | undefined) => point !== undefined && /[\p{L}\p{N}_]/u.test(String.fromCodePoint(point));
const isBorder: Place = (points, at) => isWord(points[at - 1]) !== isWord(points[at]);

const PLACES: Readonly<Record<string, Place>> = {
  A: isStart,
  z: isVeryEnd,
  Z: isEnd,
  b: isBorder,
  B: (points, at) => !isBorder(points, at),
};
