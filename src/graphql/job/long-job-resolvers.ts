import { badRequest } from '../../shared/errors.js';
import {
  encodePosition,
  hasEnded,
  LONG_JOB_PROGRESSED,
  type LongJobProgress,
  longJobId,
  longJobs,
  progressOf,
  type ReplicaSide,
  type FeedEntry as StoredEntry,
} from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import { eitherName } from '../arguments.js';
import { type FeedEntry, type FeedIterator, feedIterator, placeIn, placeNow } from '../feed-iterator.js';
import type { QueryjobProgressArgs, Resolvers } from '../generated/schema.js';
import { mergedEntries } from '../merged-entries.js';

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
 * job that has ended by now gives its end in any case: behind the position nothing more may be told of it, and nobody may wait for that. One that is not there
 * yet may come in any of the partitions that are looked at.
 * @throws BAD_REQUEST, RESYNC_REQUIRED
 */
function followJob(context: ApiContext, jobId: string, from: string | null | undefined): FeedIterator<FollowedJob> {
  const id = longJobId(jobId);
  const found = lookedAt(context).find((replica) => jobIn(replica, context, id) !== undefined);
  const after = context.after ?? from ?? undefined;
  const places = (found === undefined ? lookedAt(context) : [found]).map((replica) => {
    const given = after === undefined ? undefined : placeIn(replica, after, context);
    const place = given ?? placeNow(replica);
    replica.feed.check(place);
    return { replica, place, isResumed: given !== undefined };
  });
  // The places are read before the snapshot: a change in between is told twice rather than not at all, and then left out.
  const known = jobNow(context, jobId);
  const isOver = known !== undefined && hasEnded(known.status);
  const sources = places.map(({ replica, place }) => ({
    position: encodePosition([place]),
    entries: (signal: AbortSignal) =>
      changesOf(replica.feed.follow(place, signal, { toEnd: isOver }), isShownIn(replica, context), id),
  }));
  const position = encodePosition(places.map(({ place }) => place));
  const snapshot = known && { position, value: { jobProgress: known } };
  const changes = mergedEntries(sources, context.ending.signal);
  const entries = places.some(({ isResumed }) => isResumed)
    ? endedWith(changes, isOver ? snapshot : undefined)
    : begunWith(snapshot, changes);
  return feedIterator(untilEnd(entries), position);
}

async function* changesOf(
  entries: AsyncIterable<StoredEntry>,
  isShown: (progress: LongJobProgress) => boolean,
  jobId: string,
): AsyncGenerator<Entry> {
  for await (const { event, position } of entries) {
    const progress = event.data as LongJobProgress;
    const isMeant = event.type === LONG_JOB_PROGRESSED && event.ids.jobId === jobId && isShown(progress);
    yield isMeant ? { position, value: { jobProgress: progress } } : { position };
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
  const id = longJobId(jobId);
  for (const replica of lookedAt(context)) {
    const progress = jobIn(replica, context, id);
    if (progress !== undefined) return progress;
  }
  return undefined;
}

/** Where jobs are looked for: those about workspaces are `system`'s, and shown in all. */
function lookedAt({ workspace, services }: ApiContext): readonly ReplicaSide[] {
  const [own, system] = [workspace.partition.replica, services.system().replica];
  return own.id === system.id ? [own] : [own, system];
}

function jobIn(replica: ReplicaSide, context: ApiContext, id: string): LongJobProgress | undefined {
  const state = replica.id === context.workspace.partition.id ? context.state : replica.read();
  const job = state.get(longJobs, id);
  const progress = job && progressOf(job);
  return progress !== undefined && isShownIn(replica, context)(progress) ? progress : undefined;
}

/** Of another partition's jobs those alone are shown that are about a workspace. */
const isShownIn =
  ({ id }: ReplicaSide, { workspace }: ApiContext) =>
  ({ targetWorkspace }: LongJobProgress): boolean =>
    id === workspace.partition.id || targetWorkspace !== null;
