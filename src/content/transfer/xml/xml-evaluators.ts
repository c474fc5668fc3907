import { setImmediate as turn } from 'node:timers/promises';
import type { Caller } from '../../../shared/caller.js';
import { limitExceeded, ServiceError } from '../../../shared/errors.js';
import type { BlobStore, Command, Evaluator } from '../../../store/index.js';
import { problemOf } from '../../large/large-work.js';
import type { LargeWork } from '../../large/make-ready.js';
import { DIRECT_MAX, REPLACING_MAX } from './import-place.js';
import type { StagedXml } from './publish-xml.js';
import { XmlStaging } from './stage-xml.js';
import { hasNodes } from './staged-nodes.js';
import { nodesWithBlobs } from './xml-blobs.js';
import type { XmlDocument, XmlNode } from './xml-document.js';
import { nodesIn, type XmlPages } from './xml-pages.js';
import type { XmlParser } from './xml-parser.js';
import { READ_XML, type XmlAnswer, type XmlQuestion } from './xml-question.js';

/** What is needed to read XML. */
export interface XmlServices {
  readonly blobs: BlobStore;
  readonly xmlParser: Pick<XmlParser, 'read'>;
  readonly largeWork: LargeWork;
}

/** What answers the asks of imports: the XML is read, what is large in it is made blobs; and of many nodes, all are staged. */
export const xmlEvaluators = (services: XmlServices): Readonly<Record<string, Evaluator>> => ({
  [READ_XML]: async (question: XmlQuestion, { caller }: Command): Promise<XmlAnswer> => {
    try {
      const pages = await pagesOf(services, question);
      const staged = pages.count <= DIRECT_MAX ? null : await stagedOf(services, question, { caller, pages });
      const document = staged === null ? await documentOf(services, pages) : null;
      return { document, staged, problem: null };
    } catch (thrown) {
      if (thrown instanceof ServiceError) return { document: null, staged: null, problem: problemOf(thrown) };
      throw thrown;
    }
  },
});

/** Null: nodes have to give way, or are few, so that all of it is one decision. @throws ServiceError as `importXml` */
async function stagedOf(
  services: XmlServices,
  question: XmlQuestion,
  made: { readonly caller: Caller; readonly pages: XmlPages },
): Promise<StagedXml | null> {
  const isReplacing = made.pages.count <= REPLACING_MAX && (await replaces(services, question, made.pages));
  return isReplacing ? null : new XmlStaging(services, question, made).run();
}

/** Whether nodes that are there have to give way, as far as can be said now. */
async function replaces({ largeWork }: XmlServices, { place }: XmlQuestion, { pages }: XmlPages): Promise<boolean> {
  if (place.behavior === 'CREATE_NEW' || place.behavior === 'THROW') return false;
  const ids: string[] = [];
  for (const page of pages) {
    for (const { uuid } of nodesIn(page)) if (uuid !== null) ids.push(uuid);
    await turn();
  }
  return largeWork.send(place.partition, hasNodes, { ids });
}

async function pagesOf({ blobs, xmlParser }: XmlServices, question: XmlQuestion): Promise<XmlPages> {
  const { blob, size, namespaces, limits } = question;
  if (size > limits.bytesMax)
    throw limitExceeded(`expected XML of at most ${limits.bytesMax} bytes, but found ${size}`, {
      reason: 'xml_too_large',
    });
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.open({ sha256: blob, size })) chunks.push(chunk);
  return xmlParser.read({ bytes: Buffer.concat(chunks), namespaces, limits });
}

async function documentOf({ blobs }: XmlServices, { pages, count: _, ...facts }: XmlPages): Promise<XmlDocument> {
  const nodes: XmlNode[] = [];
  for (const page of pages) {
    nodes.push(...(await nodesWithBlobs(nodesIn(page), blobs)));
    // Pages with much text take their time: others get their turn between them.
    await turn();
  }
  return { ...facts, nodes };
}
