import { badRequest } from '../../shared/errors.js';

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
