import { badRequest } from '../../shared/errors.js';
import type { LongJobPrepared, LongJobStart, State } from '../../store/index.js';
import { typesOf } from '../tree/stored-types.js';
import { formatPath, parseAbsolutePath } from '../value/path.js';

/** Parameters of an archive, as its job keeps them. */
export interface ArchiveParameters {
  /** As it is saved under. */
  readonly filename: string;
  readonly includeMetadata: boolean;
  readonly includeAcl: boolean;
  /** A path as it is spelt here; null: none was given. */
  readonly basePath: string | null;
}

/** Checked parameters of the start of an archive. @throws BAD_REQUEST the base is no path */
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

/** What a file name may hold neither here nor there. */
const UNSAFE = /[\\/\r\n\t\0]/g;

/** The name that an archive is saved under. */
export function archiveFilename(given: string): string {
  const cleaned = given.replace(UNSAFE, '_').trim();
  if (cleaned === '') return 'archive.zip';
  return /\.zip$/i.test(cleaned) ? cleaned : `${cleaned}.zip`;
}

/** The path of the node above; of the root, the root. */
const parentPath = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

/** Whether the path lies below the other. */
export const isBelow = (path: string, above: string): boolean =>
  above === '/' ? path !== '/' : path.startsWith(`${above}/`);

/** The paths, each once and in their order, without those that lie below another one. */
export function topmostPaths(paths: readonly string[]): string[] {
  const all = new Set(paths);
  return [...all].filter((path) => {
    for (let at = path; at !== '/'; ) {
      at = parentPath(at);
      if (at !== path && all.has(at)) return false;
    }
    return true;
  });
}

/** The node that names in the archive begin below: the given one where it lies above all, else the deepest that does. */
export function basePathOf(paths: readonly string[], given: string | null): string {
  const isAboveAll = (base: string) => paths.every((path) => isBelow(path, base));
  if (given !== null && isAboveAll(given)) return given;
  let base = parentPath(paths[0] ?? '/');
  while (base !== '/' && !isAboveAll(base)) base = parentPath(base);
  return base;
}

/** The path from the base on, without a slash before it. Of the root: empty. */
export const relativePath = (path: string, base: string): string =>
  path === '/' ? '' : path.slice(base === '/' ? 1 : base.length + 1);
