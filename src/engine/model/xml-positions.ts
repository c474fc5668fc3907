/** A place in the text, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

interface Tag {
  readonly offset: number;
  readonly id: string | null;
  readonly parent: number;
}

/** Where the elements of an XML text stand. */
export class XmlPositions {
  readonly #tags: Tag[] = [];
  readonly #byId = new Map<string, number>();
  readonly #lines: readonly number[];
  readonly #xml: string;

  constructor(xml: string) {
    this.#xml = xml;
    const lines = [0];
    for (const match of xml.matchAll(/\r\n|\r|\n/g)) lines.push(match.index + match[0].length);
    this.#lines = lines;
  }

  /** Adds the next element in document order; gives its number. */
  add(offset: number, id: string | null, parent: number): number {
    const number = this.#tags.push({ offset, id, parent }) - 1;
    if (id !== null && !this.#byId.has(id)) this.#byId.set(id, number);
    return number;
  }

  at(offset: number): Position {
    const index = lastNotAfter(this.#lines, offset, (start) => start);
    return { line: index + 1, column: offset - (this.#lines[index] ?? 0) + 1 };
  }

  /** Where the element of this id begins; of several the first. */
  ofId(id: string): Position | undefined {
    const tag = this.#tags[this.#byId.get(id) ?? -1];
    return tag === undefined ? undefined : this.at(tag.offset);
  }

  /** Where the words of a line begin, of a text within the element of this id; undefined where the text is not written as it reads. */
  ofText(id: string, text: string, line: number): Position | undefined {
    const element = this.#tags[this.#byId.get(id) ?? -1]?.offset ?? this.#xml.length;
    // Behind a tag, or behind `<![CDATA[`.
    const found = ['>', '['].map((sign) => this.#xml.indexOf(sign + text, element)).filter((at) => at !== -1);
    if (found.length === 0) return undefined;
    const start = Math.min(...found) + 1;
    const before = [...text.matchAll(/\r\n|\r|\n/g)][line - 2];
    const from = before === undefined ? 0 : before.index + before[0].length;
    return this.at(start + from + (/^[ \t]*/.exec(text.slice(from))?.[0].length ?? 0));
  }

  /** The id of the innermost element with an id that holds this place, or begins there; null when there is none. */
  idAt(position: Position): string | null {
    for (let tag = this.#tagAt(position); tag !== undefined; tag = this.#tags[tag.parent])
      if (tag.id !== null) return tag.id;
    return null;
  }

  /** The name, without its prefix, of the element that holds the one that begins at this place; null when there is none. */
  nameAround(position: Position): string | null {
    const holder = this.#tags[this.#tagAt(position)?.parent ?? -1];
    return holder === undefined ? null : this.#nameOf(holder);
  }

  /** Where the elements of this name, without its prefix, begin that the root holds and that have no id; in document order. */
  rootsWithoutId(name: string): number[] {
    return this.#tags.flatMap((tag) =>
      tag.parent === 0 && tag.id === null && this.#nameOf(tag) === name ? [tag.offset] : [],
    );
  }

  #nameOf({ offset }: Tag): string | null {
    const name = /<(?:[^\s/>:]*:)?([^\s/>]*)/y;
    name.lastIndex = offset;
    return name.exec(this.#xml)?.[1] ?? null;
  }

  /** The innermost element that holds this place, or begins there. */
  #tagAt({ line, column }: Position): Tag | undefined {
    const offset = (this.#lines[line - 1] ?? 0) + column - 1;
    return this.#tags[lastNotAfter(this.#tags, offset, (tag) => tag.offset)];
  }
}

/** The index of the last entry whose key is at most `key`, of entries that rise; -1 when there is none. */
function lastNotAfter<T>(entries: readonly T[], key: number, keyOf: (entry: T) => number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = entries[middle];
    if (entry !== undefined && keyOf(entry) <= key) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
