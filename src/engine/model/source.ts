/** A value given as literal text, `${…}` expression or script. */
export type Source =
  | { readonly kind: 'expression'; readonly text: string }
  /** `made`: its text is an expression, which gives the script. */
  | { readonly kind: 'script'; readonly language: string; readonly text: string; readonly made?: true };

export type Condition = Source;

export type MappingValue =
  | Source
  | { readonly kind: 'list'; readonly items: readonly MappingValue[] }
  | { readonly kind: 'map'; readonly entries: readonly { readonly key: string; readonly value: MappingValue }[] }
  /** Of a data association: a copy of the variable. */
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'null' };

export interface Mapping {
  readonly name: string;
  /** The names that lead to the part of the variable that is set. Absent: the whole. */
  readonly path?: readonly string[];
  readonly value: MappingValue;
}

export type DataType = 'String' | 'Long' | 'Integer' | 'Double' | 'Boolean' | 'Date' | 'Json';

/** A variable that a model declares. It begins as null. */
export interface DataDeclaration {
  readonly name: string;
  /** Absent: it takes any value. */
  readonly type?: DataType;
  /** It takes lists. */
  readonly isCollection?: true;
}
