import { badRequest, limitExceeded } from '../../shared/errors.js';
import { isReservedName } from '../../shared/sound-text.js';
import { XmlPositions } from './xml-positions.js';

/** The limits of a model file. */
export interface ModelLimits {
  readonly bytes: number;
  readonly elements: number;
  readonly depth: number;
  /** In force at one place: nested declarations cost the XML parser more than the square of their number. */
  readonly namespaceDeclarations: number;
}

export const MODEL_LIMITS: ModelLimits = {
  bytes: 4 * 1024 * 1024,
  elements: 20_000,
  depth: 100,
  namespaceDeclarations: 64,
};

/**
 * Looks through the text once, before the XML parser does: finds where elements stand and enforces the limits. It need not find every
 * mistake, only what the parser would not stop at.
 * @throws BAD_REQUEST (a character that XML does not have, a DTD, an entity that XML does not define, a reserved id), LIMIT_EXCEEDED
 */
export function scanXml(xml: string, limits: ModelLimits = MODEL_LIMITS): ScannedXml {
  if (Buffer.byteLength(xml) > limits.bytes) {
    throw limitExceeded(`expected a model of at most ${limits.bytes} bytes, but found more`);
  }
  const scan = new Scan(xml, limits);
  scan.characters();
  while (scan.step());
  return { positions: scan.positions, xml: scan.rewritten(), tags: scan.tags };
}

interface ScannedXml {
  readonly positions: XmlPositions;
  /** Every element, in document order. */
  readonly tags: readonly XmlTag[];
  /** The text, as long as before, without white space around the equals signs of attributes: the parser stumbles over it. */
  readonly xml: string;
}

/** An element as it is written: names with their prefixes, and where they stand. */
export interface XmlTag {
  readonly name: string;
  readonly offset: number;
  /** The position of the element around it; -1 for the root. */
  readonly parent: number;
  readonly attributes: readonly XmlAttribute[];
}

interface XmlAttribute {
  readonly name: string;
  readonly value: string;
  readonly offset: number;
}

const ATTRIBUTE = /\s*([^\s=<>/"']+)(\s*)=(\s*)("[^"]*"|'[^']*')/y;
const FOREIGN_ENTITY = /&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[0-9a-fA-F]+);)/g;

/** XML 1.0 §2.2: no control characters but tab and line breaks, no halves of surrogate pairs, neither U+FFFE nor U+FFFF. */
const NO_CHARACTER = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const CHARACTER_REFERENCE = /&#(?:x([\da-f]+)|(\d+));/gi;

class Scan {
  readonly positions: XmlPositions;
  readonly tags: XmlTag[] = [];
  readonly #xml: string;
  readonly #limits: ModelLimits;
  readonly #hasEntities: boolean;
  #at = 0;
  /** The open elements: their number, and the namespace declarations on the way to them. */
  readonly #open: { readonly element: number; readonly namespaces: number }[] = [];
  /** The text with what had to be rewritten, up to `#written`. */
  #rewritten = '';
  #written = 0;

  constructor(xml: string, limits: ModelLimits) {
    this.#xml = xml;
    this.#limits = limits;
    this.#hasEntities = xml.includes('&');
    this.positions = new XmlPositions(xml);
  }

  /** @throws BAD_REQUEST for what is no character of XML, wherever it is */
  characters(): void {
    this.#at = this.#xml.search(NO_CHARACTER);
    if (this.#at >= 0) this.#refuse(XML_CHARACTERS, nameOf(this.#xml.codePointAt(this.#at) ?? 0));
    this.#at = 0;
  }

  /** Goes past the next piece of markup; false at the end, and at what is not XML: the parser says why. */
  step(): boolean {
    const start = this.#xml.indexOf('<', this.#at);
    if (start === -1) return false;
    this.#entities(this.#at, start);
    this.#at = start;
    if (this.#xml.startsWith('<!--', start)) return this.#past('-->');
    if (this.#xml.startsWith('<![CDATA[', start)) return this.#past(']]>');
    if (this.#xml.startsWith('<?', start)) return this.#past('?>');
    if (this.#xml.startsWith('<!', start)) this.#refuse('no DOCTYPE and no entity declaration', 'one');
    if (this.#xml.startsWith('</', start)) {
      this.#open.pop();
      return this.#past('>');
    }
    return this.#tag(start);
  }

  rewritten(): string {
    return this.#rewritten + this.#xml.slice(this.#written);
  }

  #tag(start: number): boolean {
    const parent = this.#open.at(-1);
    const name = /[^\s/>]*/y;
    name.lastIndex = start + 1;
    const [written = ''] = name.exec(this.#xml) ?? [];
    this.#at = name.lastIndex;
    const { id, declared, attributes } = this.#attributes();
    const element = this.positions.add(start, id, parent?.element ?? -1);
    this.tags.push({ name: written, offset: start, parent: parent?.element ?? -1, attributes });
    const namespaces = (parent?.namespaces ?? 0) + declared;
    const { elements, depth, namespaceDeclarations } = this.#limits;
    if (element >= elements) this.#exceeded(`${elements} elements`);
    if (namespaces > namespaceDeclarations) this.#exceeded(`${namespaceDeclarations} namespace declarations at a time`);
    const end = this.#xml.indexOf('>', this.#at);
    if (end === -1) return false;
    this.#entities(start, end);
    this.#at = end + 1;
    if (this.#xml[end - 1] === '/') return true;
    this.#open.push({ element, namespaces });
    if (this.#open.length > depth) this.#exceeded(`${depth} levels of elements`);
    return true;
  }

  /** Goes past the attributes; gives the id among them, and how many declare a namespace. */
  #attributes(): { id: string | null; declared: number; attributes: XmlAttribute[] } {
    const attributes: XmlAttribute[] = [];
    let id: string | null = null;
    let declared = 0;
    ATTRIBUTE.lastIndex = this.#at;
    for (let match = ATTRIBUTE.exec(this.#xml); match !== null; match = ATTRIBUTE.exec(this.#xml)) {
      this.#at = ATTRIBUTE.lastIndex;
      const [, name = '', before = '', after = '', quoted = ''] = match;
      const offset = match.index + match[0].search(/\S/);
      attributes.push({ name, value: quoted.slice(1, -1), offset });
      if (before + after !== '') this.#rewrite(`${name}=${quoted}${before}${after}`);
      if (name === 'id') id = quoted.slice(1, -1).trim();
      if (name === 'xmlns' || name.startsWith('xmlns:')) declared++;
    }
    if (id !== null && isReservedName(id)) this.#refuse('an id other than a reserved name', `'${id}'`);
    return { id, declared, attributes };
  }

  /** Puts `attribute` in the place of the text of the same length that ends here. */
  #rewrite(attribute: string): void {
    this.#rewritten += this.#xml.slice(this.#written, this.#at - attribute.length) + attribute;
    this.#written = this.#at;
  }

  #entities(from: number, to: number): void {
    if (!this.#hasEntities) return;
    const piece = this.#xml.slice(from, to);
    for (const { 0: reference, 1: hexadecimal, 2: decimal, index } of piece.matchAll(CHARACTER_REFERENCE)) {
      const code = Number.parseInt(hexadecimal ?? decimal ?? '', hexadecimal === undefined ? 10 : 16);
      if (code <= 0x10ffff && !NO_CHARACTER.test(String.fromCodePoint(code))) continue;
      this.#at = from + index;
      this.#refuse(XML_CHARACTERS, `'${reference.slice(0, 20)}'`);
    }
    FOREIGN_ENTITY.lastIndex = 0;
    const match = FOREIGN_ENTITY.exec(piece);
    if (match === null) return;
    this.#at = from + match.index;
    this.#refuse(
      "only XML's own entities (&lt; &gt; &amp; &quot; &apos; and numbers)",
      `'${piece.slice(match.index, match.index + 20)}'`,
    );
  }

  #past(end: string): boolean {
    const found = this.#xml.indexOf(end, this.#at + 2);
    this.#at = found + end.length;
    return found !== -1;
  }

  #refuse(expected: string, found: string): never {
    const { line, column } = this.positions.at(this.#at);
    const message = `expected ${expected} in the model, but found ${found} in line ${line}`;
    throw badRequest(message, {
      reason: 'invalid_model',
      details: { problems: [{ line, column, elementId: null, message }] },
    });
  }

  #exceeded(limit: string): never {
    throw limitExceeded(
      `expected a model of at most ${limit}, but found more in line ${this.positions.at(this.#at).line}`,
    );
  }
}

const XML_CHARACTERS = 'only characters that XML 1.0 has';

const nameOf = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
