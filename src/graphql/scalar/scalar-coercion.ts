import { GraphQLError, type GraphQLScalarType, Kind, print, type ValueNode } from 'graphql';

/** How a scalar's values cross the API: out (`serialize`), in from variables (`parseValue`), in from the document (`parseLiteral`). */
export type ScalarCoercion = Pick<GraphQLScalarType, 'serialize' | 'parseValue' | 'parseLiteral'>;

/** The text of a string literal. @throws GraphQLError for any other literal */
export function stringLiteral(node: ValueNode, scalar: string): string {
  if (node.kind === Kind.STRING) return node.value;
  throw new GraphQLError(`expected a ${scalar} as a string, but got ${print(node)}`, { nodes: node });
}
