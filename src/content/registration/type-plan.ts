import { limitExceeded } from '../../shared/errors.js';
import type { Types } from '../tree/types.js';
import { readCnd } from '../type/cnd.js';
import type { NodeType } from '../type/node-type.js';
import { changesOf } from '../type/type-changes.js';
import type { TypeRegistry } from '../type/type-registry.js';
import { BUILT_IN_NAMESPACES } from '../value/names.js';
import { withoutNamespace } from './namespaces.js';

/** A wish about the types of a workspace: to register those of a text, or to remove types, or a namespace. */
export type TypeWork = { readonly cnd: string } | { readonly names: readonly string[] } | { readonly prefix: string };

/** A planned registration: types and namespaces that come, go and are affected. */
export interface TypePlan {
  /** New and changed ones. */
  readonly types: readonly NodeType[];
  readonly gone: readonly string[];
  /** All that the text defines, in its order. */
  readonly defined: readonly string[];
  /** Registered namespaces by prefix, those from before included. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** See {@link ChangedTypes}. */
  readonly affected: readonly string[];
  /** The prefix that is to stand for nothing; null: none is. */
  readonly freed: string | null;
}

/** The most characters of one type as JSON: it is one document. */
const NODE_TYPE_TEXT_MAX = 200_000;

/**
 * Plans a registration, as far as the types themselves tell. Takes its time: not for the main thread.
 * @throws BAD_REQUEST (line, column, type), ALREADY_EXISTS, CONFLICT, LIMIT_EXCEEDED
 */
export function planTypes(types: Types, work: TypeWork, typesMax: number): TypePlan {
  if ('cnd' in work) return registration(types, work.cnd, typesMax);
  if ('names' in work) return removal(types, work.names);
  const namespaces = withoutNamespace(types, work.prefix);
  return { types: [], gone: [], defined: [], namespaces, affected: [], freed: work.prefix };
}

function registration({ registry, namespaces: known }: Types, cnd: string, typesMax: number): TypePlan {
  const builtIn = registry.all().filter(({ name }) => registry.isBuiltIn(name)).length;
  const { types: given, namespaces } = readCnd(cnd, known, typesMax + builtIn);
  const types = given.filter((type) => JSON.stringify(type) !== JSON.stringify(registry.get(type.name)));
  const after = registry.with(types);
  requireFitting(after, types, typesMax);
  return {
    types,
    gone: [],
    defined: given.map(({ name }) => name),
    namespaces: ownNamespaces(namespaces.entries()),
    affected: affectedBy(registry, after, types),
    freed: null,
  };
}

function removal({ registry, namespaces }: Types, names: readonly string[]): TypePlan {
  registry.without(names);
  const kept = ownNamespaces(namespaces.entries());
  return { types: [], gone: names, defined: [], namespaces: kept, affected: names, freed: null };
}

const ownNamespaces = (entries: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries(entries.filter(([prefix]) => !Object.hasOwn(BUILT_IN_NAMESPACES, prefix)));

/** @throws LIMIT_EXCEEDED */
function requireFitting(after: TypeRegistry, types: readonly NodeType[], typesMax: number): void {
  const count = after.all().filter(({ name }) => !after.isBuiltIn(name)).length;
  if (count > typesMax)
    throw limitExceeded(
      `expected at most ${typesMax} registered node types in a workspace, but these would make ${count}`,
      {
        reason: 'too_many_node_types',
      },
    );
  const large = types.find((type) => JSON.stringify(type).length > NODE_TYPE_TEXT_MAX);
  if (large === undefined) return;
  throw limitExceeded(`expected node type '${large.name}' to be of at most ${NODE_TYPE_TEXT_MAX} characters as JSON`, {
    reason: 'node_type_too_large',
    resourceId: large.name,
  });
}

/** The types that were there before, and say something else now, themselves or by what they inherit. */
function affectedBy(before: TypeRegistry, after: TypeRegistry, types: readonly NodeType[]): string[] {
  const changed = types.map(({ name }) => name).filter((name) => before.get(name) !== undefined);
  const heirs = changed.flatMap((name) => [name, ...before.subtypes(name), ...after.subtypes(name)]);
  const known = [...new Set(heirs)].filter((name) => before.get(name) !== undefined);
  return known.filter((name) => changesOf(before, after, name) !== 'none');
}
