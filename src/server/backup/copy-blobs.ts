import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../store/index.js';

/** Numbers of blobs that were copied, and those that are damaged. */
interface CopiedBlobs {
  blobs: number;
  bytes: number;
  /** Those whose bytes are not those of their name. */
  readonly damaged: string[];
}

/** How many files are copied at once, each of which waits for the disk. */
const AT_ONCE = 8;
const SHA256 = /^[0-9a-f]{64}$/;

/** Copies all blobs, and what is staged of uploads. */
export async function copyBlobs(from: string, to: string): Promise<CopiedBlobs> {
  const copied: CopiedBlobs = { blobs: 0, bytes: 0, damaged: [] };
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of await entriesOf(from)) {
    if (/^[0-9a-f]{2}$/.test(name)) await copyBelow(join(from, name), join(to, name), copied);
    if (name === 'staging') await copyBelow(join(from, name), join(to, name), copied);
  }
  await syncFolder(to);
  return copied;
}

/** Files lie two folders deep, for blobs and for staged bytes. */
async function copyBelow(from: string, to: string, copied: CopiedBlobs): Promise<void> {
  await mkdir(to);
  for (const folder of await entriesOf(from)) {
    await mkdir(join(to, folder));
    const names = await entriesOf(join(from, folder));
    const copyNext = async () => {
      for (let name = names.pop(); name !== undefined; name = names.pop())
        await copyOne(join(from, folder, name), join(to, folder, name), { name, copied });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, copyNext));
    await syncFolder(join(to, folder));
  }
  await syncFolder(to);
}

async function copyOne(
  from: string,
  to: string,
  { name, copied }: { readonly name: string; readonly copied: CopiedBlobs },
): Promise<void> {
  const hash = createHash('sha256');
  const file = await open(to, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const piece of createReadStream(from)) {
      hash.update(piece as Buffer);
      await file.writeFile(piece as Buffer);
      bytes += (piece as Buffer).length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  if (!SHA256.test(name)) return;
  copied.blobs++;
  copied.bytes += bytes;
  if (hash.digest('hex') !== name) copied.damaged.push(name);
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    // Nothing was ever stored there.
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw thrown;
  }
}
