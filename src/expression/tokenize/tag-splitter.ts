import { checkLength, type Splitter } from './splitter.js';
import { declarationsOf, withAttributes } from './xml-scanner.js';

/** Elements of a name in a text that looks like XML: from the start tag to the next end tag of that name, without regard to what is around. `inherits`: the element whose namespaces they are given. */
export class TagSplitter implements Splitter {
  readonly #start: RegExp;
  readonly #end: string;
  readonly #parent: RegExp | undefined;
  #inherited: readonly string[] = [];
  #rest = '';
  #searched = 0;

  constructor(name: string, inherits?: string) {
    this.#start = startOf(name);
    this.#end = `</${name}>`;
    this.#parent = inherits === undefined ? undefined : startOf(inherits);
  }

  *push(text: string): Iterable<string> {
    this.#rest += text;
    checkLength(this.#rest.length);
    this.#inherit();
    for (let item = this.#next(); item !== undefined; item = this.#next()) yield item;
  }

  *end(): Iterable<string> {}

  #inherit(): void {
    if (this.#parent === undefined || this.#inherited.length > 0) return;
    const found = this.#parent.exec(this.#rest);
    if (found !== null) this.#inherited = [...declarationsOf(found[0]).values()].map(({ attribute }) => attribute);
  }

  #next(): string | undefined {
    const found = this.#start.exec(this.#rest);
    if (found === null) {
      // A start tag may have come in part.
      this.#rest = this.#rest.slice(Math.max(0, this.#rest.lastIndexOf('<')));
      return undefined;
    }
    const [tag] = found;
    if (found.index > 0) this.#rest = this.#rest.slice(found.index);
    if (tag.endsWith('/>')) return this.#taken(tag, tag.length);
    const end = this.#rest.indexOf(this.#end, Math.max(tag.length, this.#searched));
    if (end >= 0) return this.#taken(tag, end + this.#end.length);
    this.#searched = Math.max(tag.length, this.#rest.length - this.#end.length);
    return undefined;
  }

  #taken(tag: string, length: number): string {
    const own = declarationsOf(tag);
    const missing = this.#inherited.filter(
      (it) => ![...own.values()].some(({ attribute }) => attribute.split('=')[0] === it.split('=')[0]),
    );
    const item = withAttributes(tag, missing) + this.#rest.slice(tag.length, length);
    this.#rest = this.#rest.slice(length);
    this.#searched = 0;
    return item;
  }
}

const startOf = (name: string): RegExp =>
  new RegExp(`<${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:\\s(?:[^>"']|"[^"]*"|'[^']*')*)?/?>`);
