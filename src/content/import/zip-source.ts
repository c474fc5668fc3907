import { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { badRequest, limitExceeded, messageOf, ServiceError } from '../../shared/errors.js';
import type { BlobStore } from '../../store/index.js';
import type { BlobValue, InlineValue } from '../model/property.js';
import { checkEntry } from './check-entry.js';
import type { ImportLimits } from './import-limits.js';

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

  /** The entry's bytes; the stream fails when they are not what the archive says of them. @throws BAD_REQUEST */
  read(entry: Entry): Promise<Readable> {
    return inZip(() => this.#zip.openReadStreamPromise(entry));
  }

  /** The whole entry, where it is small. @throws BAD_REQUEST, LIMIT_EXCEEDED */
  async bytes(entry: Entry, max: number): Promise<Buffer> {
    if (entry.uncompressedSize > max)
      throw limitExceeded(
        `expected entry '${entry.fileName}' of at most ${max} bytes, but it has ${entry.uncompressedSize}`,
      );
    return inZip(async () => {
      const pieces: Buffer[] = [];
      for await (const piece of await this.read(entry)) pieces.push(piece as Buffer);
      return Buffer.concat(pieces);
    });
  }
}

async function entriesOf(zip: ZipFile, size: number, limits: ImportLimits): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.entriesMax) throw tooManyEntries(limits);
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
    if (entries.size > limits.entriesMax) throw tooManyEntries(limits);
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

const tooManyEntries = ({ entriesMax }: ImportLimits) =>
  limitExceeded(`expected a ZIP of at most ${entriesMax} entries, but it has more`, { reason: 'archive_too_large' });

/** What the reader of ZIP files says is a refusal: the file is none, or is broken. */
export async function inZip<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ServiceError) throw thrown;
    throw badRequest(`expected a ZIP file, but found something else: ${messageOf(thrown)}`, {
      reason: 'not_an_archive',
    });
  }
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
    if ('blob' in this.#data) return this.#blobs.open(this.#data.blob, { start, end: end - 1 });
    return Readable.from([Buffer.from(this.#data.inline, 'base64').subarray(start, end)]);
  }
}
