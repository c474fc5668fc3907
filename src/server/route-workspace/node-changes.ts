import { ContentView, NODE_CHANGED, type NodeChanged, seenChange } from '../../content/index.js';
import type { NodeChange, NodeChanges } from '../../eip/index.js';
import type { Caller } from '../../shared/caller.js';
import { ServiceError } from '../../shared/errors.js';
import { systemTime } from '../../shared/time.js';
import { decodePosition, type PartitionPort } from '../../store/index.js';

/** How long the next change is waited for, ms, and how many are given at once. */
const PATIENCE_MS = 20_000;
const CHANGES_MAX = 100;

interface Followed {
  readonly path: string;
  readonly deep: boolean;
  /** Behind which place. */
  readonly after: string;
}

/**
 * The next changes at a path that the caller may know of, or none after a while. Where the place is behind what is kept, it says so, and gives that of now.
 * @throws UNAUTHORIZED
 */
export async function nextChanges(
  replica: PartitionPort['replica'],
  followed: Followed,
  callerNow: () => Caller,
): Promise<NodeChanges> {
  const ending = new AbortController();
  const patience = systemTime.after(PATIENCE_MS, () => ending.abort());
  try {
    return { ...(await collected(replica, followed, { callerNow, ending })), isAnew: false };
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.code !== 'RESYNC_REQUIRED') throw thrown;
    return { changes: [], place: replica.feed.position(), isAnew: true };
  } finally {
    patience.cancel();
  }
}

interface Collecting {
  readonly callerNow: () => Caller;
  readonly ending: AbortController;
}

async function collected(
  replica: PartitionPort['replica'],
  { path, deep, after }: Followed,
  { callerNow, ending }: Collecting,
): Promise<Omit<NodeChanges, 'isAnew'>> {
  const changes: NodeChange[] = [];
  const view = () => new ContentView(replica.read(), callerNow());
  let place = after;
  const [from = null] = decodePosition(after);
  for await (const { event, position } of replica.feed.follow(from, ending.signal, { types: [NODE_CHANGED] })) {
    place = position;
    const seen = event.type === NODE_CHANGED ? seenChange(event.data as NodeChanged, { path, deep }, view) : undefined;
    if (seen === undefined) continue;
    const { eventType: type, identifier: id, ...facts } = seen;
    changes.push({ type, id, ...facts, place });
    // What has come with it comes along.
    if (changes.length === 1) systemTime.soon(() => ending.abort());
    if (changes.length >= CHANGES_MAX) break;
  }
  return { changes, place };
}
