import { badRequest, ServiceError } from '../../shared/errors.js';
import { type NamespaceRegistry, qualifiedName } from '../value/names.js';
import { formatPath, parsePath } from '../value/path.js';

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

/** The refusal of a text in CND: a sentence that begins with its line and column. */
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

/** Walks over the tokens of a CND text and reads the names in them. */
export class CndCursor {
  readonly #tokens: readonly CndToken[];
  #at = 0;
  /** Prefixes that this text declares, by what they are called in the repository. */
  readonly #renamed = new Map<string, string>();
  #namespaces: NamespaceRegistry;

  constructor(tokens: readonly CndToken[], namespaces: NamespaceRegistry) {
    this.#tokens = tokens;
    this.#namespaces = namespaces;
  }

  /** The token in front, or one further on. */
  peek(ahead = 0): CndToken {
    const token = this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)];
    return token ?? { kind: 'end', text: '', line: 1, column: 1 };
  }

  next(): CndToken {
    const token = this.peek();
    this.#at += 1;
    return token;
  }

  atEnd(): boolean {
    return this.peek().kind === 'end';
  }

  isSign(text: string, ahead = 0): boolean {
    const { kind, text: found } = this.peek(ahead);
    return kind === 'sign' && found === text;
  }

  /** Takes the sign if it is the next one. */
  takeSign(text: string): boolean {
    if (!this.isSign(text)) return false;
    this.#at += 1;
    return true;
  }

  expectSign(text: string, where: string): void {
    if (!this.takeSign(text)) throw this.refusal(`'${text}' ${where}`);
  }

  /** A word or quoted text. */
  string(what: string): string {
    const { kind, text } = this.peek();
    if (kind !== 'word' && kind !== 'text') throw this.refusal(what);
    this.#at += 1;
    return text;
  }

  name(what: string): string {
    const token = this.peek();
    return this.nameOf(this.string(what), token, what);
  }

  /** The name's form in the repository. */
  nameOf(text: string, token: CndToken, what: string): string {
    return at(token, () => qualifiedName(this.#renamedName(text), this.#namespaces, what));
  }

  /** The path's form in the repository. */
  pathOf(text: string, token: CndToken, what: string): string {
    const renamed = text
      .split('/')
      .map((step) => this.#renamedName(step))
      .join('/');
    return at(token, () => formatPath(parsePath(renamed, this.#namespaces, what)));
  }

  /** The name with the repository's prefix in front, where this text declared another. */
  #renamedName(text: string): string {
    const colon = text.indexOf(':');
    const prefix = colon > 0 && !text.startsWith('{') ? this.#renamed.get(text.slice(0, colon)) : undefined;
    return prefix === undefined ? text : `${prefix}${text.slice(colon)}`;
  }

  /** Takes over `<prefix = 'uri'>`; what the repository calls otherwise is called so from here on. */
  declare(prefix: string, uri: string, { line, column }: CndToken): void {
    const known = this.#namespaces.prefixOf(uri);
    if (known !== undefined) {
      this.#renamed.set(prefix, known);
      return;
    }
    try {
      this.#namespaces = this.#namespaces.with(prefix, uri);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'LIMIT_EXCEEDED') throw error;
      throw badCnd(line, column, error instanceof Error ? error.message : String(error));
    }
    this.#renamed.delete(prefix);
  }

  get namespaces(): NamespaceRegistry {
    return this.#namespaces;
  }

  /** `expected …, but found …` at the token in front. */
  refusal(expected: string, token = this.peek()): Error {
    const found = token.kind === 'end' ? 'the end' : `'${token.text}'`;
    return badCnd(token.line, token.column, `expected ${expected}, but found ${found}`);
  }
}

/** What `read` gives; its refusal with the place in the text. */
function at({ line, column }: CndToken, read: () => string): string {
  try {
    return read();
  } catch (error) {
    throw badCnd(line, column, error instanceof Error ? error.message : String(error));
  }
}
