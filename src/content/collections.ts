import { type AnyCollection, collection, type Document } from '../store/index.js';
import { detachedTrees } from './tree/detached-tree.js';
import type { ContentNode } from './tree/node.js';
import { treeSetups } from './tree/tree-setup.js';
import type { NodeType } from './type/node-type.js';
import { uploads } from './upload/upload.js';
import { blobsOf, type PropertyType, valuesOf } from './value/property.js';
import { versionCollections } from './version/version.js';

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
  },
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

function targetsOf({ properties }: ContentNode, type: PropertyType): readonly string[] {
  const found: string[] = [];
  for (const name in properties) {
    const property = properties[name];
    if (property?.type !== type) continue;
    for (const value of valuesOf(property)) found.push(String(value));
  }
  return found.length > 1 ? [...new Set(found)] : found;
}

/** Some of the node types that were registered: they are read all at once, so many are one document. */
export interface TypePack extends Document {
  readonly types: readonly NodeType[];
}

export const typePacks = collection<TypePack>({
  name: 'nodeTypes',
  columns: { pack: (it) => it.id },
  indexes: { pack: { columns: ['pack'] } },
});

/** What was registered last, in one document: `types`. */
export interface TypeStamp extends Document {
  /** Another one after each registration. */
  readonly stamp: string;
  /** Registered namespaces, by prefix. */
  readonly namespaces: Readonly<Record<string, string>>;
}

export const typeStamps = collection<TypeStamp>({ name: 'typeStamp' });

export const contentCollections: readonly AnyCollection[] = [
  nodes,
  typePacks,
  typeStamps,
  uploads,
  detachedTrees,
  treeSetups,
  ...versionCollections,
];
