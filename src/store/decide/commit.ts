import { limitExceeded } from '../../shared/errors.js';
import type { Command, Decision, Write } from '../decision.js';
import type { Committed } from '../feed/landed-commits.js';
import { CommitText } from '../log/commit-text.js';
import type { CommitBody, CommitRecord, DocumentRecord } from '../log/log.js';
import { entryOf } from '../overlay.js';

/** What one commit may hold. Larger work goes by plan, stage and publish. */
export const WRITE_DOCUMENTS_MAX = 500;
/** A document's size as JSON text, in UTF-16 units. */
export const DOCUMENT_SIZE_MAX = 262_144;

/** The documents of a decision, with the jobs that it made, each once: a later write of the same document replaces the earlier. */
export function writesOf(decision: Decision<unknown>, made: readonly Write[], max = WRITE_DOCUMENTS_MAX): Write[] {
  const { write: written = [] } = decision;
  if (made.length === 0 && written.length <= max && areDistinct(written)) return [...written];
  const last = new Map<string, Write>();
  for (const write of written) last.set(`${write.collection.name}/${write.id}`, write);
  for (const write of made) last.set(`${write.collection.name}/${write.id}`, write);
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

/** What is recorded of a decision. */
export interface Recorded extends Pick<Committed, 'events' | 'writes'> {
  readonly command: Command;
  readonly revision: number;
  /** ms, domain clock */
  readonly at: number;
  /** What a client's command is to be answered again; null: it is no client's. */
  readonly outcome: string | null;
}

/** `texts`: what has been made text already. @throws LIMIT_EXCEEDED a document is too large */
export function commitOf(recorded: Recorded, texts?: Texts): Committed {
  const { command, events, writes, revision } = recorded;
  const documents = writes.map((write) => texts?.documents.get(write) ?? documentOf(write, revision));
  const text = texts?.text ?? new CommitText().add(events);
  const { type, caller, cause } = command;
  const body = text.end({ type, userId: caller.userId, docs: docsOf(writes), cause });
  return { record: recordOf(recorded, body, documents), command, events, writes };
}

/** What a decision writes, as the log keeps it. */
export interface Texts {
  readonly documents: ReadonlyMap<Write, DocumentRecord>;
  /** Of the commit, with its events. */
  readonly text: CommitText;
}

/** How many documents or events, and about how many characters of them, are made text at a time. */
const PER_STEP = 50;
const LENGTH_PER_STEP = 100_000;

/** Makes text of a decision step by step. @throws LIMIT_EXCEEDED a document is too large */
export function* textsOf(
  { write = [], events = [] }: Pick<Decision<unknown>, 'write' | 'events'>,
  revision: number,
): Generator<void, Texts, void> {
  const documents = new Map<Write, DocumentRecord>();
  let length = 0;
  for (const one of write) {
    const document = documentOf(one, revision);
    documents.set(one, document);
    length += document.body?.length ?? 0;
    if (documents.size % PER_STEP !== 0 && length < LENGTH_PER_STEP) continue;
    length = 0;
    yield;
  }
  const text = new CommitText();
  for (let at = 0; at < events.length; at += PER_STEP) {
    text.add(events.slice(at, at + PER_STEP));
    yield;
  }
  return { documents, text };
}

function recordOf(
  { revision, command, at, events, outcome }: Recorded,
  body: string,
  documents: readonly DocumentRecord[],
): CommitRecord {
  return {
    revision,
    id: command.id,
    at,
    events: events.length,
    body,
    outcome: outcome === null ? null : { id: command.id, body: outcome },
    documents,
  };
}

const docsOf = (writes: readonly Write[]): CommitBody['docs'] =>
  writes.map(({ collection, id, document }) =>
    document === null ? ([collection.name, id, null] as const) : ([collection.name, id] as const),
  );

function documentOf(write: Write, revision: number): DocumentRecord {
  const { collection, id } = write;
  const { body, columns, multi } = entryOf(write, revision);
  if (body !== null && body.length > DOCUMENT_SIZE_MAX) {
    throw limitExceeded(
      `expected ${collection.name} '${id}' to be at most ${DOCUMENT_SIZE_MAX} characters, but it has ${body.length}`,
    );
  }
  return { collection: collection.name, id, body, columns, multi };
}
