/**
 * What becomes of a node of the archive. `attach`: it is new below one that is there; `new`: below one that is new itself; `overwrite`, `merge`:
 * there is one, which is changed, or stays as it is; `skip`, `error`: nothing.
 */
export type Fate = 'attach' | 'new' | 'overwrite' | 'merge' | 'skip' | 'error';

export interface Planned {
  readonly fate: Fate;
  /** What it has, or will have, as its identifier. */
  readonly id: string;
  readonly name: string;
  readonly isFile: boolean;
  readonly type: string;
  readonly mixins: readonly string[];
  /** Why it cannot be imported. */
  readonly message: string | null;
}
