import { badRequest } from '../../shared/errors.js';
import type { LongJobPrepared, LongJobStart, State } from '../../store/index.js';
import { typesOf } from '../tree/stored-types.js';

import { formatPath, parseAbsolutePath } from '../value/path.js';
import { archiveFilename } from './zip/archive-paths.js';

/** How an archive is made. */
export interface ArchiveParameters {
  /** As it is saved under. */
  readonly filename: string;
  readonly includeMetadata: boolean;
  readonly includeAcl: boolean;
  /** A path as it is spelt here; null: none was given. */
  readonly basePath: string | null;
}

/** What the start of an archive was given, checked. @throws BAD_REQUEST the base is no path */
export function prepareArchive(state: State, { parameters }: LongJobStart): LongJobPrepared {
  const given = parameters as Partial<Record<keyof ArchiveParameters, unknown>> | null;
  const { filename, includeMetadata, includeAcl, basePath } = given ?? {};
  if (typeof filename !== 'string') throw badRequest('expected the name of the archive');
  const checked: ArchiveParameters = {
    filename: archiveFilename(filename),
    includeMetadata: includeMetadata !== false,
    includeAcl: includeAcl === true && includeMetadata !== false,
    basePath: typeof basePath === 'string' && basePath !== '' ? normalPath(state, basePath) : null,
  };
  return { parameters: checked };
}

/** The path as it is spelt here. @throws BAD_REQUEST it is none */
export const normalPath = (state: State, path: string): string =>
  formatPath({ absolute: true, segments: parseAbsolutePath(path, typesOf(state).namespaces) });
