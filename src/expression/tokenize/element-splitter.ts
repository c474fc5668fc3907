import { ExchangeFailure } from '../exchange/failure.js';
import type { Splitter } from './splitter.js';
import { declarationsOf, type Markup, notWellFormed, withAttributes, XmlScanner } from './xml-scanner.js';

/** Mode of an element's text: `i`: with the namespaces that it is within; `w`: with the elements that it is within; `u`: what is in it; `t`: the text in it. */
export type ElementMode = 'i' | 'w' | 'u' | 't';

interface Open {
  readonly raw: string;
  readonly name: string;
  readonly local: string;
  readonly uri: string;
  /** Those that hold within it, by prefix. */
  readonly declarations: ReadonlyMap<string, { readonly attribute: string; readonly uri: string }>;
}

/** An element that was found. */
export interface FoundElement {
  readonly text: string;
  /** Start tags of what it is within. */
  readonly around: readonly { readonly raw: string; readonly name: string }[];
}

/** Whether the innermost of open elements is looked for. */
export type ElementTest = (
  open: readonly { readonly name: string; readonly local: string; readonly uri: string }[],
) => boolean;

/** How deep elements may be nested. */
const DEPTH_MAX = 1_000;

/** Elements of XML that a test holds for, the outermost of those within each other. @throws ExchangeFailure where tags do not fit */
export class ElementFinder {
  readonly #scanner = new XmlScanner();
  readonly #holds: ElementTest;
  readonly #mode: ElementMode;
  readonly #open: Open[] = [];
  /** The depth of the element that is being read; 0: none. */
  #depth = 0;
  #parts: string[] = [];

  constructor(holds: ElementTest, mode: ElementMode) {
    this.#holds = holds;
    this.#mode = mode;
  }

  *push(text: string): Iterable<FoundElement> {
    for (const markup of this.#scanner.push(text)) {
      const found = this.#read(markup);
      if (found !== undefined) yield found;
    }
  }

  end(): void {
    this.#scanner.end();
    const last = this.#open.at(-1);
    if (last !== undefined) throw notWellFormed(`expected </${last.name}>, but found the end`);
  }

  #read(markup: Markup): FoundElement | undefined {
    const { kind } = markup;
    if (kind === 'open' || kind === 'empty') this.#enter(markup);
    if (kind === 'close' || kind === 'empty') return this.#leave(markup);
    if (kind !== 'open' && this.#depth > 0) this.#parts.push(this.#mode === 't' ? textOf(markup) : markup.raw);
    return undefined;
  }

  #enter({ raw, name }: Markup): void {
    if (this.#open.length >= DEPTH_MAX) throw notWellFormed(`expected elements at most ${DEPTH_MAX} deep`);
    const outer = this.#open.at(-1)?.declarations;
    const own = raw.includes('xmlns') ? declarationsOf(raw) : undefined;
    const declarations = own === undefined ? (outer ?? new Map()) : new Map([...(outer ?? []), ...own]);
    const [local = name, prefix = ''] = name.split(':').reverse();
    this.#open.push({ raw, name, local, uri: declarations.get(prefix)?.uri ?? '', declarations });
    const isWithin = this.#depth > 0;
    if (!isWithin && this.#holds(this.#open)) this.#depth = this.#open.length;
    if (isWithin && this.#mode !== 't') this.#parts.push(raw);
    if (!isWithin && this.#depth > 0 && /[iw]/.test(this.#mode)) this.#parts.push(this.#startTag(raw));
  }

  /** With the namespaces of what it is within, where it does not declare them itself. */
  #startTag(raw: string): string {
    if (this.#mode === 'w') return raw;
    const own = declarationsOf(raw);
    const outer = this.#open.at(-2)?.declarations ?? new Map();
    return withAttributes(
      raw,
      [...outer].filter(([prefix]) => !own.has(prefix)).map(([, { attribute }]) => attribute),
    );
  }

  #leave({ kind, raw, name }: Markup): FoundElement | undefined {
    const open = this.#open.pop();
    if (open?.name !== name)
      throw notWellFormed(
        `expected ${open === undefined ? 'no end tag' : `</${open.name}>`}, but found ${raw.slice(0, 50)}`,
      );
    if (this.#depth === 0) return undefined;
    const isWhole = this.#open.length < this.#depth;
    if (kind === 'close' && this.#mode !== 't' && (!isWhole || this.#mode !== 'u')) this.#parts.push(raw);
    if (!isWhole) return undefined;
    const text = this.#parts.join('');
    this.#parts = [];
    this.#depth = 0;
    return { text, around: [...this.#open] };
  }
}

/** As it is written: what is escaped stays so. */
function textOf({ kind, raw }: Markup): string {
  if (kind === 'text') return raw;
  if (kind !== 'data') return '';
  return raw.slice('<![CDATA['.length, -']]>'.length).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Elements with what they are within around them, each by itself or so many together. */
export class ElementSplitter implements Splitter {
  readonly #finder: ElementFinder;
  readonly #mode: ElementMode;
  readonly #group: number;
  #gathered: FoundElement[] = [];

  /** `group`: 0: each by itself. */
  constructor(holds: ElementTest, mode: ElementMode, group = 0) {
    this.#finder = new ElementFinder(holds, mode);
    this.#mode = mode;
    this.#group = group;
  }

  *push(text: string): Iterable<string> {
    for (const found of this.#finder.push(text)) {
      this.#gathered.push(found);
      if (this.#gathered.length >= Math.max(1, this.#group)) yield this.#item();
    }
  }

  *end(): Iterable<string> {
    this.#finder.end();
    if (this.#gathered.length > 0) yield this.#item();
  }

  #item(): string {
    const text = this.#gathered.map((it) => it.text).join('');
    const around = this.#gathered[0]?.around ?? [];
    this.#gathered = [];
    if (this.#mode === 'w') {
      const ends = around.map(({ name }) => `</${name}>`).reverse();
      return `${around.map(({ raw }) => raw).join('')}${text}${ends.join('')}`;
    }
    return this.#group > 0 ? `<group>${text}</group>` : text;
  }
}

type Names = Parameters<ElementTest>[0];

interface PathStep {
  /** Any number of elements may be between it and the one before. */
  readonly isAnywhere: boolean;
  readonly local: string;
  /** `undefined`: of any namespace. */
  readonly uri: string | undefined;
}

/** A path of elements: `/a/b`, `//n:b`, `//a//*`. `uris`: namespaces by the prefixes that the path uses; without a prefix it is an element without a namespace. @throws ExchangeFailure */
export function elementPath(path: string, uris: ReadonlyMap<string, string>): ElementTest {
  const steps = [...path.matchAll(/(\/{0,2})([^/]+)/g)].map(([, slashes, name = '']): PathStep => {
    const [local = name, prefix = ''] = name.trim().split(':').reverse();
    const isAny = local === '*' && prefix === '';
    return { isAnywhere: slashes === '//', local, uri: isAny ? undefined : (uris.get(prefix) ?? '') };
  });
  if (steps.length > 0) return (open) => fits(steps, steps.length - 1, open, open.length - 1);
  throw new ExchangeFailure(
    'java.lang.IllegalArgumentException',
    `expected a path such as /people/person or //person, but found '${path}'`,
  );
}

/** Whether the steps up to `step` lead to the element at `at`. */
function fits(steps: readonly PathStep[], step: number, open: Names, at: number): boolean {
  const [element, wanted] = [open[at], steps[step]];
  if (element === undefined || wanted === undefined || !isNamed(element, wanted)) return false;
  if (step === 0) return wanted.isAnywhere || at === 0;
  if (!wanted.isAnywhere) return fits(steps, step - 1, open, at - 1);
  return open.slice(0, at).some((_, above) => fits(steps, step - 1, open, above));
}

const isNamed = (element: Names[number], { local, uri }: PathStep): boolean =>
  (local === '*' || local === element.local) && (uri === undefined || uri === element.uri);
