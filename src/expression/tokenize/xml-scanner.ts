import { ExchangeFailure } from '../exchange/failure.js';
import { checkLength } from './splitter.js';

/** A piece of markup, or the text between two. */
export interface Markup {
  readonly kind: 'open' | 'close' | 'empty' | 'text' | 'data' | 'other';
  /** As it is written. */
  readonly raw: string;
  /** Of elements: the name with its prefix. */
  readonly name: string;
}

/** Parts XML that comes in pieces into tags and texts. What is within comments, CDATA and quoted attributes is no tag. */
export class XmlScanner {
  #rest = '';

  *push(text: string): Iterable<Markup> {
    this.#rest += text;
    checkLength(this.#rest.length);
    let from = 0;
    for (;;) {
      const start = this.#rest.indexOf('<', from);
      if (start < 0) break;
      const end = markupEnd(this.#rest, start);
      if (end < 0) break;
      if (start > from) yield { kind: 'text', raw: this.#rest.slice(from, start), name: '' };
      yield markup(this.#rest.slice(start, end));
      from = end;
    }
    this.#rest = this.#rest.slice(from);
  }

  /** @throws ExchangeFailure where markup is not closed */
  end(): void {
    if (this.#rest.includes('<'))
      throw notWellFormed(`expected > behind ${this.#rest.slice(this.#rest.indexOf('<')).slice(0, 50)}`);
  }
}

export const notWellFormed = (message: string) => new ExchangeFailure('javax.xml.stream.XMLStreamException', message);

const CLOSED_BY: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/** Where the markup that begins at a place ends; -1: not yet. */
function markupEnd(text: string, start: number): number {
  if (text.length - start < 9 && CLOSED_BY.some(([begin]) => begin.startsWith(text.slice(start)))) return -1;
  const special = CLOSED_BY.find(([begin]) => text.startsWith(begin, start));
  if (special !== undefined) {
    const end = text.indexOf(special[1], start + special[0].length);
    return end < 0 ? -1 : end + special[1].length;
  }
  return tagEnd(text, start);
}

function tagEnd(text: string, start: number): number {
  TAG_END.lastIndex = start;
  let found = TAG_END.exec(text);
  // Quoted values are passed over.
  while (found !== null && found[0].length > 1) found = TAG_END.exec(text);
  if (found?.[0] === '[') throw notWellFormed('expected XML without an internal DTD');
  return found?.[0] === '>' ? found.index + 1 : -1;
}

/** What ends a tag, or may hide its end: a quoted value is one, an open quote is itself. */
const TAG_END = /"[^"]*"|'[^']*'|["'>[]/g;

function markup(raw: string): Markup {
  if (raw.startsWith('<![CDATA[')) return { kind: 'data', raw, name: '' };
  if (/^<[!?]/.test(raw)) return { kind: 'other', raw, name: '' };
  const name = /^<\/?([^\s/>]+)/.exec(raw)?.[1];
  if (name === undefined) throw notWellFormed(`expected the name of an element, but found ${raw.slice(0, 50)}`);
  if (raw.startsWith('</')) return { kind: 'close', raw, name };
  return { kind: raw.endsWith('/>') ? 'empty' : 'open', raw, name };
}

/** The namespaces that a start tag declares, by prefix: the attribute as it is written, and its value. */
export function declarationsOf(raw: string): ReadonlyMap<string, { readonly attribute: string; readonly uri: string }> {
  const found = new Map<string, { readonly attribute: string; readonly uri: string }>();
  for (const [attribute, prefix = '', quoted = ''] of raw.matchAll(/\bxmlns(?::([^\s=]+))?\s*=\s*("[^"]*"|'[^']*')/g)) {
    found.set(prefix, { attribute, uri: quoted.slice(1, -1) });
  }
  return found;
}

/** A start tag with more attributes at its end. */
export function withAttributes(raw: string, attributes: readonly string[]): string {
  if (attributes.length === 0) return raw;
  const end = raw.endsWith('/>') ? '/>' : '>';
  return `${raw.slice(0, -end.length).trimEnd()} ${attributes.join(' ')}${end}`;
}
