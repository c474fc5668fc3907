import {
  type ConstArgumentNode,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/**
 * Introspection leaves deprecated arguments and input fields out unless it is asked for them, and most tools do not ask: they would take them
 * for missing, and refuse documents that use them. Here it gives them unless the document says what it wants.
 */
export function showDeprecatedInputs(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const info = new TypeInfo(schema);
  return visit(
    document,
    visitWithTypeInfo(info, {
      Field(node) {
        const isMeant = INPUTS.has(`${info.getParentType()?.name}.${node.name.value}`);
        const says = node.arguments?.some(({ name }) => name.value === INCLUDE.name.value);
        return isMeant && !says ? { ...node, arguments: [...(node.arguments ?? []), INCLUDE] } : undefined;
      },
    }),
  );
}

const INPUTS = new Set(['__Field.args', '__Directive.args', '__Type.inputFields']);

const INCLUDE: ConstArgumentNode = {
  kind: Kind.ARGUMENT,
  name: { kind: Kind.NAME, value: 'includeDeprecated' },
  value: { kind: Kind.BOOLEAN, value: true },
};
