import { readdirSync, readFileSync } from 'node:fs';
import {
  buildASTSchema,
  concatAST,
  type DocumentNode,
  type GraphQLEnumType,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLObjectType,
  GraphQLScalarType,
  type GraphQLSchema,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
  Kind,
  parse,
  Source,
  validateSchema,
  valueFromAST,
  visit,
} from 'graphql';
import { guardEngines } from './execution/engine-guard.js';
import { guardFields } from './execution/execution-guard.js';
import { scalars } from './scalars.js';

/** SDL and resolvers of an API. */
interface SchemaSource {
  /** SDL texts; a type may be declared in one and extended in others. The name of a file says of which engine it is. */
  readonly typeDefs: readonly (string | Source)[];
  /**
   * By type name: for an object type resolvers by field (`fn` or `{ resolve?, subscribe? }`); for a union or interface `__resolveType`;
   * for an enum internal values by name; for a scalar its coercion. The scalars of `base.graphql` need not be given.
   */
  readonly resolvers: Readonly<Record<string, unknown>>;
  /** Whether the SDL was looked through before, as the build does with that of the API. Default: it is looked through. */
  readonly isValid?: boolean;
}

/** An executable schema, and what is wrong with it. */
interface MadeSchema {
  readonly schema: GraphQLSchema;
  /** The same, but objects of a list may be null: an error below one of them takes no other with it. */
  readonly sparing: GraphQLSchema;
  /** Sentences; empty when every root field has a resolver and every resolver a field. */
  readonly problems: readonly string[];
}

/** Builds an executable schema. Its fields count the objects of a result and stop at the deadline. @throws on SDL that is not valid */
export function makeSchema({ typeDefs, resolvers, isValid = false }: SchemaSource): MadeSchema {
  const document = concatAST(typeDefs.map((text) => parse(text)));
  const { schema, problems } = executable(buildASTSchema(document, { assumeValidSDL: isValid }), resolvers);
  // What is nullable in a document that is valid leaves it so: it is not looked through again.
  const sparing = buildASTSchema(withNullableObjects(document, schema), { assumeValidSDL: true });
  return { schema, sparing: executable(sparing, resolvers).schema, problems };
}

function executable(schema: GraphQLSchema, resolvers: SchemaSource['resolvers']): Omit<MadeSchema, 'sparing'> {
  const problems: string[] = [];
  for (const [name, given] of Object.entries({ ...scalarsOf(schema), ...resolvers })) {
    const type = schema.getType(name);
    if (type === undefined || !isRecord(given))
      problems.push(`expected a type '${name}' for its resolvers, but the SDL has none`);
    else attach(type, given, problems);
  }
  recomputeDefaults(schema);
  problems.push(...schemaProblems(schema));
  guardEngines(schema);
  guardFields(schema);
  return { schema, problems };
}

/** `[Task!]!` becomes `[Task]!` wherever a field gives it. */
const withNullableObjects = (document: DocumentNode, schema: GraphQLSchema): DocumentNode =>
  visit(document, {
    InputValueDefinition: () => false,
    ListType: (list) => {
      const item = list.type.kind === Kind.NON_NULL_TYPE ? list.type.type : list.type;
      const isOfObjects = item.kind === Kind.NAMED_TYPE && isCompositeType(schema.getType(item.name.value));
      return isOfObjects ? { ...list, type: item } : undefined;
    },
  });

const scalarsOf = (schema: GraphQLSchema) =>
  Object.fromEntries(Object.entries(scalars).filter(([name]) => schema.getType(name) !== undefined));

function attach(type: GraphQLNamedType, given: Record<string, unknown>, problems: string[]): void {
  if (isScalarType(type)) attachScalar(type, given);
  else if (isEnumType(type)) attachEnum(type, given);
  else if (isUnionType(type) || isInterfaceType(type)) Object.assign(type, { resolveType: given.__resolveType });
  else if (isObjectType(type)) attachFields(type, given, problems);
  else problems.push(`expected no resolvers for the input type '${type.name}', but some are given`);
}

function attachScalar(type: GraphQLScalarType, given: object): void {
  const made = given instanceof GraphQLScalarType ? given : new GraphQLScalarType({ name: type.name, ...given });
  const { serialize, parseValue, parseLiteral } = made;
  Object.assign(type, { serialize, parseValue, parseLiteral });
}

/** Translates between names and internal values on the way in and out. */
function attachEnum(type: GraphQLEnumType, internal: Record<string, unknown>): void {
  const names = new Map(Object.entries(internal).map(([name, value]) => [value, name]));
  const { serialize, parseValue, parseLiteral } = type;
  const inside = (name: unknown) => (typeof name === 'string' && name in internal ? internal[name] : name);
  Object.assign(type, {
    serialize: (value: unknown) => serialize.call(type, names.get(value) ?? value),
    parseValue: (value: unknown, ...rest: []) => inside(parseValue.call(type, value, ...rest)),
    parseLiteral: (...args: Parameters<typeof parseLiteral>) => inside(parseLiteral.apply(type, args)),
  });
}

function attachFields(type: GraphQLObjectType, given: Record<string, unknown>, problems: string[]): void {
  const fields = type.getFields();
  for (const [name, resolver] of Object.entries(given)) {
    const field = fields[name];
    if (name === '__isTypeOf' && isResolver(resolver)) Object.assign(type, { isTypeOf: resolver });
    else if (field !== undefined) Object.assign(field, resolversOf(resolver));
    else problems.push(`expected a field '${type.name}.${name}' for its resolver, but the SDL has none`);
  }
}

/** A function resolves the field; an object may do so, and may give the events of a subscription. */
function resolversOf(given: unknown): { resolve?: Resolver; subscribe?: Resolver } {
  if (isResolver(given)) return { resolve: given };
  const { resolve, subscribe } = isRecord(given) ? given : {};
  return { ...(isResolver(resolve) && { resolve }), ...(isResolver(subscribe) && { subscribe }) };
}

/** Defaults were read from the SDL before scalars and enums had their coercion. */
function recomputeDefaults(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    const inputs = isInputObjectType(type)
      ? Object.values(type.getFields())
      : isObjectType(type) || isInterfaceType(type)
        ? Object.values(type.getFields()).flatMap((field) => field.args)
        : [];
    for (const input of inputs) {
      const literal = input.astNode?.defaultValue;
      if (literal !== undefined) input.defaultValue = valueFromAST(literal, input.type);
    }
  }
}

/** What keeps a schema from being served: rules of GraphQL, and root fields without a resolver. */
function schemaProblems(schema: GraphQLSchema): string[] {
  return [...validateSchema(schema).map((error) => error.message), ...unresolvedRootFields(schema)];
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

type Resolver = GraphQLFieldResolver<unknown, unknown>;

const isResolver = (value: unknown): value is Resolver => typeof value === 'function';
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The SDL of the API, one text per file of `schema/`, in the order of their names. */
export function readTypeDefs(folder: URL = new URL('./schema/', import.meta.url)): Source[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => new Source(readFileSync(new URL(file, folder), 'utf8'), file));
}
