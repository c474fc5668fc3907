import type { IncomingHttpHeaders } from 'node:http';

/** What the preconditions of a GET or HEAD come to. */
export type Precondition = 'proceed' | 'not modified' | 'failed';

/** What tells one state of a file from another. */
interface Validators {
  /** In quotes: a strong validator (RFC 9110 §8.8.3). */
  readonly etag: string;
  /** ms */
  readonly lastModified: number;
}

/** Evaluates preconditions in their order of precedence (RFC 9110 §13.2.2); dates that are none count as not given (§13.1.3, §13.1.4). */
export function precondition(headers: IncomingHttpHeaders, file: Validators): Precondition {
  const unmodifiedSince = dateOf(headers['if-unmodified-since']);
  if (headers['if-match'] !== undefined) {
    if (!lists(headers['if-match'], file, 'strong')) return 'failed';
  } else if (unmodifiedSince !== undefined && seconds(file) > unmodifiedSince) return 'failed';

  const modifiedSince = dateOf(headers['if-modified-since']);
  if (headers['if-none-match'] !== undefined) {
    if (lists(headers['if-none-match'], file, 'weak')) return 'not modified';
  } else if (modifiedSince !== undefined && seconds(file) <= modifiedSince) return 'not modified';
  return 'proceed';
}

/** Whether a `Range` counts: always without `If-Range`, else when the file is still the one that it names (RFC 9110 §13.1.5). */
export function rangeCounts(headers: IncomingHttpHeaders, file: Validators): boolean {
  const given = headers['if-range'];
  if (typeof given !== 'string') return true;
  if (/^(W\/)?"/.test(given)) return given === file.etag;
  return dateOf(given) === seconds(file);
}

/** Whether the list of entity tags, or `*`, names the file's (RFC 9110 §8.8.3.2). A strong comparison knows no weak tags. */
function lists(list: string, { etag }: Validators, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true;
  const tags = list.match(/(W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [];
  return tags.some((tag) => (comparison === 'weak' ? tag.replace(/^W\//, '') : tag) === etag);
}

/** HTTP knows whole seconds. */
const seconds = ({ lastModified }: Validators): number => Math.floor(lastModified / 1_000);

/** An HTTP date (RFC 9110 §5.6.7) in seconds. */
function dateOf(given: string | undefined): number | undefined {
  if (given === undefined || !/^[A-Z][a-z]{2,8},? /.test(given)) return undefined;
  const parsed = Date.parse(given);
  return Number.isNaN(parsed) ? undefined : Math.floor(parsed / 1_000);
}
