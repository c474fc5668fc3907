import { limitExceeded, ServiceError } from '../../shared/errors.js';
import type { Document } from '../collection.js';
import type { Decision, Write } from '../decision.js';
import type { Committed } from '../feed/landed-commits.js';
import type { CommitBody, CommitRecord, DocumentRecord } from '../log/log.js';
import { CommitText } from '../log/packed.js';
import { entryOf } from '../overlay.js';
import type { Accepted } from './accepted.js';
import { isFinal, outcomeOf } from './keyed.js';

/** Documents that one commit may hold by default. Larger work goes by plan, stage and publish. */
const WRITE_DOCUMENTS_MAX = 500;
/** A document's size as JSON text, in UTF-16 units. */
export const DOCUMENT_SIZE_MAX = 262_144;

/** Where a commit stands in its partition's history. `at`: when it is made, which may be later than its decision's `now`; ms, domain clock. */
type CommitPlace = Pick<CommitRecord, 'revision' | 'at'>;

/**
 * The commit of a decision; null: it wrote nothing that must be kept. `made`: the jobs that it made, as documents. `texts`: what has been made text already.
 * @throws LIMIT_EXCEEDED it writes too many documents, or one that is too large
 */
export function commitOfDecision(
  { command, operation }: Accepted,
  decision: Decision<unknown>,
  place: CommitPlace,
  made: readonly Write[],
  texts?: Texts,
): Committed | null {
  const writes = writesOf(decision, made, operation.limits?.writes);
  const { events = [] } = decision;
  if (writes.length === 0 && events.length === 0 && !command.keyed) return null;
  const outcome = command.keyed ? outcomeOf(command, { answer: decision.answer }) : null;
  return commitOf({ command, writes, events }, place, outcome, texts);
}

/** The commit of a refusal: that of a client's command is an outcome like another, the same key gives it again. null: it is none. */
export function commitOfRefusal({ command }: Accepted, error: Error, place: CommitPlace): Committed | null {
  if (!command.keyed || command.retriesRefused === true || !(error instanceof ServiceError) || !isFinal(error))
    return null;
  const { code, message, info } = error;
  return commitOf({ command, writes: [], events: [] }, place, outcomeOf(command, { refusal: { code, message, info } }));
}

/** Texts of a decision's writes and events, as the log keeps them. */
export interface Texts {
  readonly documents: ReadonlyMap<Write, DocumentRecord>;
  /** Of the commit, with its events. */
  readonly text: CommitText;
}

/** How many documents or events, and about how many characters of them, are made text at a time. */
const PER_STEP = 50;
const LENGTH_PER_STEP = 100_000;

/** Makes text of a decision step by step. @throws LIMIT_EXCEEDED a document is too large */
export function* textsOf({
  write = [],
  events = [],
}: Pick<Decision<unknown>, 'write' | 'events'>): Generator<void, Texts, void> {
  const documents = new Map<Write, DocumentRecord>();
  let length = 0;
  for (const one of write) {
    const document = recordOf(one);
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

function commitOf(
  { command, writes, events }: Pick<Committed, 'writes' | 'events'> & Pick<Accepted, 'command'>,
  { revision, at }: CommitPlace,
  outcome: string | null,
  texts?: Texts,
): Committed {
  const { id, type, caller, cause } = command;
  const documents = writes.map((write) => texts?.documents.get(write) ?? recordOf(write));
  const text = texts?.text ?? new CommitText().add(events);
  const body = text.end({ type, userId: caller.userId, docs: docsOf(writes), cause });
  const record = {
    revision,
    id,
    at,
    events: events.length,
    body,
    outcome: outcome === null ? null : { id, body: outcome },
    documents,
  };
  return { record, command, events, writes };
}

/** The documents of a decision, with the jobs that it made, each once: a later write of the same document replaces the earlier. */
function writesOf(decision: Decision<unknown>, made: readonly Write[], max = WRITE_DOCUMENTS_MAX): Write[] {
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

const docsOf = (writes: readonly Write[]): CommitBody['docs'] =>
  writes.map(({ collection, id, document }) =>
    document === null ? ([collection.name, id, null] as const) : ([collection.name, id] as const),
  );

/** A document to write, as the log takes it. */
function recordOf(write: Write): DocumentRecord {
  const { collection, id } = write;
  const { body, columns, multi } = entryOf(write);
  if (body !== null && body.length > DOCUMENT_SIZE_MAX) requireSize(write, body);
  return { collection: collection.name, id, body, columns, multi };
}

/** @throws LIMIT_EXCEEDED what counts of the document is too large */
function requireSize({ collection, id, document }: Write, body: string): void {
  const counted = collection.counted === undefined ? body : JSON.stringify(collection.counted(document as Document));
  if (counted.length <= DOCUMENT_SIZE_MAX) return;
  throw limitExceeded(
    `expected ${collection.name} '${id}' to be at most ${DOCUMENT_SIZE_MAX} characters, but it has ${counted.length}`,
  );
}
