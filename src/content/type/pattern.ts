import { type Assertion, type PatternPart, readPattern } from './pattern-reader.js';

/** A regular expression for whole texts. */
interface Pattern {
  /** How many states it has. */
  readonly size: number;
  /** Whether the whole text matches. `effort` is what matching may still cost, and is spent; null: it cost more. */
  matches(text: string, effort: Effort): boolean | null;
}

/** How many steps may still be taken, some millions of which take some ten ms. */
export interface Effort {
  left: number;
}

/** The most steps of all patterns together for one node, or for the defaults of one type: some ten ms. */
export const PATTERN_EFFORT = 1_000_000;

/** The most that one pattern becomes when its repetitions are written out. */
const STATES_MAX = 10_000;

/**
 * A regular expression for whole texts that is matched in time linear in the text, whatever it says: all ways through it are followed at once, none
 * is ever gone back. Null: it is no regular expression, has back references or look-around, or is too large.
 */
export function patternOf(text: string): Pattern | null {
  for (const flags of ['su', 's']) {
    if (!isExpression(text, flags)) continue; // the stricter dialect refuses escapes that Java takes
    const part = readPattern(text, flags === 'su');
    const states = part && new Compiler(flags).compile(part);
    if (states === null) return null;
    const matcher = new Matcher(states);
    return {
      size: states.all.length,
      matches: (value, effort) => matcher.matches(charactersOf(value, flags), effort),
    };
  }
  return null;
}

function isExpression(text: string, flags: string): boolean {
  try {
    new RegExp(`^(?:${text})$`, flags);
    return true;
  } catch {
    return false;
  }
}

const charactersOf = (text: string, flags: string): readonly string[] => (flags === 'su' ? [...text] : text.split(''));

type State =
  | { readonly kind: 'character'; readonly isOne: (character: string) => boolean; readonly next: number }
  | { readonly kind: 'assertion'; readonly of: Assertion; readonly next: number }
  | { readonly kind: 'ways'; readonly ways: number[] }
  | { readonly kind: 'end' };

interface States {
  readonly all: readonly State[];
  readonly first: number;
}

/** Builds the states of a pattern from its end to its beginning. */
class Compiler {
  readonly #flags: string;
  readonly #all: State[] = [{ kind: 'end' }];
  readonly #characters = new Map<string, (character: string) => boolean>();
  #parts = 0;

  constructor(flags: string) {
    this.#flags = flags;
  }

  /** Null: it has too many. */
  compile(part: PatternPart): States | null {
    const first = this.#part(part, 0);
    return first === null ? null : { all: this.#all, first };
  }

  /** The state at which the part begins, that goes on at `next`. */
  #part(part: PatternPart, next: number): number | null {
    // What is repeated may come to no state at all.
    if (++this.#parts > 10 * STATES_MAX) return null;
    switch (part.kind) {
      case 'character':
        return this.#add({ kind: 'character', isOne: this.#character(part.source), next });
      case 'assertion':
        return this.#add({ kind: 'assertion', of: part.of, next });
      case 'sequence':
        return part.parts.reduceRight<number | null>((at, one) => (at === null ? null : this.#part(one, at)), next);
      case 'choice':
        return this.#choice(part.parts, next);
      case 'repetition':
        return this.#repetition(part, next);
    }
  }

  #choice(parts: readonly PatternPart[], next: number): number | null {
    const ways: number[] = [];
    for (const one of parts) {
      const way = this.#part(one, next);
      if (way === null) return null;
      ways.push(way);
    }
    return this.#add({ kind: 'ways', ways });
  }

  #repetition(
    { part, min, max }: { readonly part: PatternPart; readonly min: number; readonly max: number },
    next: number,
  ): number | null {
    let at: number | null = max === Number.POSITIVE_INFINITY ? this.#loop(part, next) : next;
    for (let n = max === Number.POSITIVE_INFINITY ? min : max; n > 0 && at !== null; n--) {
      const again = this.#part(part, at);
      at = again === null || n <= min ? again : this.#add({ kind: 'ways', ways: [again, next] });
    }
    return at;
  }

  #loop(part: PatternPart, next: number): number | null {
    const ways = [next];
    const at = this.#add({ kind: 'ways', ways });
    const again = at === null ? null : this.#part(part, at);
    if (again !== null) ways.push(again);
    return again === null ? null : at;
  }

  #add(state: State): number | null {
    if (this.#all.length >= STATES_MAX) return null;
    return this.#all.push(state) - 1;
  }

  /** What one character of the source stands for is JavaScript's to say: a single one takes no time. */
  #character(source: string): (character: string) => boolean {
    const known = this.#characters.get(source);
    if (known !== undefined) return known;
    const expression = new RegExp(`^${/^[{}\]/]$/.test(source) ? `\\${source}` : source}$`, this.#flags);
    const answers = new Map<string, boolean>();
    const isOne = (character: string): boolean => {
      let answer = answers.get(character);
      if (answer === undefined) {
        answer = expression.test(character);
        if (answers.size < ANSWERS_MAX) answers.set(character, answer);
      }
      return answer;
    };
    this.#characters.set(source, isOne);
    return isOne;
  }
}

/** How many different characters are remembered. */
const ANSWERS_MAX = 256;

/** Follows one text after the other through the states. */
class Matcher {
  readonly #states: States;
  /** Where each state was last reached, so that it is followed once per place. Places of one text come behind those of the one before. */
  readonly #reached: Float64Array;
  #begin = 1;
  #text: readonly string[] = [];
  #effort: Effort = { left: 0 };
  #now: number[] = [];

  constructor(states: States) {
    this.#states = states;
    this.#reached = new Float64Array(states.all.length);
  }

  matches(text: readonly string[], effort: Effort): boolean | null {
    this.#text = text;
    this.#effort = effort;
    this.#now = [];
    this.#reach(this.#states.first, 0);
    const answer = this.#follow();
    this.#begin += text.length + 1;
    return answer;
  }

  #follow(): boolean | null {
    for (const [at, character] of this.#text.entries()) {
      const before = this.#now;
      if (before.length === 0) return false;
      this.#now = [];
      for (const id of before) {
        const state = this.#states.all[id];
        if (state?.kind === 'character' && state.isOne(character)) this.#reach(state.next, at + 1);
      }
      this.#effort.left -= before.length;
      if (this.#effort.left < 0) return null;
    }
    return this.#reached[0] === this.#begin + this.#text.length;
  }

  /** All states that are reached from this one without a character. */
  #reach(first: number, at: number): void {
    const open = [first];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      this.#effort.left--;
      if (this.#reached[id] === this.#begin + at) continue;
      this.#reached[id] = this.#begin + at;
      const state = this.#states.all[id];
      if (state?.kind === 'character') this.#now.push(id);
      else if (state?.kind === 'ways') open.push(...state.ways);
      else if (state?.kind === 'assertion' && this.#holds(state.of, at)) open.push(state.next);
    }
  }

  #holds(assertion: Assertion, at: number): boolean {
    if (assertion === '^') return at === 0;
    if (assertion === '$') return at === this.#text.length;
    const isEdge = isWord(this.#text[at - 1]) !== isWord(this.#text[at]);
    return isEdge === (assertion === 'b');
  }
}

const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character);
