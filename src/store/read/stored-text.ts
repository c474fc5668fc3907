import type { Collection, Document, Scalar } from '../collection.js';
import { damagedRow } from '../damage.js';
import { documentOf } from '../document-text.js';
import { bodySum } from '../log/checksum.js';
import { type AnyCollection, BODY_SUM } from '../log/schema.js';

/** A document's row, as far as it is needed to read the document; beside it whatever else was selected. */
export type StoredRow = Readonly<Record<string, Scalar>>;

/** The columns that a statement selects of a document, so that {@link storedText} can read it. `alias`: of the document's table, where there are several. */
export const storedColumns = (alias?: string): string =>
  ['id', BODY_SUM, 'body'].map((column) => (alias === undefined ? column : `${alias}.${column}`)).join(', ');

/** The document's text, or undefined where it is not what was written. */
export function soundText(row: StoredRow): string | undefined {
  const body = String(row.body);
  return bodySum(String(row.id), body) === row[BODY_SUM] ? body : undefined;
}

/** The document's text. @throws DATA_DAMAGED */
export function storedText({ name }: Pick<AnyCollection, 'name'>, row: StoredRow): string {
  const text = soundText(row);
  if (text === undefined) throw damagedRow(name, String(row.id));
  return text;
}

/** The document of the row. @throws DATA_DAMAGED */
export const storedDocument = <T extends Document>(collection: Collection<T>, row: StoredRow): T =>
  documentOf(collection, { id: String(row.id), body: storedText(collection, row) });

/** Documents up to this are small: a page of them is read in less time than a thread takes to be asked. */
const SMALL_BYTES = 8_192;

/** The columns that a statement of the main thread selects of a document, so that {@link smallText} can read it; of a large one nothing is read. */
export const smallColumns = (alias = ''): string => {
  const [id, body, sum] = ['id', 'body', BODY_SUM].map((column) => `${alias}${column}`);
  return `${id}, ${sum}, CASE WHEN octet_length(${body}) <= ${SMALL_BYTES} THEN ${body} END AS body`;
};

/** The document's text, or undefined where it is large, or not what was written: a reader is asked for it, which says so. */
export function smallText({ id, body, [BODY_SUM]: sum }: StoredRow): string | undefined {
  return typeof body === 'string' && bodySum(String(id), body) === sum ? body : undefined;
}
