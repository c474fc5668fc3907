import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../shared/errors.js';
import { partitionFolder } from '../partition-folder.js';
import { Replica } from '../replica.js';
import { openDatabase } from '../sqlite.js';
import { LocalLog, localLogPorts } from './local-log.js';
import type { Logs, OpenedLog } from './logs.js';
import { metaOf, openReplicaFile } from './replica-file.js';
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
    openForLocal(path, shapes);
    return {
      log: new LocalLog(localLogPorts(path, shapes)),
      replica: new Replica(openDatabase(path, { readOnly: true, mapped: false })),
    };
  }
}

/** @throws CONFLICT when the file is a replica of Redis: what is decided on it Redis would never hear of */
function openForLocal(path: string, shapes: readonly TableShape[]): void {
  const database = openReplicaFile(path, shapes);
  const replicaOf = metaOf(database, 'log');
  database.close();
  if (replicaOf === undefined) return;
  throw new ServiceError(
    'CONFLICT',
    `expected ${path} to hold its own history, but it is a replica of ${replicaOf}; set REDIS_URL as before, or MILLRACE_DATA to another folder`,
    { reason: 'data_folder_in_use' },
  );
}
