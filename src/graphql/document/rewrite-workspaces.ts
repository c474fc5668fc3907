import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * The original's client selects `workspaces` as a plain list; here it is a connection. A root field `workspaces` without arguments whose
 * selection has none of edges, pageInfo and totalCount becomes `workspaces: workspaceList { … }`. Any other document stays the very same.
 */
export function rewriteWorkspaces(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const fields = schema.getQueryType()?.getFields();
  if (fields?.workspaces === undefined || fields.workspaceList === undefined) return document;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  let changed = false;
  const rewriteSet = (set: SelectionSetNode): SelectionSetNode => ({
    ...set,
    selections: set.selections.map((selection) => {
      if (selection.kind === Kind.INLINE_FRAGMENT)
        return { ...selection, selectionSet: rewriteSet(selection.selectionSet) };
      if (selection.kind !== Kind.FIELD || !isPlainList(selection, fragments)) return selection;
      changed = true;
      return asWorkspaceList(selection);
    }),
  });
  const definitions = document.definitions.map((definition) => {
    const isQuery = definition.kind === Kind.OPERATION_DEFINITION && definition.operation === OperationTypeNode.QUERY;
    const isOnQuery =
      definition.kind === Kind.FRAGMENT_DEFINITION &&
      definition.typeCondition.name.value === schema.getQueryType()?.name;
    return isQuery || isOnQuery ? { ...definition, selectionSet: rewriteSet(definition.selectionSet) } : definition;
  });
  return changed ? { ...document, definitions } : document;
}

const CONNECTION_FIELDS = new Set(['edges', 'pageInfo', 'totalCount']);

const isPlainList = (field: FieldNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): boolean =>
  field.name.value === 'workspaces' &&
  field.selectionSet !== undefined &&
  !field.arguments?.length &&
  !hasConnectionField(field.selectionSet, fragments, new Set());

function hasConnectionField(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  seen: Set<string>,
): boolean {
  return set.selections.some((selection) => {
    if (selection.kind === Kind.FIELD) return CONNECTION_FIELDS.has(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) return hasConnectionField(selection.selectionSet, fragments, seen);
    const fragment = fragments.get(selection.name.value);
    if (fragment === undefined || seen.has(fragment.name.value)) return false;
    seen.add(fragment.name.value);
    return hasConnectionField(fragment.selectionSet, fragments, seen);
  });
}

const asWorkspaceList = (field: FieldNode): FieldNode => ({
  ...field,
  alias: field.alias ?? { kind: Kind.NAME, value: 'workspaces' },
  name: { kind: Kind.NAME, value: 'workspaceList' },
});
