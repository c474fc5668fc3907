import { Failure } from './failure.js';

/** Whether a character, by its code point, is meant. */
export type CharacterSet = (point: number) => boolean;

export const isCharacter =
  (wanted: number): CharacterSet =>
  (point) =>
    point === wanted;

/** As Java does without UNICODE_CASE: the letters of ASCII alone. */
export const folded =
  (set: CharacterSet): CharacterSet =>
  (point) =>
    set(point) || (isLetter(point) && set(point ^ 0x20));

const isLetter = (point: number) => (point >= 0x41 && point <= 0x5a) || (point >= 0x61 && point <= 0x7a);

interface Read {
  readonly set: CharacterSet;
  /** Where the source goes on. */
  readonly end: number;
  /** The one character that it is; absent where there are several. */
  readonly point?: number;
}

/** The class that begins at `start`: `[a-z_]`, `[^\d]`. @throws Failure (one that does not end, or holds another, or an intersection) */
export function classOf(source: string, start: number, isFolded: boolean): Read {
  const isNegated = source[start + 1] === '^';
  const sets: CharacterSet[] = [];
  let at = start + (isNegated ? 2 : 1);
  for (let isFirst = true; isFirst || source[at] !== ']'; isFirst = false) {
    if (source[at] === undefined || source[at] === '[' || source.startsWith('&&', at)) throw unreadable(source, start);
    const from = itemOf(source, at);
    at = from.end;
    const isRange = source[at] === '-' && source[at + 1] !== ']';
    if (!isRange) {
      sets.push(from.set);
      continue;
    }
    const to = itemOf(source, at + 1);
    at = to.end;
    sets.push(rangeOf(from.point, to.point) ?? refuse(source, start));
  }
  const isListed: CharacterSet = (point) => sets.some((set) => set(point));
  const isIn = isFolded ? folded(isListed) : isListed;
  return { set: isNegated ? (point) => !isIn(point) : isIn, end: at + 1 };
}

function itemOf(source: string, at: number): Read {
  if (source[at] === '\\') return escapeOf(source, at);
  const point = source.codePointAt(at) ?? 0;
  return single(point, at + String.fromCodePoint(point).length);
}

const single = (point: number, end: number): Read => ({ set: isCharacter(point), end, point });

function rangeOf(from: number | undefined, to: number | undefined): CharacterSet | undefined {
  if (from === undefined || to === undefined || from > to) return undefined;
  return (point) => point >= from && point <= to;
}

/** Meaning of a backslash at `at`. @throws Failure (a back reference, or nothing that Java knows) */
export function escapeOf(source: string, at: number): Read {
  const sign = source[at + 1] ?? '';
  const plain = CONTROLS[sign];
  if (plain !== undefined) return single(plain, at + 2);
  const set = SETS[sign.toLowerCase()];
  if (set !== undefined) return { set: sign in SETS ? set : (point) => !set(point), end: at + 2 };
  return codeOf(source, at) ?? namedOf(source, at) ?? plainOf(source, at);
}

function codeOf(source: string, at: number): Read | undefined {
  const code = /^\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4}))/.exec(source.slice(at, at + 6));
  if (code === null) return undefined;
  return single(Number.parseInt(code[1] ?? code[2] ?? '', 16), at + code[0].length);
}

function namedOf(source: string, at: number): Read | undefined {
  const property = /^\\([pP])(?:\{(\w{1,40})\}|([A-Z]))/.exec(source.slice(at, at + 50));
  if (property === null) return undefined;
  const named = propertyOf(property[2] ?? property[3] ?? '') ?? refuse(source, at);
  return { set: property[1] === 'p' ? named : (point) => !named(point), end: at + property[0].length };
}

function plainOf(source: string, at: number): Read {
  const sign = source[at + 1] ?? '';
  if (sign === '' || /[A-Za-z0-9]/.test(sign)) throw unreadable(source, at);
  const point = source.codePointAt(at + 1) ?? 0;
  return single(point, at + 1 + String.fromCodePoint(point).length);
}

const CONTROLS: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, r: 0x0d, f: 0x0c, a: 0x07, e: 0x1b };

const matching =
  (expression: RegExp): CharacterSet =>
  (point) =>
    expression.test(String.fromCodePoint(point));

/** As in Java: of ASCII. The capital letter is the opposite. */
const SETS: Readonly<Record<string, CharacterSet>> = {
  d: matching(/[0-9]/),
  w: matching(/[a-zA-Z_0-9]/),
  s: matching(/[ \t\n\v\f\r]/),
};

const POSIX: Readonly<Record<string, CharacterSet>> = {
  Lower: matching(/[a-z]/),
  Upper: matching(/[A-Z]/),
  ASCII: (point) => point < 0x80,
  Alpha: matching(/[a-zA-Z]/),
  Digit: matching(/[0-9]/),
  Alnum: matching(/[a-zA-Z0-9]/),
  Punct: matching(/[!-/:-@[-`{-~]/),
  Graph: (point) => point > 0x20 && point < 0x7f,
  Print: (point) => point >= 0x20 && point < 0x7f,
  Blank: matching(/[ \t]/),
  Cntrl: (point) => point < 0x20 || point === 0x7f,
  XDigit: matching(/[0-9a-fA-F]/),
  Space: matching(/[ \t\n\v\f\r]/),
};

/** `Alpha`, the categories `L`, `Lu` …, `IsAlphabetic`, `IsLatin`. */
function propertyOf(name: string): CharacterSet | undefined {
  const posix = POSIX[name];
  if (posix !== undefined) return posix;
  const known = name.replace(/^Is/, '');
  for (const wanted of [known, `Script=${known}`]) {
    try {
      return matching(new RegExp(`\\p{${wanted}}`, 'u'));
    } catch {
      // Not a property of that kind.
    }
  }
  return undefined;
}

function refuse(source: string, at: number): never {
  throw unreadable(source, at);
}

const unreadable = (source: string, at: number): Failure =>
  new Failure(
    `expected a pattern that can be matched, but found '${source.slice(at, at + 20)}' at ${at} in '${source}'`,
  );
