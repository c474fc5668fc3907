import type { Caller } from '../../shared/caller.js';
import type { Operation, ReaderQuery } from '../../store/index.js';

/** The way of large work to the reader and to partitions: what a decision cannot do itself. */
export interface LargeWork {
  /** The partition of the workspace with the name; undefined: there is none that is open. */
  partitionOf(workspace: string): string | undefined;
  /** Asks a query of the content's reader module, with more time than a request has. */
  plan<A, R>(partition: string, query: ReaderQuery<A, R>, args: A, caller: Caller): Promise<R>;
  /** Sends a command in the system's name. @throws ServiceError its refusal, or UNAVAILABLE */
  send<I, A>(partition: string, operation: Operation<I, A>, input: I): Promise<A>;
}
