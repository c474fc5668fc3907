import type { Repeat } from '../../expression/index.js';

/** An event that may happen beside or instead of what a token waits for. */
export interface Armed {
  readonly element: number;
  /** Of a multiple event: which of its parts waits. */
  readonly part?: number;
  /** Of a task: which of its listeners is told, and nothing else happens. */
  readonly listener?: number;
  wait: Wait;
}

export type Wait =
  | { readonly kind: 'task'; readonly id: string }
  | {
      readonly kind: 'job';
      readonly id: string;
      readonly of: 'timer' | 'before' | 'after' | 'call' | 'cut' | 'bundle';
      /** Of a cut: the token's place among those that were moving; the highest goes on first. */
      readonly rank?: number;
      /** Of a cycle timer: what follows this time. */
      readonly repeat?: Repeat;
      /** Of asyncAfter: the flow that was chosen. Absent: there is none, or a former version left the choice for later. */
      readonly way?: number;
      /** Of what goes on without a wait (a cut, a continuation, a timer that was due when it was armed): how many steps have led here since the last wait. */
      readonly steps?: number;
    }
  | { readonly kind: 'subscription'; readonly id: string }
  /** An external task: for a worker. */
  | { readonly kind: 'external'; readonly id: string }
  /** A call activity: for the end of the instance of this id. */
  | { readonly kind: 'called'; readonly id: string }
  /** A gateway that waits for other tokens. */
  | { readonly kind: 'join' }
  /** An event-based gateway, or an event of several definitions: for the first of `boundaries`, or for all of them. */
  | { readonly kind: 'events' }
  /** For what compensates. */
  | { readonly kind: 'compensation' }
  /** A conditional event: for a change of what it reads. */
  | { readonly kind: 'condition' }
  /** Of an event that waits for several together: this one has come. */
  | { readonly kind: 'happened' }
  /** An ad-hoc sub-process: for what is chosen in it, and for that. */
  | {
      readonly kind: 'adHoc';
      /** Something in it has been started. */
      readonly begun?: true;
      /** What is to be started when nothing runs in it any more, in this order. */
      readonly next?: readonly number[];
      /** Nothing is chosen any more. */
      readonly over?: true;
    }
  /** A sub-process: for its inner tokens. */
  | { readonly kind: 'scope' };
