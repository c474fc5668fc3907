import type { Scope, Token } from '../element/instance-state.js';
import type { Migration } from '../element/move.js';
import type { Run } from '../element/run.js';

/** One migration while it happens. */
export interface Moving {
  /** By the new program. */
  readonly run: Run;
  /** By the former one, on the same state. */
  readonly former: Run;
  readonly move: Migration;
  /** What moves. */
  readonly tokens: readonly Token[];
  readonly scopes: readonly Scope[];
}
