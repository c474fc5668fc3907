import { messageOf, ServiceError } from '../shared/errors.js';
import { isDamage } from './sqlite-error.js';

/**
 * A document, commit or outcome whose checksum is not that of its content. `what`: the collection's name, or `commit`, `outcome`. `id` null:
 * whoever asks may not know which one it is.
 */
export const damagedRow = (what: string, id: string | null) =>
  new ServiceError(
    'DATA_DAMAGED',
    `${what}${id === null ? '' : ` '${id}'`} is damaged: log.db holds something else than was written`,
    {
      reason: what === 'commit' || what === 'outcome' ? `${what}_damaged` : 'document_damaged',
      ...(id !== null && { resourceId: id }),
      details: { what, file: 'log.db' },
    },
  );

/** A `log.db` that cannot be read where it was asked. */
export const damagedLog = (problem: string) =>
  new ServiceError('DATA_DAMAGED', `log.db is damaged: ${problem}`, {
    reason: 'log_damaged',
    details: { file: 'log.db' },
  });

/** What was thrown while `log.db` was read: where SQLite finds the file or a text unsound, that is said in our words. */
export const readFault = (thrown: unknown): unknown =>
  isDamage(thrown) || messageOf(thrown) === 'malformed JSON' ? damagedLog(messageOf(thrown)) : thrown;

/** Whether this says that something stored is damaged. */
export const isDamaged = (thrown: unknown): thrown is ServiceError =>
  thrown instanceof ServiceError && thrown.code === 'DATA_DAMAGED';
