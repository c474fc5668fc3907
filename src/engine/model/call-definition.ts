/** Business key and variables that `camunda:in` gives to another instance. */
export interface Given {
  /** Of an instance that starts by it; null: none. */
  readonly businessKey: string | null;
  readonly inputs: readonly Transfer[];
}

/** What a call activity calls. */
export interface CallDefinition extends Given {
  /** The key of the process: literal or an expression. */
  readonly process: string;
  /** Which version of it: the newest, that of the caller's deployment, or the one of `version`, a number or a tag. */
  readonly binding: 'latest' | 'deployment' | 'version' | 'versionTag';
  /** Literal or an expression; null where the binding needs none. */
  readonly version: string | null;
  readonly outputs: readonly Transfer[];
}

/** `camunda:in` and `camunda:out`. `local`, of an input: only variables of the activity itself; of an output: set on it alone. */
export type Transfer =
  | { readonly kind: 'all'; readonly local: boolean }
  | { readonly kind: 'variable'; readonly source: string; readonly target: string; readonly local: boolean }
  | { readonly kind: 'expression'; readonly text: string; readonly target: string; readonly local: boolean };
