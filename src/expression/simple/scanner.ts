import { SyntaxProblem } from './syntax-error.js';

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '}': '}' };
const STARTS = ['${', '$simple{'];
/** How deep functions may be nested. */
const DEPTH_MAX = 50;

/** The places of a Simple text: what begins at them. */
export class Scanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  peek(ahead = 0): string {
    return this.text[this.at + ahead] ?? '';
  }

  /** The length of what opens a function here; 0: nothing does. */
  functionStart(): number {
    if (this.peek() !== '$') return 0;
    return STARTS.find((start) => this.text.startsWith(start, this.at))?.length ?? 0;
  }

  /** The character that an escape here stands for; `undefined`: there is none. */
  escape(): string | undefined {
    return this.peek() === '\\' ? ESCAPES[this.peek(1)] : undefined;
  }

  /** One character, or an escape. */
  character(): string {
    const escaped = this.escape();
    const sign = escaped ?? this.peek();
    this.at += escaped === undefined ? 1 : 2;
    return sign;
  }

  /** What stands within the function that begins here. */
  functionText(escapes = true): string {
    const start = this.at;
    this.at += this.functionStart();
    const parts: string[] = [];
    for (let depth = 1; depth > 0; ) {
      if (this.isAtEnd) throw openFunction(start, this.text.length);
      depth += this.#deeper();
      if (depth > DEPTH_MAX) throw new SyntaxProblem(start, `expected functions nested at most ${DEPTH_MAX} deep`);
      parts.push(this.#piece(depth, escapes));
    }
    return parts.join('');
  }

  /** By how much what begins here is deeper than what was before. */
  #deeper(): number {
    if (this.functionStart() > 0) return 1;
    return this.peek() === '}' ? -1 : 0;
  }

  #piece(depth: number, escapes: boolean): string {
    const opening = this.functionStart();
    if (opening === 0 && depth > 0) return this.#within(depth, escapes);
    this.at += opening || 1;
    return opening > 0 ? '${' : '';
  }

  /** A function within is read once more, with its escapes. */
  #within(depth: number, escapes: boolean): string {
    if (!escapes) return this.text[this.at++] ?? '';
    return depth === 1 ? this.character() : this.#raw();
  }

  /** One character, or an escape as it is written. */
  #raw(): string {
    const from = this.at;
    this.at += this.escape() === undefined ? 1 : 2;
    return this.text.slice(from, this.at);
  }

  /** Whether this sign stands here with a blank on both sides. */
  hasBetweenBlanks(sign: string): boolean {
    const { text, at } = this;
    return at >= 2 && text[at - 1] === ' ' && text[at + sign.length] === ' ' && text.startsWith(sign, at);
  }

  isBlank(): boolean {
    return isBlank(this.peek());
  }

  skipBlanks(): void {
    while (this.isBlank()) this.at++;
  }
}

const openFunction = (start: number, length: number) =>
  new SyntaxProblem(
    Math.max(0, length - 1),
    `expected symbol functionEnd but was eol: the function at ${start} has no }`,
  );

export const isBlank = (sign: string): boolean => sign === ' ' || sign === '\t' || sign === '\n' || sign === '\r';
