import { fromBufferPromise } from 'yauzl';

/** The entries of a ZIP and their bytes, by name; of folders, whose names end in a slash, none. */
export async function unzipped(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes);
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
    entries.set(entry.fileName, Buffer.concat(pieces));
  }
  return entries;
}
