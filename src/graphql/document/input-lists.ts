import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { limitExceeded, type ServiceError } from '../../shared/errors.js';

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
