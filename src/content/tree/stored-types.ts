import { collection, type Document, type State } from '../../store/documents.js';
import { BUILT_IN_TYPES } from '../type/built-in-types.js';
import type { NodeType } from '../type/node-type.js';
import { checkedRegistry, registryOf } from '../type/type-registry.js';
import { namespacesOf } from '../value/names.js';
import { Types } from './types.js';

/** Some of the node types that were registered: they are read all at once, so many are one document. */
export interface TypePack extends Document {
  readonly types: readonly NodeType[];
}

export const typePacks = collection<TypePack>({
  name: 'nodeTypes',
  columns: { pack: (it) => it.id },
  indexes: { pack: { columns: ['pack'] } },
});

/** The last registration, in one document: `types`. */
interface TypeStamp extends Document {
  /** Another one after each registration. */
  readonly stamp: string;
  /** Registered namespaces, by prefix. */
  readonly namespaces: Readonly<Record<string, string>>;
}

export const typeStamps = collection<TypeStamp>({ name: 'typeStamp' });

const BUILT_IN = new Types(registryOf(BUILT_IN_TYPES), namespacesOf({}));

/** Types of workspaces that have their own, by the stamp of their last registration. */
const known = new Map<string, Types>();
const KNOWN_MAX = 50;

/** More packs than there ever are: a registration is at most so many types, each of which fits into one. */
export const TYPE_PACKS_MAX = 900;

/** The types of the workspace as they are now. */
export function typesOf(state: State): Types {
  const registered = state.get(typeStamps, 'types');
  if (registered === undefined) return BUILT_IN;
  const { stamp, namespaces } = registered;
  const kept = known.get(stamp);
  if (kept !== undefined) return kept;
  const declared = state.range(typePacks, 'pack', [''], TYPE_PACKS_MAX).flatMap(({ types }) => types);
  const loaded = new Types(checkedRegistry(BUILT_IN_TYPES, declared), namespacesOf(namespaces));
  keepTypes(stamp, loaded);
  return loaded;
}

/** The stamp of the node types and namespaces as they are; empty: nothing was registered. */
export const typesStampOf = (state: Pick<State, 'get'>): string => state.get(typeStamps, 'types')?.stamp ?? '';

/** Keeps the types of a registration, so that they need not be read. */
export function keepTypes(stamp: string, types: Types): void {
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(stamp, types);
}
