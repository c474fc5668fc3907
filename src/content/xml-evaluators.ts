import { limitExceeded, ServiceError } from '../shared/errors.js';
import type { BlobStore, Evaluator } from '../store/index.js';
import { binaryOf } from './model/binary-value.js';
import { type BlobValue, INLINE_BYTES_MAX, TEXT_INLINE_MAX } from './model/property.js';
import { problemOf } from './rule/large-work.js';
import { READ_XML, type XmlAnswer, type XmlQuestion } from './rule/xml-question.js';
import type { LargeValue, XmlDocument, XmlNode, XmlProperty, XmlValue } from './xml/xml-document.js';
import type { XmlParser } from './xml/xml-parser.js';

/** What is needed to read XML. */
export interface XmlServices {
  readonly blobs: BlobStore;
  readonly xmlParser: Pick<XmlParser, 'read'>;
}

/** What answers the asks of imports: the XML is read, and what is large in it is made blobs. */
export const xmlEvaluators = (services: XmlServices): Readonly<Record<string, Evaluator>> => ({
  [READ_XML]: async (question: XmlQuestion): Promise<XmlAnswer> => {
    try {
      return { document: await documentOf(services, question), problem: null };
    } catch (thrown) {
      if (thrown instanceof ServiceError) return { document: null, problem: problemOf(thrown) };
      throw thrown;
    }
  },
});

async function documentOf({ blobs, xmlParser }: XmlServices, question: XmlQuestion): Promise<XmlDocument> {
  const { blob, size, namespaces, limits } = question;
  if (size > limits.bytesMax)
    throw limitExceeded(`expected XML of at most ${limits.bytesMax} bytes, but found ${size}`, {
      reason: 'xml_too_large',
    });
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.open(blob)) chunks.push(chunk);
  const document = await xmlParser.read({ bytes: Buffer.concat(chunks), namespaces, limits });
  const nodes: XmlNode[] = [];
  for (const node of document.nodes) {
    const properties: XmlProperty[] = [];
    for (const property of node.properties) properties.push(await withBlobs(property, blobs));
    nodes.push({ ...node, properties });
  }
  return { ...document, nodes };
}

async function withBlobs(property: XmlProperty, blobs: BlobStore): Promise<XmlProperty> {
  const isLarge = property.values.some((value) => isLargeText(property, value));
  if (!isLarge) return property;
  const values: XmlValue[] = [];
  for (const value of property.values)
    values.push(isLargeText(property, value) ? await largeValue(String(value), blobs) : value);
  return { ...property, values };
}

/** Base64 has four characters for three bytes. */
const BASE64_INLINE_MAX = Math.ceil(INLINE_BYTES_MAX / 3) * 4;

function isLargeText({ type }: XmlProperty, value: XmlValue): boolean {
  if (typeof value !== 'string' || (type !== null && type !== 'Binary' && type !== 'String')) return false;
  return value.length > (type === 'Binary' ? BASE64_INLINE_MAX : TEXT_INLINE_MAX);
}

async function largeValue(text: string, blobs: BlobStore): Promise<LargeValue> {
  const base64 = text.replace(/\s+/g, '');
  const bytes = binaryOf(base64) === null ? null : await stored(Buffer.from(base64, 'base64'), blobs);
  return { text: await stored(Buffer.from(text), blobs), bytes };
}

async function stored(bytes: Buffer, blobs: BlobStore): Promise<BlobValue> {
  const { sha256, size } = await blobs.write(bytes);
  return { blob: sha256, size };
}
