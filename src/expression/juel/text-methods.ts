import { toInteger, toText } from './coerce.js';
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
    'concat/1': (text, [more], work) => joined(text, toText(more), work),
    'replace/2': (text, [from, to], work) => replace(text, toText(from), toText(to), work),
    'split/1': (text, [separator], work) => split(searched(text, work), toText(separator)),
    'equals/1': (text, [other]) => text === other,
    'equalsIgnoreCase/1': (text, [other]) => other !== null && folded(text) === folded(toText(other)),
    'compareTo/1': (text, [other]) => order(text, toText(other)),
    'compareToIgnoreCase/1': (text, [other]) => order(folded(text), folded(toText(other))),
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

/** Java's split takes a regular expression; here it is plain text, in which a backslash makes the next character plain. */
function split(text: string, separator: string): string[] {
  const plain = separator.replace(/\\([^A-Za-z0-9])/g, '$1');
  if (/[.$|()[\]{}^?*+\\]/.test(separator.replace(/\\[^A-Za-z0-9]/g, '')) && separator.length > 1) {
    throw new Failure(`expected plain text to split at, but found the pattern '${separator}'`);
  }
  const parts = text.split(plain);
  while (parts.length > 1 && parts[parts.length - 1] === '') parts.pop();
  return parts;
}

function within(text: string, index: number, max: number): number {
  if (index >= 0 && index <= max) return index;
  throw new Failure(`expected an index from 0 to ${max} of a text of ${text.length} characters, but found ${index}`);
}

const folded = (text: string): string => text.toUpperCase().toLowerCase();

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
