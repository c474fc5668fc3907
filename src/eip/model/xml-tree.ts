import { type SaxesAttributeNS, SaxesParser } from 'saxes';
import { LineCounter } from 'yaml';
import type { Position } from '../../expression/index.js';
import { UnreadableRoute } from './route-problems.js';
import type { RouteLimits } from './written.js';

export interface XmlNode {
  /** Without its prefix. */
  readonly name: string;
  readonly at: Position;
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  /** The prefixes that are declared here and around, with what they stand for. */
  readonly namespaces: Readonly<Record<string, string>>;
  readonly children: XmlNode[];
  /** What stands in it as text, its children left out. */
  text: string;
}

/** Reads XML as it is written. @throws UnreadableRoute where it is no XML, has a DTD, or is too large */
export function readXmlTree(xml: string, limits: RouteLimits): XmlNode {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const match of xml.matchAll(/\r\n|\r|\n/g)) lines.addNewLine(match.index + match[0].length);
  return new TreeReader(lines, limits).read(xml);
}

class TreeReader {
  readonly #lines: LineCounter;
  readonly #limits: RouteLimits;
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #open: XmlNode[] = [];
  #root: XmlNode | undefined;
  #elements = 0;
  #start: Position = { line: 1, column: 1 };

  constructor(lines: LineCounter, limits: RouteLimits) {
    this.#lines = lines;
    this.#limits = limits;
  }

  read(xml: string): XmlNode {
    const parser = this.#parser;
    parser.on('error', ({ message }) => this.#refuse(`expected XML: ${message.replace(/^(\d+:\d+: )/, '')}`));
    parser.on('doctype', () => this.#refuse('expected no DOCTYPE, but found one'));
    parser.on('opentagstart', ({ name }) => {
      this.#start = this.#place(parser.position - name.length - 2);
    });
    parser.on('opentag', ({ local, attributes, ns }) => this.#opened(local, attributes, ns));
    parser.on('text', (text) => this.#text(text));
    parser.on('cdata', (text) => this.#text(text));
    parser.on('closetag', () => void this.#open.pop());
    parser.write(xml.replace(/^\uFEFF/, '')).close();
    return this.#root ?? this.#refuse('expected an element, but found none');
  }

  #opened(name: string, attributes: Record<string, SaxesAttributeNS>, declared: Record<string, string>): void {
    const around = this.#open.at(-1);
    const at = this.#start;
    this.#elements += 1 + Object.keys(attributes).length;
    if (this.#elements > this.#limits.elements)
      throw new UnreadableRoute(at, `expected at most ${this.#limits.elements} elements and attributes`);
    if (this.#open.length >= this.#limits.depth)
      throw new UnreadableRoute(at, `expected at most ${this.#limits.depth} levels within each other`);
    const node: XmlNode = {
      name,
      at,
      // Those of XML itself, and of XML Schema, say nothing of a route.
      attributes: Object.values(attributes).flatMap(({ prefix, local, value }) =>
        prefix === '' && local !== 'xmlns' ? [{ name: local, value }] : [],
      ),
      namespaces:
        Object.keys(declared).length === 0 ? (around?.namespaces ?? {}) : { ...around?.namespaces, ...declared },
      children: [],
      text: '',
    };
    if (around === undefined) this.#root = node;
    else around.children.push(node);
    this.#open.push(node);
  }

  #text(text: string): void {
    const node = this.#open.at(-1);
    if (node !== undefined) node.text += text;
  }

  #place(offset: number): Position {
    const { line, col } = this.#lines.linePos(Math.max(0, offset));
    return { line, column: col };
  }

  #refuse(message: string): never {
    throw new UnreadableRoute(this.#place(this.#parser.position), message);
  }
}
