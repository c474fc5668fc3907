import { fileTypeFromBuffer } from 'file-type';
import type { BlobStore } from '../store/index.js';
import type { BlobValue, InlineValue } from './model/property.js';

/** How many bytes are looked at. */
const SNIFFED_BYTES = 2_048;

/** The media type of bytes by how they begin: that of a known format, text/plain, or application/octet-stream. */
export async function mimeTypeOf(value: BlobValue | InlineValue, blobs: Pick<BlobStore, 'open'>): Promise<string> {
  const begin = 'inline' in value ? Buffer.from(value.inline, 'base64') : await beginOf(value, blobs);
  const bytes = begin.subarray(0, SNIFFED_BYTES);
  const known = await fileTypeFromBuffer(bytes);
  return known?.mime ?? (isText(bytes) ? 'text/plain' : 'application/octet-stream');
}

async function beginOf({ blob, size }: BlobValue, blobs: Pick<BlobStore, 'open'>): Promise<Buffer> {
  if (size === 0) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  for await (const chunk of blobs.open(blob, { start: 0, end: SNIFFED_BYTES - 1 })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Whether it is UTF-8 without control characters other than white space; the last character may be cut off. */
function isText(bytes: Buffer): boolean {
  if (bytes.length === 0) return false;
  const text = new TextDecoder('utf-8').decode(bytes, { stream: true });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is they that are looked for
  return !/[\u0000-\u0008\u000b\u000e-\u001f\ufffd]/.test(text);
}
