import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { ZipFile as ZipWriter } from 'yazl';
import { messageOf } from '../../shared/errors.js';
import type { Exchange } from '../exchange/exchange.js';
import { ExchangeFailure } from '../exchange/failure.js';
import type { Headers } from '../exchange/headers.js';
import { Asked } from '../exchange/language.js';
import { PartMessage } from '../exchange/part-message.js';
import { tooLarge } from '../exchange/stream.js';
import type { DataFormat } from './data-format.js';
import type { FormatOptions } from './format-options.js';
import { PAYLOAD_BYTES_MAX, withBytes } from './payload.js';

const FILE_NAME = 'CamelFileName';
const ENTRIES_MAX = 100_000;

/** ZIP files of one entry; with usingIterator, of any number, one {@link PartMessage} after the other. */
export function zipFileFormat(options: FormatOptions): DataFormat {
  const usesIterator = options.boolean('usingIterator', false);
  const allowsEmpty = options.boolean('allowEmptyDirectory', false);
  const keepsPath = options.boolean('preservePathElements', false);
  const bytesMax = options.number('maxDecompressedSize', 1_073_741_824);
  options.end();
  const max = Math.min(bytesMax, PAYLOAD_BYTES_MAX);
  return {
    marshal: (exchange, value) => {
      const path = pathOf(exchange);
      const name = path.split('/').at(-1) || exchange.id;
      const packing = withBytes(value, (bytes) => packed(bytes, keepsPath ? path : name, exchange.context.now()));
      return waited(packing, (data) => {
        exchange.headers.set(FILE_NAME, `${name}.zip`);
        return data;
      });
    },
    unmarshal: (exchange, value) => {
      if (usesIterator)
        return waited(withBytes(value, (bytes) => entriesOf(bytes, max, allowsEmpty, exchange.headers.copy())));
      return waited(
        withBytes(value, (bytes) => onlyEntry(bytes, max)),
        (entry) => {
          const { name, data } = entry as { readonly name: string; readonly data: Buffer };
          exchange.headers.set(FILE_NAME, name);
          return data;
        },
      );
    },
  };
}

/** What is waited for, or is there. The exchange is changed when it is taken. */
function waited(value: unknown, taken: (value: unknown) => unknown = (one) => one): unknown {
  if (value instanceof Promise) return new Asked(value, taken);
  return value instanceof Asked ? value.map(taken) : taken(value);
}

/** The name of the entry: that of the file, or the exchange's id. */
function pathOf(exchange: Exchange): string {
  const given = exchange.headers.get(FILE_NAME);
  return typeof given === 'string' && given !== '' ? given.replaceAll('\\', '/').replace(/^\/+/, '') : exchange.id;
}

async function packed(bytes: Buffer, path: string, now: number): Promise<Buffer> {
  const zip = new ZipWriter();
  const mtime = new Date(now);
  const parents = path.split('/').slice(0, -1);
  for (const at of parents.keys()) zip.addEmptyDirectory(parents.slice(0, at + 1).join('/'), { mtime });
  zip.addBuffer(bytes, path, { mtime });
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream) pieces.push(Buffer.from(piece as Buffer));
  return Buffer.concat(pieces);
}

async function onlyEntry(bytes: Buffer, max: number): Promise<{ readonly name: string; readonly data: Buffer }> {
  const zip = await opened(bytes);
  const entries = await allEntries(zip);
  const [entry] = entries;
  if (entry === undefined) throw illegal('Unable to unzip the file, it may be corrupted.');
  if (entries.length > 1) throw illegal('Zip file has more than 1 entry.');
  return { name: entry.fileName, data: await read(zip, entry, max) };
}

/** Nothing is unpacked before it is asked for; all entries together are bounded. Each has the headers of the archive's message, and its name. */
async function* entriesOf(
  bytes: Buffer,
  max: number,
  allowsEmpty: boolean,
  given: Headers,
): AsyncGenerator<PartMessage> {
  const zip = await opened(bytes);
  let left = max;
  for (const entry of await allEntries(zip)) {
    const isFolder = entry.fileName.endsWith('/');
    if (isFolder && !allowsEmpty) continue;
    const data = isFolder ? Buffer.alloc(0) : await read(zip, entry, left);
    left -= data.length;
    const headers = given.copy();
    headers.set('zipFileName', entry.fileName);
    headers.set(FILE_NAME, entry.fileName);
    yield new PartMessage(data, headers);
  }
}

async function opened(bytes: Buffer): Promise<ZipFile> {
  try {
    return await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true, validateEntrySizes: true });
  } catch (thrown) {
    throw badZip(thrown);
  }
}

async function allEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.push(entry) > ENTRIES_MAX) throw illegal(`expected an archive of at most ${ENTRIES_MAX} entries`);
    }
  } catch (thrown) {
    throw badZip(thrown);
  }
  return entries;
}

async function read(zip: ZipFile, entry: Entry, max: number): Promise<Buffer> {
  if (entry.uncompressedSize > max) throw tooLarge(max);
  const pieces: Buffer[] = [];
  let sum = 0;
  try {
    for await (const piece of await zip.openReadStreamPromise(entry)) {
      sum = crc32(piece as Buffer, sum);
      pieces.push(piece as Buffer);
    }
  } catch (thrown) {
    throw badZip(thrown);
  }
  if (sum !== entry.crc32) throw badZip(new Error(`the checksum of ${entry.fileName} is another`));
  return Buffer.concat(pieces);
}

const illegal = (message: string) => new ExchangeFailure('java.lang.IllegalStateException', message);

const badZip = (thrown: unknown): ExchangeFailure =>
  thrown instanceof ExchangeFailure ? thrown : new ExchangeFailure('java.util.zip.ZipException', messageOf(thrown));
