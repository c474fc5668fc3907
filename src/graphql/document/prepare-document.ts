import {
  BREAK,
  type ConstArgumentNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
  specifiedRules,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { GraphqlLimits } from '../limits.js';
import { beyond, bracketDepth, limitErrors } from './document-measures.js';
import { type ListVariable, listVariables, type PagePlan, planPages } from './variable-limits.js';

/**
 * Keeps what parsing and validation of a document gave, good or bad, for one schema: both cost more than executing it. Bounded; what was
 * used least recently goes first. Long documents are prepared anew each time, so that a few of them cannot fill it.
 */
export class DocumentCache {
  readonly #schema: GraphQLSchema;
  readonly #limits: GraphqlLimits;
  readonly #kept = new Map<string, PreparedDocument>();

  constructor(schema: GraphQLSchema, limits: GraphqlLimits) {
    this.#schema = schema;
    this.#limits = limits;
  }

  /** How many documents are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /** The document, prepared now or earlier. */
  prepare(text: string): PreparedDocument {
    if (text.length > this.#limits.cachedDocumentCharsMax) return prepareDocument(this.#schema, text, this.#limits);
    const known = this.#kept.get(text);
    if (known !== undefined) {
      this.#kept.delete(text);
      this.#kept.set(text, known);
      return known;
    }
    const prepared = prepareDocument(this.#schema, text, this.#limits);
    this.#keep(text, prepared);
    return prepared;
  }

  #keep(text: string, prepared: PreparedDocument): void {
    this.#kept.set(text, prepared);
    if (this.#kept.size <= this.#limits.cachedDocumentsMax) return;
    for (const oldest of this.#kept.keys()) {
      this.#kept.delete(oldest);
      return;
    }
  }
}

/** One operation of a document that may be executed. */
export interface PreparedOperation {
  readonly document: DocumentNode;
  readonly type: OperationTypeNode;
  /** Undefined when the document's only operation has no name. */
  readonly name: string | undefined;
  readonly pages: readonly PagePlan[];
  readonly lists: readonly ListVariable[];
  /** Whether it asks for the schema. */
  readonly introspects: boolean;
}

/** A document before it is executed: its operations, or why it has none. */
export interface PreparedDocument {
  readonly operations: readonly PreparedOperation[];
  readonly errors: readonly GraphQLError[];
  /** Which of the two it was that failed. */
  readonly failed?: 'parse' | 'validation';
}

/** Parses and validates a document, within the limits. The same text gives the same outcome for every caller. */
export function prepareDocument(schema: GraphQLSchema, text: string, limits: GraphqlLimits): PreparedDocument {
  const parsed = parseWithin(text, limits);
  if (parsed instanceof GraphQLError) return { operations: [], errors: [parsed], failed: 'parse' };
  const beyondLimits = limitErrors(parsed, limits);
  if (beyondLimits.length > 0) return { operations: [], errors: beyondLimits, failed: 'validation' };
  const introspects = selectsSchema(parsed);
  const rewritten = rewriteWorkspaces(parsed, schema);
  const document = introspects ? showDeprecatedInputs(rewritten, schema) : rewritten;
  const errors = validate(schema, document, specifiedRules, { maxErrors: limits.validationErrorsMax });
  if (errors.length > 0) return { operations: [], errors, failed: 'validation' };
  return { operations: operationsOf(schema, document, introspects), errors };
}

function parseWithin(text: string, limits: GraphqlLimits): DocumentNode | GraphQLError {
  if (text.length > limits.documentCharsMax) {
    return beyond(
      `expected a document of at most ${limits.documentCharsMax} characters, but it has ${text.length}: what is long belongs into variables`,
    );
  }
  if (bracketDepth(text, limits.bracketDepthMax) > limits.bracketDepthMax) {
    return beyond(
      `expected brackets of a document to nest at most ${limits.bracketDepthMax} levels, but they go deeper`,
    );
  }
  try {
    return parse(text, { maxTokens: limits.tokensMax });
  } catch (thrown) {
    if (!(thrown instanceof GraphQLError)) throw thrown;
    if (!/tokens. Parsing aborted/.test(thrown.message)) return thrown;
    return beyond(`expected a document of at most ${limits.tokensMax} tokens, but it has more`);
  }
}

function operationsOf(schema: GraphQLSchema, document: DocumentNode, introspects: boolean): PreparedOperation[] {
  const prepared = (node: OperationDefinitionNode): PreparedOperation => ({
    document,
    type: node.operation,
    name: node.name?.value,
    pages: planPages(schema, document, node),
    lists: listVariables(schema, node),
    introspects,
  });
  return document.definitions.flatMap((node) => (node.kind === Kind.OPERATION_DEFINITION ? [prepared(node)] : []));
}

function selectsSchema(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Field({ name }) {
      found ||= name.value === '__schema' || name.value === '__type';
      return found ? BREAK : undefined;
    },
  });
  return found;
}

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
