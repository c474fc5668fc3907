import { refused } from './feel-note.js';

// Patterns of FEEL are those of XPath (F&O 3.1, 5.6): what JavaScript writes otherwise is rewritten.

/** Blocks of Unicode that patterns name. */
const BLOCKS: Readonly<Record<string, string>> = {
  BasicLatin: '\\u0000-\\u007F',
  'Latin-1Supplement': '\\u0080-\\u00FF',
  'LatinExtended-A': '\\u0100-\\u017F',
  'LatinExtended-B': '\\u0180-\\u024F',
  Greek: '\\u0370-\\u03FF',
  GreekandCoptic: '\\u0370-\\u03FF',
  Cyrillic: '\\u0400-\\u04FF',
  Hebrew: '\\u0590-\\u05FF',
  Arabic: '\\u0600-\\u06FF',
  Hiragana: '\\u3040-\\u309F',
  Katakana: '\\u30A0-\\u30FF',
};

/** `[A-Z-[OI]]`: these without those. */
const SUBTRACTION = /\[((?:[^[\]\\]|\\.)+)-(\[(?:[^[\]\\]|\\.)+\])\]/g;

/** The pattern as JavaScript has it; null, with a note, where it is none. */
export function patternOf(text: string, flags: string, more: string): RegExp | null {
  if (/[^smix]/.test(flags)) return refused(`'${flags}' are no flags of a pattern`);
  const isSpaced = flags.includes('x');
  const source = blocksOf(isSpaced ? withoutSpaces(text) : text);
  const given = [...new Set(flags.replace('x', '') + more)].join('');
  if (/(?<!\\)(?:\\\\)*\\0/.test(source)) return refused(`'${text}' is no pattern`);
  const subtracting = source.replace(SUBTRACTION, '[[$1]--$2]');
  try {
    return new RegExp(subtracting, `${subtracting === source ? 'u' : 'v'}${given}`);
  } catch {
    return refused(`'${text}' is no pattern`);
  }
}

/** The flag x: white space counts within brackets alone. */
const withoutSpaces = (text: string): string =>
  text.replace(/(\[\^?\]?(?:\\[\s\S]|[^\]\\])*\])|[\t\n\r ]+/g, (_all, brackets: string | undefined) => brackets ?? '');

const blocksOf = (text: string) =>
  text.replace(/\\([pP])\{Is([\w-]+)\}/g, (whole, kind: string, name: string) => {
    const block = BLOCKS[name];
    return block === undefined ? whole : `[${kind === 'P' ? '^' : ''}${block}]`;
  });

export function matches(input: unknown, pattern: unknown, flags: unknown): boolean | null {
  if (typeof input !== 'string' || typeof pattern !== 'string') return refused('matches expects a text and a pattern');
  if (flags != null && typeof flags !== 'string') return refused('matches expects its flags as a text');
  const found = patternOf(pattern, flagsOf(flags), '');
  return found === null ? null : found.test(input);
}

export function replace(input: unknown, pattern: unknown, replacement: unknown, flags: unknown): string | null {
  if (typeof input !== 'string' || typeof pattern !== 'string' || typeof replacement !== 'string')
    return refused('replace expects a text, a pattern and a replacement');
  const found = patternOf(pattern, flagsOf(flags), 'g');
  return found === null ? null : input.replace(found, replacement.replace(/\$0/g, '$$&'));
}

const flagsOf = (flags: unknown): string => (typeof flags === 'string' ? flags : '');
