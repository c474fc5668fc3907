import type { GraphQLError } from 'graphql';
import type { Caller } from '../shared/caller.js';
import type { Aside, ReadRoom } from '../store/index.js';

/** An execution, as the transport sees it beside its result. */
export interface ExecutionContext {
  /** Awaited before the answer is sent: until this server's replica holds what the operation did. */
  settled?(): Promise<void>;
  /** The position of the last commit that the operation made; it becomes `extensions.position`. */
  position?(): string | undefined;
  /** Whether the mutation's root field of that response key has committed. */
  hasCommitted?(field: string): boolean;
  /** What the client is told beside the data, in the answer's `extensions`. */
  told?(): Readonly<Record<string, unknown>>;
  /** What could not be shown of lists, each with the path of its list: errors of the result beside those that were thrown. */
  leftOut?(): readonly GraphQLError[];
  /** Told of each error of the result, and of a subscription that could not begin; not of those of a mutation's root fields, which know of them. */
  failed?(error: GraphQLError): void;
}

/** Where what is read for an answer counts. */
export interface AnswerRoom extends ReadRoom {
  /** A document of so many bytes was read by this thread. @throws as {@link take} does, unless it is for a mutation, which is answered */
  read(bytes: number): void;
}

/** Facts of a request that the transport knows; `W` is whatever a workspace is to the server. */
export interface RequestFacts<W = unknown> {
  readonly caller: Caller;
  readonly workspace: W;
  /** Names the request in logs. */
  readonly requestId: string;
  /** `extensions.idempotencyKey` of the request: the same key gives the same answer. */
  readonly idempotencyKey?: string;
  /** The header `Millrace-Position`, or the position of the event that is being delivered: what is read must not be older. */
  readonly atLeast?: string;
  /** For a subscription: the position behind which its events begin. Undefined: from now on. */
  readonly after?: string;
  /** Where it comes from. Undefined: not known. */
  readonly address?: string;
  /** Hands a cookie over with the answer: the value of `Set-Cookie`. Undefined: the answer goes by a stream, whose headers are gone. */
  readonly giveCookie?: (cookie: string) => void;
  /** The variables as they were sent, before their types were asked. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Of a query: it may be refused as a whole where too many reads wait. What has committed, or is told by a stream, may not. */
  readonly mayBeShed?: boolean;
  /** Of a mutation: says that it waits for what is no work of this server's main thread and log, or goes on. */
  readonly aside?: Aside;
  /**
   * Its signal is aborted when nobody waits for the result any more: deadline, client gone, subscription ended. Never for a mutation. Asked for where it is
   * needed alone: making one costs more than reading a request.
   */
  readonly ending: Pick<AbortController, 'signal'>;
  /** Of a mutation: a signal that is aborted when its client is gone, for what waits for long before it does anything. Undefined: that is not known. */
  readonly gone?: () => AbortSignal;
  /** Counts what is read for the answer. Undefined: nothing does, as it is no answer (the beginning of a subscription). */
  readonly room?: AnswerRoom;
}

/** The context of every resolver: the facts of its request and, widened by the server's wiring, the way to the domains. */
export interface GraphqlContext<W = unknown> extends RequestFacts<W>, ExecutionContext {}
