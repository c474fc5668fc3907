import { isStream } from '../conversion/java-class.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { Asked } from '../exchange/language.js';
import { answered, bytesOf, STREAM_BYTES_MAX, streamBytes } from '../exchange/stream.js';

/** How much is unpacked into memory, in bytes: as much as is read of a stream. */
export const PAYLOAD_BYTES_MAX = STREAM_BYTES_MAX;

/** `use` with the bytes of a body: at once where they are in memory, else as an {@link Asked}. @throws ExchangeFailure where it has none */
export function withBytes(value: unknown, use: (bytes: Buffer) => unknown): unknown {
  const bytes = bytesOf(value);
  if (bytes !== undefined) return use(bytes);
  if (isStream(value)) {
    const read = streamBytes(value);
    return read instanceof Asked ? new Asked(answered(read).then((all) => settled(use(all as Buffer)))) : use(read);
  }
  throw noConversion(value, 'java.io.InputStream');
}

/** As {@link withBytes}, with text: bytes are UTF-8, unless a byte order mark or the first bytes tell UTF-16 or UTF-32. */
export function withText(value: unknown, use: (text: string) => unknown): unknown {
  if (typeof value === 'string') return use(value);
  return withBytes(value, (bytes) => use(decoded(bytes)));
}

/** What is answered in the end. */
const settled = (value: unknown): unknown => (value instanceof Asked ? answered(value) : value);

/** RFC 4627, 3: where zeros are among the first four bytes tells the encoding. */
function decoded(bytes: Buffer): string {
  const [a, b, c, d] = [bytes[0], bytes[1], bytes[2], bytes[3]];
  if (a === 0xff && b === 0xfe) return bytes.toString('utf16le', 2);
  if (a === 0xfe && b === 0xff) return bigEndian(bytes.subarray(2));
  if (a === 0xef && b === 0xbb && c === 0xbf) return bytes.toString('utf8', 3);
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return bigEndian(bytes);
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return bytes.toString('utf16le');
  return bytes.toString('utf8');
}

const bigEndian = (bytes: Buffer): string =>
  Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
    .swap16()
    .toString('utf16le');

export function noConversion(value: unknown, type: string): ExchangeFailure {
  return new ExchangeFailure(
    'org.apache.camel.NoTypeConversionAvailableException',
    `No type converter available to convert from type: ${kindOf(value)} to the required type: ${type}`,
  );
}

const kindOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'java.util.ArrayList';
  if (typeof value === 'object') return value instanceof Date ? 'java.util.Date' : 'java.util.LinkedHashMap';
  return typeof value === 'boolean' ? 'java.lang.Boolean' : 'java.lang.Number';
};
