import { limitExceeded } from '../../shared/errors.js';
import type { Command, Decision, FeedEvent, Write } from '../decision.js';
import type { Job } from '../job/job.js';
import { jobs } from '../job/job.js';
import type { CommitBody, CommitRecord, DocumentRecord } from '../log/log.js';
import { entryOf } from '../overlay.js';

/** What one commit may hold. Larger work goes by plan, stage and publish. */
export const WRITE_DOCUMENTS_MAX = 500;
/** A document's size as JSON text, in UTF-16 units. */
export const DOCUMENT_SIZE_MAX = 262_144;

/** What became of a commit, as its observers on this server see it. */
export interface Committed {
  readonly record: CommitRecord;
  readonly command: Command;
  readonly events: readonly FeedEvent[];
  readonly writes: readonly Write[];
}

/** The documents of a decision, each once: a later write of the same document replaces the earlier. */
export function writesOf(decision: Decision<unknown>, made: readonly Job[], max = WRITE_DOCUMENTS_MAX): Write[] {
  const { write: written = [] } = decision;
  if (made.length === 0 && written.length <= max && areDistinct(written)) return [...written];
  const last = new Map<string, Write>();
  for (const write of written) last.set(`${write.collection.name}/${write.id}`, write);
  for (const job of made) {
    last.set(`job/${job.id}`, { collection: jobs as unknown as Write['collection'], id: job.id, document: job });
  }
  if (last.size > max) {
    throw limitExceeded(`expected a decision to write at most ${max} documents, but it writes ${last.size}`);
  }
  return [...last.values()];
}

/** Up to so many documents are compared with one another, which takes less time than a table of them. */
const COMPARED_MAX = 8;

/** Whether these are a few documents, each of them once. */
const areDistinct = (writes: readonly Write[]): boolean =>
  writes.length <= COMPARED_MAX &&
  writes.every((write, i) => {
    for (let j = 0; j < i; j++) {
      const other = writes[j];
      if (other?.id === write.id && other.collection.name === write.collection.name) return false;
    }
    return true;
  });

/** A commit's record for the log. */
export function recordOf(
  facts: { revision: number; at: number; command: Command },
  writes: readonly Write[],
  events: readonly FeedEvent[],
  outcome: string | null,
): CommitRecord {
  const { revision, at, command } = facts;
  const documents = writes.map((write) => documentOf(write, revision));
  const body: CommitBody = {
    type: command.type,
    userId: command.caller.userId,
    events,
    docs: writes.map((write) => [write.collection.name, write.id] as const),
    cause: command.cause,
  };
  return {
    revision,
    id: command.id,
    at,
    events: events.length,
    body: JSON.stringify(body),
    outcome: outcome === null ? null : { id: command.id, body: outcome },
    documents,
  };
}

function documentOf({ collection, id, document }: Write, revision: number): DocumentRecord {
  const { body, columns, multi } = entryOf(collection, id, document, revision);
  if (body !== null && body.length > DOCUMENT_SIZE_MAX) {
    throw limitExceeded(
      `expected ${collection.name} '${id}' to be at most ${DOCUMENT_SIZE_MAX} characters, but it has ${body.length}`,
    );
  }
  return { collection: collection.name, id, body, columns, multi };
}
