import { badRequest } from '../../../shared/errors.js';
import type { EffectiveType } from '../../type/effective-type.js';
import { fitProperty } from '../../type/fit-property.js';
import { isMultiple, type Property, type PropertyType, type Value } from '../../value/property.js';
import { checkValue, type ValueContext } from '../../value/value.js';
import type { LargeValue, XmlDocument, XmlProperty, XmlValue } from './xml-document.js';
import { decoded } from './xml-text.js';

/**
 * A property of XML as the types of its node want it. Where XML tells no type or number of values, theirs hold: one value before a list, and text
 * where any type may be. @throws BAD_REQUEST a value is none of its type
 */
export function propertyOfXml(
  effective: EffectiveType,
  document: Pick<XmlDocument, 'view' | 'renamed'>,
  property: XmlProperty,
  context: ValueContext,
): Property {
  const multiple = isList(effective, property);
  const type = property.type ?? typeOf(effective, property.name, multiple);
  const texts = document.view === 'SYSTEM' ? property.values : itemsOf(property.values, multiple);
  const values = texts.map((text) => storedValue(type, text, document, context));
  const [first] = values;
  if (multiple) return fitProperty(effective, property.name, { type, values }, context);
  if (first === undefined) throw badRequest(`expected ${context.what} to have a value`);
  return fitProperty(effective, property.name, { type, value: first }, context);
}

/** Whether it has a list of values. */
function isList(effective: EffectiveType, { name, multiple, values }: XmlProperty): boolean {
  if (multiple !== null) return multiple;
  if (values.length !== 1) return true;
  const definitions = effective.propertiesNamed(name);
  return definitions.length > 0 && definitions.every((definition) => definition.multiple);
}

const typeOf = (effective: EffectiveType, name: string, multiple: boolean): PropertyType =>
  effective.propertiesNamed(name).find((definition) => definition.multiple === multiple)?.type ?? 'String';

/** The document view's values (JCR 2.0 §7.3.6). */
function itemsOf(values: readonly XmlValue[], multiple: boolean): readonly XmlValue[] {
  const [value] = values;
  if (typeof value !== 'string') return values;
  if (!multiple) return [decoded(value)];
  return value
    .split(/\s+/)
    .filter((one) => one !== '')
    .map(decoded);
}

function storedValue(
  type: PropertyType,
  value: XmlValue,
  document: Pick<XmlDocument, 'view' | 'renamed'>,
  context: ValueContext,
): Value {
  if (typeof value !== 'string') return checkValue(type, largeOf(type, value), context);
  if (document.view === 'SYSTEM' || (type !== 'Name' && type !== 'Path')) return checkValue(type, value, context);
  const renamed = value
    .split('/')
    .map((step) => inRepository(step, document.renamed))
    .join('/');
  return checkValue(type, renamed, context);
}

const largeOf = (type: PropertyType, { text, bytes }: LargeValue) =>
  type === 'Binary' ? (bytes ?? 'no Base64') : text;

function inRepository(name: string, renamed: Readonly<Record<string, string>>): string {
  const colon = name.indexOf(':');
  const prefix = colon > 0 ? renamed[name.slice(0, colon)] : undefined;
  return prefix === undefined ? name : `${prefix}${name.slice(colon)}`;
}

/** The property with identifiers of the import turned into those that its nodes have got. */
export function referring(property: Property, idOf: ReadonlyMap<string, string>): Property {
  if (property.type !== 'Reference' && property.type !== 'WeakReference') return property;
  const mapped = (value: Value): Value => idOf.get(String(value)) ?? value;
  if (isMultiple(property)) return { ...property, values: property.values.map(mapped) };
  return { ...property, value: mapped(property.value) };
}
