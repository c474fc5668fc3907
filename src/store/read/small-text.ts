import { bodySum } from '../log/checksum.js';
import { BODY_SUM } from '../log/schema.js';
import type { StoredRow } from './stored-text.js';

/** Documents up to this are small: a page of them is read in less time than a thread takes to be asked. */
const SMALL_BYTES = 8_192;

/** What a statement of the main thread selects of a document, so that {@link smallText} can read it; of a large one nothing is read. */
export const smallColumns = (alias = ''): string => {
  const [id, body, sum] = ['id', 'body', BODY_SUM].map((column) => `${alias}${column}`);
  return `${id}, ${sum}, CASE WHEN octet_length(${body}) <= ${SMALL_BYTES} THEN ${body} END AS body`;
};

/** The document's text, or undefined where it is large, or not what was written: a reader is asked for it, which says so. */
export function smallText({ id, body, [BODY_SUM]: sum }: StoredRow): string | undefined {
  return typeof body === 'string' && bodySum(String(id), body) === sum ? body : undefined;
}
