import { cpSync } from 'node:fs';
import { makeWire } from '../../src/server/wire/wire.js';
import { type DataFolder, dataFolder } from './data-folder.js';
import { copyLogOfRun, logSettings } from './log-of-run.js';
import { testServer } from './test-server.js';

let kept: Promise<DataFolder> | undefined;

/**
 * Puts into the empty folder, and into its log where that is elsewhere, what a first start leaves: the standard tree and the samples. It is made once
 * per process: a start on it costs a third of a first one. Folders that are filled so have one history, with the same ids.
 */
export async function fillAsStarted(folder: string): Promise<void> {
  kept ??= started();
  const { path } = await kept;
  cpSync(path, folder, { recursive: true });
  await copyLogOfRun(path, folder);
}

async function started(): Promise<DataFolder> {
  const folder = dataFolder();
  process.on('exit', () => folder.remove());
  const server = await testServer({ env: await logSettings(folder.path), wire: makeWire, folder: folder.path });
  await server.end();
  return folder;
}
