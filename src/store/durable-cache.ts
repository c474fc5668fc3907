import type { Held } from './document-text.js';
import type { Entry, Layer } from './entries.js';
import { type Answer, type Asked, IndexAnswers } from './index-answers.js';
import type { AnyCollection } from './log/schema.js';
import type { Row } from './replica.js';

/** How many documents, and characters of them, one generation holds; there are two. */
const DOCUMENTS_MAX = 2_000;
const CHARACTERS_MAX = 4_194_304;

/** A document as it is known, or null: it is known that there is none. */
type KnownBody = Held | null;

/** Documents and answers that a state need not ask the replica for. */
export interface Known {
  /** The document, or what `read` gives as its text; also that there is none. */
  body(collection: AnyCollection, id: string, read: () => string | undefined): Held | undefined;
  /** The rows that answer a question of an index, or what `read` gives. */
  rows(collection: AnyCollection, question: string, asked: Asked, read: () => Row[]): readonly Row[];
}

/** How many rows an answer may have that is kept because a reader asked: lists are read once. */
const SEEN_ROWS_MAX = 1;

/**
 * All that the decider knows of the durable state without asking the replica: documents that it read or wrote lately, and answers of indexes that
 * nothing that is written meanwhile changes. Nobody but the decider writes, so what it is told here is all that can change.
 */
export class DurableCache implements Known {
  /** What is decided, and not known to be durable. */
  readonly #decided: Pick<Layer<Entry>, 'of'>;
  readonly #documents = new Generations();
  /** What readers have asked for beside the decider: it takes no room of what that needs. */
  readonly #seen = new Generations();
  readonly #answers = new Map<string, IndexAnswers>();

  constructor(decided: Pick<Layer<Entry>, 'of'>) {
    this.#decided = decided;
  }

  body({ name }: AnyCollection, id: string, read: () => string | undefined): Held | undefined {
    const known = this.#documents.get(name, id);
    return (known === undefined ? this.#documents.keep(name, id, heldOf(id, read())) : known) ?? undefined;
  }

  /** As {@link body}, for whoever decides nothing. */
  seenBody({ name }: AnyCollection, id: string, read: () => string | undefined): Held | undefined {
    let known = this.#documents.peek(name, id);
    if (known === undefined) known = this.#seen.get(name, id);
    return (known === undefined ? this.#seen.keep(name, id, heldOf(id, read())) : known) ?? undefined;
  }

  rows(collection: AnyCollection, question: string, asked: Asked, read: () => Row[]): readonly Row[] {
    return (
      this.#answers.get(collection.name)?.rows(question) ??
      this.#read(collection, question, asked, read, Number.POSITIVE_INFINITY)
    );
  }

  /** As {@link rows}, for whoever decides nothing. */
  seenRows(collection: AnyCollection, question: string, asked: Asked, read: () => Row[]): readonly Row[] {
    return (
      this.#answers.get(collection.name)?.rows(question) ?? this.#read(collection, question, asked, read, SEEN_ROWS_MAX)
    );
  }

  /** `rowsMax`: an answer with more rows is not kept. */
  #read(
    collection: AnyCollection,
    question: string,
    { positions, values }: Asked,
    read: () => Row[],
    rowsMax: number,
  ): readonly Row[] {
    const rows = read();
    const answer = { positions, values, rows };
    const isKept = rows.length <= rowsMax && rows.every(({ damage }) => damage === undefined);
    if (isKept && !this.#isChanging(collection, answer)) this.#keep(collection, question, answer);
    return rows;
  }

  /** Whether anything that is not known to be durable is of the answer, or will be. */
  #isChanging(collection: AnyCollection, { positions, values, rows }: Answer): boolean {
    const entries = this.#decided.of(collection);
    if (entries === undefined) return false;
    if (positions.length === 0 || rows.some(({ id }) => entries.has(id))) return true;
    for (const _ of entries.matching(positions, values)) return true;
    return false;
  }

  /** It is known until it is {@link touch}ed. */
  #keep(collection: AnyCollection, question: string, answer: Answer): void {
    let answers = this.#answers.get(collection.name);
    if (answers === undefined) {
      answers = new IndexAnswers();
      this.#answers.set(collection.name, answers);
    }
    answers.keep(question, answer);
  }

  /** The document is about to be written so. */
  touch(collection: AnyCollection, entry: Entry): void {
    this.#answers.get(collection.name)?.touch(entry);
  }

  /** The document is durable as it is there: with this text, or (null) gone. */
  landed(collection: AnyCollection, entry: Pick<Entry, 'id' | 'body' | 'document'>): void {
    const { id, body, document } = entry;
    if (body === null || collection.seldomRead) return this.forget(collection, id);
    this.#seen.delete(collection.name, id);
    this.#documents.keep(collection.name, id, document === undefined ? { id, body } : { id, body, document });
  }

  /** The document is durable in another form than the one that was known. */
  forget({ name }: AnyCollection, id: string): void {
    this.#documents.delete(name, id);
    this.#seen.delete(name, id);
  }

  clear(): void {
    this.#documents.clear();
    this.#seen.clear();
    this.#answers.clear();
  }
}

/** Documents that were asked for lately: the older half of them goes when the younger one is full. */
class Generations {
  #young = new Generation();
  #old = new Generation();

  /** Undefined: it is not known. What is asked for stays. */
  get(collection: string, id: string): KnownBody | undefined {
    const known = this.#young.get(collection, id);
    if (known !== undefined) return known;
    const older = this.#old.get(collection, id);
    return older === undefined ? undefined : this.keep(collection, id, older);
  }

  /** As {@link get}; whether it is asked for again decides nothing. */
  peek(collection: string, id: string): KnownBody | undefined {
    const known = this.#young.get(collection, id);
    return known === undefined ? this.#old.get(collection, id) : known;
  }

  keep(collection: string, id: string, known: KnownBody): KnownBody {
    if (this.#young.isFull) {
      this.#old = this.#young;
      this.#young = new Generation();
    }
    this.#young.set(collection, id, known);
    return known;
  }

  delete(collection: string, id: string): void {
    this.#young.delete(collection, id);
    this.#old.delete(collection, id);
  }

  clear(): void {
    this.#young = new Generation();
    this.#old = new Generation();
  }
}

/** Documents by collection and id: two small look-ups cost less than one by a text that is made of both. */
class Generation {
  readonly #collections = new Map<string, Map<string, KnownBody>>();
  #size = 0;
  #characters = 0;

  get isFull(): boolean {
    return this.#size >= DOCUMENTS_MAX || this.#characters >= CHARACTERS_MAX;
  }

  get(collection: string, id: string): KnownBody | undefined {
    return this.#collections.get(collection)?.get(id);
  }

  set(collection: string, id: string, known: KnownBody): void {
    let documents = this.#collections.get(collection);
    if (documents === undefined) {
      documents = new Map();
      this.#collections.set(collection, documents);
    }
    const before = documents.size;
    documents.set(id, known);
    this.#size += documents.size - before;
    this.#characters += known?.body.length ?? 0;
  }

  delete(collection: string, id: string): void {
    if (this.#collections.get(collection)?.delete(id)) this.#size--;
  }
}

const heldOf = (id: string, body: string | undefined): KnownBody => (body === undefined ? null : { id, body });
