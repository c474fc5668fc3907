import type { ServiceError } from '../shared/errors.js';
import type { Collection, Document } from './collection.js';
import { Packer, Unpacker } from './log/packed.js';

type Implying<T extends Document> = Pick<Collection<T>, 'implied' | 'copy'>;

/** A document as text: what its collection declares as implied is left out where it is so. {@link documentOf} gives the document back. */
export function textOf<T extends Document>(
  collection: Implying<T> & Pick<Collection<T>, 'packed'>,
  document: T,
): string {
  const lean = leanOf(collection, document);
  if (!collection.packed) return JSON.stringify(lean);
  const packed = new Packer(document.id).pack(lean);
  // A list tells that it is packed; of an unknown shape it is one of one.
  return packed.startsWith('[') ? packed : `[0,${packed}]`;
}

/** A document as it is stored. */
export interface Stored {
  readonly id: string;
  readonly body: string;
}

/** The document of a stored text, with the fields that the text leaves out as they are implied. */
export const documentOf = <T extends Document>(collection: Implying<T>, stored: Stored): T =>
  complete(collection, leanDocumentOf(stored) as unknown as Record<string, unknown>);

/** The document of a text, without what is implied. A former version may have stored it in the other form. */
export function leanDocumentOf({ id, body }: Stored): Document {
  if (body.startsWith('{')) return JSON.parse(body);
  const unpacked = new Unpacker(id).unpack(JSON.parse(body)) as Document | Document[];
  return Array.isArray(unpacked) ? (unpacked[0] as Document) : unpacked;
}

/** A text that may be read again and again, and the document that it once was read as. */
export interface Held extends Stored {
  document?: Document;
  /** Set where the text is not what was written. */
  damage?: ServiceError;
}

/**
 * The document of a text that is read more than once: parsed the first time, and frozen, unless the collection's documents are mutable.
 * @throws DATA_DAMAGED
 */
export function heldDocument<T extends Document>(collection: Collection<T>, held: Held): T {
  if (held.damage !== undefined) throw held.damage;
  if (collection.mutable) return documentOf(collection, held);
  held.document ??= Object.freeze(documentOf(collection, held));
  return held.document as T;
}

/** The document without what is implied: an `undefined` field is in no JSON. */
export function leanOf<T extends Document>({ implied, copy }: Implying<T>, document: T): Partial<T> {
  const lean = copy(document) as Record<string, unknown>;
  for (const [name, of] of rulesOf(implied)) {
    if (lean[name] !== undefined && isSame(lean[name], of(document as never))) lean[name] = undefined;
  }
  return lean as Partial<T>;
}

type Rule = readonly [name: string, of: (document: never) => unknown];
const rules = new WeakMap<object, readonly Rule[]>();

/** What is implied as a list: every document that is written goes through it. */
function rulesOf(implied: Implying<never>['implied']): readonly Rule[] {
  let known = rules.get(implied);
  if (known === undefined) {
    known = Object.entries(implied);
    rules.set(implied, known);
  }
  return known;
}

/** The document of {@link leanOf}. */
export const wholeOf = <T extends Document>(collection: Implying<T>, lean: Partial<T>): T =>
  complete(collection, { ...lean });

/** Adds what is implied. A lean document is a document as soon as it has that. */
function complete<T extends Document>({ implied }: Implying<T>, lean: Record<string, unknown>): T {
  const whole = lean as unknown as T;
  for (const name in implied) {
    if (lean[name] === undefined) lean[name] = implied[name]?.(whole);
  }
  return whole;
}

/** Whether two plain values have the same JSON. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false;
  return hasAll(a as Record<string, unknown>, b as Record<string, unknown>);
}

/** Whether both have the same names, with the same values; asked of every document, so nothing is listed. */
function hasAll(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  let more = 0;
  for (const name in a) {
    if (!isSame(a[name], b[name])) return false;
    more++;
  }
  for (const _ in b) more--;
  return more === 0;
}
