import type { JobAttempt } from '../../store/index.js';
import { subscriptions } from '../collections.js';
import { typed } from '../element/native.js';
import type { EngineServices } from '../engine-services.js';
import { withOutcome } from '../handlers.js';
import { inferredVariables } from '../rule/given-value.js';
import type { DeliveryInput } from '../run/delivery.js';
import { instanceJob } from '../run/job-operation.js';
import { presentSubscription } from '../run/present.js';
import { shiftOf } from './job.js';

/** A handler's outcome: what it gave, and the variables that it set. Plain JSON. */
export interface CompleteCall extends JobAttempt {
  readonly result: unknown;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * A handler succeeded: its instance goes on. While the instance is suspended the outcome is kept with the job, and the handler is not called
 * again (unless the outcome is larger than 64 kB). Sent by the job.
 */
export const completeCall = (services: EngineServices) =>
  instanceJob<CompleteCall>(services, {
    name: 'completeCall',
    input: (_, { id: jobId }, { result, variables }) => ({
      type: 'callDone',
      jobId,
      result: typed(result),
      variables: inferredVariables(variables),
    }),
    held: (job, { result, variables }) => withOutcome(job.input, { result, variables }),
  });

/** Input of `failCall`: the BPMN error that a handler ended with. */
export interface FailCall extends JobAttempt {
  readonly code: string;
  readonly message: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * A handler ended with a BPMN error: the event that catches its code goes on; uncaught, the attempt has failed. While the instance is
 * suspended the error is kept with the job. Sent by the job.
 */
export const failCall = (services: EngineServices) =>
  instanceJob<FailCall>(services, {
    name: 'failCall',
    input: (_, { id: jobId }, { code, message, variables }) => ({
      type: 'callError',
      jobId,
      code,
      message,
      variables: inferredVariables(variables),
    }),
    held: (job, { code, message, variables }) => withOutcome(job.input, { error: { code, message }, variables }),
  });

/** A timer fired, an asynchronous continuation or a run that was cut goes on. Sent by the job. */
export const runJob = (services: EngineServices) =>
  instanceJob(services, {
    name: 'runJob',
    input: (_, { id: jobId, input }) => ({ type: 'job', jobId, ...shiftOf(input) }),
  });

/** A message or signal reaches the token that waits for it; where none waits any more, nothing happens. Sent by the job. */
export const triggerSubscription = (services: EngineServices) =>
  instanceJob(services, {
    name: 'triggerSubscription',
    input: (state, job) => {
      const { subscriptionId, ...carried } = job.input as DeliveryInput;
      const subscription = state.get(subscriptions, subscriptionId);
      if (subscription === undefined || presentSubscription(state, subscription) === undefined) return null;
      return { type: 'trigger', subscriptionId, ...carried };
    },
  });
