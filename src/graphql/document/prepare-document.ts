import {
  BREAK,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import type { GraphqlLimits } from '../limits.js';
import { bracketDepth } from './bracket-depth.js';
import { beyond, limitErrors } from './document-measures.js';
import { type ListVariable, listVariables } from './input-lists.js';
import { type PagePlan, planPages } from './page-plan.js';
import { rewriteWorkspaces } from './rewrite-workspaces.js';
import { showDeprecatedInputs } from './show-deprecated-inputs.js';

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

/** What there is to know of a document before it is executed: its operations, or why it has none. */
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
