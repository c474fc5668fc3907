import { isReservedName } from '../../shared/sound-text.js';

/** A node of a parsed expression. `at`: offset in the whole text. */
export type Node =
  | { readonly kind: 'literal'; readonly value: unknown }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly object: Node; readonly key: Node }
  /** `now()` */
  | { readonly kind: 'function'; readonly name: string; readonly args: readonly Node[] }
  /** `name.contains('a')` */
  | { readonly kind: 'method'; readonly object: Node; readonly method: Node; readonly args: readonly Node[] }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Node }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Node; readonly right: Node }
  | { readonly kind: 'choice'; readonly test: Node; readonly yes: Node; readonly no: Node };

export type UnaryOperator = '!' | '-' | 'empty';
export type BinaryOperator = '||' | '&&' | '==' | '!=' | '<' | '>' | '<=' | '>=' | '+' | '-' | '*' | '/' | '%';

/** A whole text: literal parts and expressions in turn. */
export type Template = readonly (string | Node)[];

/** Names that reach into JavaScript's own machinery: never a variable, property or key. */
export const isForbiddenName = isReservedName;
