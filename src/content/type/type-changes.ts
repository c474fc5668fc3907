import type { EffectiveChild, EffectiveProperty, EffectiveType } from './effective-type.js';
import type { NodeType } from './node-type.js';
import { RESIDUAL } from './node-type.js';

/** Effect of a new definition of a type on the nodes that there are: none, they stay valid, or they may not be valid any longer. */
type TypeChange = 'none' | 'relaxed' | 'breaking';

/** A registry before or after, as far as it is asked. */
interface ChangedRegistry {
  require(name: string): NodeType;
  effectiveOf(name: string): EffectiveType;
  isA(name: string, supertype: string): boolean;
}

/**
 * How a type changed between two registries, all that it inherits included. A breaking change is for types that no node uses (JCR 2.0 §19.2.4.1).
 * Both must know the type.
 */
export function changesOf(before: ChangedRegistry, after: ChangedRegistry, name: string): TypeChange {
  const comparison: Comparison = {
    before: before.effectiveOf(name),
    after: after.effectiveOf(name),
    isA: (type, supertype) => after.isA(type, supertype),
  };
  if (breaksType(before.require(name), after.require(name)) || breaksNodes(comparison)) return 'breaking';
  return sameType(before.require(name), after.require(name), comparison) ? 'none' : 'relaxed';
}

/** The effective types of nodes before and after. */
interface Comparison {
  readonly before: EffectiveType;
  readonly after: EffectiveType;
  readonly isA: (type: string, supertype: string) => boolean;
}

/** Whether the type itself can no longer be that of a node. */
export const breaksType = (old: NodeType, now: NodeType): boolean =>
  old.mixin !== now.mixin || (now.abstract && !old.abstract);

/** Whether nodes of these types, mixins included, may not be valid any longer. */
export const breaksNodes = (comparison: Comparison): boolean =>
  (comparison.before.orderable && !comparison.after.orderable) ||
  [...comparison.before.types].some((type) => !comparison.after.isA(type)) ||
  breaksProperties(comparison) ||
  breaksChildren(comparison);

function breaksProperties({ before, after }: Comparison): boolean {
  const demanded = after.mandatoryProperties.some(({ name }) => !isDemanded(before.mandatoryProperties, name));
  return (
    demanded ||
    coveredBefore(before.properties, after.properties).some(([name, old]) => {
      const now = after.propertiesNamed(name).filter(({ multiple }) => multiple === old.multiple);
      const definition = now.find(({ type }) => type === old.type) ?? now.find(({ type }) => type === null);
      return definition === undefined || !takesAllOf(definition, old) || hasStricter(now, definition);
    })
  );
}

function breaksChildren({ before, after, isA }: Comparison): boolean {
  const demanded = after.mandatoryChildren.some(({ name }) => !isDemanded(before.mandatoryChildren, name));
  const takes = (now: EffectiveChild, old: EffectiveChild) =>
    now.requiredTypes.every((type) => old.requiredTypes.some((required) => isA(required, type))) &&
    (now.sameNameSiblings || !old.sameNameSiblings) &&
    (old.protected || !now.protected);
  return (
    demanded ||
    coveredBefore(before.children, after.children).some(
      ([name, old]) => !after.childrenNamed(name).some((now) => takes(now, old)),
    )
  );
}

const isDemanded = (definitions: readonly { readonly name: string }[], name: string): boolean =>
  definitions.some((definition) => definition.name === name);

/** What was allowed, under the names it is now asked for: a name defined anew takes over what fell under the residual definitions. */
function coveredBefore<T extends { readonly name: string }>(before: readonly T[], after: readonly T[]): [string, T][] {
  const known = new Set(before.map(({ name }) => name));
  const added = [...new Set(after.map(({ name }) => name))].filter((name) => !known.has(name) && name !== RESIDUAL);
  const residual = before.filter(({ name }) => name === RESIDUAL);
  return [
    ...before.map((definition): [string, T] => [definition.name, definition]),
    ...added.flatMap((name) => residual.map((definition): [string, T] => [name, definition])),
  ];
}

function takesAllOf(now: EffectiveProperty, old: EffectiveProperty): boolean {
  const constraints = now.valueConstraints;
  const wider =
    constraints.length === 0 ||
    (old.valueConstraints.length > 0 && old.valueConstraints.every((text) => constraints.includes(text)));
  return wider && (old.protected || !now.protected);
}

/** Beside a definition of any type, one of a single type takes its values first. */
const hasStricter = (definitions: readonly EffectiveProperty[], { type, ...any }: EffectiveProperty): boolean =>
  type === null &&
  definitions.some(
    (other) => other.type !== null && (other.valueConstraints.length > 0 || (other.protected && !any.protected)),
  );

const sameType = (old: NodeType, now: NodeType, { before, after }: Comparison): boolean =>
  JSON.stringify([old, before.properties, before.children]) === JSON.stringify([now, after.properties, after.children]);
