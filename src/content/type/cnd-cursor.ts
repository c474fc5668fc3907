import { ServiceError } from '../../shared/errors.js';
import { qualifiedName } from '../value/name.js';
import type { NamespaceRegistry } from '../value/namespaces.js';
import { formatPath, parsePath } from '../value/path.js';
import { badCnd, type CndToken } from './cnd-lexer.js';

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
