import {
  type BlobValue,
  type InlineValue,
  isBytes,
  isMultiple,
  mimeTypeOf,
  type Property,
  type PropertyType,
  type Value,
  valuesOf,
} from '../../content/index.js';
import type { ApiContext } from '../api-context.js';

/** The member of the union PropertyValue, by the property's type. */
const MEMBERS: Readonly<Record<PropertyType, string>> = {
  String: 'String',
  Binary: 'Binary',
  Long: 'Long',
  Double: 'Double',
  Date: 'Date',
  Boolean: 'Boolean',
  Name: 'Name',
  Path: 'Path',
  Reference: 'Reference',
  WeakReference: 'Weakreference',
  URI: 'Uri',
  Decimal: 'Decimal',
};

const single = {
  type: ({ type }: Property) => shownType(type),
  value: (property: Property, _: unknown, context: ApiContext) => shown(valuesOf(property)[0], context),
};

const multiple = {
  type: ({ type }: Property) => shownType(type),
  values: (property: Property, _: unknown, context: ApiContext) =>
    Promise.all(valuesOf(property).map((value) => shown(value, context))),
};

const paths = (property: Property, context: ApiContext): (string | null)[] =>
  valuesOf(property).map((id) => {
    const target = context.content.get(String(id));
    return target === undefined ? null : (context.content.tree.pathOf(target) ?? null);
  });

const bytesOf = (property: Property): (BlobValue | InlineValue)[] => valuesOf(property).filter(isBytes);

const mimeTypes = (property: Property, context: ApiContext) =>
  Promise.all(bytesOf(property).map((value) => mimeTypeOf(value, context.services.blobs)));

const reference = { ...single, path: (it: Property, _: unknown, context: ApiContext) => paths(it, context)[0] ?? null };
const references = { ...multiple, paths: (it: Property, _: unknown, context: ApiContext) => paths(it, context) };

/** The resolvers of the union and of its members. */
export const propertyValueResolvers = {
  PropertyValue: {
    __resolveType: (property: Property) =>
      `${MEMBERS[property.type]}PropertyValue${isMultiple(property) ? 'Array' : ''}`,
  },
  ...Object.fromEntries(
    Object.values(MEMBERS).flatMap((member) => [
      [`${member}PropertyValue`, single],
      [`${member}PropertyValueArray`, multiple],
    ]),
  ),
  BinaryPropertyValue: {
    ...single,
    value: () => null,
    size: (it: Property) => bytesOf(it)[0]?.size ?? null,
    mimeType: async (it: Property, _: unknown, context: ApiContext) => (await mimeTypes(it, context))[0] ?? null,
  },
  BinaryPropertyValueArray: {
    type: multiple.type,
    sizes: (it: Property) => bytesOf(it).map(({ size }) => size),
    mimeTypes: (it: Property, _: unknown, context: ApiContext) => mimeTypes(it, context),
  },
  ReferencePropertyValue: reference,
  ReferencePropertyValueArray: references,
  WeakreferencePropertyValue: reference,
  WeakreferencePropertyValueArray: references,
};

const shownType = (type: PropertyType): string => (type === 'Binary' ? 'BINARY' : type);

/** A value as JSON. A long text is read from its blob. */
function shown(value: Value | undefined, { services }: ApiContext): unknown {
  if (value === undefined) return null;
  if (typeof value !== 'object' || !('blob' in value)) return value;
  return services.blobs.readText({ sha256: value.blob, size: value.size });
}
