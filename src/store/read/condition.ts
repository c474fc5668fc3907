/** A value that a stored column is compared with. */
export type Value = string | number;

/**
 * Condition on a document, over the collection's declared columns and `id`. A comparison with a column that is null is false (and so its
 * `not` true): every condition is either true or false.
 */
export type Condition =
  | { readonly op: 'eq'; readonly column: string; readonly value: Value | null }
  | { readonly op: 'lt' | 'le' | 'gt' | 'ge'; readonly column: string; readonly value: Value }
  | { readonly op: 'in'; readonly column: string; readonly values: readonly Value[] }
  /** The column is a text that holds `value`. `ignoreCase`: both in lower case; a `value` of ASCII letters alone folds ASCII letters alone. */
  | { readonly op: 'contains'; readonly column: string; readonly value: string; readonly ignoreCase?: boolean }
  /** The column is a text like the pattern, in which `%` stands for any text, `_` for any sign. `ignoreCase`: as for `contains`. */
  | { readonly op: 'like'; readonly column: string; readonly value: string; readonly ignoreCase?: boolean }
  /** The column is the text, both in lower case. */
  | { readonly op: 'same'; readonly column: string; readonly value: string }
  | { readonly op: 'isNull' | 'notNull'; readonly column: string }
  /** The multi column holds any of the values; without `values` any at all. */
  | { readonly op: 'multi'; readonly column: string; readonly values?: readonly string[] | undefined }
  /** `any` of none is false, `all` of none is true. */
  | { readonly op: 'any' | 'all'; readonly of: readonly Condition[] }
  | { readonly op: 'not'; readonly of: Condition };
