import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Range,
  type YAMLMap,
} from 'yaml';
import type { Position } from '../../expression/index.js';
import { UnreadableRoute } from './route-problems.js';
import type { RouteLimits, Written, WrittenEntry } from './written.js';

/** Reads YAML as it is written. @throws UnreadableRoute where it is no YAML, or too large */
export function readYamlText(text: string, limits: RouteLimits): Written {
  const lines = new LineCounter();
  const place = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const document = parsed(text, lines, limits);
  const [error] = document.errors;
  if (error !== undefined) throw new UnreadableRoute(place(error.pos[0]), `expected YAML: ${error.message}`);
  return new Reading(document, place, limits).node(document.contents, 0, { line: 1, column: 1 });
}

function parsed(text: string, lines: LineCounter, { depth }: RouteLimits): Document {
  try {
    return parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent', stringKeys: true });
  } catch (thrown) {
    // The parser calls itself at each level.
    if (thrown instanceof RangeError) throw tooDeep(null, depth);
    throw thrown;
  }
}

const tooDeep = (at: Position | null, depth: number) =>
  new UnreadableRoute(at, `expected at most ${depth} levels within each other`);

class Reading {
  readonly #document: Document;
  readonly #place: (offset: number) => Position;
  readonly #limits: RouteLimits;
  #elements = 0;

  constructor(document: Document, place: (offset: number) => Position, limits: RouteLimits) {
    this.#document = document;
    this.#place = place;
    this.#limits = limits;
  }

  node(node: Node | null, depth: number, around: Position): Written {
    const at = this.#at(node, around);
    this.#count(at, depth);
    if (isAlias(node)) return this.node(this.#aliased(node, at), depth + 1, at);
    if (isMap(node)) return { type: 'map', at, entries: this.#entries(node, depth, at) };
    if (isSeq(node))
      return { type: 'list', at, items: node.items.map((item) => this.node(item as Node, depth + 1, at)) };
    if (isScalar(node)) return { type: 'scalar', at, value: valueOfScalar(node.value), text: textOfScalar(node) };
    return { type: 'scalar', at, value: null, text: '' };
  }

  #entries(map: YAMLMap, depth: number, around: Position): WrittenEntry[] {
    return map.items.map(({ key, value }) => {
      const at = this.#at(key as Node | null, around);
      const name = isScalar(key) ? textOfScalar(key) : '';
      return { name, at, value: this.node(value as Node | null, depth + 1, at) };
    });
  }

  #aliased(alias: Alias, at: Position): Node {
    const node = alias.resolve(this.#document);
    if (node === undefined) throw new UnreadableRoute(at, `expected an anchor &${alias.source} before its alias`);
    return node;
  }

  #count(at: Position, depth: number): void {
    this.#elements++;
    if (this.#elements > this.#limits.elements)
      throw new UnreadableRoute(at, `expected at most ${this.#limits.elements} names, values and lists`);
    if (depth > this.#limits.depth) throw tooDeep(at, this.#limits.depth);
  }

  #at(node: { range?: Range | null } | null, around: Position): Position {
    return node?.range == null ? around : this.#place(node.range[0]);
  }
}

const valueOfScalar = (value: unknown): string | number | boolean | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : value == null
      ? null
      : String(value);

/** A number or a boolean as it stands in the file; a text without its quotes. */
const textOfScalar = (scalar: { value: unknown; source?: string }): string =>
  typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? String(scalar.value ?? ''));
