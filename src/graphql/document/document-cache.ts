import type { GraphQLSchema } from 'graphql';
import type { GraphqlLimits } from '../limits.js';
import { type PreparedDocument, prepareDocument } from './prepare-document.js';

/**
 * Keeps what parsing and validation of a document gave, good or bad, for one schema: both cost more than executing it. Bounded; what was
 * used least recently goes first. Long documents are prepared anew each time, so that a few of them cannot fill it.
 */
export class DocumentCache {
  readonly #schema: GraphQLSchema;
  readonly #limits: GraphqlLimits;
  readonly #kept = new Map<string, PreparedDocument>();

  constructor(schema: GraphQLSchema, limits: GraphqlLimits) {
    this.#schema = schema;
    this.#limits = limits;
  }

  /** How many documents are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /** The document, prepared now or earlier. */
  prepare(text: string): PreparedDocument {
    if (text.length > this.#limits.cachedDocumentCharsMax) return prepareDocument(this.#schema, text, this.#limits);
    const known = this.#kept.get(text);
    if (known !== undefined) {
      this.#kept.delete(text);
      this.#kept.set(text, known);
      return known;
    }
    const prepared = prepareDocument(this.#schema, text, this.#limits);
    this.#keep(text, prepared);
    return prepared;
  }

  #keep(text: string, prepared: PreparedDocument): void {
    this.#kept.set(text, prepared);
    if (this.#kept.size <= this.#limits.cachedDocumentsMax) return;
    for (const oldest of this.#kept.keys()) {
      this.#kept.delete(oldest);
      return;
    }
  }
}
