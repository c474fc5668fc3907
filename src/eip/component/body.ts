import { ExchangeFailure, isStream, textOf } from '../../expression/routes.js';

const CHARSETS: Readonly<Record<string, BufferEncoding>> = {
  ...{ 'UTF-8': 'utf8', UTF8: 'utf8', 'US-ASCII': 'latin1', ASCII: 'latin1' },
  ...{ 'ISO-8859-1': 'latin1', LATIN1: 'latin1', 'UTF-16LE': 'utf16le' },
};

/** A body as bytes, piece by piece. Texts are written by the charset, as Java names it; bytes as they are. */
export async function* bodyPieces(body: unknown, charset?: unknown): AsyncGenerator<Buffer> {
  const encoding = encodingOf(charset);
  if (!isStream(body)) {
    if (body !== null && body !== undefined) yield pieceOf(body, encoding);
    return;
  }
  for await (const piece of body) yield pieceOf(piece, encoding);
}

/** A text as bytes. @throws ExchangeFailure `UnsupportedCharsetException` */
export const textBytes = (text: string, charset?: unknown): Buffer => Buffer.from(text, encodingOf(charset));

function encodingOf(charset: unknown): BufferEncoding {
  const encoding = CHARSETS[String(charset ?? 'UTF-8').toUpperCase()];
  if (encoding !== undefined) return encoding;
  throw new ExchangeFailure('java.nio.charset.UnsupportedCharsetException', String(charset));
}

function pieceOf(piece: unknown, encoding: BufferEncoding): Buffer {
  if (piece instanceof Uint8Array) return Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  return Buffer.from(typeof piece === 'string' ? piece : textOf(piece), encoding);
}
