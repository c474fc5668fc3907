import { writeSync } from 'node:fs';

const FILE_DESCRIPTOR = 2;
/** How long a line waits for a reader that takes nothing, ms. */
const PATIENCE_MS = 1_000;
const PAUSE_MS = 10;
const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Where the log goes. A line that cannot be written is dropped: neither a full disk nor a reader that has gone may be the end of the server,
 * or keep it from ending. (pino's own destination throws at a full disk, and waits for room at the last line.)
 */
export const standardError = {
  write(line: string): void {
    let rest: Uint8Array = Buffer.from(line);
    const end = performance.now() + PATIENCE_MS;
    while (rest.byteLength > 0) {
      const written = writtenOf(rest);
      if (written === undefined || performance.now() > end) return;
      if (written === 0) Atomics.wait(pause, 0, 0, PAUSE_MS);
      rest = rest.subarray(written);
    }
  },
};

/** How many bytes were taken; undefined: none will be. */
function writtenOf(bytes: Uint8Array): number | undefined {
  try {
    return writeSync(FILE_DESCRIPTOR, bytes);
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EAGAIN' ? 0 : undefined;
  }
}
