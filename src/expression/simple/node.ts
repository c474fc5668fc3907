/** Node of a parsed text of Simple. `at`: offset in the text, from 0. */
export type SimpleNode =
  | { readonly kind: 'text'; readonly at: number; readonly text: string }
  /** A literal number, true, false or null. */
  | { readonly kind: 'value'; readonly at: number; readonly value: unknown }
  /** `${…}`: what stands within. */
  | { readonly kind: 'function'; readonly at: number; readonly text: string }
  | { readonly kind: 'quoted'; readonly at: number; readonly parts: readonly SimpleNode[] }
  /** `++` and `--`. */
  | { readonly kind: 'unary'; readonly at: number; readonly sign: string; readonly operand: SimpleNode }
  | BinaryNode
  | { readonly kind: 'elvis'; readonly at: number; readonly left: SimpleNode; readonly right: SimpleNode }
  | LogicalNode
  /** `~>`: each is the body of the next. `isNullSafe`: it ends at null (`?~>`). */
  | { readonly kind: 'chain'; readonly at: number; readonly links: readonly SimpleNode[]; readonly isNullSafe: boolean }
  | {
      readonly kind: 'ternary';
      readonly at: number;
      readonly condition: SimpleNode;
      readonly yes: SimpleNode;
      readonly no: SimpleNode;
    };

export interface BinaryNode {
  readonly kind: 'binary';
  readonly at: number;
  readonly sign: string;
  readonly left: SimpleNode;
  readonly right: SimpleNode;
}

export interface LogicalNode {
  readonly kind: 'logical';
  readonly at: number;
  readonly sign: string;
  readonly left: SimpleNode;
  readonly right: SimpleNode;
}

/** A sign between values, before it is known what it joins. */
export interface OperatorToken {
  readonly kind: 'operator';
  readonly at: number;
  readonly family: 'unary' | 'binary' | 'ternary' | 'elvis' | 'chain' | 'logical';
  readonly sign: string;
}

export type Item = SimpleNode | OperatorToken;
