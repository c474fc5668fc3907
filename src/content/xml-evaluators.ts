import { limitExceeded, ServiceError } from '../shared/errors.js';
import type { BlobStore, Command, Evaluator } from '../store/index.js';
import type { LargeWork } from './large-work.js';
import { directMaxOf } from './rule/import-place.js';
import { problemOf } from './rule/large-work.js';
import { READ_XML, type XmlAnswer, type XmlQuestion } from './rule/xml-question.js';
import type { XmlDocument, XmlNode } from './xml/xml-document.js';
import { nodesIn, type XmlPages } from './xml/xml-pages.js';
import type { XmlParser } from './xml/xml-parser.js';
import { nodesWithBlobs } from './xml-blobs.js';
import { XmlStaging } from './xml-staging.js';

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
      if (pages.count <= directMaxOf(question.place.behavior))
        return { document: await documentOf(services, pages), staged: null, problem: null };
      const staged = await new XmlStaging(services, question, { caller, pages }).run();
      return { document: null, staged, problem: null };
    } catch (thrown) {
      if (thrown instanceof ServiceError) return { document: null, staged: null, problem: problemOf(thrown) };
      throw thrown;
    }
  },
});

async function pagesOf({ blobs, xmlParser }: XmlServices, question: XmlQuestion): Promise<XmlPages> {
  const { blob, size, namespaces, limits } = question;
  if (size > limits.bytesMax)
    throw limitExceeded(`expected XML of at most ${limits.bytesMax} bytes, but found ${size}`, {
      reason: 'xml_too_large',
    });
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.open(blob)) chunks.push(chunk);
  return xmlParser.read({ bytes: Buffer.concat(chunks), namespaces, limits });
}

async function documentOf({ blobs }: XmlServices, { pages, count: _, ...facts }: XmlPages): Promise<XmlDocument> {
  const nodes: XmlNode[] = [];
  for (const page of pages) {
    nodes.push(...(await nodesWithBlobs(nodesIn(page), blobs)));
    // Pages with much text take their time: others get their turn between them.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return { ...facts, nodes };
}
