import type { TableShape } from './schema.js';
import type { StreamReader } from './stream-reader.js';
import type { LogWriter, Replacing } from './writer.js';

/** Marks a replica as one of a Redis server's, in `meta` under `log`. */
export const REDIS_REPLICA = 'redis';

/**
 * Makes the replica what Redis has: first the documents and outcomes as they are found, which may go on changing meanwhile, then every commit
 * since the revision at which the reading began. Gives the revision that the replica is then at.
 */
export async function loadReplica(
  writer: LogWriter,
  reader: StreamReader,
  shapes: readonly TableShape[],
): Promise<number> {
  const { epoch, revision, trimmed } = await reader.meta();
  let last = revision;
  await writer.replaceAll({ epoch, trimmed: String(trimmed), log: REDIS_REPLICA }, async (into) => {
    for (const shape of shapes) {
      for await (const { document, revision: written } of reader.documents(shape)) into.document(document, written);
    }
    for await (const kept of reader.outcomes()) into.outcome(kept);
    last = await loadCommits(into, reader, { revision, trimmed });
  });
  return last;
}

async function loadCommits(
  into: Replacing,
  reader: StreamReader,
  { revision, trimmed }: { revision: number; trimmed: number },
): Promise<number> {
  let last = revision;
  // The entry of the revision up to which the feed is trimmed is kept for comparing alone, unless it is the newest.
  let from = Math.max(1, Math.min(trimmed + 1, revision));
  for (;;) {
    const commits = await reader.page(from);
    for (const commit of commits) {
      if (commit.revision <= revision) into.entry(commit);
      else into.commit(commit);
    }
    const newest = commits.at(-1)?.revision;
    if (newest === undefined) return last;
    last = Math.max(last, newest);
    from = newest + 1;
  }
}
