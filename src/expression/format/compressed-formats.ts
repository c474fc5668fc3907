import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  createDeflate,
  createGunzip,
  createGzip,
  createInflate,
  deflate,
  deflateSync,
  gunzip,
  gunzipSync,
  gzip,
  gzipSync,
  inflate,
  inflateSync,
} from 'node:zlib';
import { isStream } from '../conversion/java-class.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { Asked } from '../exchange/language.js';
import { bytesOf, tooLarge } from '../exchange/stream.js';
import type { DataFormat } from './data-format.js';
import type { FormatOptions } from './format-options.js';
import { noConversion, PAYLOAD_BYTES_MAX } from './payload.js';

/** Up to this size, in bytes, the thread does it itself: the pool would cost more than it gives. */
const AT_ONCE_MAX = 65_536;

interface Codec {
  readonly packNow: (bytes: Buffer) => Buffer;
  readonly pack: (bytes: Buffer) => Promise<Buffer>;
  readonly packer: () => NodeJS.ReadWriteStream;
  readonly unpackNow: (bytes: Buffer, max: number) => Buffer;
  readonly unpack: (bytes: Buffer, max: number) => Promise<Buffer>;
  readonly unpacker: () => NodeJS.ReadWriteStream;
}

export function gzipFormat(options: FormatOptions): DataFormat {
  options.end();
  return compressed({
    packNow: (bytes) => gzipSync(bytes),
    pack: promisify<Buffer, Buffer>(gzip),
    packer: () => createGzip(),
    unpackNow: (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
    unpack: (bytes, maxOutputLength) => promisify<Buffer, object, Buffer>(gunzip)(bytes, { maxOutputLength }),
    unpacker: () => createGunzip(),
  });
}

export function deflaterFormat(options: FormatOptions): DataFormat {
  const level = options.number('compressionLevel', -1, -1);
  if (level > 9) throw options.wrong('compressionLevel', 'a whole number from -1 to 9', level);
  options.end();
  return compressed({
    packNow: (bytes) => deflateSync(bytes, { level }),
    pack: (bytes) => promisify<Buffer, object, Buffer>(deflate)(bytes, { level }),
    packer: () => createDeflate({ level }),
    unpackNow: (bytes, maxOutputLength) => inflateSync(bytes, { maxOutputLength }),
    unpack: (bytes, maxOutputLength) => promisify<Buffer, object, Buffer>(inflate)(bytes, { maxOutputLength }),
    unpacker: () => createInflate(),
  });
}

/** Small bodies at once, large ones by zlib's own threads, streams as streams. What is unpacked in memory is bounded. */
function compressed(codec: Codec): DataFormat {
  return {
    marshal: (_, value) => {
      if (isStream(value)) return piped(value, codec.packer());
      const bytes = bytesOf(value);
      if (bytes === undefined) throw noConversion(value, 'java.io.InputStream');
      return bytes.length <= AT_ONCE_MAX ? codec.packNow(bytes) : new Asked(codec.pack(bytes));
    },
    unmarshal: (_, value) => {
      if (isStream(value)) return piped(value, codec.unpacker());
      const bytes = bytesOf(value);
      if (bytes === undefined) throw noConversion(value, 'java.io.InputStream');
      if (bytes.length > AT_ONCE_MAX) return new Asked(codec.unpack(bytes, PAYLOAD_BYTES_MAX).catch(badData));
      try {
        return codec.unpackNow(bytes, AT_ONCE_MAX * 16);
      } catch (thrown) {
        // What grows much is unpacked by zlib's threads.
        if (isTooLong(thrown)) return new Asked(codec.unpack(bytes, PAYLOAD_BYTES_MAX).catch(badData));
        return badData(thrown);
      }
    },
  };
}

const isTooLong = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE';

function badData(thrown: unknown): never {
  if (isTooLong(thrown)) throw tooLarge(PAYLOAD_BYTES_MAX);
  throw new ExchangeFailure('java.util.zip.ZipException', thrown instanceof Error ? thrown.message : String(thrown));
}

/** Reads no more than is asked for; what fails in the source fails in the result. */
function piped(source: AsyncIterable<unknown>, through: NodeJS.ReadWriteStream): Readable {
  const result = through as unknown as Readable;
  const input = source instanceof Readable ? source : Readable.from(source);
  input.on('error', (error) => result.destroy(error));
  result.on('close', () => input.destroy());
  input.pipe(through);
  return result;
}
