import { ServiceError } from '../../shared/errors.js';
import { formatPath, type PathSegment } from '../value/path.js';

/** The folder in which exchanges of routes show as files. */
const FOLDER = ['var', 'eip', 'history'];

/**
 * Of a path at which no node was found: exchanges of routes are no nodes, and show as such only to who asks for a node, for children, or for the bytes
 * of a file. @throws FORBIDDEN it leads to where they show
 */
export function requireNoExchange(steps: readonly PathSegment[]): void {
  if (steps.length <= FOLDER.length || !FOLDER.every((name, at) => steps[at]?.name === name)) return;
  const path = formatPath({ absolute: true, segments: steps });
  throw new ServiceError(
    'FORBIDDEN',
    `expected a node to work with, but '${path}' is of the history of exchanges, which is only read`,
    {
      reason: 'history_read_only',
    },
  );
}
