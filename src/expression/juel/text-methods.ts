import { toInteger, toText } from './coerce.js';
import { easyPattern } from './easy-pattern.js';
import { Failure, type Work } from './failure.js';
import { LruCache } from './lru-cache.js';
import { Pattern } from './pattern.js';
import type { Methods } from './value.js';

/** Methods of a string: those of java.lang.String, the regular expressions of which cannot be slow. */
export const TEXT_METHODS: Methods<string> = new Map(
  Object.entries<(text: string, args: readonly unknown[], work: Work) => unknown>({
    'length/0': (text) => text.length,
    'isEmpty/0': (text) => text === '',
    'isBlank/0': (text) => text.trim() === '',
    'contains/1': (text, [part], work) => searched(text, work).includes(toText(part)),
    'startsWith/1': (text, [part]) => text.startsWith(toText(part)),
    'startsWith/2': (text, [part, from]) => text.startsWith(toText(part), toInteger(from)),
    'endsWith/1': (text, [part]) => text.endsWith(toText(part)),
    'indexOf/1': (text, [part], work) => searched(text, work).indexOf(toText(part)),
    'indexOf/2': (text, [part, from], work) => searched(text, work).indexOf(toText(part), toInteger(from)),
    'lastIndexOf/1': (text, [part], work) => searched(text, work).lastIndexOf(toText(part)),
    'charAt/1': (text, [at]) => text.charAt(within(text, toInteger(at), text.length - 1)),
    'substring/1': (text, [from]) => text.slice(within(text, toInteger(from), text.length)),
    'substring/2': (text, [from, to]) => {
      const end = within(text, toInteger(to), text.length);
      return text.slice(within(text, toInteger(from), end), end);
    },
    'toUpperCase/0': (text, _args, work) => searched(text, work).toUpperCase(),
    'toLowerCase/0': (text, _args, work) => searched(text, work).toLowerCase(),
    'matches/1': (text, [pattern], work) => patternOf(searched(toText(pattern), work)).matches(text, work),
    'trim/0': (text) => text.trim(),
    'strip/0': (text) => text.trim(),
    'stripLeading/0': (text) => text.trimStart(),
    'stripTrailing/0': (text) => text.trimEnd(),
    'concat/1': (text, [more], work) => joined(text, toText(more), work),
    'replace/2': (text, [from, to], work) => replace(text, toText(from), toText(to), work),
    'replaceAll/2': (text, [pattern, to], work) =>
      replaceFound(text, { pattern, to, most: Number.POSITIVE_INFINITY }, work),
    'replaceFirst/2': (text, [pattern, to], work) => replaceFound(text, { pattern, to, most: 1 }, work),
    'repeat/1': (text, [times], work) => repeated(text, toInteger(times), work),
    'split/1': (text, [separator], work) => split(searched(text, work), toText(separator), work),
    'equals/1': (text, [other]) => text === other,
    'contentEquals/1': (text, [other]) => text === other,
    'equalsIgnoreCase/1': (text, [other]) => other !== null && folded(text) === folded(toText(other)),
    'compareTo/1': (text, [other]) => difference(text, toText(other)),
    'compareToIgnoreCase/1': (text, [other]) => difference(folded(text), folded(toText(other))),
    'toString/0': (text) => text,
    // Camunda Spin's methods of a JSON value, so that models with `.prop('name').stringValue()` work.
    'stringValue/0': (text) => text,
    'value/0': (text) => text,
    'isString/0': () => true,
  }),
);

const patterns = new LruCache<Pattern>(100);

function patternOf(source: string): Pattern {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  const made = new Pattern(source);
  if (source.length <= PATTERN_KEPT_MAX) patterns.set(source, made);
  return made;
}

const PATTERN_KEPT_MAX = 200;

function searched(text: string, work: Work): string {
  work.charge(text.length);
  return text;
}

function joined(text: string, more: string, work: Work): string {
  work.charge(text.length + more.length);
  return text + more;
}

/** The length of the result is known, and paid for, before it is made. */
function replace(text: string, from: string, to: string, work: Work): string {
  work.charge(text.length);
  let found = from === '' ? text.length + 1 : 0;
  if (from !== '') for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + from.length)) found++;
  work.charge(found * to.length);
  return text.replaceAll(from, () => to);
}

function repeated(text: string, times: number, work: Work): string {
  if (times < 0) throw new Failure(`expected how often a text is repeated, but found ${times}`);
  work.charge(text.length * times);
  return text.repeat(times);
}

interface Replacing {
  readonly pattern: unknown;
  readonly to: unknown;
  readonly most: number;
}

function replaceFound(text: string, { pattern, to, most }: Replacing, work: Work): string {
  const written = toText(to);
  let result = '';
  let at = 0;
  let count = 0;
  for (const { start, end } of placesOf(text, toText(pattern), work)) {
    if (count++ >= most) break;
    const more = text.slice(at, start) + replacement(written, text.slice(start, end));
    work.charge(more.length);
    result += more;
    at = end;
  }
  return result + text.slice(at);
}

/** As Java writes it: a backslash makes the next character plain, `$0` is what was found. */
const replacement = (written: string, found: string): string =>
  written.replace(/\\([\s\S])|\$0|\$/g, (part, plain: string | undefined) => {
    if (part === '$') throw new Failure(`expected a replacement without groups other than $0, but found '${written}'`);
    return plain ?? found;
  });

/** The places of a text that match, from left to right; none overlap. */
function placesOf(
  text: string,
  source: string,
  work: Work,
): Iterable<{ readonly start: number; readonly end: number }> {
  searched(source, work);
  const easy = easyPattern(source, 0);
  if (easy !== undefined) {
    searched(text, work);
    const places = text.matchAll(new RegExp(easy, 'gu'));
    return Array.from(places, ({ index, 0: found }) => ({ start: index, end: index + found.length }));
  }
  if (LAZY.test(source)) throw new Failure(`expected a pattern that takes as much as it can, but found '${source}'`);
  return patternOf(source).found(text, work);
}

/** Which end it takes cannot be told in one pass. */
const LAZY = /[*+?}]\?/;

/** Java's: a single character is itself, everything else a pattern; what is empty at the end is left out. */
function split(text: string, separator: string, work: Work): string[] {
  const plain = separator.replace(/\\([^A-Za-z0-9])/g, '$1');
  const isPattern = separator.length > 1 && /[.$|()[\]{}^?*+\\]/.test(separator.replace(/\\[^A-Za-z0-9]/g, ''));
  const parts = isPattern ? splitAt(text, separator, work) : text.split(plain);
  while (parts.length > 1 && parts[parts.length - 1] === '') parts.pop();
  return parts;
}

function splitAt(text: string, pattern: string, work: Work): string[] {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of placesOf(text, pattern, work)) {
    // Nothing found at the very beginning makes no empty part.
    if (end === 0 || (start === end && start === text.length)) continue;
    parts.push(text.slice(at, start));
    at = end;
  }
  return [...parts, text.slice(at)];
}

function within(text: string, index: number, max: number): number {
  if (index >= 0 && index <= max) return index;
  throw new Failure(`expected an index from 0 to ${max} of a text of ${text.length} characters, but found ${index}`);
}

const folded = (text: string): string => text.toUpperCase().toLowerCase();

/** Of the first characters that differ, else of the lengths. */
function difference(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const between = a.charCodeAt(at) - b.charCodeAt(at);
    if (between !== 0) return between;
  }
  return a.length - b.length;
}
