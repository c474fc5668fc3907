// What of an API has no description; the build refuses it.
import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';

/** Of a schema: each type, field, argument and value without a description, named for a sentence. */
export const undescribed = (schema) =>
  Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .flatMap((type) => [named('type', type), ...partsOf(type)])
    .filter(([, { description }]) => !description?.trim())
    .map(([what]) => what);

const named = (kind, part, prefix = '') => [`${kind} '${prefix}${part.name}'`, part];

function partsOf(type) {
  const prefix = `${type.name}.`;
  if (isEnumType(type)) return type.getValues().map((value) => named('value', value, prefix));
  if (isInputObjectType(type)) return Object.values(type.getFields()).map((field) => named('field', field, prefix));
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => [
    named('field', field, prefix),
    ...field.args.map((argument) => named('argument', argument, `${prefix}${field.name}.`)),
  ]);
}
