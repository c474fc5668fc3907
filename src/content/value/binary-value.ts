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
