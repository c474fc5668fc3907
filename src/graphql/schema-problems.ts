import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  validateSchema,
} from 'graphql';

/** What keeps a schema from being served with pride: rules of GraphQL, root fields without a resolver, and whatever has no description. */
export function schemaProblems(schema: GraphQLSchema): string[] {
  return [
    ...validateSchema(schema).map((error) => error.message),
    ...unresolvedRootFields(schema),
    ...Object.values(schema.getTypeMap())
      .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
      .flatMap((type) => undescribed(type).map((what) => `expected a description of ${what}, but there is none`)),
  ];
}

function* unresolvedRootFields(schema: GraphQLSchema): Generator<string> {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const root of roots) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      const resolver = root === schema.getSubscriptionType() ? field.subscribe : field.resolve;
      if (resolver === undefined) yield `expected a resolver of '${root?.name}.${field.name}', but there is none`;
    }
  }
}

interface Described {
  readonly name: string;
  readonly description?: string | null | undefined;
}

function undescribed(type: GraphQLNamedType): string[] {
  return [named('type', type), ...partsOf(type)]
    .filter(([, { description }]) => !description?.trim())
    .map(([what]) => what);
}

/** A part of the schema with its name for a sentence. */
type Part = [what: string, part: Described];

const named = (kind: string, part: Described, prefix = ''): Part => [`${kind} '${prefix}${part.name}'`, part];

function partsOf(type: GraphQLNamedType): Part[] {
  const prefix = `${type.name}.`;
  if (isEnumType(type)) return type.getValues().map((value) => named('value', value, prefix));
  if (isInputObjectType(type)) return Object.values(type.getFields()).map((field) => named('field', field, prefix));
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => [
    named('field', field, prefix),
    ...field.args.map((argument) => named('argument', argument, `${prefix}${field.name}.`)),
  ]);
}
