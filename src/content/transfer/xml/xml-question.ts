import type { Problem } from '../../large/large-work.js';
import type { StagedXml } from './publish-xml.js';
import type { XmlStage } from './staged-xml.js';
import type { XmlDocument, XmlLimits } from './xml-document.js';

/** Asked with the kind `readXml`; answered with a {@link XmlAnswer}. */
export interface XmlQuestion {
  /** The blob that is the XML. */
  readonly blob: string;
  /** bytes */
  readonly size: number;
  /** Registered namespaces, by prefix. */
  readonly namespaces: Readonly<Record<string, string>>;
  readonly limits: XmlLimits;
  /** Where its nodes are staged, if they are many. */
  readonly place: ImportPlace;
}

/** What a staged import is about. */
export interface ImportPlace extends Pick<XmlStage, 'targetId' | 'behavior' | 'stamp'> {
  readonly partition: string;
  /** ms, domain clock */
  readonly now: number;
}

/** What the XML says, its large values as blobs; or what has been staged of it; or why it is refused. */
export interface XmlAnswer {
  readonly document: XmlDocument | null;
  /** Where the nodes are more than one decision makes. */
  readonly staged: StagedXml | null;
  readonly problem: Problem | null;
}

export const READ_XML = 'readXml';
