/** A value given as literal text, `${…}` expression or script. */
export type Source =
  | { readonly kind: 'expression'; readonly text: string }
  | { readonly kind: 'script'; readonly language: string; readonly text: string };

export type Condition = Source;

export type MappingValue =
  | Source
  | { readonly kind: 'list'; readonly items: readonly MappingValue[] }
  | { readonly kind: 'map'; readonly entries: readonly { readonly key: string; readonly value: MappingValue }[] }
  | { readonly kind: 'null' };

export interface Mapping {
  readonly name: string;
  readonly value: MappingValue;
}
