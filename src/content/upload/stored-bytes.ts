import type { BlobStore } from '../../store/index.js';
import { type BlobValue, INLINE_BYTES_MAX, type InlineValue, TEXT_INLINE_MAX } from '../value/property.js';

/** Bytes as a value: few of them within the node, more as a blob, which is stored when it resolves. */
export async function storedBytes(bytes: Buffer, blobs: Pick<BlobStore, 'write'>): Promise<BlobValue | InlineValue> {
  if (bytes.length <= INLINE_BYTES_MAX) return { inline: bytes.toString('base64'), size: bytes.length };
  const { sha256: blob, size } = await blobs.write(bytes);
  return { blob, size };
}

/** A text as a value: a long one as a blob. */
export async function storedText(text: string, blobs: Pick<BlobStore, 'write'>): Promise<string | BlobValue> {
  if (text.length <= TEXT_INLINE_MAX) return text;
  const { sha256: blob, size } = await blobs.write(Buffer.from(text));
  return { blob, size };
}
