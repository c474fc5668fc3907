import { collection, type Document } from '../../store/index.js';
import type { NodeType } from './node-type.js';

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
