import type { BlobStore } from '../../store/index.js';
import type { BlobValue, InlineValue } from '../value/property.js';
import { SNIFFED_BYTES, type SniffedType, sniffMimeType } from './sniff-mime-type.js';

/** The media type of a binary value by how it begins, see {@link sniffMimeType}. */
export const mimeTypeOf = async (value: BlobValue | InlineValue, blobs: Pick<BlobStore, 'open'>): Promise<string> =>
  (await sniffedTypeOf(value, blobs)).mimeType;

/** As {@link mimeTypeOf}, with the extension that a file of it has. */
export async function sniffedTypeOf(
  value: BlobValue | InlineValue,
  blobs: Pick<BlobStore, 'open'>,
): Promise<SniffedType> {
  return sniffMimeType('inline' in value ? Buffer.from(value.inline, 'base64') : await beginOf(value, blobs));
}

async function beginOf({ blob: sha256, size }: BlobValue, blobs: Pick<BlobStore, 'open'>): Promise<Buffer> {
  if (size === 0) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  for await (const chunk of blobs.open({ sha256, size }, { start: 0, end: SNIFFED_BYTES - 1 }))
    chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
