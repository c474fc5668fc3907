import { ExchangeFailure } from '../exchange/failure.js';
import { easyPattern } from '../juel/easy-pattern.js';
import { Failure, Work } from '../juel/failure.js';
import { LruCache } from '../juel/lru-cache.js';
import { Pattern } from '../juel/pattern.js';

/** Java's `Pattern`: whether a whole text matches. */
export interface WholePattern {
  /** @throws ExchangeFailure where text times pattern is too much work */
  matches(text: string): boolean;
}

const kept = new LruCache<WholePattern>(200);
const KEPT_LENGTH_MAX = 500;

/** A regular expression of Java's, which is matched in linear time. @throws ExchangeFailure PatternSyntaxException where it cannot be */
export function patternOf(source: string): WholePattern {
  const known = kept.get(source);
  if (known !== undefined) return known;
  const made = easyWhole(source) ?? anyWhole(source);
  if (source.length <= KEPT_LENGTH_MAX) kept.set(source, made);
  return made;
}

/** What a single unbounded repetition may take is bounded by the text's length. */
function easyWhole(source: string): WholePattern | undefined {
  const easy = easyPattern(source, 1);
  if (easy === undefined) return undefined;
  const whole = new RegExp(`^(?:${easy})$`, 'u');
  return { matches: (text) => whole.test(text) };
}

function anyWhole(source: string): WholePattern {
  const pattern = failing('java.util.regex.PatternSyntaxException', () => new Pattern(source));
  return {
    matches: (text) => failing('java.lang.IllegalArgumentException', () => pattern.matches(text, new Work(SEARCH_MAX))),
  };
}

function failing<T>(type: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof Failure) throw new ExchangeFailure(type, thrown.message, { cause: thrown });
    throw thrown;
  }
}

/** How much is gone through where a pattern is looked for in a text, in steps. */
const SEARCH_MAX = 50_000_000;

/** Parts of a text between what matches, as Java's `split` gives them: empty ones at the end are left out. */
export function splitByPattern(text: string, source: string): string[] {
  const parts = isPlain(source) ? text.split(source) : between(text, source);
  while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  return parts;
}

/** Java's `replaceAll`, without groups in the replacement. */
export const replaceByPattern = (text: string, source: string, replacement: string): string =>
  isPlain(source) ? text.replaceAll(source, () => replacement) : between(text, source).join(replacement);

const isPlain = (source: string): boolean => source !== '' && !/[.$|()[\]{}^?*+\\]/.test(source);

function between(text: string, source: string): string[] {
  return failing('java.util.regex.PatternSyntaxException', () => {
    const pattern = new Pattern(source);
    const work = new Work(SEARCH_MAX);
    const parts: string[] = [];
    let from = 0;
    for (const { start, end } of pattern.found(text, work)) {
      if (end === 0) continue;
      parts.push(text.slice(from, start));
      from = end;
    }
    parts.push(text.slice(from));
    return parts;
  });
}
