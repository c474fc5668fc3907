import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../sqlite.js';
import { createTables, type TableShape } from './schema.js';
import { upgrade } from './upgrade.js';

// The thread that upgrades one file, says so, and ends. What it throws reaches whoever waits for its end.

const { path, shapes } = workerData as { readonly path: string; readonly shapes: readonly TableShape[] };
const database = openDatabase(path);
try {
  // Indexes that are others now take their time.
  createTables(database, shapes);
  upgrade(database);
} finally {
  database.close();
}
parentPort?.postMessage('upgraded');
