import type { BlobStore } from '../../store/index.js';
import type { BlobValue, InlineValue } from '../value/property.js';

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

/** How many bytes of a binary are looked at. */
const SNIFFED_BYTES = 2_048;

/** Media type of a binary by its bytes. */
interface SniffedType {
  readonly mimeType: string;
  /** Of a file's name, without the dot. */
  readonly extension: string;
}

const BYTES: SniffedType = { mimeType: 'application/octet-stream', extension: 'bin' };
const TEXT: SniffedType = { mimeType: 'text/plain', extension: 'txt' };
const HTML: SniffedType = { mimeType: 'text/html', extension: 'html' };
const SVG: SniffedType = { mimeType: 'image/svg+xml', extension: 'svg' };
const XML: SniffedType = { mimeType: 'application/xml', extension: 'xml' };

/** The media type of bytes by the first of them; nobody says so, and bytes that look like two things are one of them. */
export async function sniffMimeType(bytes: Uint8Array): Promise<SniffedType> {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  if (head.length === 0) return BYTES;
  const text = textOf(head);
  // Text is looked at here: what the table knows of it are single words at the beginning.
  if (text !== undefined) return markupOf(text);
  return (await magicOf(head)) ?? BYTES;
}

/** By its magic numbers. Formats that need more than the first bytes to be told are unknown, as are broken ones. */
async function magicOf(head: Uint8Array): Promise<SniffedType | undefined> {
  // Loaded with the first file: it takes a twentieth of a start.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  return found && { mimeType: found.mime, extension: found.ext };
}

/** The text, where the bytes are UTF-8 without control characters, or begin with a byte order mark; the last character may be cut off. */
function textOf(head: Uint8Array): string | undefined {
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isUtf16) return '';
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return CONTROL.test(text) || text.startsWith('%PDF-') ? undefined : text;
  } catch {
    return undefined;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no text holds
const CONTROL = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/;

function markupOf(text: string): SniffedType {
  const begin = text.replace(/^\s*(<!--[\s\S]*?-->\s*)*/, '').toLowerCase();
  if (/^<(!doctype html|html|head|body|script)\b/.test(begin)) return HTML;
  if (/^<(\?xml|!doctype|svg)\b/.test(begin) && /<svg[\s>]/.test(begin)) return SVG;
  return begin.startsWith('<?xml') ? XML : TEXT;
}
