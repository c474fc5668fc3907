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
  #young = new Map<string, Held>();
  #old = new Map<string, Held>();
  #characters = 0;
  readonly #answers = new Map<string, Map<string, readonly Row[]>>();

  /** The document, or what `read` gives as its text, which is kept. */
  body(collection: AnyCollection, id: string, read: () => string | undefined): Held | undefined {
    const key = keyOf(collection.name, id);
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const held = this.#old.get(key) ?? heldOf(read());
    if (held !== undefined) this.#keep(key, held);
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
  landed(collection: string, { id, body, document }: Pick<Entry, 'id' | 'body' | 'document'>): void {
    const key = keyOf(collection, id);
    if (body !== null) return this.#keep(key, document === undefined ? { body } : { body, document });
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#answers.clear();
    this.#characters = 0;
  }

  #keep(key: string, held: Held): void {
    if (this.#young.size >= DOCUMENTS_MAX || this.#characters >= CHARACTERS_MAX) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#characters = 0;
    }
    this.#young.set(key, held);
    this.#characters += held.body.length;
  }
}

const heldOf = (body: string | undefined): Held | undefined => (body === undefined ? undefined : { body });

const keyOf = (collection: string, id: string): string => `${collection}/${id}`;
