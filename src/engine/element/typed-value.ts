/** A variable's types, spelt as the API spells them. */
export type VariableType = 'String' | 'Long' | 'Integer' | 'Double' | 'Boolean' | 'Date' | 'Json' | 'Null';

/** A typed value. Date: ISO 8601 text, UTC, milliseconds. Long beyond 2^53: text. */
export interface TypedValue {
  readonly type: VariableType;
  readonly value: unknown;
}

export type Variables = Record<string, TypedValue>;
