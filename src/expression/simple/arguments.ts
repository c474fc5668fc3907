/** Where a text has `${`: what stands up to its end is one. */
function nestedEnd(text: string, at: number): number {
  let depth = 0;
  for (let end = at; end < text.length; end++) {
    if (text[end] === '$' && text[end + 1] === '{') {
      depth++;
      end++;
    } else if (text[end] === '}' && --depth === 0) return end + 1;
  }
  return text.length;
}

interface Splitting {
  /** Blanks around what is not quoted go. */
  readonly trim?: boolean;
  readonly keepQuotes?: boolean;
}

/** The arguments of a function: parts between commas, where quoted texts and functions within are not parted. Nothing between two commas is no argument; `''` is one. */
export function splitArguments(text: string, splitting: Splitting = {}): string[] {
  const { trim = true, keepQuotes = false } = splitting;
  if (!text.includes(',')) return [single(text, trim, keepQuotes)];
  return new ArgumentReader(text, trim, keepQuotes).all();
}

class ArgumentReader {
  readonly #text: string;
  readonly #trim: boolean;
  readonly #keepQuotes: boolean;
  readonly #found: string[] = [];
  #part = '';
  #quote = '';
  /** Whether the part has a quoted text in it: what is behind that is not trimmed. */
  #isQuoted = false;

  constructor(text: string, trim: boolean, keepQuotes: boolean) {
    this.#text = text;
    this.#trim = trim;
    this.#keepQuotes = keepQuotes;
  }

  all(): string[] {
    for (let at = 0; at < this.#text.length; ) at = this.#read(at);
    this.#end();
    return this.#found;
  }

  /** Where the next one is. */
  #read(at: number): number {
    const sign = this.#text[at] ?? '';
    if (sign === this.#quote) this.#endQuote(sign);
    else if (this.#quote !== '') this.#part += sign;
    else if (this.#text.startsWith('${', at)) {
      const after = nestedEnd(this.#text, at);
      this.#part += this.#text.slice(at, after);
      return after;
    } else if (sign === "'" || sign === '"') this.#startQuote(sign);
    else if (sign === ',') this.#end();
    else if (sign !== ' ' || !this.#isQuoted || !this.#trim) this.#part += sign;
    return at + 1;
  }

  #startQuote(sign: string): void {
    this.#quote = sign;
    this.#isQuoted = true;
    if (this.#trim) this.#part = this.#part.trimStart();
    if (this.#keepQuotes) this.#part += sign;
  }

  #endQuote(sign: string): void {
    this.#quote = '';
    if (this.#keepQuotes) this.#part += sign;
  }

  #end(): void {
    const value = this.#trim && !this.#isQuoted ? this.#part.trim() : this.#part;
    if (this.#part !== '' || this.#isQuoted) this.#found.push(value);
    this.#part = '';
    this.#isQuoted = false;
  }
}

function single(text: string, trim: boolean, keepQuotes: boolean): string {
  if (!keepQuotes && text.length > 1 && /^'[\s\S]*'$|^"[\s\S]*"$/.test(text)) return text.slice(1, -1);
  return trim ? text.trim() : text;
}

/** Camel's way with a single argument: all quotes go, wherever they are. */
export const withoutQuotes = (text: string): string => text.replaceAll("'", '').replaceAll('"', '');

/** Quotes around the whole go, of either kind. */
export function unquoted(text: string): string {
  const trimmed = text.trim();
  if (/^'[\s\S]*'$/.test(trimmed) && trimmed.length > 1) return trimmed.slice(1, -1);
  return /^"[\s\S]*"$/.test(trimmed) && trimmed.length > 1 ? trimmed.slice(1, -1) : text;
}
