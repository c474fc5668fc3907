import { badRequest } from '../../shared/errors.js';

/** A token of CND with its place, from 1. Quoted texts come without quotes; at the end stands one of kind `end`. */
export interface CndToken {
  readonly kind: 'word' | 'text' | 'sign' | 'end';
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** The most characters of a CND file. */
export const CND_MAX = 2_000_000;

const SKIPPED = /(?:\s+|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)+/y;

/** Letters, digits and `: _ .`, a dash between such; `{uri}local` too. Wider than JCR 2.0 §25.2.2, as the readers in use are. */
const WORD = /(?:\{[^{}\s]*\})?[\p{L}\p{N}:_.]+(?:-+[\p{L}\p{N}:_.]+)*/uy;
const QUOTED = /'([^'\\]*(?:\\[\s\S][^'\\]*)*)'|"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/y;
const SIGN = /[[\]<>()=,+\-*?!]/y;
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|([\\'"nrt]))/g;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Cuts a CND text into tokens (JCR 2.0 §25.2.2). @throws BAD_REQUEST with line and column */
export function cndTokens(source: string): readonly CndToken[] {
  const cursor = new Cursor(source);
  const tokens: CndToken[] = [];
  for (;;) {
    cursor.take(SKIPPED);
    const { line, column } = cursor;
    if (cursor.atEnd()) return [...tokens, { kind: 'end', text: '', line, column }];
    tokens.push({ ...nextToken(cursor), line, column });
  }
}

/** The refusal, with its place. */
export const badCnd = (line: number, column: number, sentence: string) =>
  badRequest(`line ${line}, column ${column}: ${sentence}`, { reason: 'invalid_cnd', details: { line, column } });

function nextToken(cursor: Cursor): Pick<CndToken, 'kind' | 'text'> {
  const quoted = cursor.take(QUOTED);
  if (quoted) return { kind: 'text', text: unescaped(quoted[1] ?? quoted[2] ?? '') };
  const word = cursor.take(WORD);
  if (word) return { kind: 'word', text: word[0] };
  const sign = cursor.take(SIGN);
  if (sign) return { kind: 'sign', text: sign[0] };
  throw badCnd(cursor.line, cursor.column, cursor.complaint());
}

/** A backslash before anything else stays: patterns are full of them. */
const unescaped = (text: string) =>
  text.replace(ESCAPE, (_, code: string | undefined, char: string | undefined) =>
    code === undefined ? (ESCAPED[char ?? ''] ?? char ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  );

class Cursor {
  readonly #source: string;
  #at = 0;
  line = 1;
  column = 1;

  constructor(source: string) {
    this.#source = source;
  }

  atEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found === null) return null;
    this.#at += found[0].length;
    const lines = found[0].split(/\r\n|\n|\r/);
    this.line += lines.length - 1;
    this.column = (lines.length === 1 ? this.column : 1) + (lines.at(-1)?.length ?? 0);
    return found;
  }

  complaint(): string {
    const char = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    if (char === '/') return "expected the end '*/' of the comment that starts here";
    if (char === "'" || char === '"') return `expected the text that starts here to end with ${char}`;
    return `expected a name, a quoted text or one of [ ] < > ( ) = , + - * ? !, but found '${char}'`;
  }
}
