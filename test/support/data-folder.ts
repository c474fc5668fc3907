import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder of its own; `remove` takes it away with all that was put there. */
export interface DataFolder {
  readonly path: string;
  remove(): void;
}

/** Makes an empty data folder for one test. */
export function dataFolder(): DataFolder {
  const path = mkdtempSync(join(tmpdir(), 'millrace-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
