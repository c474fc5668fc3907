import { type AnyCollection, collection, type Document } from '../../store/documents.js';
import type { AccessEntry } from '../tree/node.js';
import { blobsOf, type Property } from '../value/property.js';

/** The history of a versionable node (JCR 2.0 §3.13.5). Id: the node's. */
export interface VersionHistory extends Document {
  /** The name space of versions begins with this one, which is always there. */
  readonly rootVersion: string;
  /** Versions by label. */
  readonly labels: Readonly<Record<string, string>>;
  /** How many versions were made, the root version included: the next one's number. */
  readonly count: number;
  /** The revision that wrote it. */
  readonly revision: number;
  /** Its node was deleted: nobody sees it, and it is swept. */
  readonly deleted?: true;
  /** Not given: what lies below its node must be looked at as a whole to know what differs from the last version. */
  readonly settled?: Settled;
}

/** Says of a tree that since a version of it was made no node has come into it from elsewhere, left it, or been given other types. */
export interface Settled {
  readonly version: string;
  /** Nodes that were deleted since. */
  readonly gone: readonly string[];
  /** That made the version. */
  readonly revision: number;
  /** The registration of node types that it was made under. */
  readonly types: string;
}

/** A history of which something is left that nothing leads to: it is swept. Id: the history's, which itself may be gone. */
interface VersionLitter extends Document {
  /** ms */
  readonly since: number;
}

/** A version (JCR 2.0 §3.13.1). */
export interface Version extends Document {
  /** The history that it is of. */
  readonly history: string;
  /** The n-th version that was made; 0: the root version. */
  readonly number: number;
  readonly name: string;
  /** ms */
  readonly created: number;
  readonly createdBy: string;
  readonly predecessors: readonly string[];
  readonly successors: readonly string[];
  /** The revision that wrote it. */
  readonly revision: number;
}

/** Where the entries of a frozen tree are: those in the n-th bucket are in the chunk of that bucket that the n-th writer wrote. */
export interface FrozenLayout {
  /** One per bucket: a version, or a freezing. Their number is a power of two. */
  readonly writers: readonly string[];
  /** How many entries there are. */
  readonly entries: number;
}

/** A frozen tree: of which node, and in which chunks. Id: the version's. */
export interface FrozenTree extends Document, FrozenLayout {
  readonly history: string;
  /** The identifier of the node that was frozen. */
  readonly root: string;
}

/** A node in a frozen tree. */
export interface FrozenEntry {
  readonly id: string;
  /** Empty: the frozen node itself. */
  readonly parent: string;
  readonly name: string;
  readonly order: string | null;
  readonly sns?: true;
  readonly type: string;
  readonly mixins: readonly string[];
  /** `history`: it has a history of its own, and this stands for it (nt:versionedChild). `initial`: as it is made, without children. */
  readonly kind: 'node' | 'initial' | 'history';
  /**
   * The node's version when it was frozen: with its id, names what is kept of it. 0: nothing is. Of a node that was written by the very commit
   * that froze it, which may have written it again behind that: the negative number of the version.
   */
  readonly body: number;
}

/** A node in a frozen tree by its name. */
export type FrozenName = Pick<FrozenEntry, 'id' | 'parent' | 'name' | 'order'>;

/** Content of a chunk of a frozen tree. */
export interface ChunkContent {
  /** The nodes in the bucket of their identifier. */
  readonly entries: readonly FrozenEntry[];
  /** The nodes in the bucket of their parent and name, same-name siblings in their order. Not given: it is not known which. */
  readonly names?: readonly FrozenName[];
}

/** A part of a frozen tree: one bucket. Never changed. Id: {@link chunkId}. */
export interface FrozenChunk extends Document, ChunkContent {
  readonly history: string;
}

/** A node as versions keep it. Never changed; versions between which the node did not change share it. Id: {@link frozenNodeId}. */
export interface FrozenNode extends Document {
  readonly history: string;
  readonly properties: Readonly<Record<string, Property>>;
  /** Who could read it then. */
  readonly acl?: readonly AccessEntry[];
  /** Of a node with a history of its own that was copied all the same: the version that it followed. */
  readonly baseVersion?: string;
}

/** A tree that is being frozen in several commits. Until it is published, nothing leads to what it wrote. Id: names its chunks. */
interface Freezing extends Document {
  /** The node that is checked in; its history. */
  readonly node: string;
  /** ms */
  readonly started: number;
  /** Nodes have been moved, removed or retyped in the tree since: what was planned is worth nothing. */
  readonly broken: boolean;
}

export const chunkId = (writer: string, bucket: number): string => `${writer}.${bucket}`;

export const frozenNodeId = (history: string, { id, body }: Pick<FrozenEntry, 'id' | 'body'>): string =>
  `${history}.${id}.${body}`;

export const versionHistories = collection<VersionHistory>({
  name: 'versionHistory',
  columns: {
    /** Of those that are shown. */
    node: (it) => (it.deleted === true ? null : it.id),
  },
  indexes: { node: { columns: ['node'] } },
});

export const versionLitter = collection<VersionLitter>({
  name: 'versionLitter',
  columns: { since: (it) => it.since },
  indexes: { since: { columns: ['since'] } },
});

export const versions = collection<Version>({
  name: 'version',
  columns: {
    history: (it) => it.history,
    number: (it) => it.number,
    name: (it) => it.name,
  },
  indexes: {
    name: { columns: ['history', 'name'], unique: true },
    number: { columns: ['history', 'number'], unique: true },
  },
});

export const frozenTrees = collection<FrozenTree>({
  name: 'frozenTree',
  columns: { history: (it) => it.history },
  indexes: { history: { columns: ['history'] } },
});

export const frozenChunks = collection<FrozenChunk>({
  name: 'frozenChunk',
  columns: { history: (it) => it.history },
  multi: {
    /** Nodes whose own histories stand for them. */
    named: (it) => it.entries.filter(({ kind }) => kind === 'history').map(({ id }) => id),
  },
  indexes: { history: { columns: ['history'] } },
});

export const frozenNodes = collection<FrozenNode>({
  name: 'frozenNode',
  columns: { history: (it) => it.history },
  multi: {
    blob: (it) => blobsOf(it.properties),
    principal: ({ acl = [] }) => [...new Set(acl.map(({ principal }) => principal))],
  },
  principals: { 'acl[].principal': 'principal' },
  indexes: { history: { columns: ['history'] } },
});

export const freezings = collection<Freezing>({
  name: 'freezing',
  columns: { node: (it) => it.node, started: (it) => it.started },
  indexes: { node: { columns: ['node'] }, started: { columns: ['started'] } },
});

export const versionCollections: readonly AnyCollection[] = [
  versionHistories,
  versionLitter,
  versions,
  frozenTrees,
  frozenChunks,
  frozenNodes,
  freezings,
];
