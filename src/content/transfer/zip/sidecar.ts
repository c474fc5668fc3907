import type { AccessEntry } from '../../tree/node.js';
import type { PropertyType } from '../../value/property.js';

/** The folder of an archive that tells of its nodes. */
export const SIDECAR = '.cms-archive/';

/**
 * The names of an archive's entries: paths of nodes, made such that every reader of ZIP files takes them. Each is given once, whatever it had to
 * be changed to.
 */
export class EntryNames {
  readonly #taken = new Set<string>();

  /** `path`: relative, with names as in paths of nodes: `a/b[2]`. */
  of(path: string): string {
    const safe = safeName(path);
    let name = safe;
    for (let n = 2; this.#taken.has(name); n++) name = numbered(safe, n);
    this.#taken.add(name);
    return name;
  }
}

function safeName(path: string): string {
  const name = path.replace(/\\/g, '_').replace(/^([A-Za-z]):/, '$1_');
  // The first of that name, in the manner of paths: what the archive itself says lies beside it.
  return `${name}/`.startsWith(SIDECAR) ? `.cms-archive[1]${name.slice(SIDECAR.length - 1)}` : name;
}

/** The number stands before the extension, so that the file opens with what it should. */
function numbered(name: string, n: number): string {
  const slash = name.lastIndexOf('/') + 1;
  const dot = name.lastIndexOf('.');
  return dot > slash ? `${name.slice(0, dot)}[${n}]${name.slice(dot)}` : `${name}[${n}]`;
}

export const MANIFEST = `${SIDECAR}manifest.json`;
export const NODES = `${SIDECAR}nodes.ndjson`;
export const ACCESS = `${SIDECAR}acl.ndjson`;
export const BLOBS = `${SIDECAR}blobs/`;

export const ARCHIVE_FORMAT = 'cms-archive';
export const ARCHIVE_VERSION = 1;

/** `.cms-archive/manifest.json`: what the archive is. */
export interface Manifest {
  readonly format: typeof ARCHIVE_FORMAT;
  readonly version: typeof ARCHIVE_VERSION;
  /** ISO 8601 */
  readonly created: string;
  readonly createdBy: string;
  readonly workspace: string;
  /** What the paths of the nodes are relative to. */
  readonly basePath: string;
  readonly nodeCount: number;
  readonly fileCount: number;
  readonly includesAcl: boolean;
  /** URIs of the prefixes that the names of the nodes use, as far as not every workspace has them. */
  readonly namespaces: Readonly<Record<string, string>>;
}

/** A value that is in the archive as an entry of its own, in place of its bytes. */
interface EntryValue {
  readonly entry: string;
  /** bytes */
  readonly size: number;
}

type ArchivedValue = string | number | boolean | EntryValue | { readonly inline: string; readonly size: number };

export type ArchivedProperty =
  | { readonly type: PropertyType; readonly value: ArchivedValue }
  | { readonly type: PropertyType; readonly values: readonly ArchivedValue[] };

/** A line of `.cms-archive/nodes.ndjson`: parents before children, siblings in their order. */
export interface ArchivedNode {
  /** Relative, with names as in paths of nodes: `a/b[2]/jcr:content`. */
  readonly path: string;
  readonly id: string;
  readonly type: string;
  readonly mixins: readonly string[];
  readonly properties: Readonly<Record<string, ArchivedProperty>>;
}

/** A line of `.cms-archive/acl.ndjson`. */
export interface ArchivedAccess {
  readonly path: string;
  readonly entries: readonly AccessEntry[];
}
