import { convertValue } from '../value/convert-value.js';
import { isMultiple, type Property } from '../value/property.js';
import type { ValueContext } from '../value/value.js';
import { LENIENT_TYPES } from './built-in-types.js';
import type { EffectiveType } from './effective-type.js';
import { RESIDUAL } from './node-type.js';

/**
 * The property as its node's types want it: where they define the name with another type, its values are converted (JCR 2.0 §10.4.2.4).
 * The very same where it fits, and where nothing would: {@link validateNode} tells why. @throws BAD_REQUEST (a value can't be converted)
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
