import type { ContentNode } from '../../tree/node.js';
import { localNameOf, prefixOf } from '../../value/names.js';
import { isMultiple } from '../../value/property.js';
import {
  declarations,
  type ExportedProperty,
  type ExportOptions,
  exportedName,
  exportedProperties,
  exportedValue,
  type XmlPart,
} from './exported-node.js';
import { encodedItem, encodedName, encodedValue, escapedAttribute, escapedText, isXmlPrefix } from './xml-text.js';

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
