import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../shared/errors.js';
import { idSource } from '../../shared/ids.js';
import { log as serverLog } from '../../shared/log.js';
import { systemTime } from '../../shared/time.js';
import { partitionFolder, removePartitionFolder } from '../data-folder.js';
import { checkChain, type Report } from '../integrity/check-commits.js';
import { tolerant } from '../integrity/check-log.js';
import { Replica } from '../replica.js';
import { type Database, openDatabase } from '../sqlite.js';
import { type Head, HeadFile, hasHead, readHead } from './head-file.js';
import { LocalLog, localLogPorts } from './local-log.js';
import type { Logs, Loss, OpenedFinding, OpenedLog } from './logs.js';
import { goneLog, hasLostHead, type LostLog, setAside } from './lost-log.js';
import { metaOf, writeMeta } from './meta.js';
import { openReplicaFile } from './replica-file.js';
import type { TableShape } from './schema.js';
import { upgraded } from './upgrade.js';

/** How many of the newest commits are looked at before the log is used. */
const END_COMMITS = 1_000;

interface LocalLogsOptions {
  /** The path of a `log.db` whose loss is accepted: it begins anew. */
  readonly acceptLoss?: string | undefined;
}

/** The embedded logs: `<data folder>/<partition>/log.db`, each with a `head` beside it. */
export class LocalLogs implements Logs {
  readonly #dataFolder: string;
  readonly #acceptLoss: string | undefined;

  constructor(dataFolder: string, { acceptLoss }: LocalLogsOptions = {}) {
    this.#dataFolder = dataFolder;
    this.#acceptLoss = acceptLoss;
  }

  async open(partition: string, shapes: readonly TableShape[], isKnown = false): Promise<OpenedLog> {
    const folder = partitionFolder(this.#dataFolder, partition);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'log.db');
    const gone = goneLog(path, isKnown);
    const accepted = gone && accept(gone, this.#acceptLoss);
    await upgraded(path, shapes);
    const findings: OpenedFinding[] = [];
    const report: Report = (what, id, problem) => findings.push({ what, id, problem });
    const loss = openForLocal(path, shapes, report) ?? accepted;
    if (loss !== undefined) serverLog.error({ partition, ...loss }, loss.message);
    return {
      log: new LocalLog(localLogPorts(path, shapes)),
      replica: new Replica(openDatabase(path, { readOnly: true, mapped: false })),
      findings,
      ...(loss !== undefined && { loss }),
    };
  }

  async remove(partition: string): Promise<void> {
    await removePartitionFolder(this.#dataFolder, partition);
  }
}

/** @throws CONFLICT where the loss is not accepted */
function accept(gone: LostLog, acceptLoss: string | undefined): Loss {
  if (!gone.isAccepted(acceptLoss)) throw gone.refusal();
  return setAside(gone);
}

/**
 * Makes the file ready: what its head says that it had and it has not any more is a loss, and begins another history.
 * @throws CONFLICT when the file is a replica of Redis: what is decided on it Redis would never hear of
 */
function openForLocal(path: string, shapes: readonly TableShape[], report: Report): Loss | undefined {
  const database = openReplicaFile(path, shapes);
  try {
    const replicaOf = metaOf(database, 'log');
    if (replicaOf !== undefined) throw isReplica(path, replicaOf);
    const newest = newestOf(database);
    for (const _ of tolerant(checkChain(database, Math.max(0, newest.revision - END_COMMITS), report), report));
    const loss = lossBehind(path, database, newest);
    if (loss !== undefined) writeMeta(database, 'epoch', idSource(systemTime.seed(), systemTime.now()).next());
    writeHead(path, database, newest);
    return loss;
  } finally {
    database.close();
  }
}

/** What the log has lost of what its head says. */
function lossBehind(path: string, database: Database, newest: Omit<Head, 'epoch'>): Loss | undefined {
  const head = readHead(path);
  if (head === undefined) return hasLostHead(path, database) ? headless(path, newest.revision) : undefined;
  const at = database.prepare('SELECT id FROM commits WHERE revision = ?').get(head.revision);
  const isAnother = head.epoch !== metaOf(database, 'epoch') || (at !== undefined && at.id !== head.commitId);
  if (newest.revision >= head.revision && !isAnother) return undefined;
  const message = isAnother
    ? `${path} has another history than it had when it was last written`
    : `${path} has lost commits that were durable: it had ${head.revision}, and has ${newest.revision}`;
  return { path, had: head.revision, has: newest.revision, message };
}

const headless = (path: string, has: number): Loss => ({
  path,
  had: null,
  has,
  message: `${path} has lost the file 'head' beside it, which tells what it had: commits behind ${has} may be lost with it`,
});

/** Writes the head, and in the log that there is one. What takes both the head and the write-ahead log must not take that, too. */
function writeHead(path: string, database: Database, newest: Omit<Head, 'epoch'>): void {
  const isNew = !hasHead(path) || metaOf(database, 'head') === undefined;
  const head = new HeadFile(path);
  head.write({ ...newest, epoch: metaOf(database, 'epoch') ?? '' });
  if (isNew) head.sync();
  head.close();
  if (!isNew) return;
  writeMeta(database, 'head', 'durable');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

function newestOf(database: Database): Omit<Head, 'epoch'> {
  const row = database.prepare('SELECT revision, id FROM commits ORDER BY revision DESC LIMIT 1').get();
  return { revision: Number(row?.revision ?? 0), commitId: String(row?.id ?? '') };
}

const isReplica = (path: string, replicaOf: string) =>
  new ServiceError(
    'CONFLICT',
    `expected ${path} to hold its own history, but it is a replica of ${replicaOf}; set REDIS_URL as before, or MILLRACE_DATA to another folder`,
    { reason: 'data_folder_in_use' },
  );
