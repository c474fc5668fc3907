import { ZipFile } from 'yazl';

/** A ZIP of the entries, by name; null: a folder. */
export async function zipped(entries: Readonly<Record<string, string | Buffer | null>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries)) {
    if (content === null) zip.addEmptyDirectory(name, { mtime: MODIFIED });
    else zip.addBuffer(Buffer.from(content), name, { mtime: MODIFIED });
  }
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** When all entries were changed. */
export const MODIFIED = new Date('2020-05-06T07:08:10Z');

/** The ZIP with the name of an entry put in place of another of the same length, wherever it stands. */
export function renamed(zip: Buffer, from: string, to: string): Buffer {
  const [before, after] = [Buffer.from(from), Buffer.from(to)];
  if (before.length !== after.length) throw new Error('expected names of the same length');
  const changed = Buffer.from(zip);
  for (let at = changed.indexOf(before); at >= 0; at = changed.indexOf(before, at + 1)) after.copy(changed, at);
  return changed;
}

/** The ZIP with other facts of an entry in its directory at the end: so much more or less than they are. */
export const changed = (
  zip: Buffer,
  name: string,
  by: { readonly crc32?: number; readonly packed?: number; readonly size?: number },
): Buffer =>
  rewritten(zip, name, (header) => {
    const add = (offset: number, n = 0) => header.writeUInt32LE((header.readUInt32LE(offset) + n) >>> 0, offset);
    add(16, by.crc32);
    add(20, by.packed);
    add(24, by.size);
  });

/** The ZIP with the header of an entry in its directory written anew. */
export function rewritten(zip: Buffer, name: string, write: (header: Buffer) => void): Buffer {
  const copy = Buffer.from(zip);
  const at = copy.lastIndexOf(Buffer.from(name)) - CENTRAL_HEADER_BYTES;
  if (at < 0 || copy.readUInt32LE(at) !== 0x02014b50) throw new Error(`expected an entry '${name}'`);
  write(copy.subarray(at, at + CENTRAL_HEADER_BYTES));
  return copy;
}

const CENTRAL_HEADER_BYTES = 46;
