import { ExchangeFailure, JavaPattern } from '../../../expression/routes.js';
import type { EndpointAddress } from '../component.js';
import { isDoneFile } from './done-file.js';

/** An entry of a directory: its name, and its path below the endpoint's directory. */
export interface Entry {
  readonly name: string;
  readonly relative: string;
  readonly isDirectory: boolean;
}

type Options = EndpointAddress['options'];

/** What lies beside files, and is none to read. */
const LOCKS = ['.camelLock', '.camelExclusiveReadLock'];

/** Whether a name in a directory is one to read, or to go into, by the options that look at names. */
export function nameFilter(options: Options): (entry: Entry) => boolean {
  const tests = [
    expressionTest(options.include, true),
    expressionTest(options.exclude, false),
    extensionTest(options.includeExt, true),
    extensionTest(options.excludeExt, false),
    antTest(options.antInclude, true, options),
    antTest(options.antExclude, false, options),
    options.doneFileName === undefined ? undefined : noDoneFile(String(options.doneFileName)),
  ].filter((test) => test !== undefined);
  const isShown = ({ name, isDirectory }: Entry) =>
    !name.startsWith('.') || options[isDirectory ? 'includeHiddenDirs' : 'includeHiddenFiles'] === true;
  const isFile = ({ name }: Entry) => !LOCKS.some((ending) => name.endsWith(ending));
  return (entry) => isShown(entry) && (entry.isDirectory || (isFile(entry) && tests.every((test) => test(entry))));
}

const noDoneFile =
  (pattern: string): Test =>
  ({ name }) =>
    !isDoneFile(name, pattern);

type Test = (entry: Entry) => boolean;

/** A regular expression for the whole name, in any letter case. */
function expressionTest(text: unknown, isFor: boolean): Test | undefined {
  if (text === undefined || text === '') return undefined;
  const pattern = new JavaPattern(`(?i)${text}`);
  return ({ name }) => pattern.matches(name) === isFor;
}

function extensionTest(text: unknown, isFor: boolean): Test | undefined {
  if (text === undefined || text === '') return undefined;
  const endings = String(text)
    .toLowerCase()
    .split(',')
    .map((ending) => `.${ending.trim()}`);
  return ({ name }) => endings.some((ending) => name.toLowerCase().endsWith(ending)) === isFor;
}

function antTest(text: unknown, isFor: boolean, options: Options): Test | undefined {
  if (text === undefined || text === '') return undefined;
  const folds = options.antFilterCaseSensitive === false;
  const fold = (path: string) => (folds ? path.toLowerCase() : path);
  const patterns = String(text)
    .split(',')
    .map((pattern) => fold(pattern.trim()));
  return ({ relative }) => patterns.some((pattern) => matchesAnt(pattern, fold(relative))) === isFor;
}

/** Whether a path is of an Ant pattern: `?` is a letter, `*` any within a part, `**` any number of parts. */
export function matchesAnt(pattern: string, path: string): boolean {
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  return matchesParts(whole.split('/'), path.split('/'), '**', matchesPart);
}

const matchesPart = (pattern: string, part: string): boolean =>
  matchesParts([...pattern], [...part], '*', (sign, letter) => sign === '?' || sign === letter);

/** A pattern with a sign for any number of anything: goes back to the last such sign alone, so the work is at most pattern times text. */
function matchesParts(
  pattern: readonly string[],
  text: readonly string[],
  any: string,
  same: (sign: string, part: string) => boolean,
): boolean {
  let [sign, at] = [0, 0];
  let back: { readonly sign: number; at: number } | undefined;
  while (at < text.length) {
    const expected = pattern[sign];
    if (expected === any) back = { sign: sign++, at };
    else if (expected !== undefined && same(expected, text[at] ?? '')) {
      sign++;
      at++;
    } else if (back === undefined) return false;
    else {
      sign = back.sign + 1;
      at = ++back.at;
    }
  }
  while (pattern[sign] === any) sign++;
  return sign === pattern.length;
}

/** Depth options, which count from 1: what lies in the endpoint's directory itself. */
export function depthsOf(options: Options): { readonly min: number; readonly max: number } {
  const [min, max] = [Number(options.minDepth ?? 0), Number(options.maxDepth ?? 2 ** 31 - 1)];
  if (min <= max) return { min, max };
  throw new ExchangeFailure('java.lang.IllegalArgumentException', `expected minDepth to be at most maxDepth (${max})`);
}
