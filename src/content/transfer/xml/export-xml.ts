import type { BlobStore } from '../../../store/index.js';
import { type ExportXmlQuery, tooLarge } from './export-xml-page.js';
import { attributeValue, type BlobPart, contentValue, systemValue, type XmlPart } from './written-views.js';

/**
 * The whole XML of the parts that the reader gave: what is in blobs is read, and written as its place asks for.
 * @throws LIMIT_EXCEEDED it is longer than allowed once escaped; NOT_FOUND a blob is gone meanwhile
 */
export async function wholeXml(
  parts: readonly XmlPart[],
  blobs: Pick<BlobStore, 'open' | 'readText'>,
  query: Pick<ExportXmlQuery, 'path' | 'charsMax'>,
): Promise<string> {
  const written: string[] = [];
  let left = query.charsMax;
  for (const part of parts) {
    const text = typeof part === 'string' ? part : await loaded(part, blobs);
    left -= text.length;
    if (left < 0) throw tooLarge(query);
    written.push(text);
  }
  return written.join('');
}

async function loaded(
  { blob: sha256, size, form }: BlobPart,
  blobs: Pick<BlobStore, 'open' | 'readText'>,
): Promise<string> {
  if (form === 'base64') return base64Of(blobs.open({ sha256, size }));
  const text = await blobs.readText({ sha256, size });
  if (form === 'systemValue') return systemValue(text);
  return form === 'content' ? contentValue(text) : attributeValue(text, form === 'item');
}

/** Piece by piece, so that others get their turn. */
async function base64Of(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const texts: string[] = [];
  let rest = Buffer.alloc(0);
  for await (const chunk of stream) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    texts.push(bytes.toString('base64', 0, whole));
    rest = bytes.subarray(whole);
  }
  return [...texts, rest.toString('base64')].join('');
}
