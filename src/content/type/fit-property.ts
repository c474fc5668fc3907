import { convertValue } from '../value/convert-value.js';
import { isMultiple, type Property } from '../value/property.js';
import type { ValueContext } from '../value/value.js';
import type { EffectiveType } from './effective-type.js';

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
