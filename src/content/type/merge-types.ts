import { ServiceError } from '../../shared/errors.js';
import type { EffectiveChild, EffectiveParts, EffectiveProperty } from './effective-type.js';
import { type ItemDefinition, type NodeType, RESIDUAL } from './node-type.js';

/** The registry, as far as merging asks it. */
interface TypeLookup {
  require(name: string): NodeType;
  lineage(name: string): readonly string[];
  isA(name: string, supertype: string): boolean;
}

/**
 * Merges types with all that they inherit; the first is the primary one. A definition takes the place of the one of its declarer's supertype that
 * it redefines, and demands what that demands (JCR 2.0 §3.7.6.8: a type may narrow, never widen). Properties of other types, and definitions of
 * unrelated types, stand side by side where a node can satisfy both, as in Jackrabbit and Oak: a value falls under the one of its type.
 * @throws CONFLICT
 */
export function effectiveParts(registry: TypeLookup, names: readonly string[]): EffectiveParts {
  const types = new Set(names.flatMap((name) => registry.lineage(name)));
  if (types.delete('nt:base')) types.add('nt:base'); // the least specific of all
  const declared = [...types].map((name) => registry.require(name));
  const [primary = '', ...mixins] = names;
  const properties = declared.flatMap((type) =>
    type.properties.map((property) => ({ ...property, declaredBy: type.name })),
  );
  const children = declared.flatMap((type) => type.children.map((child) => ({ ...child, declaredBy: type.name })));
  return {
    type: primary,
    mixins,
    types,
    orderable: declared.some((type) => type.orderable),
    queryable: registry.require(primary).queryable,
    primaryItem: declared.find((type) => type.primaryItem !== null)?.primaryItem ?? null,
    properties: merged(registry, properties, { redefine: narrowedProperty, conflict: propertyConflict }),
    children: merged(registry, children, { redefine: narrowedChild, conflict: childConflict }),
  };
}

type Declared = ItemDefinition & { readonly declaredBy: string };

interface Merging<T> {
  /** The nearer definition with what it takes over from the inherited one; null: both hold. */
  readonly redefine: (nearer: T, inherited: T) => T | null;
  /** Why no node can satisfy both; null: one can. */
  readonly conflict: (one: T, other: T) => string | null;
}

/** Nearer definitions come first, so only later ones can be inherited. */
function merged<T extends Declared>(
  registry: TypeLookup,
  definitions: readonly T[],
  { redefine, conflict }: Merging<T>,
): readonly T[] {
  const kept: T[] = [];
  /** Where those of a name stand among them: a lineage may have thousands of names. */
  const places = new Map<string, number[]>();
  const takesOver = (nearer: T, other: T) =>
    nearer.declaredBy !== other.declaredBy && registry.isA(nearer.declaredBy, other.declaredBy)
      ? redefine(nearer, other)
      : null;
  for (const definition of definitions) {
    let hidden = false;
    const rivals = places.get(definition.name) ?? [];
    for (const place of rivals) {
      const nearer = kept[place] as T;
      const narrowed = takesOver(nearer, definition);
      if (narrowed === null) refuseConflict(definition, nearer, conflict(nearer, definition));
      else {
        kept[place] = narrowed;
        hidden = true;
      }
    }
    if (!hidden) places.set(definition.name, [...rivals, kept.push(definition) - 1]);
  }
  return kept;
}

function refuseConflict(definition: Declared, rival: Declared, reason: string | null): void {
  if (reason === null || definition.name === RESIDUAL) return;
  const [one, other] = [rival.declaredBy, definition.declaredBy];
  const who = one === other ? `'${one}' defines` : `'${one}' and '${other}' both define`;
  throw new ServiceError(
    'CONFLICT',
    `expected node types that fit together, but ${who} '${definition.name}'${reason.startsWith(',') ? '' : ' '}${reason}`,
    {
      reason: 'node_type_conflict',
      details: { item: definition.name },
    },
  );
}

const demands = (nearer: ItemDefinition, inherited: ItemDefinition) => ({
  mandatory: nearer.mandatory || inherited.mandatory,
  autoCreated: nearer.autoCreated || inherited.autoCreated,
  protected: nearer.protected || inherited.protected,
});

function narrowedProperty(nearer: EffectiveProperty, inherited: EffectiveProperty): EffectiveProperty | null {
  if (nearer.multiple !== inherited.multiple || nearer.type !== inherited.type) return null;
  const defaultValues = nearer.defaultValues.length > 0 ? nearer.defaultValues : inherited.defaultValues;
  return { ...nearer, ...demands(nearer, inherited), defaultValues };
}

/** A named child must be of what both demand; residual definitions of other types stand beside each other, as in Jackrabbit. */
function narrowedChild(nearer: EffectiveChild, inherited: EffectiveChild): EffectiveChild | null {
  const requiredTypes = [...new Set([...nearer.requiredTypes, ...inherited.requiredTypes])];
  const same =
    requiredTypes.length === nearer.requiredTypes.length && requiredTypes.length === inherited.requiredTypes.length;
  if (nearer.name === RESIDUAL && !same) return null;
  return {
    ...nearer,
    ...demands(nearer, inherited),
    requiredTypes,
    defaultType: nearer.defaultType ?? inherited.defaultType,
  };
}

function propertyConflict(one: EffectiveProperty, other: EffectiveProperty): string | null {
  if (one.multiple !== other.multiple) {
    return one.mandatory && other.mandatory ? 'as one mandatory value and as many' : null;
  }
  if (one.type !== other.type) return typeConflict(one, other);
  if (one.declaredBy === other.declaredBy) return 'twice';
  const [these, those] = [one.valueConstraints, other.valueConstraints];
  if (these.length === 0 || those.length === 0) return null;
  return these.join('\n') === those.join('\n') ? null : 'with constraints that differ';
}

/** Of two types what is created by itself would be of one at random, and what the repository keeps of a node could be set by anybody. */
function typeConflict(one: EffectiveProperty, other: EffectiveProperty): string | null {
  const types = `as ${one.type ?? 'any type'} and as ${other.type ?? 'any type'}`;
  if (one.autoCreated || other.autoCreated) return `to be created, ${types}`;
  const isKept = one.name.startsWith('jcr:') && (one.protected || other.protected);
  return isKept ? `, which is protected, ${types}` : null;
}

function childConflict(one: EffectiveChild, other: EffectiveChild): string | null {
  if (!one.autoCreated || !other.autoCreated || one.defaultType === other.defaultType) return null;
  return `to be created as ${one.defaultType} and as ${other.defaultType}`;
}
