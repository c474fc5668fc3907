import { badRequest } from '../../shared/errors.js';
import type { InlineValue } from './property.js';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Bytes given as Base64 of the standard alphabet, padded or not; null: not Base64. */
export function binaryOf(base64: string): InlineValue | null {
  if (!BASE64.test(base64)) return null;
  const bare = base64.replace(/=+$/, '');
  if (bare.length % 4 === 1 || (bare !== base64 && base64.length % 4 !== 0)) return null;
  return { inline: bare.padEnd(Math.ceil(bare.length / 4) * 4, '='), size: Math.floor((bare.length * 3) / 4) };
}

/** The text's bytes in UTF-8. */
export function binaryOfText(text: string): InlineValue {
  const bytes = Buffer.from(text, 'utf8');
  return { inline: bytes.toString('base64'), size: bytes.length };
}

/** The bytes read as UTF-8; null: they are not UTF-8. */
export function textOfBinary({ inline }: InlineValue): string | null {
  const bytes = Buffer.from(inline, 'base64');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null;
}

/** The bytes of a Base64 text (RFC 4648 §4: standard alphabet, with padding). @throws BAD_REQUEST for any other text */
export function base64Bytes(argument: string, text: string): Buffer {
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  const bytes = Buffer.from(text, 'base64');
  // The decoder passes over what it does not know, so that bytes are missing then; of the other alphabet it knows both letters.
  const isOfOther = text.includes('-') || text.includes('_'); // a pattern takes ten times as long
  const isWhole = text.length % 4 === 0 && bytes.length === (text.length / 4) * 3 - padding && !isOfOther;
  if (isWhole) return bytes;
  throw badRequest(`expected Base64 in the standard alphabet, with padding, as '${argument}', but found another text`, {
    reason: 'argument_invalid',
    details: { argument },
  });
}
