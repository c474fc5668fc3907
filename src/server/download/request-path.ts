import { badRequest, ServiceError } from '../../shared/errors.js';

/** A place within a workspace, as a request's path names it. */
export interface Place {
  readonly workspace: string;
  /** Decoded; none: the root. */
  readonly segments: readonly string[];
  /** Whether the path ended with a slash. */
  readonly isFolder: boolean;
}

const PATH_LENGTH_MAX = 4_096;

/**
 * Reads `/{workspace}/{segment}/…`, each segment percent-encoded UTF-8. `raw`: as it came, without its query.
 * @throws BAD_REQUEST (no workspace; what cannot be decoded, or cannot be a name), FORBIDDEN (`..`)
 */
export function placeOf(raw: string): Place {
  if (raw.length > PATH_LENGTH_MAX) throw badPath(`at most ${PATH_LENGTH_MAX} characters`, `${raw.length}`);
  const [, workspace = '', ...segments] = raw.split('/').map(decoded);
  const isFolder = segments.at(-1) === '';
  if (isFolder) segments.pop();
  for (const segment of [workspace, ...segments]) requireName(segment);
  return { workspace, segments, isFolder };
}

/** The path of a place, as a request names it. */
export const encodedPath = (segments: readonly string[]): string =>
  segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badPath('percent-encoded UTF-8', `'${segment}'`);
  }
}

function requireName(segment: string): void {
  if (segment === '..') {
    throw new ServiceError('FORBIDDEN', "expected a path without '..'", { reason: 'path_traversal' });
  }
  if (segment === '') throw badPath('a workspace and names', 'nothing between two slashes');
  if (segment === '.' || segment.includes('/') || CONTROL.test(segment)) {
    throw badPath('names', JSON.stringify(segment));
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no name may hold
const CONTROL = /[\0-\x1f\x7f]/;

const badPath = (expected: string, found: string) =>
  badRequest(`expected ${expected} in the path, but found ${found}`, { reason: 'path_invalid' });
