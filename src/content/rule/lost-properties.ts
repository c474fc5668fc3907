import type { EffectiveType } from '../model/effective-type.js';
import { isMultiple, type Property } from '../model/property.js';

/**
 * The properties that go when a node loses a type, as with a mixin that is taken away (JCR 2.0 §10.10.3): the protected ones of that type, for
 * nobody could remove them later. Others stay, and {@link validateNode} tells where nothing allows them any longer.
 */
export function lostProperties(
  before: EffectiveType,
  after: EffectiveType,
  properties: Readonly<Record<string, Property>>,
): readonly string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const was = before.propertyDefinition(name, property.type, isMultiple(property));
    return was?.protected === true && !after.isA(was.declaredBy) ? [name] : [];
  });
}
