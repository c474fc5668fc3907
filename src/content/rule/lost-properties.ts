import type { EffectiveType } from '../model/effective-type.js';
import { isMultiple, type Property } from '../model/property.js';

/**
 * The properties that go when a node's types change, as with a mixin that is taken away (JCR 2.0 §10.10.3.2): those that no definition fits any
 * longer, and protected ones of a type that the node has no more, for nobody could remove them later.
 */
export function lostProperties(
  before: EffectiveType,
  after: EffectiveType,
  properties: Readonly<Record<string, Property>>,
): readonly string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const was = before.propertyDefinition(name, property.type, isMultiple(property));
    const is = after.propertyDefinition(name, property.type, isMultiple(property));
    const ownerGone = was?.protected === true && !after.isA(was.declaredBy);
    return is === undefined || ownerGone ? [name] : [];
  });
}
