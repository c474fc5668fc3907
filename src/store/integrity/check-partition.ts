import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../shared/errors.js';
import type { Finding } from '../damage.js';
import { isPartition, partitionFolder } from '../data-folder.js';
import { readHead } from '../log/head-file.js';
import { goneLog, hasLostHead } from '../log/lost-log.js';
import { metaOf } from '../log/meta.js';
import { formatOf } from '../log/replica-file.js';
import { LOG_FORMAT } from '../log/schema.js';
import { type Database, openDatabase } from '../sqlite.js';
import { newestRevision, type Report, snapshot } from './check-commits.js';
import { checkLog, tolerant } from './check-log.js';

/** The partitions that a data folder holds logs, or what is left of them, of. */
export const partitionsIn = (dataFolder: string): string[] =>
  readdirSync(dataFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter(isPartition)
    .filter((name) => ['log.db', 'head'].some((file) => existsSync(join(dataFolder, name, file))));

/**
 * Walks all that a partition stores in its `log.db`, and compares it with its head. Reads alone: a server may use the folder meanwhile. Yields
 * wherever it may be paused. `more`: further walks of the same file.
 */
export function* checkPartition(
  dataFolder: string,
  partition: string,
  found: (finding: Finding) => void,
  more: (database: Database, report: Report) => Generator<void> = nothing,
): Generator<void> {
  const path = join(partitionFolder(dataFolder, partition), 'log.db');
  const report: Report = (what, id, problem) => found({ file: `${partition}/log.db`, what, id, problem });
  const gone = goneLog(path, false);
  if (gone !== undefined) return report('file', null, `it ${gone.problem}`);
  let database: Database;
  try {
    database = openDatabase(path, { readOnly: true });
  } catch (thrown) {
    return report('file', null, messageOf(thrown));
  }
  try {
    const format = formatOf(database);
    if (format !== LOG_FORMAT)
      return report('file', null, `it is of format ${format}: start a server once, to upgrade it`);
    yield* tolerant(checkHead(database, path, report), report);
    yield* checkLog(database, report);
    yield* tolerant(more(database, report), report);
  } catch (thrown) {
    report('file', null, messageOf(thrown));
  } finally {
    database.close();
  }
}

function* nothing(): Generator<void> {}

/** That the log has what its head says. The head is written behind the log, so it is read first. */
function* checkHead(database: Database, path: string, report: Report): Generator<void> {
  const head = readHead(path);
  if (hasLostHead(path, database))
    report('file', null, `the file 'head' beside it is gone: commits behind ${newestRevision(database)} may be lost`);
  if (head === undefined || metaOf(database, 'log') !== undefined) return;
  const { epoch, newest, at } = snapshot(database, () => ({
    epoch: metaOf(database, 'epoch'),
    newest: newestRevision(database),
    at: database.prepare('SELECT id FROM commits WHERE revision = ?').get(head.revision),
  }));
  if (newest < head.revision)
    report('file', null, `it has lost commits that were durable: it had ${head.revision}, and has ${newest}`);
  else if (epoch !== head.epoch || (at !== undefined && at.id !== head.commitId))
    report('file', null, 'it has another history than its head says');
  yield;
}
