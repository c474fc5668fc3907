import { isMultiple, type Property } from '../value/property.js';
import { LENIENT_TYPES } from './built-in-types.js';
import type { EffectiveType } from './effective-type.js';
import { RESIDUAL } from './node-type.js';

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
