import { partitionFolder } from '../partition-folder.js';
import { Replica } from '../replica.js';
import type { Logs, OpenedLog } from './logs.js';
import { MemoryLog } from './memory-log.js';
import { openReplicaFile } from './replica-file.js';
import type { TableShape } from './schema.js';

/** Logs that last as long as the process. For tests and benches. */
export class MemoryLogs implements Logs {
  async open(partition: string, shapes: readonly TableShape[]): Promise<OpenedLog> {
    partitionFolder('', partition); // refuses what cannot be one, as every log does
    const database = openReplicaFile(':memory:', shapes);
    return { log: new MemoryLog(database, shapes), replica: new Replica(database) };
  }
}
