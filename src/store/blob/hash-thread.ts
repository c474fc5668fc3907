import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** What the thread answers. */
export type HashMessage = { readonly sha256: string } | { readonly failure: string };

const PIECE_BYTES = 1024 * 1024;

const { path, size } = workerData as { readonly path: string; readonly size: number };
const hash = createHash('sha256');
pipeline(createReadStream(path, { end: size - 1, highWaterMark: PIECE_BYTES }), hash).then(
  () => parentPort?.postMessage({ sha256: hash.digest('hex') } satisfies HashMessage),
  (thrown: Error) => parentPort?.postMessage({ failure: thrown.message } satisfies HashMessage),
);
