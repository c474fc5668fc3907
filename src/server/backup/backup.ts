import { existsSync, readdirSync, statSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { messageOf, ServiceError, unavailable } from '../../shared/errors.js';
import { copyLog, copyRecords, holdRemovals, partitionsIn, StoredDocuments, syncFolder } from '../../store/index.js';
import { type Workspace, workspaces } from '../../workspace/index.js';
import { makeFolder } from '../data-folder.js';
import { copyBlobs } from './copy-blobs.js';

/** Facts of a backup, as its `backup.json` has them. */
export interface BackupFacts {
  /** When it was begun, ISO 8601: all that was answered before then is in it. */
  readonly at: string;
  /** The newest commit of each partition. */
  readonly revisions: Readonly<Record<string, number>>;
  readonly blobs: number;
  /** Of the blobs. */
  readonly bytes: number;
  /** Blobs that are damaged in the data folder, and so in the copy. */
  readonly damaged: readonly string[];
}

/** The file in which a backup says what it holds. */
const FACTS_FILE = 'backup.json';

/** The log that others follow from: what is caused elsewhere by it is made sure of again, and what it is told of is there. */
const SYSTEM = 'system';
/** A removal that was about to happen has happened by then. */
const GRACE_MS = 1_000;

/**
 * Copies a data folder, also of a server that runs: the logs, that of `system` last, then the blobs, of which none is removed meanwhile. Each log is
 * copied as of one of its commits. `target` is there when all of it is, and on the disk.
 * @throws CONFLICT (the target is there and not empty; the log is in Redis), NOT_FOUND (there is no data folder); what the file system throws
 */
async function backup(dataFolder: string, target: string): Promise<BackupFacts> {
  requireDataFolder(dataFolder);
  requireRoom(dataFolder, target);
  const made = join(dirname(target), `.${basename(target)}.partial-${process.pid}`);
  const blobFolder = join(dataFolder, 'blobs');
  makeFolder(made);
  const release = await holdRemovals(blobFolder);
  try {
    await sleep(GRACE_MS);
    const at = new Date().toISOString();
    const revisions = await copyLogs(dataFolder, made);
    const { blobs, bytes, damaged } = await copyBlobs(blobFolder, join(made, 'blobs'));
    await copyPassword(dataFolder, made);
    const facts: BackupFacts = { at, revisions, blobs, bytes, damaged };
    await writeFile(join(made, FACTS_FILE), `${JSON.stringify(facts, null, 2)}\n`, { flush: true, mode: 0o600 });
    await syncFolder(made);
    if (existsSync(target)) await rmdir(target);
    await rename(made, target);
    await syncFolder(dirname(target));
    return facts;
  } finally {
    await release();
    await rm(made, { recursive: true, force: true });
  }
}

/** Workspaces may come and go meanwhile. @throws UNAVAILABLE when they do so all the time */
async function copyLogs(dataFolder: string, made: string): Promise<Readonly<Record<string, number>>> {
  const logs = new LogCopies(dataFolder, made);
  for (const partition of partitionsIn(dataFolder)) if (partition !== SYSTEM) await logs.copy(partition);
  for (let again = 0; again <= AGAIN_MAX; again++) {
    await logs.copy(SYSTEM);
    const known = workspacesIn(join(made, SYSTEM));
    // Those that were made meanwhile, of which the log of `system` tells already; of one that is gone by now a later log tells so.
    const missing = known.filter(({ id }) => logs.revisions[id] === undefined);
    for (const { id } of missing) await logs.copy(id);
    if (missing.some((one) => hasLog(one) && logs.revisions[one.id] === undefined)) continue;
    await logs.leaveOutRemoved(known.map(({ id }) => id));
    return logs.revisions;
  }
  throw unavailable('expected fewer workspaces to be removed while they are copied; try again later');
}

/** One that is being made may have none yet, and of one that is being removed there may be nothing left. */
const hasLog = ({ actor, wasOpened }: Workspace): boolean => wasOpened && actor.value !== 'DELETED';

/** How often, and after how long, it is tried again with a log that is being made or removed. */
const AGAIN_MAX = 20;
const AGAIN_MS = 100;

class LogCopies {
  /** The newest commit of each partition that is copied. */
  readonly revisions: Record<string, number> = {};
  readonly #dataFolder: string;
  readonly #made: string;

  constructor(dataFolder: string, made: string) {
    this.#dataFolder = dataFolder;
    this.#made = made;
  }

  /** Copies the partition, anew where that was done before; nothing where it is not there. */
  async copy(partition: string): Promise<void> {
    const [from, to] = [join(this.#dataFolder, partition), join(this.#made, partition)];
    await this.#leaveOut(partition);
    for (let again = 0; this.#isThere(partition); again++) {
      await mkdir(to, { mode: 0o700 });
      try {
        const revision = await copyLog(from, to);
        await copyRecords(from, to);
        this.revisions[partition] = revision;
        return;
      } catch (thrown) {
        await this.#leaveOut(partition);
        // One that is being made is whole in a moment, and one that is being removed gone.
        const isLast = again === AGAIN_MAX && this.#isThere(partition);
        if (isLast || thrown instanceof ServiceError) throw thrown;
        await sleep(AGAIN_MS);
      }
    }
  }

  /** What was removed meanwhile, and is none of those that the log of `system` tells of. */
  async leaveOutRemoved(known: readonly string[]): Promise<void> {
    for (const partition of Object.keys(this.revisions))
      if (!known.includes(partition) && !this.#isThere(partition)) await this.#leaveOut(partition);
  }

  #isThere(partition: string): boolean {
    return existsSync(join(this.#dataFolder, partition, 'log.db'));
  }

  async #leaveOut(partition: string): Promise<void> {
    delete this.revisions[partition];
    await rm(join(this.#made, partition), { recursive: true, force: true });
  }
}

/** The workspaces that a log of `system` tells of. */
function workspacesIn(folder: string): Workspace[] {
  const database = new DatabaseSync(join(folder, 'log.db'), { readOnly: true });
  try {
    const found: Workspace[] = [];
    for (const _ of new StoredDocuments(database).each(workspaces, (one) => found.push(one)));
    return found;
  } finally {
    database.close();
  }
}

/** What was set by the environment is in no file. */
async function copyPassword(dataFolder: string, made: string): Promise<void> {
  const path = join(dataFolder, 'admin-password');
  if (existsSync(path)) await copyFile(path, join(made, 'admin-password'));
}

function requireDataFolder(dataFolder: string): void {
  if (existsSync(join(dataFolder, SYSTEM, 'log.db'))) return;
  throw new ServiceError('NOT_FOUND', `expected a data folder at ${resolve(dataFolder)}, but found none there`);
}

function requireRoom(dataFolder: string, target: string): void {
  if (`${resolve(target)}/`.startsWith(`${resolve(dataFolder)}/`)) {
    throw new ServiceError('CONFLICT', 'expected a folder outside of the data folder');
  }
  try {
    if (!statSync(target).isDirectory() || readdirSync(target).length > 0) {
      throw new ServiceError(
        'CONFLICT',
        `expected a folder that is empty or not there, but ${resolve(target)} is there`,
      );
    }
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
  }
}

/** `npm run backup -- <folder>`: gives the code to exit with. 0: it is made; 1: it is not, or damaged blobs are in it; 2: no folder was named. */
export async function runBackup(
  dataFolder: string,
  target: string | undefined,
  print: (line: string) => void,
): Promise<0 | 1 | 2> {
  if (target === undefined || target.startsWith('-')) {
    const found = target === undefined ? '' : `, but found '${target}'`;
    print(`expected the folder to copy to: npm run backup -- <folder>${found}`);
    return 2;
  }
  try {
    const { revisions, blobs, bytes, damaged } = await backup(dataFolder, resolve(target));
    for (const sha256 of damaged) print(`blobs  blob ${sha256}: is damaged in the data folder, and so in the copy`);
    const logs = Object.entries(revisions).map(([partition, revision]) => `${partition} to commit ${revision}`);
    print(`${resolve(target)}: ${logs.join(', ')}; ${blobs} blobs of ${bytes} bytes`);
    return damaged.length > 0 ? 1 : 0;
  } catch (thrown) {
    print(`no backup was made: ${messageOf(thrown)}`);
    return 1;
  }
}
