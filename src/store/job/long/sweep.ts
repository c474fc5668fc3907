import { type FeedEvent, type Operation, operation, put, remove, type Write } from '../../decision.js';
import type { State } from '../../state.js';
import { mayMove, moved, type SettledLongJob, settled } from './change.js';
import { type LongJob, longJobPieces, longJobs, pieceId } from './long-job.js';

/** Most jobs that one sweep looks at, and most documents that it removes. */
const JOBS_MAX = 100;
const DOCUMENTS_MAX = 400;

interface SweepLongJobs {
  /** Jobs that were made earlier and never started; ms, domain clock. */
  readonly unstartedBefore: number;
  /** Jobs that ended earlier; ms, domain clock. */
  readonly endedBefore: number;
}

/** Removes old jobs with their items, as much as fits into a commit; answers whether there may be more. */
export const sweepLongJobs: Operation<SweepLongJobs, boolean> = operation('sweepLongJobs', (state, input) => {
  const write: Write[] = [];
  const events: FeedEvent[] = [];
  for (const job of oldJobs(state, input)) {
    if (write.length >= DOCUMENTS_MAX) break;
    const removed = removal(job, { max: DOCUMENTS_MAX - write.length, now: state.now });
    write.push(...removed.write);
    events.push(...removed.events);
  }
  return { write, events, answer: write.length > 0 };
});

const oldJobs = (state: State, { unstartedBefore, endedBefore }: SweepLongJobs): LongJob[] => [
  ...state
    .range(longJobs, 'unstarted', [0], JOBS_MAX, { skipDamaged: true })
    .filter((job) => job.created < unstartedBefore),
  ...state
    .range(longJobs, 'ended', [0], JOBS_MAX, { skipDamaged: true })
    .filter((job) => (job.ended ?? 0) < endedBefore),
];

/** The job's last pieces, and the job itself when they are all gone. Pieces are never read: they are large. */
function removal(job: LongJob, { max, now }: { max: number; now: number }): { write: Write[]; events: FeedEvent[] } {
  const gone = Math.min(job.pieces, max - 1);
  const pieces = job.pieces - gone;
  const write: Write[] = [];
  for (let n = pieces; n < job.pieces; n++) write.push(remove(longJobPieces, pieceId(job.id, n)));
  const { write: kept, events } = ended({ ...job, pieces }, now);
  return { write: [...write, ...(pieces === 0 ? [remove(longJobs, job.id)] : kept)], events: [...events] };
}

/** One that was never started is told of as aborted, and cannot be started with what is left of it; the next look finds it as long ended. */
function ended(job: LongJob, now: number): Pick<SettledLongJob, 'write' | 'events'> {
  if (!mayMove(job, { type: 'abort' })) return { write: [put(longJobs, job)], events: [] };
  const [aborted, actions] = moved(job, { type: 'abort' });
  return settled([{ ...aborted, ended: 0 }, actions], now);
}
