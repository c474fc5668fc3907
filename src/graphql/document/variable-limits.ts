import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isInputType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  typeFromAST,
  type ValueNode,
} from 'graphql';
import { limitExceeded, type ServiceError } from '../../shared/errors.js';
import type { GraphqlLimits } from '../limits.js';

/** The pages that an operation asks for, one within the other: all that its variables are needed for is filled in per request. */
export interface PagePlan {
  /** The field, for the sentence of a refusal. */
  readonly field: string;
  readonly size: PageSize;
  readonly inner: readonly PagePlan[];
  /** Whether none of its items is selected. */
  readonly isCount: boolean;
}

/** The fields of a page beside its items. */
const FRAME: ReadonlySet<string> = new Set(['totalCount', '__typename']);

/** A page size as written, or the variable that holds it with what counts when it is not given. */
type PageSize = number | { readonly variable: string; readonly otherwise: number };

/** What a page holds when neither document nor schema say. */
const ASSUMED_SIZE = 20;

/** The pages that a validated operation asks for. */
export function planPages(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): PagePlan[] {
  const root = schema.getRootType(operation.operation);
  return root ? new Planner(schema, document, operation).planSet(operation.selectionSet, root) : [];
}

/** Why the pages are too large with these variables: one page by itself, or one within the other. Undefined when they are not. */
export function pageFailure(
  plans: readonly PagePlan[],
  variables: Readonly<Record<string, unknown>>,
  limits: GraphqlLimits,
): ServiceError | undefined {
  let tooLarge: ServiceError | undefined;
  const items = (plan: PagePlan): number => {
    const size = sizeOf(plan.size, variables);
    if (size > limits.pageSizeMax) tooLarge ??= pageTooLarge(plan.field, size, limits.pageSizeMax);
    return plan.isCount ? 1 : size * (1 + sum(plan.inner));
  };
  const sum = (all: readonly PagePlan[]): number => all.reduce((total, plan) => total + items(plan), 0);
  const total = sum(plans);
  return tooLarge ?? (total > limits.resultObjectsMax ? resultTooLarge(total, limits.resultObjectsMax) : undefined);
}

function sizeOf(size: PageSize, variables: Readonly<Record<string, unknown>>): number {
  if (typeof size === 'number') return size;
  const given = variables[size.variable];
  const value = Number(given ?? size.otherwise);
  return Number.isNaN(value) ? 0 : Math.max(0, value); // what is no number is refused when variables are coerced
}

const pageTooLarge = (field: string, size: number, max: number) =>
  limitExceeded(`expected a page of at most ${max} items of '${field}', but ${size} are asked for`, {
    reason: 'page_too_large',
  });

const resultTooLarge = (total: number, max: number) =>
  limitExceeded(`expected pages of at most ${max} items in all, but one within the other they come to ${total}`, {
    reason: 'result_too_large',
  });

class Planner {
  readonly #schema: GraphQLSchema;
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #planned = new Map<string, PagePlan[]>();
  readonly #defaults = new Map<string, ValueNode | undefined>();

  constructor(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
    this.#schema = schema;
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition);
    }
    for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
      this.#defaults.set(variable.name.value, defaultValue);
    }
  }

  planSet(set: SelectionSetNode, parent: GraphQLCompositeType): PagePlan[] {
    return set.selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return this.#planField(selection, parent);
      if (selection.kind === Kind.FRAGMENT_SPREAD) return this.#planFragment(selection.name.value);
      return this.planSet(selection.selectionSet, this.#compositeType(selection.typeCondition?.name.value) ?? parent);
    });
  }

  #planFragment(name: string): PagePlan[] {
    const known = this.#planned.get(name);
    if (known !== undefined) return known;
    const fragment = this.#fragments.get(name);
    const on = this.#compositeType(fragment?.typeCondition.name.value);
    const plans = fragment && on ? this.planSet(fragment.selectionSet, on) : [];
    this.#planned.set(name, plans);
    return plans;
  }

  #planField(node: FieldNode, parent: GraphQLCompositeType): PagePlan[] {
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    const type = field && getNamedType(field.type);
    const inner = isCompositeType(type) && node.selectionSet ? this.planSet(node.selectionSet, type) : [];
    const size = field && this.#pageSize(node, field);
    if (size === undefined) return inner;
    return [{ field: node.name.value, size, inner, isCount: this.#isCount(node.selectionSet) }];
  }

  /** Whether of a page only its frame is selected, such as `{ totalCount }`: no item is read or answered. */
  #isCount(set: SelectionSetNode | undefined): boolean {
    return (set?.selections ?? []).every((selection) => {
      if (selection.kind === Kind.FIELD) return FRAME.has(selection.name.value);
      if (selection.kind === Kind.INLINE_FRAGMENT) return this.#isCount(selection.selectionSet);
      return this.#isCount(this.#fragments.get(selection.name.value)?.selectionSet);
    });
  }

  /** The size of the page that the field gives; undefined when it gives none. */
  #pageSize(node: FieldNode, field: GraphQLField<unknown, unknown>): PageSize | undefined {
    const declared = field.args.filter(({ name }) => name === 'first' || name === 'last');
    if (declared.length === 0) return undefined;
    const otherwise = Number(declared.find(({ defaultValue }) => defaultValue)?.defaultValue ?? ASSUMED_SIZE);
    const given = node.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last')?.value;
    if (given?.kind === Kind.INT) return Math.max(0, Number(given.value));
    if (given?.kind !== Kind.VARIABLE) return otherwise;
    const preset = this.#defaults.get(given.name.value);
    return { variable: given.name.value, otherwise: preset?.kind === Kind.INT ? Number(preset.value) : otherwise };
  }

  #compositeType(name: string | undefined): GraphQLCompositeType | undefined {
    const type = name === undefined ? undefined : this.#schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }
}

/** A variable whose type may have lists. */
export interface ListVariable {
  readonly name: string;
  readonly type: GraphQLInputType;
}

/** The variables of a validated operation that may have lists, by themselves or within. */
export function listVariables(schema: GraphQLSchema, operation: OperationDefinitionNode): ListVariable[] {
  return (operation.variableDefinitions ?? []).flatMap((definition) => {
    const type = typeFromAST(schema, definition.type);
    const name = definition.variable.name.value;
    return isInputType(type) && mayHaveLists(type) ? [{ name, type }] : [];
  });
}

/**
 * Why the lists of the variables are too long together. It is asked before their types are: that takes some microseconds for each item.
 * Lists within a scalar (JSON) are none of these.
 */
export function listFailure(
  lists: readonly ListVariable[],
  variables: Readonly<Record<string, unknown>>,
  itemsMax: number,
): ServiceError | undefined {
  const counter = new ItemCounter(itemsMax);
  const beyond = lists.find(({ name, type }) => !counter.fits(type, variables[name]));
  return beyond && tooManyItems(beyond.name, itemsMax);
}

class ItemCounter {
  #left: number;

  constructor(max: number) {
    this.#left = max;
  }

  /** Counts the items of a value; whether there is still room. What has another shape than its type counts none: it is refused later. */
  fits(type: GraphQLInputType, value: unknown): boolean {
    if (isNonNullType(type)) return this.fits(type.ofType, value);
    if (typeof value !== 'object' || value === null) return true;
    if (isListType(type)) {
      return Array.isArray(value) ? this.#fitsList(type.ofType, value) : this.fits(type.ofType, value); // one may stand for a list of it
    }
    return !isInputObjectType(type) || this.#fitsFields(type, value as Record<string, unknown>);
  }

  #fitsList(type: GraphQLInputType, items: readonly unknown[]): boolean {
    this.#left -= items.length;
    return this.#left >= 0 && (!mayHaveLists(type) || items.every((item) => this.fits(type, item)));
  }

  #fitsFields(type: GraphQLInputObjectType, value: Readonly<Record<string, unknown>>): boolean {
    const fields = type.getFields();
    // Of the many fields that a type may have, few are given.
    for (const name in value) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field !== undefined && !this.fits(field.type, value[name])) return false;
    }
    return true;
  }
}

const mayHaveLists = (type: GraphQLInputType): boolean =>
  isNonNullType(type) ? mayHaveLists(type.ofType) : isListType(type) || isInputObjectType(type);

const tooManyItems = (variable: string, max: number) =>
  limitExceeded(
    `expected at most ${max} items in the lists of all variables, but with those of '$${variable}' there are more`,
    { reason: 'too_many_items' },
  );
