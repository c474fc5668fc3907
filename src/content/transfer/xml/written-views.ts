import { type ContentNode, ROOT_ID } from '../../tree/node.js';
import { valueText } from '../../value/convert-value.js';
import { localNameOf, type NamespaceRegistry, prefixOf } from '../../value/names.js';
import { isMultiple, type Property, type PropertyType, type Value, valuesOf } from '../../value/property.js';
import {
  encodedItem,
  encodedName,
  encodedValue,
  escapedAttribute,
  escapedText,
  isXmlPrefix,
  isXmlText,
} from './xml-text.js';

/** A text in a blob, to be put into the XML once it is read. */
export interface BlobPart {
  readonly blob: string;
  /** bytes */
  readonly size: number;
  /** What becomes of it: Base64, a whole `sv:value`, the inside of an attribute (one value, or one of several), or an element's content. */
  readonly form: 'base64' | 'systemValue' | 'attribute' | 'item' | 'content';
}

/** A piece of an export: text, or the bytes of a blob. */
export type XmlPart = string | BlobPart;

interface ExportOptions {
  readonly namespaces: NamespaceRegistry;
  /** Binary values are written as if they were empty. */
  readonly skipBinary: boolean;
}

/** A property as both views show it. */
interface ExportedProperty {
  readonly name: string;
  readonly type: PropertyType;
  readonly multiple: boolean;
  readonly values: readonly Value[];
}

/** The properties in the order of JCR 2.0 §7.2: type, mixins, identifier, then the others. */
function exportedProperties(node: ContentNode): readonly ExportedProperty[] {
  const { type, mixins, lock, versioning, properties } = node;
  const { 'jcr:uuid': uuid, ...others } = properties;
  const checkedOut = versioning === undefined ? {} : { 'jcr:isCheckedOut': single('Boolean', versioning.checkedOut) };
  const own: Readonly<Record<string, Property>> = {
    'jcr:primaryType': single('Name', type),
    ...(mixins.length > 0 && { 'jcr:mixinTypes': { type: 'Name', values: mixins } }),
    ...(uuid !== undefined && { 'jcr:uuid': uuid }),
    ...checkedOut,
    ...(lock && { 'jcr:lockOwner': single('String', lock.owner), 'jcr:lockIsDeep': single('Boolean', lock.deep) }),
    ...others,
  };
  return Object.entries(own).map(([name, property]) => ({
    name,
    type: property.type,
    multiple: isMultiple(property),
    values: valuesOf(property),
  }));
}

const single = (type: PropertyType, value: Value): Property => ({ type, value });

/** The name that both views give the root (JCR 2.0 §7.2, §7.3.1). */
const exportedName = ({ id, name }: ContentNode): string => (id === ROOT_ID ? 'jcr:root' : name);

/** The text of a value: bytes as Base64; a blob for the text or the bytes that are in one. */
function exportedValue(type: PropertyType, value: Value, form: BlobPart['form'], skipBinary: boolean): XmlPart {
  if (typeof value !== 'object') return valueText(type, value, { what: 'a value' });
  if (type === 'Binary' && skipBinary) return '';
  if ('inline' in value) return value.inline;
  return { blob: value.blob, size: value.size, form: type === 'Binary' ? 'base64' : form };
}

/** Declarations of all namespaces, as names in values may be of any. Prefixes that XML does not take are left out. */
const declarations = (namespaces: NamespaceRegistry): string =>
  namespaces
    .entries()
    .filter(([prefix]) => prefix !== '' && prefix !== 'xml' && isXmlPrefix(prefix))
    .map(
      ([prefix, uri]) =>
        ` xmlns:${prefix}="${uri.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}"`,
    )
    .join('');

/** Writes nodes in the system view (JCR 2.0 §7.2): what it says is all that there is, and is read again as the very same. */
export class SystemView {
  readonly #options: ExportOptions;
  #isFirst = true;

  constructor(options: ExportOptions) {
    this.#options = options;
  }

  *open(node: ContentNode, _hasChildren: boolean): Generator<XmlPart> {
    const declared = this.#isFirst ? declarations(this.#options.namespaces) : '';
    this.#isFirst = false;
    yield `<sv:node${declared} sv:name="${escapedAttribute(exportedName(node))}">\n`;
    for (const property of exportedProperties(node)) yield* this.#property(property);
  }

  *#property({ name, type, multiple, values }: ExportedProperty): Generator<XmlPart> {
    yield `<sv:property sv:name="${escapedAttribute(name)}" sv:type="${type}"${multiple ? ' sv:multiple="true"' : ''}>`;
    for (const value of values) {
      const part = exportedValue(type, value, 'systemValue', this.#options.skipBinary);
      if (typeof part === 'string') yield systemValue(part);
      else if (part.form === 'base64') yield* ['<sv:value>', part, '</sv:value>'];
      else yield part;
    }
    yield '</sv:property>\n';
  }

  close(_: ContentNode): string {
    return '</sv:node>\n';
  }
}

/** A value in the system view: a text, or the Base64 of its UTF-8, marked so, where XML cannot hold it. */
export function systemValue(text: string): string {
  if (isXmlText(text)) return `<sv:value>${escapedText(text)}</sv:value>`;
  const base64 = Buffer.from(text).toString('base64');
  return `<sv:value xmlns:xsi="${XSI}" xmlns:xs="${XS}" xsi:type="xs:base64Binary">${base64}</sv:value>`;
}

export const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
export const XS = 'http://www.w3.org/2001/XMLSchema';

/**
 * Writes nodes in the document view (JCR 2.0 §7.3): a node is an element, a property an attribute. Types of values are not in it, nor whether there
 * are several.
 */
export class DocumentView {
  readonly #options: ExportOptions;
  /** Prefixes that XML does not take, by what stands for them. */
  readonly #renamed = new Map<string, string>();
  #isFirst = true;
  /** The node that was written last, if it was as a text: a second one would be one with it. */
  #textId: string | null = null;

  constructor(options: ExportOptions) {
    this.#options = options;
  }

  *open(node: ContentNode, hasChildren: boolean): Generator<XmlPart> {
    const text = this.#isFirst || hasChildren ? undefined : this.#textOf(node);
    this.#textId = text === undefined ? null : node.id;
    if (text !== undefined) return yield text;
    yield `<${this.#name(exportedName(node))}`;
    if (this.#isFirst) yield this.#declarations();
    this.#isFirst = false;
    for (const property of exportedProperties(node)) yield* this.#attribute(property);
    yield '>';
  }

  close(node: ContentNode): string {
    if (this.#textId === node.id) return '';
    this.#textId = null;
    return `</${this.#name(exportedName(node))}>`;
  }

  *#attribute({ name, type, multiple, values }: ExportedProperty): Generator<XmlPart> {
    yield ` ${this.#name(name)}="`;
    for (const [at, value] of values.entries()) {
      if (at > 0) yield ' ';
      const part = exportedValue(type, value, multiple ? 'item' : 'attribute', this.#options.skipBinary);
      yield typeof part === 'string' ? attributeValue(part, multiple) : part;
    }
    yield '"';
  }

  /** The text that stands for a node jcr:xmltext (§7.3.2); undefined: it is shown as any other. */
  #textOf({ name, properties }: ContentNode): XmlPart | undefined {
    const text = properties['jcr:xmlcharacters'];
    if (name !== 'jcr:xmltext' || this.#textId !== null || text?.type !== 'String' || isMultiple(text))
      return undefined;
    const part = exportedValue('String', text.value, 'content', false);
    if (typeof part !== 'string') return part;
    // A reader leaves out what is empty but for spaces.
    return part.trim() === '' ? undefined : contentValue(part);
  }

  #name(name: string): string {
    const [prefix, local] = [prefixOf(name), encodedName(localNameOf(name))];
    if (prefix === '') return local;
    return `${isXmlPrefix(prefix) ? prefix : this.#renamedTo(prefix)}:${local}`;
  }

  #renamedTo(prefix: string): string {
    return this.#renamed.get(prefix) ?? prefix;
  }

  #declarations(): string {
    const { namespaces } = this.#options;
    const others = namespaces.entries().filter(([prefix]) => prefix !== '' && !isXmlPrefix(prefix));
    let declared = declarations(namespaces);
    let number = 0;
    for (const [prefix, uri] of others) {
      while (namespaces.uriOf(`ns${++number}`) !== undefined);
      this.#renamed.set(prefix, `ns${number}`);
      declared += ` xmlns:ns${number}="${escapedAttribute(uri)}"`;
    }
    return declared;
  }
}

export const attributeValue = (text: string, multiple: boolean): string =>
  escapedAttribute(multiple ? encodedItem(text) : encodedValue(text));

export const contentValue = (text: string): string => escapedText(encodedValue(text));
