import { collection, type Document } from '../../store/documents.js';
import { blobsOf, type Property, type PropertyType, valuesOf } from '../value/property.js';

/** One entry of an access control list: grants or denies privileges to a principal. */
export interface AccessEntry {
  readonly principal: string;
  /** By their JCR names: `jcr:read`, `jcr:write`, … */
  readonly privileges: readonly string[];
  readonly allow: boolean;
}

/** A lock that the node itself holds (JCR 2.0 §17). */
export interface Lock {
  readonly token: string;
  /** The principal that locked. */
  readonly owner: string;
  /** What the locking client said about itself. */
  readonly ownerInfo: string | null;
  readonly deep: boolean;
  /** The session it ends with; null: an open-scoped lock. */
  readonly sessionId: string | null;
  /** ms, domain clock; null: no timeout. Past it, there is no lock. */
  readonly expires: number | null;
  /** How long it lasts each time it is taken or refreshed; null: until it is taken away. */
  readonly timeoutMs: number | null;
}

/** State of a node that is versionable (JCR 2.0 §15). The history's id is the node's. */
export interface Versioning {
  readonly checkedOut: boolean;
  readonly baseVersion: string;
  /** While checked out: the versions that the next one follows. */
  readonly predecessors: readonly string[];
}

/** A node as stored. Id: its identifier (`jcr:uuid` where it is referenceable), for life. Paths are computed, never stored. */
export interface ContentNode extends Document {
  /** Null: the root, or a node that was taken out of the tree and waits to be swept. */
  readonly parent: string | null;
  /** With its namespace prefix. Empty: the root. */
  readonly name: string;
  /** The place among siblings, where the parent's type is orderable or names may repeat; else null. Texts compare by code unit. */
  readonly order: string | null;
  /** Whether its parent's type lets others have the same name (JCR 2.0 §22). */
  readonly sns?: true;
  readonly type: string;
  readonly mixins: readonly string[];
  readonly properties: Readonly<Record<string, Property>>;
  /** Its own list, where it has one. */
  readonly acl?: readonly AccessEntry[];
  readonly lock?: Lock;
  readonly versioning?: Versioning;
  /** The revision that wrote it. */
  readonly version: number;
}

/** The node at `/`, in every workspace. */
export const ROOT_ID = '00000000-0000-7000-8000-000000000001';
/** `/jcr:system`: what lies below is the system's to write. */
export const SYSTEM_ID = '00000000-0000-7000-8000-000000000002';
/** Id of `/jcr:system/jcr:versionStorage`. */
export const VERSION_STORAGE_ID = '00000000-0000-7000-8000-000000000003';
/** Names of the nodes that every workspace has at its root, where they stay. */
export const STANDARD_FOLDERS: ReadonlySet<string> = new Set(['content', 'etc', 'home', 'var', 'jcr:system']);
/** Id of `/var/jobs`. */
export const JOBS_ID = '00000000-0000-7000-8000-000000000004';
/** Id of `/var/eip`. */
export const EIP_ID = '00000000-0000-7000-8000-000000000005';
/** Id of `/var/eip/history`, in which exchanges of routes show as files. They are kept elsewhere, and read by who waits for that. */
export const EXCHANGES_ID = '00000000-0000-7000-8000-000000000006';

/** The nodes of a workspace. Whatever is out of the tree (no parent) is in no index of names, but holds its blobs until it is swept. */
export const nodes = collection<ContentNode>({
  name: 'node',
  columns: {
    parent: (it) => it.parent,
    name: (it) => it.name,
    order: (it) => it.order,
    /** What tells same-name siblings apart; empty where names must not repeat. */
    sibling: (it) => (it.sns === true ? it.order : ''),
    /** The parent, of nodes with a list of their own. */
    ownAcl: (it) => (it.acl === undefined ? null : it.parent),
    locked: (it) => (it.lock === undefined ? null : 1),
    lockSession: (it) => it.lock?.sessionId ?? null,
    checkedOut: (it) => (it.versioning?.checkedOut === true ? 1 : null),
    version: (it) => it.version,
  },
  multi: {
    /** Targets of REFERENCE properties. */
    strong: (it) => targetsOf(it, 'Reference'),
    /** Targets of WEAKREFERENCE properties. */
    weak: (it) => targetsOf(it, 'WeakReference'),
    /** Blobs that it holds. */
    blob: (it) => blobsOf(it.properties),
    /** Users and groups in its list, and the owner of its lock. */
    principal: principalsOf,
  },
  principals: { 'acl[].principal': 'principal', 'lock.owner': 'principal' },
  indexes: {
    name: { columns: ['parent', 'name', 'sibling'], unique: true },
    order: { columns: ['parent', 'order'] },
    acl: { columns: ['ownAcl', 'name'] },
    locked: { columns: ['locked'] },
    lockSession: { columns: ['lockSession'] },
    checkedOut: { columns: ['checkedOut'] },
    version: { columns: ['version'] },
  },
});

/** Most have neither. */
function principalsOf({ acl, lock }: ContentNode): readonly string[] {
  if (acl === undefined && lock === undefined) return NOBODY;
  const names = (acl ?? []).map(({ principal }) => principal);
  return [...new Set(lock === undefined ? names : [...names, lock.owner])];
}

const NOBODY: readonly string[] = [];

function targetsOf({ properties }: ContentNode, type: PropertyType): readonly string[] {
  let found: Set<string> | undefined;
  for (const name in properties) {
    const property = properties[name];
    if (property?.type !== type) continue;
    found ??= new Set();
    for (const value of valuesOf(property)) found.add(String(value));
  }
  return found === undefined ? [] : [...found];
}
