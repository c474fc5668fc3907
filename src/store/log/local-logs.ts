import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { partitionFolder } from '../partition-folder.js';
import { Replica } from '../replica.js';
import { openDatabase } from '../sqlite.js';
import { LocalLog } from './local-log.js';
import type { Logs, OpenedLog } from './logs.js';
import { openReplicaFile } from './replica-file.js';
import type { TableShape } from './schema.js';

/** The embedded logs: `<data folder>/<partition>/log.db`. */
export class LocalLogs implements Logs {
  readonly #dataFolder: string;

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
  }

  async open(partition: string, shapes: readonly TableShape[]): Promise<OpenedLog> {
    const folder = partitionFolder(this.#dataFolder, partition);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'log.db');
    openReplicaFile(path, shapes).close();
    return { log: new LocalLog(path, shapes), replica: new Replica(openDatabase(path, { readOnly: true })) };
  }
}
