import type { Held } from './document-text.js';
import { type Answer, IndexAnswers } from './index-answers.js';
import type { AnyCollection } from './log/schema.js';
import type { Entry } from './overlay.js';
import type { Row } from './replica.js';

/** How many documents, and characters of them, one generation holds; there are two. */
const DOCUMENTS_MAX = 2_000;
const CHARACTERS_MAX = 4_194_304;

/** A document as it is known, or null: it is known that there is none. */
type Known = Held | null;

/**
 * What the decider knows of the durable state without asking the replica: documents that it read or wrote lately, and answers of indexes that
 * nothing that is written meanwhile changes. Nobody but the decider writes, so what it is told here is all that can change.
 */
export class DurableCache {
  #young = new Generation();
  #old = new Generation();
  readonly #answers = new Map<string, IndexAnswers>();

  /** The document, or what `read` gives as its text, which is kept; also that there is none. */
  body(collection: AnyCollection, id: string, read: () => string | undefined): Held | undefined {
    const { name } = collection;
    let known = this.#young.get(name, id);
    if (known === undefined) {
      known = this.#old.get(name, id) ?? heldOf(read());
      this.#keep(name, id, known);
    }
    return known ?? undefined;
  }

  /** The rows of an index's answer that is known. */
  rows(collection: AnyCollection, question: string): readonly Row[] | undefined {
    return this.#answers.get(collection.name)?.rows(question);
  }

  /** An index's answer, as it is durable and not about to change. It is kept until it is {@link touch}ed. */
  answered(collection: AnyCollection, question: string, answer: Answer): void {
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
    this.#keep(collection.name, id, document === undefined ? { body } : { body, document });
  }

  /** The document is durable in another form than the one that was known. */
  forget({ name }: AnyCollection, id: string): void {
    this.#young.delete(name, id);
    this.#old.delete(name, id);
  }

  clear(): void {
    this.#young = new Generation();
    this.#old = new Generation();
    this.#answers.clear();
  }

  #keep(collection: string, id: string, known: Known): void {
    if (this.#young.isFull) {
      this.#old = this.#young;
      this.#young = new Generation();
    }
    this.#young.set(collection, id, known);
  }
}

/** Documents by collection and id: two small look-ups cost less than one by a text that is made of both. */
class Generation {
  readonly #collections = new Map<string, Map<string, Known>>();
  #size = 0;
  #characters = 0;

  get isFull(): boolean {
    return this.#size >= DOCUMENTS_MAX || this.#characters >= CHARACTERS_MAX;
  }

  get(collection: string, id: string): Known | undefined {
    return this.#collections.get(collection)?.get(id);
  }

  set(collection: string, id: string, known: Known): void {
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

const heldOf = (body: string | undefined): Known => (body === undefined ? null : { body });
