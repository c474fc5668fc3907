import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { badRequest, limitExceeded, messageOf, ServiceError } from '../../../shared/errors.js';
import type { BlobStore } from '../../../store/index.js';
import type { BlobValue, InlineValue } from '../../value/property.js';

/** Limits of an archive that is imported. */
export interface ImportLimits {
  /** The bytes of all entries, unpacked. */
  readonly bytesMax: number;
  /** Entries of the ZIP, and nodes that it makes. */
  readonly entriesMax: number;
  /** How many times as large as packed an entry of more than 1 MiB may be. */
  readonly ratioMax: number;
  /** Names in the path of an entry. */
  readonly depthMax: number;
}

/** A ZIP whose entries were looked at, all of them, before any is unpacked. */
export class ZipSource {
  /** By name; those of folders end in a slash. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly #zip: ZipFile;

  /** @throws BAD_REQUEST it is no ZIP, or has entries that are not taken; LIMIT_EXCEEDED */
  static async open(data: BlobValue | InlineValue, blobs: BlobStore, limits: ImportLimits): Promise<ZipSource> {
    const zip = await inZip(() =>
      fromRandomAccessReaderPromise(new BytesReader(data, blobs), data.size, {
        strictFileNames: true,
        validateEntrySizes: true,
        autoClose: false,
      }),
    );
    const entries = await inZip(() => entriesOf(zip, data.size, limits));
    return new ZipSource(zip, entries);
  }

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.entries = entries;
  }

  /** The entry's bytes. @throws BAD_REQUEST at their end at the latest, when they are not what the archive says of them */
  async *read(entry: Entry): AsyncGenerator<Buffer> {
    try {
      let sum = 0;
      for await (const piece of await this.#zip.openReadStreamPromise(entry)) {
        sum = crc32(piece as Buffer, sum);
        yield piece as Buffer;
      }
      if (sum !== entry.crc32) throw damaged(entry, sum);
    } catch (thrown) {
      throw refusalOf(thrown);
    }
  }

  /** The whole entry, where it is small. @throws BAD_REQUEST, LIMIT_EXCEEDED */
  async bytes(entry: Entry, max: number): Promise<Buffer> {
    if (entry.uncompressedSize > max)
      throw limitExceeded(
        `expected entry '${entry.fileName}' of at most ${max} bytes, but it has ${entry.uncompressedSize}`,
      );
    const pieces: Buffer[] = [];
    for await (const piece of this.read(entry)) pieces.push(piece);
    return Buffer.concat(pieces);
  }
}

async function entriesOf(zip: ZipFile, size: number, limits: ImportLimits): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.entriesMax)
    throw limitExceeded(`expected a ZIP of at most ${limits.entriesMax} entries, but it has more`, {
      reason: 'archive_too_large',
    });
  const entries = new Map<string, Entry>();
  let packed = 0;
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    checkEntry(entry, limits);
    if (entries.has(entry.fileName))
      throw badRequest(
        `expected the entries of the ZIP to have names of their own, but there are two of '${entry.fileName}'`,
        {
          reason: 'archive_entry_refused',
        },
      );
    entries.set(entry.fileName, entry);
    packed += entry.compressedSize;
    unpacked += entry.uncompressedSize;
    if (unpacked > limits.bytesMax)
      throw limitExceeded(`expected a ZIP of at most ${limits.bytesMax} bytes unpacked, but it has more`, {
        reason: 'archive_too_large',
      });
    // Entries that share their bytes are how a small ZIP becomes endless.
    if (packed > size)
      throw limitExceeded('expected the entries of the ZIP to lie side by side, but they overlap', {
        reason: 'archive_bomb',
      });
  }
  return entries;
}

const damaged = ({ fileName, crc32: expected }: Entry, found: number) =>
  badRequest(
    `expected entry '${fileName}' to have the CRC-32 that the ZIP says, ${hex(expected)}, but it is ${hex(found)}: the file is damaged`,
    { reason: 'archive_damaged' },
  );

const hex = (sum: number) => sum.toString(16).padStart(8, '0');

async function inZip<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw refusalOf(thrown);
  }
}

/** What the reader of ZIP files says is a refusal: the file is none, or is broken. */
function refusalOf(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  return badRequest(`expected a ZIP file, but found something else: ${messageOf(thrown)}`, {
    reason: 'not_an_archive',
  });
}

/** Reads pieces of a file that may lie in a blob. */
class BytesReader extends RandomAccessReader {
  readonly #data: BlobValue | InlineValue;
  readonly #blobs: BlobStore;

  constructor(data: BlobValue | InlineValue, blobs: BlobStore) {
    super();
    this.#data = data;
    this.#blobs = blobs;
  }

  /** `end`: behind the last byte. */
  override _readStreamForRange(start: number, end: number): Readable {
    const data = this.#data;
    if ('blob' in data) return this.#blobs.open({ sha256: data.blob, size: data.size }, { start, end: end - 1 });
    return Readable.from([Buffer.from(data.inline, 'base64').subarray(start, end)]);
  }
}

/** Entries up to this many bytes may be packed as well as they can be. */
const SMALL_BYTES = 1_048_576;
const NAME_LENGTH_MAX = 4_096;
/** Stored, and deflated. */
const METHODS: ReadonlySet<number> = new Set([0, 8]);
const UNIX = 3;
const FILE_TYPE = 0o170000;
const SYMBOLIC_LINK = 0o120000;

/** Names that lead out of the archive are refused by the reader of ZIP files. @throws BAD_REQUEST (what cannot be read), LIMIT_EXCEEDED (a bomb) */
function checkEntry(entry: Entry, limits: ImportLimits): void {
  const { fileName: name, compressedSize, uncompressedSize } = entry;
  checkName(name, limits);
  if (entry.isEncrypted()) throw refused(name, 'not to be encrypted, but it is');
  if (!METHODS.has(entry.compressionMethod))
    throw refused(name, `to be stored or deflated, but its method is ${entry.compressionMethod}`);
  const mode = entry.versionMadeBy >> 8 === UNIX ? entry.externalFileAttributes >>> 16 : 0;
  if ((mode & FILE_TYPE) === SYMBOLIC_LINK) throw refused(name, 'to be a file or folder, but it is a symbolic link');
  if (uncompressedSize <= SMALL_BYTES || uncompressedSize <= compressedSize * limits.ratioMax) return;
  throw limitExceeded(
    `expected entry '${shown(name)}' to be at most ${limits.ratioMax} times as large as packed, but ${compressedSize} bytes say that they are ${uncompressedSize}`,
    { reason: 'archive_bomb' },
  );
}

function checkName(name: string, { depthMax }: ImportLimits): void {
  if (/[\p{Cc}\p{Cs}]/u.test(name)) throw refused(name, 'to have a name without control characters');
  const names = name.replace(/\/$/, '').split('/');
  const odd = names.find((one) => one === '' || one === '.');
  if (odd !== undefined) throw refused(name, `to have names of files and folders in its path, but found '${odd}'`);
  if (name.length > NAME_LENGTH_MAX || names.length > depthMax) {
    throw limitExceeded(
      `expected entry '${shown(name)}' to have at most ${depthMax} names in its path and ${NAME_LENGTH_MAX} characters, but it has more`,
      { reason: 'archive_too_deep' },
    );
  }
}

const refused = (name: string, expected: string) =>
  badRequest(`expected entry '${shown(name)}' ${expected}`, { reason: 'archive_entry_refused' });

const shown = (name: string): string => {
  const plain = name.replace(/\p{Cc}/gu, '?');
  return plain.length > 200 ? `${plain.slice(0, 200)}…` : plain;
};
