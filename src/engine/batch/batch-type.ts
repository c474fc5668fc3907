import type { Caller } from '../../shared/caller.js';
import type { AnyOperation, State } from '../../store/index.js';

/** A kind of work on many things, each of which is sent one command. */
export interface BatchType<P extends object> {
  /** Its long job's type: `set-variables`. */
  readonly type: string;
  /** Whether it can be ended before it is through. Default true. */
  readonly abortable?: boolean;
  /** What is checked and settled as it begins, in that decision. Pure. Default: the parameters as they are given. @throws ServiceError: nothing is begun */
  prepare?(state: State, parameters: P, caller: Caller): P;
  /**
   * Those that are meant beside the ones that were named: a page of them, in an order that does not change, behind where the page before ended. All are looked
   * for, and kept, before the first command is sent. Default, and null: none.
   */
  find?(state: State, parameters: P, page: PageRequest): Page | null;
  /** The command that each is sent, with the rights of who began the batch. */
  command(id: string, parameters: P): BatchCommand;
}

/** Which page. */
export interface PageRequest {
  /** Where the page before ended; null: it is the first. */
  readonly after: unknown;
  /** When the batch was begun, ms: what has come later is none of it. */
  readonly until: number;
  readonly caller: Caller;
}

/** A page of what a batch is about. */
export interface Page {
  readonly ids: readonly string[];
  /** Where it ends, as plain JSON; null: it is the last. */
  readonly after: unknown;
}

interface BatchCommand {
  readonly operation: AnyOperation;
  readonly input: unknown;
}

/** How many things are looked at for a page, and are sent their commands together. */
export const BATCH_PAGE = 200;
