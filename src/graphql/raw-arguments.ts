import { type GraphQLResolveInfo, valueFromASTUntyped } from 'graphql';

/** The arguments of a field as the client sent them: a point in time as its text, with its zone. Defaults are not among them. */
export function rawArguments(
  { fieldNodes }: GraphQLResolveInfo,
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const given = fieldNodes[0]?.arguments ?? [];
  return Object.fromEntries(given.map(({ name, value }) => [name.value, valueFromASTUntyped(value, { ...variables })]));
}
