import { weigh } from '../../shared/weigh.js';

/** Characters of a piece. */
const PIECE_CHARS = 65_536;
/** After so many characters others have their turn. */
const TURN_CHARS = 1_048_576;

/** The JSON text of a value, as JSON.stringify gives it, in pieces of at least `pieceChars` characters, but for the last. */
export function jsonPieces(value: unknown, pieceChars = PIECE_CHARS): Iterable<string> {
  return new Pieces(pieceChars).of(value);
}

/** Hands on the pieces one after the other, and lets others have their turn in between. */
export async function eachPiece(value: unknown, take: (piece: string) => void): Promise<void> {
  let chars = 0;
  for (const piece of jsonPieces(value)) {
    take(piece);
    chars += piece.length;
    if (chars < TURN_CHARS) continue;
    chars = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

class Pieces {
  readonly #chars: number;
  #text = '';

  constructor(chars: number) {
    this.#chars = chars;
  }

  *of(value: unknown): Generator<string> {
    yield* this.#write(value);
    if (this.#text !== '') yield this.#text;
  }

  /** What is small is left to JSON.stringify, which is ten times as fast. */
  *#write(value: unknown): Generator<string> {
    if (weigh(value, this.#chars) >= 0 || !isWalked(value)) this.#text += JSON.stringify(value) ?? 'null';
    else if (typeof value === 'string') yield* this.#writeText(value);
    else if (Array.isArray(value)) yield* this.#writeList(value);
    else yield* this.#writeObject(value);
    if (this.#text.length >= this.#chars) yield this.#flush();
  }

  *#writeList(items: readonly unknown[]): Generator<string> {
    let separator = '[';
    for (const item of items) {
      this.#text += separator;
      yield* this.#write(item);
      separator = ',';
    }
    this.#text += separator === '[' ? '[]' : ']';
  }

  *#writeObject(members: object): Generator<string> {
    let separator = '{';
    for (const [name, value] of Object.entries(members)) {
      if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
      this.#text += `${separator}${JSON.stringify(name)}:`;
      yield* this.#write(value);
      separator = ',';
    }
    this.#text += separator === '{' ? '{}' : '}';
  }

  *#writeText(text: string): Generator<string> {
    this.#text += '"';
    for (let from = 0; from < text.length; ) {
      const to = from + this.#chars;
      const end = isHigh(text.charCodeAt(to - 1)) ? to + 1 : to; // halves of a pair would be escaped
      this.#text += JSON.stringify(text.slice(from, end)).slice(1, -1);
      if (this.#text.length >= this.#chars) yield this.#flush();
      from = end;
    }
    this.#text += '"';
  }

  #flush(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}

const isHigh = (code: number) => code >= 0xd800 && code <= 0xdbff;

/** Whether the parts of a value are written one by one: what says by itself how it is written is not. */
const isWalked = (value: unknown): value is string | object =>
  typeof value === 'string' ||
  (typeof value === 'object' && value !== null && typeof (value as { toJSON?: unknown }).toJSON !== 'function');
