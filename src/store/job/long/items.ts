import { badRequest, limitExceeded } from '../../../shared/errors.js';
import { put, type Write } from '../../decision.js';
import type { State } from '../../state.js';
import { type LongJob, type LongJobPiece, longJobPieces, pieceId } from './long-job.js';

/** How many items one append takes, and how many a job may have. */
const APPEND_ITEMS_MAX = 100;
const LONG_JOB_ITEMS_MAX = 1_000_000;
/** Of an item, in characters. */
const ITEM_LENGTH_MAX = 8_192;
/** A piece that has so many characters takes no more items; with those of one append it stays below what a document may have. */
const PIECE_LENGTH_MAX = 65_536;

/** Those that are not blank. @throws BAD_REQUEST (too many, a long one) */
export function acceptedItems(given: readonly string[]): string[] {
  if (given.length > APPEND_ITEMS_MAX) {
    throw badRequest(`expected at most ${APPEND_ITEMS_MAX} items at once, but found ${given.length}`, {
      reason: 'too_many_items',
    });
  }
  const long = given.findIndex((item) => item.length > ITEM_LENGTH_MAX);
  if (long >= 0)
    throw badRequest(`expected items of at most ${ITEM_LENGTH_MAX} characters, but that at ${long} is longer`);
  return given.filter((item) => item.trim() !== '');
}

/** The job with the items behind those that it has, and what is written of them. @throws LIMIT_EXCEEDED */
export function withItems(
  state: State,
  job: LongJob,
  items: readonly string[],
): { readonly job: LongJob; readonly write: readonly Write[] } {
  const total = job.items + items.length;
  if (total > LONG_JOB_ITEMS_MAX) throw tooManyItems(job.id);
  const { write, end } = piecesWith(state, job, items);
  const figures = { ...job.figures, itemsTotal: total };
  return { job: { ...job, items: total, pieces: Math.max(job.pieces, end), figures }, write };
}

const tooManyItems = (jobId: string) =>
  limitExceeded(`expected at most ${LONG_JOB_ITEMS_MAX} items of a job, but job '${jobId}' would have more`, {
    reason: 'too_many_items',
    resourceId: jobId,
  });

/** The last piece and those behind it, with the items added. */
function piecesWith(state: State, job: LongJob, items: readonly string[]): { write: Write[]; end: number } {
  let at = Math.max(0, job.pieces - 1);
  let last = [...(state.get(longJobPieces, pieceId(job.id, at))?.items ?? [])];
  let length = JSON.stringify(last).length;
  const write: Write[] = [];
  const keep = () => write.push(put(longJobPieces, { id: pieceId(job.id, at), items: last } satisfies LongJobPiece));
  for (const item of items) {
    if (length >= PIECE_LENGTH_MAX) {
      keep();
      at++;
      last = [];
      length = 2;
    }
    last.push(item);
    length += JSON.stringify(item).length + 1;
  }
  keep();
  return { write, end: at + 1 };
}
