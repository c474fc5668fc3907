import type { XmlDocument, XmlLimits } from '../xml/xml-document.js';
import type { Problem } from './large-work.js';

/** Asked with the kind `readXml`; answered with a {@link XmlAnswer}. */
export interface XmlQuestion {
  /** The blob that is the XML. */
  readonly blob: string;
  /** bytes */
  readonly size: number;
  /** Registered namespaces, by prefix. */
  readonly namespaces: Readonly<Record<string, string>>;
  readonly limits: XmlLimits;
}

/** What the XML says, its large values as blobs; or why it cannot be read. */
export interface XmlAnswer {
  readonly document: XmlDocument | null;
  readonly problem: Problem | null;
}

export const READ_XML = 'readXml';
