/** One part of a pattern. */
export type PatternPart =
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'assertion'; readonly of: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternPart[] }
  | { readonly kind: 'choice'; readonly parts: readonly PatternPart[] }
  | { readonly kind: 'repetition'; readonly part: PatternPart; readonly min: number; readonly max: number };

/** A place between characters: the beginning, the end, a word's edge, none. */
export type Assertion = '^' | '$' | 'b' | 'B';

/** Nested groups. */
const DEPTH_MAX = 200;

/**
 * Reads a regular expression whose syntax JavaScript has accepted. Null: it has what cannot be matched in linear time (back references,
 * look-around), octal escapes, or is nested too deep. `isUnicode`: whether it was accepted with the flag `u`.
 */
export function readPattern(text: string, isUnicode: boolean): PatternPart | null {
  try {
    return new PatternReader(text, isUnicode).read();
  } catch (thrown) {
    if (thrown instanceof Unsupported) return null;
    throw thrown;
  }
}

class Unsupported extends Error {
  override readonly name = 'Unsupported';
}

class PatternReader {
  readonly #text: string;
  readonly #isUnicode: boolean;
  #at = 0;
  #depth = 0;

  constructor(text: string, isUnicode: boolean) {
    this.#text = text;
    this.#isUnicode = isUnicode;
  }

  read(): PatternPart {
    const whole = this.#choice();
    if (this.#at < this.#text.length) throw new Unsupported();
    return whole;
  }

  #choice(): PatternPart {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: 'choice', parts };
  }

  #sequence(): PatternPart {
    const parts: PatternPart[] = [];
    while (this.#at < this.#text.length && !this.#sees('|') && !this.#sees(')')) {
      const part = this.#part();
      const counts = this.#counts();
      parts.push(counts === null ? part : { kind: 'repetition', part, ...counts });
    }
    return { kind: 'sequence', parts };
  }

  #part(): PatternPart {
    if (this.#take('(')) return this.#group();
    if (this.#take('^')) return { kind: 'assertion', of: '^' };
    if (this.#take('$')) return { kind: 'assertion', of: '$' };
    if (this.#sees('[')) return this.#matching(CLASS);
    if (this.#sees('\\')) return this.#escape();
    return this.#matching(this.#isUnicode ? CODE_POINT : CODE_UNIT);
  }

  #group(): PatternPart {
    if (++this.#depth > DEPTH_MAX) throw new Unsupported();
    if (this.#sees('?') && this.#find(GROUP_BEGIN) === null) throw new Unsupported();
    const inner = this.#choice();
    this.#take(')');
    this.#depth--;
    return inner;
  }

  #escape(): PatternPart {
    if (this.#find(REFERENCE_OR_OCTAL, false) !== null) throw new Unsupported();
    const edge = this.#find(EDGE);
    if (edge !== null) return { kind: 'assertion', of: edge === '\\b' ? 'b' : 'B' };
    return this.#matching(this.#isUnicode ? UNICODE_ESCAPE : ESCAPE);
  }

  /** How often the part before may occur; null: once. Whether it takes as much or as little as it can is the same to a whole text. */
  #counts(): { readonly min: number; readonly max: number } | null {
    const found = this.#find(QUANTIFIER);
    if (found === null) return null;
    if (found.startsWith('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (found.startsWith('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (found.startsWith('?')) return { min: 0, max: 1 };
    const [min = '', max] = found.replace(/[{}?]/g, '').split(',');
    return {
      min: Number(min),
      max: max === undefined ? Number(min) : max === '' ? Number.POSITIVE_INFINITY : Number(max),
    };
  }

  #matching(expression: RegExp): PatternPart {
    const source = this.#find(expression);
    if (source === null) throw new Unsupported();
    return { kind: 'character', source };
  }

  /** What the expression, which is sticky, finds here; it is passed over unless told otherwise. */
  #find(expression: RegExp, isTaken = true): string | null {
    expression.lastIndex = this.#at;
    const [found] = expression.exec(this.#text) ?? [];
    if (found !== undefined && isTaken) this.#at += found.length;
    return found ?? null;
  }

  #sees(character: string): boolean {
    return this.#text[this.#at] === character;
  }

  #take(character: string): boolean {
    const isThere = this.#sees(character);
    if (isThere) this.#at++;
    return isThere;
  }
}

const CODE_POINT = /./suy;
const CODE_UNIT = /./sy;
const CLASS = /\[(?:[^\]\\]|\\.)*\]/sy;
/** What follows the bracket of a group that is no look-around. */
const GROUP_BEGIN = /\?(?::|<(?![=!])[^>]*>)/y;
const REFERENCE_OR_OCTAL = /\\(?:[1-9]|k|0\d)/y;
const EDGE = /\\[bB]/y;
const UNICODE_ESCAPE =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|.)/suy;
const ESCAPE = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^c])/sy;
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;
