import type { SaxesAttributeNS } from 'saxes';
import type { BlobValue, PropertyType } from '../../value/property.js';

/** A value of a property in XML: its text, or where that is large, what was made of it. */
export type XmlValue = string | LargeValue;

/** A long text as blobs: of itself, and of the bytes that it is the Base64 of; null: it is none. */
export interface LargeValue {
  readonly text: BlobValue;
  readonly bytes: BlobValue | null;
}

export interface XmlProperty {
  readonly name: string;
  /** Null: XML does not say. */
  readonly type: PropertyType | null;
  /** Null: XML does not say. Then a single text may be several values, which spaces separate. */
  readonly multiple: boolean | null;
  readonly values: readonly XmlValue[];
  /** From 1. */
  readonly line: number;
}

export interface XmlNode {
  /** Its parent among the nodes; -1: none. */
  readonly parent: number;
  readonly name: string;
  /** Null: what the parent's type says. */
  readonly type: string | null;
  readonly mixins: readonly string[];
  /** What jcr:uuid says. */
  readonly uuid: string | null;
  readonly properties: readonly XmlProperty[];
  /** From 1. */
  readonly line: number;
}

/** The XML of an import in plain JSON: names are the repository's. */
export interface XmlDocument {
  readonly view: 'SYSTEM' | 'DOCUMENT';
  /** Parents first, siblings in their order. */
  readonly nodes: readonly XmlNode[];
  /** Namespaces that the repository does not have, by the prefix that they are to get. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** Prefixes of the document that are others in the repository: for names in values whose type the XML does not say. */
  readonly renamed: Readonly<Record<string, string>>;
}

/** How large the XML of an import may be. */
export interface XmlLimits {
  /** bytes */
  readonly bytesMax: number;
  readonly nodesMax: number;
  /** Nested nodes. */
  readonly depthMax: number;
  /** Declarations of namespaces in all. */
  readonly namespacesMax: number;
}

/** The most nodes of an import: what memory and time allow of XML as large as an import's may be. */
export const XML_NODES_MAX = 250_000;

/** An element as a view's reader takes it. */
export interface XmlElement {
  readonly uri: string;
  readonly prefix: string;
  readonly local: string;
  /** Declarations of namespaces left out. */
  readonly attributes: readonly SaxesAttributeNS[];
  readonly line: number;
  /** What prefixes stand for within it. */
  readonly scope: (prefix: string) => string | undefined;
}

/** Reads one of the two views; told of what comes, in its order. */
export interface ViewReader {
  open(element: XmlElement): void;
  text(text: string, line: number): void;
  close(): void;
  readonly result: Pick<XmlDocument, 'view' | 'nodes'>;
}

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

/** Cuts a document into pages of at most {@link PAGE_NODES_MAX} nodes, as JSON in UTF-8: so it crosses from the thread that reads it. */
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

/** The nodes of a page of {@link pagedXml}. */
export const nodesIn = (page: Uint8Array): readonly XmlNode[] =>
  JSON.parse(new TextDecoder().decode(page)) as readonly XmlNode[];
