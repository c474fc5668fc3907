import { convertValue } from '../value/convert-value.js';
import { isMultiple, type Property, type PropertyType } from '../value/property.js';
import type { ValueContext } from '../value/value.js';
import { LENIENT_TYPES } from './built-in-types.js';
import type { ChildDefinition, PropertyDefinition } from './node-type.js';
import { RESIDUAL } from './node-type.js';

/** A definition with the type that declares it. */
export type EffectiveProperty = PropertyDefinition & { readonly declaredBy: string };
export type EffectiveChild = ChildDefinition & { readonly declaredBy: string };

/** Parts of an {@link EffectiveType}; definitions in their order of precedence, overridden ones left out. */
export interface EffectiveParts {
  readonly type: string;
  readonly mixins: readonly string[];
  /** Itself, its mixins, and all that they inherit from. */
  readonly types: ReadonlySet<string>;
  readonly orderable: boolean;
  readonly queryable: boolean;
  readonly primaryItem: string | null;
  readonly properties: readonly EffectiveProperty[];
  readonly children: readonly EffectiveChild[];
}

/** The rules for a node of one primary type with some mixins (JCR 2.0 §3.7.6.5). Immutable and shared by all such nodes. */
export class EffectiveType {
  readonly type: string;
  readonly mixins: readonly string[];
  readonly types: ReadonlySet<string>;
  readonly orderable: boolean;
  readonly queryable: boolean;
  readonly primaryItem: string | null;
  readonly properties: readonly EffectiveProperty[];
  readonly children: readonly EffectiveChild[];
  /** Whether children of one name are possible at all. */
  readonly sameNameSiblings: boolean;
  /** Properties that a caller has to give: mandatory and not the repository's own. */
  readonly mandatoryProperties: readonly EffectiveProperty[];
  readonly mandatoryChildren: readonly EffectiveChild[];
  readonly #properties: ReadonlyMap<string, readonly EffectiveProperty[]>;
  readonly #children: ReadonlyMap<string, readonly EffectiveChild[]>;

  constructor(parts: EffectiveParts) {
    this.type = parts.type;
    this.mixins = parts.mixins;
    this.types = parts.types;
    this.orderable = parts.orderable;
    this.queryable = parts.queryable;
    this.primaryItem = parts.primaryItem;
    this.properties = parts.properties;
    this.children = parts.children;
    this.sameNameSiblings = parts.children.some((child) => child.sameNameSiblings);
    this.mandatoryProperties = parts.properties.filter((property) => property.mandatory && !property.protected);
    this.mandatoryChildren = parts.children.filter((child) => child.mandatory && !child.protected);
    this.#properties = byName(parts.properties);
    this.#children = byName(parts.children);
  }

  /** Whether such a node is of the type, by itself, by inheritance or by a mixin. */
  isA(type: string): boolean {
    return this.types.has(type);
  }

  /** The definitions that a property of the name falls under: those that name it, else the residual ones (JCR 2.0 §3.7.2.1.2). */
  propertiesNamed(name: string): readonly EffectiveProperty[] {
    return this.#properties.get(name) ?? this.#properties.get(RESIDUAL) ?? [];
  }

  /** As {@link propertiesNamed}. */
  childrenNamed(name: string): readonly EffectiveChild[] {
    return this.#children.get(name) ?? this.#children.get(RESIDUAL) ?? [];
  }

  /** The definition of such a property: of its very type before one of any type; none: it may not be. */
  propertyDefinition(name: string, type: PropertyType, multiple: boolean): EffectiveProperty | undefined {
    let any: EffectiveProperty | undefined;
    for (const definition of this.propertiesNamed(name)) {
      if (definition.multiple !== multiple) continue;
      if (definition.type === type) return definition;
      if (definition.type === null) any ??= definition;
    }
    return any;
  }

  /** The definitions that a property may be under: its own, or where none fits or there is no such property, all of its name. */
  governing(name: string, property: Property | undefined): readonly EffectiveProperty[] {
    const own = property && this.propertyDefinition(name, property.type, isMultiple(property));
    return own === undefined ? this.propertiesNamed(name) : [own];
  }

  /** The definition of a child of the name and type: the first whose required types it has; none: it may not be. */
  childDefinition(name: string, child: EffectiveType): EffectiveChild | undefined {
    return this.childrenNamed(name).find(({ requiredTypes }) => requiredTypes.every((type) => child.isA(type)));
  }

  /** The type of a child added without one; null: a type must be given. */
  defaultChildType(name: string): string | null {
    return this.childrenNamed(name).find(({ defaultType }) => defaultType !== null)?.defaultType ?? null;
  }
}

function byName<T extends { readonly name: string }>(definitions: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const definition of definitions) {
    const group = groups.get(definition.name);
    if (group === undefined) groups.set(definition.name, [definition]);
    else group.push(definition);
  }
  return groups;
}

/**
 * The property as its node's types want it: where they define the name with another type, its values are converted (JCR 2.0 §10.4.2.4).
 * The very same where it fits, and where nothing would: `validateNode` tells why. @throws BAD_REQUEST (a value can't be converted)
 */
export function fitProperty(
  effective: EffectiveType,
  name: string,
  property: Property,
  context: ValueContext,
): Property {
  const multiple = isMultiple(property);
  if (effective.propertyDefinition(name, property.type, multiple) !== undefined) return property;
  const type = effective.propertiesNamed(name).find((definition) => definition.multiple === multiple)?.type;
  if (type === undefined || type === null) return property;
  return isMultiple(property)
    ? { type, values: property.values.map((value) => convertValue(value, property.type, type, context)) }
    : { type, value: convertValue(property.value, property.type, type, context) };
}

/**
 * The properties that go when a node loses a mixin (JCR 2.0 §10.10.3): those that it defines, unless another type of the node takes them too.
 * Protected ones go anyway, for nobody could remove them later.
 */
export function lostProperties(
  before: EffectiveType,
  after: EffectiveType,
  properties: Readonly<Record<string, Property>>,
): readonly string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const was = before.propertyDefinition(name, property.type, isMultiple(property));
    if (was === undefined || after.isA(was.declaredBy)) return [];
    return was.protected || !isTaken(after, name, property) ? [name] : [];
  });
}

/** JCR's own folders and resources have no properties but those that they name. */
function isTaken(after: EffectiveType, name: string, property: Property): boolean {
  const multiple = isMultiple(property);
  return after.propertiesNamed(name).some((definition) => {
    const isLenient = definition.name === RESIDUAL && LENIENT_TYPES.has(definition.declaredBy);
    const isOfType = definition.type === null || definition.type === property.type;
    return !isLenient && isOfType && definition.multiple === multiple;
  });
}
