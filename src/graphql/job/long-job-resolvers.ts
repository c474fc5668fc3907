import { badRequest } from '../../shared/errors.js';
import {
  hasEnded,
  LONG_JOB_PROGRESSED,
  type LongJobProgress,
  longJobId,
  longJobs,
  progressOf,
  type FeedEntry as StoredEntry,
} from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import { eitherName } from '../arguments.js';
import { type FeedEntry, type FeedIterator, feedIterator, placeIn } from '../feed-iterator.js';
import type { QueryjobProgressArgs, Resolvers } from '../generated/schema.js';

/** The resolvers of long jobs and their progress: `schema/job.graphql`. */
export const longJobResolvers = {
  Query: { jobProgress: (_, args, context) => jobNow(context, idIn(args)) ?? null },
  Subscription: { jobProgress: { subscribe: (_, { jobId, after }, context) => followJob(context, jobId, after) } },
} satisfies Resolvers;

/** @throws BAD_REQUEST no job is named, or by two names */
function idIn(args: QueryjobProgressArgs): string {
  const id = eitherName(args, 'job', 'jobId');
  if (id != null) return id;
  throw badRequest("expected the id of a long job as 'job', but there is none", {
    reason: 'argument_missing',
    details: { argument: 'job' },
  });
}

/** A payload of the subscription, as its execution takes it. */
interface FollowedJob {
  readonly jobProgress: LongJobProgress;
}

type Entry = FeedEntry<FollowedJob>;

/**
 * How a long job goes on, to its end. Without a position it begins with the present snapshot; with one, with the first change behind it. A
 * job that has ended by now gives its end in any case: behind the position nothing more may be told of it, and nobody may wait for that.
 * @throws BAD_REQUEST, RESYNC_REQUIRED
 */
function followJob(context: ApiContext, jobId: string, from: string | null | undefined): FeedIterator<FollowedJob> {
  const { replica } = context.workspace.partition;
  const { feed } = replica;
  // The place is read before the snapshot: a change in between is told twice rather than not at all, and then left out.
  const now = feed.position();
  const known = jobNow(context, jobId);
  const after = context.after ?? from ?? undefined;
  const place = placeIn(replica, after ?? now);
  feed.check(place);
  const isOver = known !== undefined && hasEnded(known.status);
  const changes = feed.follow(place, context.ending.signal, { toEnd: isOver });
  const snapshot = known && { position: now, value: { jobProgress: known } };
  const entries =
    after === undefined
      ? untilEnd(begunWith(snapshot, changesOf(changes, jobId)))
      : untilEnd(endedWith(changesOf(changes, jobId), isOver ? snapshot : undefined));
  return feedIterator(entries, after ?? now);
}

async function* changesOf(entries: AsyncIterable<StoredEntry>, jobId: string): AsyncGenerator<Entry> {
  for await (const { event, position } of entries) {
    const isMeant = event.type === LONG_JOB_PROGRESSED && event.ids.jobId === jobId;
    yield isMeant ? { position, value: { jobProgress: event.data as LongJobProgress } } : { position };
  }
}

async function* begunWith(first: Entry | undefined, entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  if (first !== undefined) yield first;
  yield* entries;
}

async function* endedWith(entries: AsyncIterable<Entry>, last: Entry | undefined): AsyncGenerator<Entry> {
  yield* entries;
  if (last !== undefined) yield last;
}

/** Each snapshot once, the later never before the earlier, and none behind the last. */
async function* untilEnd(entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  let version = 0;
  for await (const { position, value } of entries) {
    const progress = value?.jobProgress;
    if (progress === undefined || progress.version <= version) yield { position };
    else {
      version = progress.version;
      yield { position, value };
      if (hasEnded(progress.status)) return;
    }
  }
}

/** How far the job is; undefined when there is none. @throws BAD_REQUEST when the id has not the form of one */
function jobNow(context: ApiContext, jobId: string): LongJobProgress | undefined {
  const job = context.state.get(longJobs, longJobId(jobId));
  return job && progressOf(job);
}
