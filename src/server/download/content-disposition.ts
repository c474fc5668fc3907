/**
 * The header `Content-Disposition` (RFC 6266): the name in UTF-8 (RFC 8187), and an ASCII one for those who do not know that. Both parts are
 * free of whatever could end them, so that no name can add a header or a parameter.
 */
export function contentDisposition(type: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%/]/gu, '_');
  return `${type}; filename="${ascii}"; filename*=UTF-8''${extendedValue(name)}`;
}

const ATTRIBUTE_CHARACTER = /[A-Za-z0-9!#$&+.^_`|~-]/;

/** RFC 8187 §3.2.1; what is no character becomes U+FFFD. */
function extendedValue(text: string): string {
  let value = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const character = String.fromCharCode(byte);
    value += ATTRIBUTE_CHARACTER.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return value;
}
