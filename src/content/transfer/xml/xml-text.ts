/** What XML 1.0 §2.2 does not let be in a document, however it is escaped: control characters, lone surrogates, U+FFFE and U+FFFF. */
const ILLEGAL = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const ALL_ILLEGAL = new RegExp(ILLEGAL, 'gu');

/** Whether the text can be in an XML document. */
export const isXmlText = (text: string): boolean => !ILLEGAL.test(text);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

/** The text as an element's content; a carriage return survives the reader. */
export const escapedText = (text: string): string => text.replace(/[&<>\r]/g, (char) => ENTITIES[char] ?? char);

/** The text within double quotes; line ends and tabs survive the reader. */
export const escapedAttribute = (text: string): string =>
  text.replace(/[&<>"\t\n\r]/g, (char) => ENTITIES[char] ?? char);

const hex = (text: string): string =>
  [...Array(text.length).keys()]
    .map((at) => `_x${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}_`)
    .join('');

/** An underscore that a reader would take for the start of an escape. */
const SEEMING = /_(?=x[0-9a-fA-F]{4}_)/g;

/** A value of the document view, in which `_xHHHH_` stands for a UTF-16 unit (JCR 2.0 §7.3.6): what XML cannot hold is escaped so. */
export const encodedValue = (text: string): string => text.replace(SEEMING, '_x005F_').replace(ALL_ILLEGAL, hex);

/** As {@link encodedValue}, for one value of several, which spaces separate. */
export const encodedItem = (text: string): string => encodedValue(text).replace(/\s/g, hex);

/** The text that was encoded; what is no escape stays. */
export const decoded = (text: string): string =>
  text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const START =
  'A-Z_a-z\\u{c0}-\\u{d6}\\u{d8}-\\u{f6}\\u{f8}-\\u{2ff}\\u{370}-\\u{37d}\\u{37f}-\\u{1fff}\\u{200c}\\u{200d}\\u{2070}-\\u{218f}\\u{2c00}-\\u{2fef}\\u{3001}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{fffd}\\u{10000}-\\u{effff}';
const NOT_PART = new RegExp(`[^${START}\\-.0-9\\u{b7}\\u{300}-\\u{36f}\\u{203f}\\u{2040}]`, 'gu');
const NOT_START = new RegExp(`^[^${START}]`, 'u');

/** A local name as XML takes it (JCR 2.0 §7.3.6). */
export function encodedName(local: string): string {
  if (local === 'xmlns') return '_x0078_mlns'; // without a prefix it would declare a namespace
  return local.replace(SEEMING, '_x005F_').replace(NOT_PART, hex).replace(NOT_START, hex);
}

/** Whether a prefix of a namespace can be one in XML. */
export const isXmlPrefix = (prefix: string): boolean => encodedName(prefix) === prefix;
