// How much an expression may have to do, as far as its text tells.

/** Values that rounds of an evaluation in line may go through. */
const WORK_INLINE_MAX = 300_000;
/** Values that it may copy where it has no rounds. */
const COPIED_INLINE_MAX = 3_000_000;

/** A text of JSON holds up to so many values for each that it counts as itself. */
const PARSED = 32;

/** A filter that is a position goes over nothing. */
const POSITION = /\[\s*-?\d+\s*\]$/;

/** Goes along as a text is looked through. */
export class Load {
  /** How often names are mentioned. One of an entry before counts as often as that mentions any. */
  #mentions = 0;
  /** Those of the entry that is gone through. */
  #ofEntry = 0;
  readonly #entries = new Map<string, number>();
  #rounds = 0;
  /** Whether a round may have what nobody can count: what it has made so far, or a range. */
  #isEndless = false;
  #hasRange = false;

  /** `parent`: the name of the node around it. */
  enter(name: string, text: string, parent: string | undefined): void {
    switch (name) {
      case 'InExpression':
        this.#rounds += 1;
        break;
      case 'FilterExpression':
        if (!POSITION.test(text)) this.#rounds += 1;
        break;
      case 'SimplePositiveUnaryTest':
        if (parent !== 'PositiveUnaryTest' && text.includes('..')) this.#hasRange = true;
        break;
      case 'ContextEntry':
        this.#ofEntry = 0;
        break;
      case 'VariableName':
        this.#mention(text);
        break;
      default:
    }
  }

  /** `key`: of an entry of a context that ends here. */
  leave(key: string): void {
    this.#entries.set(key, Math.max(1, this.#ofEntry));
  }

  #mention(name: string): void {
    if (name === 'partial') this.#isEndless = true;
    if (name === 'range') this.#hasRange = true;
    const size = this.#entries.get(name) ?? (name === 'from json' ? PARSED : 1);
    this.#mentions += size;
    this.#ofEntry += size;
  }

  /** The most values that may be looked at in line: each round goes over all of them, each mention may copy them. 0: none. */
  get heaviest(): number {
    if (this.#isEndless || this.#rounds > 1 || (this.#hasRange && this.#rounds > 0)) return 0;
    const mentions = Math.max(1, this.#mentions);
    return Math.floor(this.#rounds === 0 ? COPIED_INLINE_MAX / mentions : Math.sqrt(WORK_INLINE_MAX / mentions));
  }
}
