import type { Predicate } from '../../expression/routes.js';
import type { ComponentContext, LogLevel } from '../component/component.js';
import type { Step } from '../flow/outcome.js';
import type { Original, PolicyKey } from './exception-policy.js';
import type { RedeliveryPolicy } from './redelivery-policy.js';
import type { Stopping } from './stopping.js';

/** The handling of failures of a route's steps: its error handler, and its `onException`s. */
export interface ErrorHandling {
  readonly context: ComponentContext;
  readonly keys: readonly PolicyKey[];
  readonly redelivery: RedeliveryPolicy;
  /** Some failure may be answered with another attempt, so each step's message is kept. */
  readonly mayRedeliver: boolean;
  /** There is nothing but the error handler that does nothing: a failure leaves no headers behind. */
  readonly isPlain: boolean;
  /** Of the route: where a policy says so, attempts end with it. */
  readonly stopping: Stopping;
  readonly retryWhile: Predicate | undefined;
  readonly original: Original | undefined;
  readonly deadLetter: DeadLetter | undefined;
  readonly onRedelivery: Step | undefined;
  readonly onPrepareFailure: Step | undefined;
  readonly onExceptionOccurred: Step | undefined;
  readonly logName: string;
  /** Nothing below this is logged. */
  readonly level: LogLevel;
}

/** Where a dead letter channel sends what failed. */
export interface DeadLetter {
  readonly uri: string;
  readonly send: Step;
  /** What fails there is handled, too. */
  readonly handlesNewFailure: boolean;
}
