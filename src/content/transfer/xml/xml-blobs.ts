import type { BlobStore } from '../../../store/index.js';
import { binaryOf } from '../../value/binary-value.js';
import { type BlobValue, INLINE_BYTES_MAX, TEXT_INLINE_MAX } from '../../value/property.js';
import type { LargeValue, XmlNode, XmlProperty, XmlValue } from './xml-document.js';

/** The nodes with their large values as blobs. */
export async function nodesWithBlobs(nodes: readonly XmlNode[], blobs: BlobStore): Promise<readonly XmlNode[]> {
  const made: XmlNode[] = [];
  for (const node of nodes) {
    const properties: XmlProperty[] = [];
    for (const property of node.properties) properties.push(await withBlobs(property, blobs));
    made.push({ ...node, properties });
  }
  return made;
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
