import type { XmlDocument, XmlNode } from './xml-document.js';

/** A document as threads pass it on: its nodes in pages of JSON, each of which is read in a moment. */
export interface XmlPages extends Omit<XmlDocument, 'nodes'> {
  /** How many nodes there are. */
  readonly count: number;
  /** The nodes in their order, as UTF-8. */
  readonly pages: readonly Uint8Array[];
}

/** How many nodes a page has at most: few enough for one short decision. */
export const PAGE_NODES_MAX = 50;
/** A page ends behind the node with which its text is longer. */
const PAGE_CHARS = 64 * 1024;

/** Cuts a document into pages. */
export function pagedXml({ nodes, ...facts }: XmlDocument): XmlPages {
  const encoder = new TextEncoder();
  const pages: Uint8Array[] = [];
  let page: string[] = [];
  let chars = 0;
  const end = () => {
    if (page.length > 0) pages.push(encoder.encode(`[${page.join(',')}]`));
    page = [];
    chars = 0;
  };
  for (const node of nodes) {
    const text = JSON.stringify(node);
    page.push(text);
    chars += text.length;
    if (page.length >= PAGE_NODES_MAX || chars > PAGE_CHARS) end();
  }
  end();
  return { ...facts, count: nodes.length, pages };
}

/** The nodes of a page. */
export const nodesIn = (page: Uint8Array): readonly XmlNode[] =>
  JSON.parse(new TextDecoder().decode(page)) as readonly XmlNode[];
