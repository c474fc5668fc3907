import type { ContentNode } from '../../tree/node.js';
import {
  declarations,
  type ExportedProperty,
  type ExportOptions,
  exportedName,
  exportedProperties,
  exportedValue,
  type XmlPart,
} from './exported-node.js';
import { escapedAttribute, escapedText, isXmlText } from './xml-text.js';

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

/** What XML cannot hold is written as the Base64 of its UTF-8, and says so. */
export function systemValue(text: string): string {
  if (isXmlText(text)) return `<sv:value>${escapedText(text)}</sv:value>`;
  const base64 = Buffer.from(text).toString('base64');
  return `<sv:value xmlns:xsi="${XSI}" xmlns:xs="${XS}" xsi:type="xs:base64Binary">${base64}</sv:value>`;
}

export const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
export const XS = 'http://www.w3.org/2001/XMLSchema';
