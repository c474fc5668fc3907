import { badRequest, limitExceeded } from '../../../shared/errors.js';
import { binaryOf } from '../../value/binary-value.js';
import { PROPERTY_TYPES, type PropertyType } from '../../value/property.js';
import { XS, XSI } from './written-views.js';
import type { ViewReader, XmlDocument, XmlElement, XmlLimits, XmlNode, XmlProperty } from './xml-document.js';
import type { XmlNames } from './xml-names.js';
import { decoded } from './xml-text.js';

/** A node that is being read. */
type OpenNode = Omit<XmlNode, 'properties' | 'mixins' | 'type' | 'uuid'> & {
  type: string | null;
  mixins: readonly string[];
  uuid: string | null;
  readonly properties: XmlProperty[];
};

/** The nodes of a document as they come, parents first. */
class NodeList {
  readonly nodes: OpenNode[] = [];
  readonly #limits: Pick<XmlLimits, 'nodesMax'>;
  readonly #open: number[] = [];

  constructor(limits: Pick<XmlLimits, 'nodesMax'>) {
    this.#limits = limits;
  }

  /** The node that was opened last and not yet closed. */
  get current(): OpenNode | undefined {
    return this.nodes[this.#open.at(-1) ?? -1];
  }

  /** @throws LIMIT_EXCEEDED */
  open(name: string, line: number): OpenNode {
    if (this.nodes.length >= this.#limits.nodesMax) throw tooMany(this.#limits.nodesMax);
    const node = { parent: this.#open.at(-1) ?? -1, name, type: null, mixins: [], uuid: null, properties: [], line };
    this.#open.push(this.nodes.push(node) - 1);
    return node;
  }

  /** Adds a property to a node that was opened. @throws LIMIT_EXCEEDED */
  add(node: OpenNode, property: XmlProperty): void {
    if (node.properties.push(property) > PROPERTIES_MAX) throw tooManyProperties(node.name);
  }

  close(): void {
    this.#open.pop();
  }
}

/** The most properties of a node: more do not fit into its document, however small they are. */
const PROPERTIES_MAX = 8_000;

const tooManyProperties = (name: string) =>
  limitExceeded(`expected at most ${PROPERTIES_MAX} properties of a node, but '${name}' has more`, {
    reason: 'import_too_large',
  });

const tooMany = (nodesMax: number) =>
  limitExceeded(
    `expected at most ${nodesMax} nodes in one import, but found more: import the parts of it one after the other`,
    { reason: 'import_too_large' },
  );

export const SV = 'http://www.jcp.org/jcr/sv/1.0';

/** A property that is being read. */
interface OpenProperty {
  readonly name: string;
  readonly type: PropertyType | null;
  readonly multiple: boolean | null;
  readonly values: string[];
  readonly line: number;
  readonly element: XmlElement;
}

/** Reads the system view (JCR 2.0 §7.2). */
export class SystemReader implements ViewReader {
  readonly #names: XmlNames;
  readonly #list: NodeList;
  readonly #open: string[] = [];
  #property: OpenProperty | null = null;
  /** The text of the value that is being read. */
  #value: string | null = null;
  #isBase64 = false;

  constructor(names: XmlNames, limits: XmlLimits) {
    this.#names = names;
    this.#list = new NodeList(limits);
  }

  get result(): Pick<XmlDocument, 'view' | 'nodes'> {
    return { view: 'SYSTEM', nodes: this.#list.nodes };
  }

  open(element: XmlElement): void {
    const within = this.#open.at(-1);
    const expected = EXPECTED[within ?? ''] ?? [];
    if (element.uri !== SV || !expected.includes(element.local)) throw unexpected(element, expected);
    this.#open.push(element.local);
    if (element.local === 'node') this.#list.open(this.#nameOf(element), element.line);
    else if (element.local === 'property') this.#property = this.#openProperty(element);
    else {
      this.#value = '';
      this.#isBase64 = isBase64(element);
    }
  }

  text(text: string): void {
    if (this.#value !== null) this.#value += text;
    else if (text.trim() !== '')
      throw badRequest(`expected text only within sv:value, but found '${text.trim().slice(0, 40)}'`);
  }

  close(): void {
    const local = this.#open.pop();
    if (local === 'node') this.#list.close();
    else if (local === 'value') this.#closeValue();
    else if (this.#property !== null) {
      this.#take(this.#property);
      this.#property = null;
    }
  }

  #nameOf(element: XmlElement): string {
    const name = attribute(element, SV, 'name');
    if (name === undefined) throw badRequest(`expected the attribute sv:name of sv:${element.local}`);
    return this.#names.inText(name, element.scope);
  }

  #openProperty(element: XmlElement): OpenProperty {
    const type = attribute(element, SV, 'type') ?? 'String';
    const multiple = attribute(element, SV, 'multiple');
    const known = PROPERTY_TYPES.find((one) => one.toLowerCase() === type.toLowerCase());
    if (known === undefined && type.toLowerCase() !== 'undefined')
      throw badRequest(`expected sv:type to be one of ${PROPERTY_TYPES.join(', ')}, but found '${type}'`);
    return {
      name: this.#nameOf(element),
      type: known ?? null,
      multiple: multiple === undefined ? null : multiple === 'true',
      values: [],
      line: element.line,
      element,
    };
  }

  #closeValue(): void {
    const text = this.#value ?? '';
    this.#value = null;
    this.#property?.values.push(this.#isBase64 ? fromBase64(text, this.#property) : this.#read(text, this.#property));
  }

  /** Names and paths follow the declarations at their place. */
  #read(text: string, { type, element, name }: OpenProperty): string {
    if (type === 'Name') return this.#names.renamedIn(text.trim(), element.scope);
    if (type === 'Path') return this.#names.pathInText(text.trim(), element.scope);
    if (type !== 'Binary') return text;
    const base64 = text.replace(/\s+/g, '');
    if (binaryOf(base64) === null) throw badRequest(`expected '${name}' to be Base64`);
    return base64;
  }

  #take({ element, ...property }: OpenProperty): void {
    const node = this.#list.current;
    if (node === undefined) return;
    const { name, values } = property;
    if (name === 'jcr:primaryType') node.type = this.#names.inText(values[0] ?? '', element.scope);
    else if (name === 'jcr:mixinTypes') node.mixins = values.map((value) => this.#names.inText(value, element.scope));
    else {
      if (name === 'jcr:uuid') node.uuid = values[0] ?? null;
      this.#list.add(node, property);
    }
  }
}

/** What may stand within what. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  '': ['node'],
  node: ['property', 'node'],
  property: ['value'],
};

const unexpected = ({ prefix, local }: XmlElement, expected: readonly string[]) => {
  const wanted = expected.length === 0 ? 'only text in sv:value' : `sv:${expected.join(' or sv:')}`;
  return badRequest(`expected ${wanted}, but found the element ${prefix === '' ? local : `${prefix}:${local}`}`);
};

const attribute = ({ attributes }: XmlElement, uri: string, local: string): string | undefined =>
  attributes.find((one) => one.uri === uri && one.local === local)?.value;

/** Whether the value says that it is the Base64 of a text. */
function isBase64(element: XmlElement): boolean {
  const [prefix, local] = (attribute(element, XSI, 'type') ?? '').split(':');
  return local === 'base64Binary' && element.scope(prefix ?? '') === XS;
}

function fromBase64(text: string, { name, type }: OpenProperty): string {
  const base64 = text.replace(/\s+/g, '');
  if (binaryOf(base64) === null) throw badRequest(`expected '${name}' to be Base64`);
  return type === 'Binary' ? base64 : Buffer.from(base64, 'base64').toString();
}

/** Reads the document view (JCR 2.0 §7.3), which any XML is: elements are nodes, attributes properties, texts nodes jcr:xmltext. */
export class DocumentReader implements ViewReader {
  readonly #names: XmlNames;
  readonly #list: NodeList;
  #text = '';
  #line = 1;

  constructor(names: XmlNames, limits: XmlLimits) {
    this.#names = names;
    this.#list = new NodeList(limits);
  }

  get result(): Pick<XmlDocument, 'view' | 'nodes'> {
    return { view: 'DOCUMENT', nodes: this.#list.nodes };
  }

  open(element: XmlElement): void {
    this.#endText();
    const { uri, local, prefix, line } = element;
    const node = this.#list.open(this.#names.of(uri, decoded(local), prefix), line);
    for (const one of element.attributes) {
      const name = this.#names.of(one.uri, decoded(one.local), one.prefix);
      this.#set(node, name, one.value, element);
    }
  }

  text(text: string, line: number): void {
    if (this.#text === '') this.#line = line;
    this.#text += text;
  }

  close(): void {
    this.#endText();
    this.#list.close();
  }

  #set(node: OpenNode, name: string, value: string, { scope, line }: XmlElement): void {
    const names = () => value.split(/\s+/).filter((one) => one !== '');
    if (name === 'jcr:primaryType') node.type = this.#names.inText(decoded(value.trim()), scope);
    else if (name === 'jcr:mixinTypes') node.mixins = names().map((one) => this.#names.inText(decoded(one), scope));
    else {
      if (name === 'jcr:uuid') node.uuid = decoded(value);
      // Decoded only when it is known whether it is one value or several.
      this.#list.add(node, { name, type: null, multiple: null, values: [value], line });
    }
  }

  /** Spaces between elements are only how the document is written. */
  #endText(): void {
    const text = this.#text;
    this.#text = '';
    if (text.trim() === '') return;
    const node = this.#list.open('jcr:xmltext', this.#line);
    node.properties.push({ name: 'jcr:xmlcharacters', type: null, multiple: null, values: [text], line: this.#line });
    this.#list.close();
  }
}
