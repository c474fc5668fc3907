import { NodeList, type OpenNode } from './node-list.js';
import type { ViewReader, XmlDocument, XmlElement, XmlLimits } from './xml-document.js';
import type { XmlNames } from './xml-names.js';
import { decoded } from './xml-text.js';

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
    if (text.trim() === '' || this.#list.current === undefined) return;
    const node = this.#list.open('jcr:xmltext', this.#line);
    node.properties.push({ name: 'jcr:xmlcharacters', type: null, multiple: null, values: [text], line: this.#line });
    this.#list.close();
  }
}
