import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../sqlite.js';
import { upgrade } from './upgrade.js';

// The thread that upgrades one file, says so, and ends. What it throws reaches whoever waits for its end.

const database = openDatabase((workerData as { path: string }).path);
try {
  upgrade(database);
} finally {
  database.close();
}
parentPort?.postMessage('upgraded');
