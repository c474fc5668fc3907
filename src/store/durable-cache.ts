import type { Held } from './document-text.js';
import type { AnyCollection } from './log/schema.js';
import type { Entry } from './overlay.js';
import type { Row } from './replica.js';

/** How many documents, and characters of them, one generation holds; there are two. */
const DOCUMENTS_MAX = 2_000;
const CHARACTERS_MAX = 4_194_304;
/** Answers kept of one collection. */
const ANSWERS_MAX = 200;

/**
 * What the decider knows of the durable state without asking the replica: documents that it read or wrote lately, and answers of indexes of
 * collections that nothing is written to meanwhile. Nobody but the decider writes, so what it is told here is all that can change.
 */
export class DurableCache {
  #young = new Generation();
  #old = new Generation();
  readonly #answers = new Map<string, Map<string, readonly Row[]>>();

  /** The document, or what `read` gives as its text, which is kept. */
  body(collection: AnyCollection, id: string, read: () => string | undefined): Held | undefined {
    const { name } = collection;
    const young = this.#young.get(name, id);
    if (young !== undefined) return young;
    const held = this.#old.get(name, id) ?? heldOf(read());
    if (held !== undefined) this.#keep(name, id, held);
    return held;
  }

  /** The index's answer to a question, or what `read` gives, which is kept until the collection is {@link touch}ed. */
  rows(collection: AnyCollection, question: string, read: () => Row[]): readonly Row[] {
    let answers = this.#answers.get(collection.name);
    if (answers === undefined) {
      answers = new Map();
      this.#answers.set(collection.name, answers);
    }
    const known = answers.get(question);
    if (known !== undefined) return known;
    const rows = read();
    if (answers.size >= ANSWERS_MAX) answers.clear();
    answers.set(question, rows);
    return rows;
  }

  /** Something is about to be written to the collection. */
  touch(collection: AnyCollection): void {
    this.#answers.delete(collection.name);
  }

  /** The document is durable as it is there: with this text, or (null) gone. */
  landed({ name, seldomRead }: AnyCollection, entry: Pick<Entry, 'id' | 'body' | 'document'>): void {
    const { id, body, document } = entry;
    if (body !== null && !seldomRead)
      return this.#keep(name, id, document === undefined ? { body } : { body, document });
    this.#young.delete(name, id);
    this.#old.delete(name, id);
  }

  clear(): void {
    this.#young = new Generation();
    this.#old = new Generation();
    this.#answers.clear();
  }

  #keep(collection: string, id: string, held: Held): void {
    if (this.#young.isFull) {
      this.#old = this.#young;
      this.#young = new Generation();
    }
    this.#young.set(collection, id, held);
  }
}

/** Documents by collection and id: two small look-ups cost less than one by a text that is made of both. */
class Generation {
  readonly #collections = new Map<string, Map<string, Held>>();
  #size = 0;
  #characters = 0;

  get isFull(): boolean {
    return this.#size >= DOCUMENTS_MAX || this.#characters >= CHARACTERS_MAX;
  }

  get(collection: string, id: string): Held | undefined {
    return this.#collections.get(collection)?.get(id);
  }

  set(collection: string, id: string, held: Held): void {
    let documents = this.#collections.get(collection);
    if (documents === undefined) {
      documents = new Map();
      this.#collections.set(collection, documents);
    }
    const before = documents.size;
    documents.set(id, held);
    this.#size += documents.size - before;
    this.#characters += held.body.length;
  }

  delete(collection: string, id: string): void {
    if (this.#collections.get(collection)?.delete(id)) this.#size--;
  }
}

const heldOf = (body: string | undefined): Held | undefined => (body === undefined ? undefined : { body });
