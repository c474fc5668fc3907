import { badRequest, ServiceError } from '../../shared/errors.js';
import { EffectiveType } from './effective-type.js';
import { effectiveParts } from './merge-types.js';
import { type NodeType, targetTypesOf } from './node-type.js';
import { checkTypes } from './type-checks.js';

const NO_MIXINS: readonly string[] = [];

/** The node types of a workspace. Immutable: registering makes another one. What is asked often is kept. */
export class TypeRegistry {
  readonly #builtIn: ReadonlyMap<string, NodeType>;
  readonly #types: ReadonlyMap<string, NodeType>;
  readonly #ancestors = new Map<string, readonly string[]>();
  readonly #isA = new Map<string, ReadonlySet<string>>();
  /** By primary type, then by mixins. */
  readonly #effective = new Map<string, Map<string, EffectiveType>>();

  /** Takes what {@link registryOf} has checked. */
  constructor(builtIn: ReadonlyMap<string, NodeType>, types: ReadonlyMap<string, NodeType>) {
    this.#builtIn = builtIn;
    this.#types = types;
  }

  get(name: string): NodeType | undefined {
    return this.#types.get(name);
  }

  /** @throws BAD_REQUEST */
  require(name: string): NodeType {
    const type = this.#types.get(name);
    if (type === undefined) throw unknownType(name);
    return type;
  }

  /** All, built-in ones first. */
  all(): readonly NodeType[] {
    return [...this.#types.values()];
  }

  isBuiltIn(name: string): boolean {
    return this.#builtIn.has(name);
  }

  /** The type itself, then all that it inherits from, each once: nearer ones and those declared first come first, nt:base last. */
  lineage(name: string): readonly string[] {
    const known = this.#ancestors.get(name);
    if (known !== undefined) return known;
    const type = this.require(name);
    const found = new Set<string>([name]);
    let level = new Set(type.supertypes);
    while (level.size > 0) {
      const next = [...level].filter((supertype) => !found.has(supertype));
      for (const supertype of next) found.add(supertype);
      level = new Set(next.flatMap((supertype) => this.require(supertype).supertypes));
    }
    found.delete('nt:base');
    const lineage = type.mixin ? [...found] : [...found, 'nt:base'];
    this.#ancestors.set(name, lineage);
    return lineage;
  }

  /** Whether a node of the type is one of the other too; false for unknown types. */
  isA(name: string, supertype: string): boolean {
    return name === supertype || (this.#types.has(name) && this.#setOf(name).has(supertype));
  }

  #setOf(name: string): ReadonlySet<string> {
    const known = this.#isA.get(name) ?? new Set(this.lineage(name));
    this.#isA.set(name, known);
    return known;
  }

  /** All types that inherit from the type, itself left out. */
  subtypes(name: string): readonly string[] {
    return this.all()
      .filter((type) => type.name !== name && this.isA(type.name, name))
      .map((type) => type.name);
  }

  /**
   * What holds for a node of the primary type with these mixins. @throws BAD_REQUEST (a type unknown, a mixin as primary type or the other way
   * round), CONFLICT (two types define an item in ways that no node can satisfy)
   */
  effective(type: string, mixins: readonly string[] = NO_MIXINS): EffectiveType {
    const byMixins = this.#effective.get(type) ?? new Map<string, EffectiveType>();
    const key = mixins.length === 0 ? '' : mixins.join(' | ');
    const known = byMixins.get(key);
    if (known !== undefined) return known;
    const made = this.#build(type, mixins);
    if (byMixins.size < EFFECTIVE_MAX) this.#effective.set(type, byMixins.set(key, made));
    return made;
  }

  /** The effective type of nodes of a single type, mixins too; for checks and for looking at types. */
  effectiveOf(name: string): EffectiveType {
    return new EffectiveType(effectiveParts(this, [name]));
  }

  /** With the types registered, or re-registered. @throws BAD_REQUEST, CONFLICT */
  with(types: readonly NodeType[]): TypeRegistry {
    for (const { name } of types) if (this.#builtIn.has(name)) throw builtInType(name);
    const all = new Map([...this.#types, ...types.map((type) => [type.name, type] as const)]);
    const registry = new TypeRegistry(this.#builtIn, all);
    checkTypes(registry, affected(registry, types));
    return registry;
  }

  /** Without the types. @throws BAD_REQUEST (unknown, built in), CONFLICT (another type needs one) */
  without(names: readonly string[]): TypeRegistry {
    for (const name of names) {
      if (this.#builtIn.has(name)) throw builtInType(name);
      this.require(name);
    }
    const all = new Map([...this.#types].filter(([name]) => !names.includes(name)));
    requireUnneeded(new Set(names), [...all.values()]);
    return new TypeRegistry(this.#builtIn, all);
  }

  /** With and without types that {@link with} or {@link without} let through before, with the very same others: nothing is checked again. */
  changed(types: readonly NodeType[], gone: readonly string[]): TypeRegistry {
    const all = new Map([...this.#types, ...types.map((type) => [type.name, type] as const)]);
    for (const name of gone) all.delete(name);
    return new TypeRegistry(this.#builtIn, all);
  }

  #build(type: string, mixins: readonly string[]): EffectiveType {
    if (this.require(type).mixin) {
      throw badRequest(`expected a primary node type, but found the mixin '${type}'`, { reason: 'not_primary_type' });
    }
    for (const mixin of mixins) {
      if (!this.require(mixin).mixin) {
        throw badRequest(`expected a mixin, but found the primary node type '${mixin}'`, { reason: 'not_mixin' });
      }
    }
    return new EffectiveType(effectiveParts(this, [type, ...mixins]));
  }
}

/** The most combinations of mixins kept for a primary type; there are seldom more than ten. */
const EFFECTIVE_MAX = 1_000;

/** A registry of built-in types and registered ones, which may refer to each other in any order. @throws as {@link TypeRegistry.with} */
export function registryOf(builtIn: readonly NodeType[], registered: readonly NodeType[] = []): TypeRegistry {
  const own = new Map(builtIn.map((type) => [type.name, type]));
  const registry = new TypeRegistry(own, own);
  return registered.length === 0 ? registry : registry.with(registered);
}

/** As {@link registryOf}, of types that were checked when they were registered. */
export const checkedRegistry = (builtIn: readonly NodeType[], registered: readonly NodeType[]): TypeRegistry =>
  registryOf(builtIn).changed(registered, []);

/** The types, and those that inherit from one of them; there may be cycles yet. */
function affected(registry: TypeRegistry, types: readonly NodeType[]): readonly NodeType[] {
  const names = new Set(types.map(({ name }) => name));
  let size = -1;
  while (size !== names.size) {
    size = names.size;
    for (const { name, supertypes } of registry.all())
      for (const supertype of supertypes) if (names.has(supertype)) names.add(name);
  }
  return registry.all().filter(({ name }) => names.has(name));
}

const unknownType = (name: string) =>
  badRequest(`expected a registered node type, but there is no '${name}'`, {
    reason: 'unknown_node_type',
    resourceId: name,
  });

const builtInType = (name: string) =>
  badRequest(`expected a node type of your own, but '${name}' is built in and stays as it is`, {
    reason: 'built_in_node_type',
    resourceId: name,
  });

/** A type that has to stay; `how`: what the other one needs it for, behind its name. */
const neededType = (name: string, other: string, how: string) =>
  new ServiceError('CONFLICT', `expected node type '${name}' to be needed by no other, but '${other}' ${how}`, {
    reason: 'node_type_needed',
    resourceId: name,
  });

/** @throws CONFLICT one that stays names one that is to go */
function requireUnneeded(gone: ReadonlySet<string>, staying: readonly NodeType[]): void {
  for (const type of staying) {
    const need = needsOf(type).find(({ name }) => gone.has(name));
    if (need !== undefined) throw neededType(need.name, type.name, need.how);
  }
}

/** A type that another one names. */
interface Need {
  readonly name: string;
  /** Behind the name of the other one. */
  readonly how: string;
}

const needsOf = ({ supertypes, properties, children }: NodeType): readonly Need[] => [
  ...supertypes.map((name) => ({ name, how: 'inherits from it' })),
  ...children.flatMap((child) => [
    ...child.requiredTypes.map((name) => ({ name, how: `requires it of child node '${child.name}'` })),
    ...(child.defaultType === null
      ? []
      : [{ name: child.defaultType, how: `has it as the default type of child node '${child.name}'` }]),
  ]),
  ...properties.flatMap((property) =>
    targetTypesOf(property).map((name) => ({ name, how: `constrains property '${property.name}' to it` })),
  ),
];
